import { escapeJson, Refusal } from "@atelier/intake/bytes"
import type { DocumentPart } from "./MarkdownWriter.ts"

/** The input of a parsing module's `inspect`. */
export interface DocumentInput {
  /** The bytes of the file. */
  readonly document: Uint8Array
  readonly filename: string
  /** Largest file that the tool takes. */
  readonly fileBytesMax: number
  /** A published tool that recognises text in pictures in such files. */
  readonly recognizer?: string
  /** `inspect` refuses a PDF without a text layer; false if absent. */
  readonly textLayerNeeded?: boolean
}

/** The input of a parsing module's `parse`. */
export interface ParseInput extends DocumentInput {
  readonly outputFormats: ReadonlyArray<"markdown" | "json">
  /** Adds bytes to the result in a wanted format. They are copied before it returns. */
  readonly write: (format: "markdown" | "json", bytes: Uint8Array) => void
  /** document-tools 8: of each result. */
  readonly resultBytesMax: number
  /** The JSON says where pages, slides or sheets stand in the Markdown; false if absent. */
  readonly pageOffsets?: boolean
}

/** No interface, so that it counts as JSON. */
export type Warning = {
  readonly code: string
  readonly message: string
}

/** What `parse` returns. */
export interface DocumentOutput {
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
export const readDocument = ({ document, fileBytesMax }: DocumentInput): Uint8Array => {
  if (document.length <= fileBytesMax) return document
  const found = `The file has ${document.length} bytes`
  throw new Refusal("invalid_file", `${found}; at most ${fileBytesMax} are accepted.`)
}

/** Markdown in UTF-8; a `MarkdownWriter` is one. */
export interface MarkdownBytes {
  readonly pieces: ReadonlyArray<Uint8Array>
  /** How many bytes longer they are inside a JSON string. */
  readonly jsonGrowth: number
}

export type PartKind = "pages" | "slides" | "sheets"

export interface Result {
  readonly markdown: MarkdownBytes
  /** contract, Tools: `pptx-xml`, `converter:<name>`. */
  readonly structureSource: string
  readonly warnings: ReadonlyArray<Warning>
  readonly inputBytes: number
  /** Beyond the four that are always false. */
  readonly capabilities?: Readonly<Record<string, boolean>>
  /** The parts that the document has, under the name of their kind; written where the operator wants them. */
  readonly parts?: { readonly [kind in PartKind]?: ReadonlyArray<DocumentPart> }
}

/**
 * Writes the Markdown and the JSON (contract, Tools: result JSON), as far as they are wanted. Throws a
 * `Refusal` (`result_too_large`) that names the limit.
 */
export const writeResults = (input: ParseInput, result: Result): DocumentOutput => {
  for (const format of input.outputFormats) {
    if (format === "markdown") writeMarkdown(input, result)
    else writeJson(input, result)
  }
  return { warnings: result.warnings }
}

const writeMarkdown = (input: ParseInput, { markdown }: Result): void => {
  requireSize("Markdown", sizeOf(markdown), input.resultBytesMax)
  for (const piece of markdown.pieces) input.write("markdown", piece)
}

const writeJson = (
  input: ParseInput,
  { markdown, structureSource, capabilities, parts, ...result }: Result,
): void => {
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
    ...(input.pageOffsets === true ? parts : undefined),
  }
  const before = Buffer.from('{"schema_version":"1.0","markdown":"')
  const after = Buffer.from(`",${JSON.stringify(fields).slice(1)}`)
  const bytes = before.length + sizeOf(markdown) + markdown.jsonGrowth + after.length
  requireSize("JSON", bytes, input.resultBytesMax)
  input.write("json", before)
  for (const piece of markdown.pieces) escapeJson(piece, (escaped) => input.write("json", escaped))
  input.write("json", after)
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
