import { existsSync, statSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { fileURLToPath } from "node:url"

/** The repository's root folder: the site is made of Markdown files from all of it, as they are. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "../..")

/** What is no page of the site, as globs from the root: the same rule as `isPage`. */
export const notPages: ReadonlyArray<string> = [
  "!(README|CONTRIBUTING).md",
  "!(docs|packages|benchmarks)/**/*",
  "packages/*/!(README).md",
  "packages/*/*/**/*",
  "benchmarks/!(results)/**/*",
]

/** Where the site has the page that is `path` in the repository. */
export const placeOf = (path: string): string => {
  if (path === "README.md") return "overview.md"
  if (path === "CONTRIBUTING.md") return "contributing.md"
  const below = path.startsWith("docs/") ? path.slice("docs/".length) : path
  return below.replace(/^packages\/([^/]+)\/README\.md$/, "packages/$1.md").replace(/README\.md$/, "index.md")
}

/** The address of that page, from the root of the site. */
export const addressOf = (path: string): string => `/${placeOf(path).replace(/(?:index)?\.md$/, "")}`

/** The anchor of a heading, as forges make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

/** A link of a Markdown file: to a page of the site, or to a file of the repository that is none. */
export interface Target {
  readonly path: string
  readonly anchor: string
  readonly page: boolean
}

/** What a relative link in the file `from` leads to; undefined where nothing is there. */
export const targetOf = (from: string, link: string): Target | undefined => {
  const [to = "", anchor] = link.split("#")
  const linked = posix.normalize(posix.join(posix.dirname(from), decodeURI(to))).replace(/\/$/, "")
  if (!existsSync(join(root, linked))) return undefined
  const readme = posix.join(linked, "README.md")
  const folder = statSync(join(root, linked)).isDirectory()
  const path = folder && existsSync(join(root, readme)) ? readme : linked
  return { path, anchor: anchor === undefined ? "" : `#${anchor}`, page: isPage(path) }
}

/** Whether the file is a page of the site; the rest of the Markdown files is not published. */
export const isPage = (path: string): boolean =>
  /^(?:README|CONTRIBUTING|docs\/.*|packages\/[^/]+\/README|benchmarks\/README|benchmarks\/results\/[^/]+)\.md$/.test(
    path,
  )
