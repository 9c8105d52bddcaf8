import { existsSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { root } from "../../scripts/workspace.ts"

/** Documents next to the repository, if present; none of them is part of it. */
const folder = join(root, "..", "shared", "corpus")

export const corpusIsThere = existsSync(folder)

/** One document of the corpus. */
export interface CorpusFile {
  /** Its path in the corpus, which tells its source. */
  readonly name: string
  /** With its dot, lower case. */
  readonly extension: string
  readonly bytes: number
  /** A fuzzer corrupted it on purpose. */
  readonly fuzzed: boolean
  readonly read: () => Uint8Array<ArrayBuffer>
}

/** Every document, by name; nothing where the corpus is not there. */
export const corpusFiles = (): ReadonlyArray<CorpusFile> => {
  if (!corpusIsThere) return []
  const [, ...rows] = readFileSync(join(folder, "MANIFEST.tsv"), "utf8").trimEnd().split("\n")
  // A document that lies in two places of its source has two rows.
  const sizes = new Map(rows.map((row) => row.split("\t")).map((cells) => [cells[0] ?? "", cells[5]]))
  return [...sizes]
    .map(([name, bytes]) => {
      return {
        name,
        extension: extname(name).toLowerCase(),
        bytes: Number(bytes),
        fuzzed: name.startsWith("fuzzed/"),
        read: () => new Uint8Array(readFileSync(join(folder, name))),
      }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The tools that a document is handed to: those that take its extension; none does: the conversion. */
export const toolsFor = (extension: string): ReadonlyArray<string> => {
  if (extension === ".pptx") return ["pptx-md-json"]
  if ([".csv", ".html", ".xml"].includes(extension)) return ["file-md-json", "text-md-json"]
  return [".md", ".json", ".tsv", ".txt"].includes(extension) ? ["text-md-json"] : ["file-md-json"]
}
