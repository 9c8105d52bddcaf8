import { createHash } from "node:crypto"
import { glob, stat } from "node:fs/promises"
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path"
import type { Tool } from "@atelier/client"
import { wrongUsage } from "./CommandFailed.ts"
import { requireWritable } from "./Outputs.ts"

export type Format = "markdown" | "json"

/** A document of one command: which tool takes it, and where its result goes; undefined is standard output. */
export interface Job {
  readonly file: string
  readonly tool: string
  readonly out: string | undefined
}

/** What is to be done with every document. Refuses what cannot end well before anything is uploaded or paid. */
export const planOf = async (
  patterns: ReadonlyArray<string>,
  tools: ReadonlyArray<Tool>,
  {
    tool,
    out,
    format,
  }: { readonly tool: string | undefined; readonly out: string | undefined; readonly format: Format },
): Promise<ReadonlyArray<Job>> => {
  const files = await filesOf(patterns)
  if (files.length > 1 && out === undefined) {
    throw wrongUsage(`${files.length} documents need a folder for their results: --out FOLDER`)
  }
  const targets = await targetsOf(files, out, format === "json" ? ".json" : ".md")
  const jobs: Array<Job> = []
  for (const file of files) {
    jobs.push({ file, tool: tool ?? (await toolOf(file, tools)), out: targets.get(file) })
  }
  await requireWritable(jobs.flatMap((job) => job.out ?? []))
  return jobs
}

/** Files by name, and by patterns that no shell has expanded: `"decks/**\/*.pptx"`. Each once, in their order. */
const filesOf = async (patterns: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const found = new Map<string, string>()
  for (const pattern of patterns) {
    const there = await stat(pattern).catch(() => undefined)
    if (there?.isDirectory() === true) {
      const wanted = JSON.stringify(join(pattern, "*"))
      throw wrongUsage(`${JSON.stringify(pattern)} is a folder; name the files in it, such as ${wanted}`)
    }
    const matches = there === undefined ? await matchesOf(pattern) : [pattern]
    for (const file of matches) found.set(resolve(file), file)
  }
  return [...found.values()]
}

const matchesOf = async (pattern: string): Promise<ReadonlyArray<string>> => {
  if (!/[*?[{]/.test(pattern)) throw wrongUsage(`cannot read the file ${JSON.stringify(pattern)}`)
  const files: Array<string> = []
  for await (const match of glob(pattern)) {
    if ((await stat(match)).isFile()) files.push(match)
  }
  if (files.length === 0) throw wrongUsage(`no file matches ${JSON.stringify(pattern)}`)
  return files.toSorted()
}

/** One document: the file `out`, or one in the folder `out`. Several: below `out`, as they lie below their common folder. */
const targetsOf = async (
  files: ReadonlyArray<string>,
  out: string | undefined,
  extension: string,
): Promise<ReadonlyMap<string, string>> => {
  const targets = new Map<string, string>()
  if (out === undefined) return targets
  const isFolder =
    files.length > 1 || /[/\\]$/.test(out) || (await stat(out).catch(() => undefined))?.isDirectory() === true
  if (!isFolder) return targets.set(files[0] ?? "", out)
  const common = commonFolder(files)
  const taken = new Map<string, string>()
  for (const file of files) {
    const below = relative(common, resolve(file))
    const target = join(out, `${below.slice(0, below.length - extname(below).length)}${extension}`)
    const other = taken.get(target)
    if (other !== undefined) {
      throw wrongUsage(
        `${other} and ${file} would both become ${target}; parse them into folders of their own`,
      )
    }
    taken.set(target, file)
    targets.set(file, target)
  }
  return targets
}

const commonFolder = (files: ReadonlyArray<string>): string => {
  const folders = files.map((file) => dirname(resolve(file)).split(sep))
  const [first = [], ...others] = folders
  const length = first.findIndex((part, index) => others.some((other) => other[index] !== part))
  return first.slice(0, length < 0 ? first.length : length).join(sep) || sep
}

/** Of the tools that take files of this extension and size the one that takes the fewest kinds; of equals the cheapest. */
const toolOf = async (file: string, tools: ReadonlyArray<Tool>): Promise<string> => {
  const extension = extname(file).toLowerCase()
  const { size } = await stat(file)
  const fitting = tools
    .filter(({ extensions }) => extensions.includes(extension))
    .toSorted(
      (a, b) =>
        a.extensions.length - b.extensions.length ||
        Number(a.pricing_display.unit_price) - Number(b.pricing_display.unit_price),
    )
  if (fitting.length === 0) {
    throw wrongUsage(`no tool takes ${extension || "such"} files (${basename(file)}); see: atelier tools`)
  }
  const found = fitting.find(({ max_file_bytes }) => size <= Number(max_file_bytes))
  if (found !== undefined) return found.id
  const most = Math.max(...fitting.map(({ max_file_bytes }) => Number(max_file_bytes)))
  throw wrongUsage(`${file} has ${size} bytes; tools for ${extension} files take at most ${most}`)
}

/**
 * The idempotency key of a document's conversion: the same content, extension, tool and format give the same key, so
 * that a second run finds the task of the first (document-tools 4.3; 8 to 64 characters).
 */
export const conversionKey = (bytes: Uint8Array, { file, tool }: Job, format: Format): string => {
  const content = createHash("sha256").update(bytes).digest("hex")
  const operation = [content, extname(file).toLowerCase(), tool, format].join("\n")
  return `cli-${createHash("sha256").update(operation).digest("base64url")}`
}
