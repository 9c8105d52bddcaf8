/**
 * The parsing module of text-md-json: it runs in a parsing process, on bytes from the first to the last,
 * because turning 10 MiB into strings and back costs five times as much as everything else.
 */
import {
  type DocumentInput,
  type DocumentOutput,
  type MarkdownBytes,
  type ParseInput,
  readDocument,
  type Warning,
  writeResults,
} from "@atelier/executor/parsing"
import {
  detectSignature,
  Refusal,
  scanText,
  type TextScan,
  textFault,
  withoutByteOrderMark,
} from "@atelier/intake/bytes"
import { extensions, kindOf, lastSuffixOf, type TextKind } from "./kinds.ts"

/** A checked file: its text without a byte order mark, and what the scan found. */
interface TextFile {
  readonly kind: TextKind
  readonly bytes: number
  readonly text: Uint8Array
  readonly scan: TextScan
}

/** Checks name, signature and encoding (document-tools 1 and 4.2). Throws a `Refusal`. */
export const inspect = (input: DocumentInput) => ({ contentType: readText(input).kind.contentType })

/** Writes `result.md` and `result.json`, as far as they are wanted. Throws a `Refusal`. */
export const parse = (input: ParseInput): DocumentOutput => {
  const file = readText(input)
  return writeResults(input, {
    markdown: markdownOf(file),
    structureSource: "text",
    warnings: warningsOf(file),
    inputBytes: file.bytes,
  })
}

const readText = (input: DocumentInput): TextFile => {
  const kind = kindOf(input.filename)
  if (kind === undefined) throw extensionRefused(input.filename)
  const bytes = readDocument(input)
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
  const extension = lastSuffixOf(filename).slice(0, 32)
  const fault = extension === "" ? "A file without an extension is" : `"${extension}" files are`
  return new Refusal("file_type_not_accepted", `${fault} not accepted; accepted are ${extensions.join(" ")}.`)
}

/**
 * Text and Markdown are kept as they are; everything else stands in a fence longer than any run of
 * backticks in it, so that nothing inside can close it (document-tools 1).
 */
const markdownOf = ({ kind, text, scan }: TextFile): MarkdownBytes => {
  if (kind.language === undefined || text.length === 0) return { pieces: [text], jsonGrowth: scan.jsonGrowth }
  const ticks = "`".repeat(Math.max(fenceTicksMin, scan.longestBacktickRun + 1))
  const open = `${ticks}${kind.language}\n`
  const close = `${text.at(-1) === lineFeed ? "" : "\n"}${ticks}\n`
  return {
    pieces: [Buffer.from(open), text, Buffer.from(close)],
    jsonGrowth: growthOf(open) + scan.jsonGrowth + growthOf(close),
  }
}

const fenceTicksMin = 3
const lineFeed = 0x0a

const growthOf = (text: string): number => JSON.stringify(text).length - 2 - text.length

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
