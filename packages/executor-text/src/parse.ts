/**
 * The parsing module of text-md-json: it runs in a parsing process, on bytes from the first to the last,
 * because turning 10 MiB into strings and back costs five times as much as everything else.
 */
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  detectSignature,
  escapeJson,
  Refusal,
  scanText,
  type TextScan,
  textFault,
  withoutByteOrderMark,
} from "@atelier/intake/bytes"
import { extensionOf, extensions, kindOf, type TextKind } from "./kinds.ts"

export interface InspectInput {
  readonly path: string
  readonly filename: string
  readonly fileBytesMax: number
}

export interface ParseInput extends InspectInput {
  readonly outputDirectory: string
  readonly outputFormats: ReadonlyArray<"markdown" | "json">
  /** document-tools 8: of each result. */
  readonly resultBytesMax: number
}

interface Warning {
  readonly code: string
  readonly message: string
}

/** A checked file: its text without a byte order mark, and what the scan found. */
interface TextFile {
  readonly kind: TextKind
  readonly bytes: number
  readonly text: Uint8Array
  readonly scan: TextScan
}

/** Checks name, signature and encoding (document-tools 1 and 4.2). Throws a `Refusal`. */
export const inspect = (input: InspectInput) => ({ contentType: readText(input).kind.contentType })

/** Writes `result.md` and `result.json`, as far as they are wanted. Throws a `Refusal`. */
export const parse = (input: ParseInput) => {
  const file = readText(input)
  const fence = fenceOf(file)
  const warnings = warningsOf(file)
  const results = input.outputFormats.map((format) =>
    format === "markdown" ? writeMarkdown(input, file, fence) : writeJson(input, file, fence, warnings),
  )
  return { results, warnings }
}

const readText = ({ path, filename, fileBytesMax }: InspectInput): TextFile => {
  const kind = kindOf(filename)
  if (kind === undefined) throw extensionRefused(filename)
  const { size } = statSync(path)
  if (size > fileBytesMax) {
    throw new Refusal("invalid_file", `The file has ${size} bytes; at most ${fileBytesMax} are accepted.`)
  }
  const bytes = readFileSync(path)
  const scan = scanText(bytes)
  const fault = textFault(bytes, scan)
  const signature = detectSignature(bytes)
  // Of all the formats only a PDF can be text to its end; anything else that is text is what its name says.
  if (signature !== undefined && (fault !== undefined || signature.format === "pdf")) {
    throw new Refusal("file_type_not_accepted", `The file is ${signature.name}, not text.`)
  }
  if (fault !== undefined) throw fault
  return { kind, bytes: bytes.length, text: withoutByteOrderMark(bytes), scan }
}

const extensionRefused = (filename: string): Refusal => {
  const extension = extensionOf(filename).slice(0, 32)
  const fault = extension === "" ? "A file without an extension is" : `"${extension}" files are`
  return new Refusal("file_type_not_accepted", `${fault} not accepted; accepted are ${extensions.join(" ")}.`)
}

/** What stands before and after the text in the Markdown; ASCII. */
interface Fence {
  readonly open: string
  readonly close: string
}

/**
 * Text and Markdown are kept as they are; everything else stands in a fence longer than any run of
 * backticks in it, so that nothing inside can close it (document-tools 1).
 */
const fenceOf = ({ kind, text, scan }: TextFile): Fence => {
  if (kind.language === undefined || text.length === 0) return { open: "", close: "" }
  const ticks = "`".repeat(Math.max(fenceTicksMin, scan.longestBacktickRun + 1))
  const lineEnd = text.at(-1) === lineFeed ? "" : "\n"
  return { open: `${ticks}${kind.language}\n`, close: `${lineEnd}${ticks}\n` }
}

const fenceTicksMin = 3
const lineFeed = 0x0a

const warningsOf = ({ text, scan }: TextFile): ReadonlyArray<Warning> => [
  ...(text.length === 0 ? [{ code: "empty_file", message: "The file holds no text." }] : []),
  ...(scan.c1ControlAt === undefined
    ? []
    : [
        {
          code: "c1_controls",
          message: `The text holds control characters of U+0080 to U+009F, the first at byte ${scan.c1ControlAt}; it may have been converted from another encoding by mistake.`,
        },
      ]),
]

const writeMarkdown = (input: ParseInput, { text }: TextFile, { open, close }: Fence) => {
  const bytes = open.length + text.length + close.length
  const path = join(input.outputDirectory, "result.md")
  writeResult({ name: "Markdown", path, bytes, bytesMax: input.resultBytesMax }, (write) => {
    write(open)
    write(text)
    write(close)
  })
  return { format: "markdown", path, bytes, contentType: "text/markdown; charset=utf-8" }
}

/** contract, Tools: result JSON. */
const writeJson = (
  input: ParseInput,
  file: TextFile,
  { open, close }: Fence,
  warnings: ReadonlyArray<Warning>,
) => {
  const fields = {
    structure_source: "text",
    capabilities: { ocr: false, page_coordinates: false, bounding_boxes: false, structured_tables: false },
    warnings,
    input_bytes: file.bytes,
  }
  const before = `{"schema_version":"1.0","markdown":"${inString(open)}`
  const after = `${inString(close)}",${JSON.stringify(fields).slice(1)}`
  const bytes = before.length + file.text.length + file.scan.jsonGrowth + Buffer.byteLength(after)
  const path = join(input.outputDirectory, "result.json")
  writeResult({ name: "JSON", path, bytes, bytesMax: input.resultBytesMax }, (write) => {
    write(before)
    escapeJson(file.text, write)
    write(after)
  })
  return { format: "json", path, bytes, contentType: "application/json" }
}

/** As it stands between the quotes of a JSON string. */
const inString = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Writes a result whose size is known beforehand, piece by piece (document-tools 8: at most 20 MiB each). */
const writeResult = (
  result: { readonly name: string; readonly path: string; readonly bytes: number; readonly bytesMax: number },
  produce: (write: (piece: string | Uint8Array) => void) => void,
): void => {
  if (result.bytes > result.bytesMax) {
    throw new Refusal(
      "result_too_large",
      `The ${result.name} result would have ${result.bytes} bytes; at most ${result.bytesMax} are allowed.`,
    )
  }
  const file = openSync(result.path, "w")
  try {
    produce((piece) => writeFileSync(file, piece))
  } finally {
    closeSync(file)
  }
}
