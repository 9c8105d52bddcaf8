import { closeSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { escapeJson, Refusal } from "@atelier/intake/bytes"

/** What a parsing module's `inspect` gets. */
export interface DocumentInput {
  readonly path: string
  readonly filename: string
  /** Largest file that the tool takes. */
  readonly fileBytesMax: number
}

/** What a parsing module's `parse` gets. */
export interface ParseInput extends DocumentInput {
  /** Empty; results are written here. */
  readonly outputDirectory: string
  readonly outputFormats: ReadonlyArray<"markdown" | "json">
  /** document-tools 8: of each result. */
  readonly resultBytesMax: number
}

/** No interface, so that it counts as JSON. */
export type Warning = {
  readonly code: string
  readonly message: string
}

/** What `parse` returns. */
export interface DocumentOutput {
  readonly results: ReadonlyArray<{
    readonly format: "markdown" | "json"
    readonly path: string
    readonly bytes: number
    readonly contentType: string
  }>
  readonly warnings: ReadonlyArray<Warning>
}

/** Warnings of one document, each code once, in the order of their first appearance; the message may count. */
export class Warnings {
  private readonly found = new Map<string, { count: number; readonly message: (count: number) => string }>()

  /** `message` is made at the end, from how often `add` was called with the code. */
  add(code: string, message: (count: number) => string): void {
    const known = this.found.get(code)
    if (known === undefined) this.found.set(code, { count: 1, message })
    else known.count++
  }

  get list(): ReadonlyArray<Warning> {
    return [...this.found].map(([code, { count, message }]) => ({ code, message: message(count) }))
  }
}

/** The document's bytes, at most `fileBytesMax`. Throws a `Refusal` (`invalid_file`). */
export const readDocument = ({ path, fileBytesMax }: DocumentInput): Uint8Array => {
  const { size } = statSync(path)
  if (size > fileBytesMax) {
    throw new Refusal("invalid_file", `The file has ${size} bytes; at most ${fileBytesMax} are accepted.`)
  }
  return readFileSync(path)
}

/** Markdown in UTF-8; a `MarkdownWriter` is one. */
export interface MarkdownBytes {
  readonly pieces: ReadonlyArray<Uint8Array>
  /** How many bytes longer they are inside a JSON string. */
  readonly jsonGrowth: number
}

export interface Result {
  readonly markdown: MarkdownBytes
  /** contract, Tools: `pptx-xml`, `converter:<name>`. */
  readonly structureSource: string
  readonly warnings: ReadonlyArray<Warning>
  readonly inputBytes: number
  /** Beyond the four that are always false. */
  readonly capabilities?: Readonly<Record<string, boolean>>
}

/**
 * Writes `result.md` and `result.json` (contract, Tools: result JSON), as far as they are wanted. Throws a
 * `Refusal` (`result_too_large`) that names the limit.
 */
export const writeResults = (input: ParseInput, result: Result): DocumentOutput => ({
  results: input.outputFormats.map((format) =>
    format === "markdown" ? writeMarkdown(input, result) : writeJson(input, result),
  ),
  warnings: result.warnings,
})

const writeMarkdown = (input: ParseInput, { markdown }: Result) => {
  const path = join(input.outputDirectory, "result.md")
  const bytes = sizeOf(markdown)
  requireSize("Markdown", bytes, input.resultBytesMax)
  writePieces(path, (write) => markdown.pieces.forEach(write))
  return { format: "markdown" as const, path, bytes, contentType: "text/markdown; charset=utf-8" }
}

const writeJson = (input: ParseInput, { markdown, structureSource, capabilities, ...result }: Result) => {
  const path = join(input.outputDirectory, "result.json")
  const fields = {
    structure_source: structureSource,
    capabilities: {
      ocr: false,
      page_coordinates: false,
      bounding_boxes: false,
      structured_tables: false,
      ...capabilities,
    },
    warnings: result.warnings,
    input_bytes: result.inputBytes,
  }
  const before = '{"schema_version":"1.0","markdown":"'
  const after = `",${JSON.stringify(fields).slice(1)}`
  const bytes = before.length + sizeOf(markdown) + markdown.jsonGrowth + Buffer.byteLength(after)
  requireSize("JSON", bytes, input.resultBytesMax)
  writePieces(path, (write) => {
    write(before)
    for (const piece of markdown.pieces) escapeJson(piece, write)
    write(after)
  })
  return { format: "json" as const, path, bytes, contentType: "application/json" }
}

const sizeOf = ({ pieces }: MarkdownBytes): number => pieces.reduce((sum, { length }) => sum + length, 0)

/** document-tools 8: a single result is at most 20 MiB. */
const requireSize = (name: string, bytes: number, bytesMax: number): void => {
  if (bytes <= bytesMax) return
  throw new Refusal(
    "result_too_large",
    `The ${name} result would have ${bytes} bytes; at most ${bytesMax} are allowed.`,
  )
}

const writePieces = (path: string, produce: (write: (piece: string | Uint8Array) => void) => void): void => {
  const file = openSync(path, "w")
  try {
    produce((piece) => writeFileSync(file, piece))
  } finally {
    closeSync(file)
  }
}
