import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { addressOf, root } from "./paths.ts"

/** A part of the navigation: pages as paths in the repository, in the order in which they are read. */
export interface Group {
  readonly title: string
  readonly pages: ReadonlyArray<string>
  /** Closed until it is opened, since it is long. */
  readonly closed?: true
}

const markdownIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .toSorted()
    .map((name) => `${folder}/${name}`)

const packagePages = (): ReadonlyArray<string> =>
  readdirSync(join(root, "packages"))
    .map((name) => `packages/${name}/README.md`)
    .filter((path) => existsSync(join(root, path)))

/** Every page of the site; `test/site.test.ts` checks that none is missing. */
export const groups: ReadonlyArray<Group> = [
  {
    title: "Start",
    pages: [
      "docs/README.md",
      "README.md",
      "docs/start/typescript.md",
      "docs/start/python.md",
      "docs/start/openai.md",
      "docs/start/webhook.md",
      "docs/start/nextjs.md",
    ],
  },
  {
    title: "Call",
    pages: [
      "docs/api.md",
      "packages/client/README.md",
      "docs/cli.md",
      "docs/mcp.md",
      "docs/operate/errors.md",
    ],
  },
  {
    title: "Embed",
    pages: [
      "docs/embed/README.md",
      "docs/embed/testing.md",
      "docs/embed/bundlers.md",
      "docs/embed/attachments.md",
    ],
  },
  {
    title: "Operate",
    pages: [
      "docs/operate/README.md",
      "docs/operate/settings.md",
      "docs/operate/console.md",
      "docs/operate/metrics.md",
      "docs/operate/traces.md",
      "docs/operate/channels.md",
      "docs/operate/converters.md",
      "docs/operate/scans.md",
      "docs/operate/storage.md",
      "docs/operate/sandbox.md",
      "docs/operate/cluster.md",
      "docs/operate/sizing.md",
      "docs/operate/move-to-postgres.md",
      "docs/operate/backup.md",
      "docs/operate/upgrade.md",
    ],
  },
  {
    title: "Extend",
    pages: [
      "docs/extend/README.md",
      "docs/extend/plugins.md",
      "docs/extend/add-a-model.md",
      "docs/extend/add-an-executor.md",
    ],
  },
  {
    title: "Understand",
    pages: [
      "docs/explain/never-lost.md",
      "docs/explain/exact-money.md",
      "docs/explain/documents.md",
      "docs/compare.md",
      "docs/reliability.md",
      "docs/architecture.md",
      "docs/states.md",
      "docs/corpus.md",
    ],
  },
  {
    title: "Packages",
    pages: packagePages().filter((path) => path !== "packages/client/README.md"),
    closed: true,
  },
  {
    title: "Measurements",
    pages: ["benchmarks/README.md", ...markdownIn("benchmarks/results")],
    closed: true,
  },
  { title: "Decisions", pages: ["docs/decisions/README.md", ...markdownIn("docs/decisions")], closed: true },
  {
    title: "Specification",
    pages: [
      "docs/specification/README.md",
      "docs/specification/contract.md",
      "docs/specification/image-tasks.md",
      "docs/specification/document-tools.md",
    ],
    closed: true,
  },
  { title: "Work on it", pages: ["CONTRIBUTING.md", "docs/dependencies.md"], closed: true },
]

/** What the navigation calls a page where its heading is too long, or says too little out of its place. */
const shortTitles: Readonly<Record<string, string>> = {
  "docs/README.md": "What is here",
  "README.md": "Try it with curl",
  "docs/api.md": "HTTP API",
  "packages/client/README.md": "TypeScript client",
  "docs/embed/README.md": "In your own backend",
  "docs/operate/README.md": "Run the server",
  "docs/extend/README.md": "Overview",
  "docs/decisions/README.md": "All decisions",
  "docs/specification/README.md": "How to read it",
  "benchmarks/README.md": "How it is measured",
  "CONTRIBUTING.md": "Contribute",
}

const titleOf = (path: string): string => {
  const heading = /^# (.+)$/m.exec(readFileSync(join(root, path), "utf8"))?.[1] ?? path
  return shortTitles[path] ?? heading.replaceAll("`", "")
}

const entry = (path: string) => ({ text: titleOf(path), link: addressOf(path) })

/** The groups as VitePress's side bar. */
export const sidebar = groups.map(({ title, pages, closed }) => ({
  text: title,
  items: pages.map(entry),
  ...(closed === true ? { collapsed: true } : {}),
}))

const first = (title: string, path: string) => ({
  text: title,
  link: addressOf(path),
  // The part of the site whose pages mark this entry.
  activeMatch: `^(?:${(groups.find((group) => group.title === title)?.pages ?? [])
    .map((page) => `${addressOf(page)}$`)
    .join("|")})`,
})

/** One entry for each reader. */
export const nav = [
  first("Start", "README.md"),
  first("Call", "docs/api.md"),
  first("Embed", "docs/embed/README.md"),
  first("Operate", "docs/operate/README.md"),
  first("Extend", "docs/extend/README.md"),
  first("Understand", "docs/explain/never-lost.md"),
]
