import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { anchorOf } from "../../docs/.vitepress/paths.ts"
import { root } from "../../scripts/workspace.ts"

/** A fenced block: the words after the backticks, its text, and the line of its fence (from 1). */
export interface Block {
  readonly info: ReadonlyArray<string>
  readonly text: string
  readonly line: number
}

/** A page of the documentation. `prose` is its text with every fenced block emptied. */
export interface Page {
  readonly path: string
  readonly blocks: ReadonlyArray<Block>
  readonly prose: string
}

/** Every Markdown file of the repository, as it lies on the disk. */
export const pages = (): ReadonlyArray<Page> =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((path) => path !== "" && !path.includes("/fixtures/") && existsSync(join(root, path)))
    .map((path) => read(path, readFileSync(join(root, path), "utf8")))

const read = (path: string, text: string): Page => {
  const blocks: Array<Block> = []
  const prose: Array<string> = []
  let open: { info: ReadonlyArray<string>; line: number; lines: Array<string> } | undefined
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^\s*```(.*)$/.exec(line)
    if (open === undefined && fence !== null) {
      open = { info: (fence[1] ?? "").trim().split(/\s+/), line: index + 1, lines: [] }
    } else if (open !== undefined && fence !== null) {
      blocks.push({ info: open.info, text: open.lines.join("\n"), line: open.line })
      open = undefined
    } else if (open !== undefined) open.lines.push(line)
    else prose.push(line)
  }
  return { path, blocks, prose: prose.join("\n") }
}

/** The cells of every table row, without the spaces around them. */
export const rowsOf = ({ prose }: Page): ReadonlyArray<ReadonlyArray<string>> =>
  prose
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .replace(/^\|/, "")
        .replace(/\|\s*$/, "")
        .split("|")
        .map((cell) => cell.trim()),
    )

/** The anchors of a page's headings, as the usual renderers make them. */
export const anchorsOf = ({ prose }: Page): ReadonlyArray<string> =>
  prose
    .split("\n")
    .flatMap((line) => /^#{1,6} (.+)$/.exec(line)?.[1] ?? [])
    .map(anchorOf)

/** Targets of links and pictures that lie in the repository: a path, an anchor, or both. */
export const linksOf = ({ prose }: Page): ReadonlyArray<string> =>
  [...prose.matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))

/** A block of shell commands that is run, and what is to come out: the `output` block that follows it. */
export interface Step {
  readonly command: Block
  readonly output: Block | undefined
}

/** The steps of a page, in their order: blocks marked `bash run`. */
export const stepsOf = ({ blocks }: Page): ReadonlyArray<Step> =>
  blocks.flatMap((command, index) => {
    if (command.info[0] !== "bash" || command.info[1] !== "run") return []
    const next = blocks[index + 1]
    return [{ command, output: next?.info[1] === "output" ? next : undefined }]
  })

/** Whether a text is the one that is shown, where `…` stands for anything. */
export const matches = (shown: string, text: string): boolean =>
  new RegExp(`^${shown.split("…").map(escaped).join("[^]*?")}$`).test(text)

const escaped = (literal: string): string => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
