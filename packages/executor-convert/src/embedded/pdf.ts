import type { MarkdownWriter, Warnings } from "@atelier/executor/parsing"
import { detectSignature, Refusal } from "@atelier/intake/bytes"
import { convertLimits } from "../Limits.ts"
import type { FormatInput } from "./Format.ts"
import { type Block, blocksOf } from "./pdf/Blocks.ts"
import { regionsOf } from "./pdf/Columns.ts"
import { segmentsOf } from "./pdf/Lines.ts"
import { openPdf, type PdfDocument } from "./pdf/PdfDocument.ts"
import type { Layer } from "./pdf/Words.ts"
import { writeBlocks } from "./pdf/writeBlocks.ts"

/**
 * Looks at a PDF at upload: it begins with its signature, opens without a password, and has pages. Throws a
 * `Refusal`: `file_type_not_accepted`, `file_encrypted`, `file_corrupt`, `archive_limit_exceeded`.
 */
export const inspectPdf = async (bytes: Uint8Array): Promise<void> => {
  requireSignature(bytes)
  await openPdf(bytes)
}

const signature = "%PDF-"
/** Many readers look for the signature this far into a file; so do those who hide something before it. */
const strayBytesMax = 1024

const requireSignature = (bytes: Uint8Array): void => {
  const found = detectSignature(bytes)
  if (found?.format === "pdf") return
  if (found !== undefined) {
    throw new Refusal("file_type_not_accepted", `The file is ${found.name}, not a PDF document.`)
  }
  const at = Buffer.from(bytes.subarray(0, strayBytesMax)).indexOf(signature)
  throw new Refusal(
    "file_type_not_accepted",
    at < 0
      ? `The file is no PDF document: it does not begin with "${signature}".`
      : `The PDF does not begin with "${signature}", which stands at byte ${at}; nothing may come before it.`,
  )
}

/** Writes the text of a PDF in the order of reading. Pages are not marked; a page begins a new block. */
export const convert = async ({ bytes, markdown, warnings }: FormatInput): Promise<void> => {
  requireSignature(bytes)
  const document = await openPdf(bytes)
  writeBlocks(readBlocks(document, markdown, warnings), markdown)
  if (document.attachmentCount > 0) {
    warnings.add(
      "embedded_documents_left_out",
      () => `${document.attachmentCount} attached file(s) were left out.`,
    )
  }
  if (document.scriptCount > 0) {
    warnings.add("scripts_left_out", () => `${document.scriptCount} script(s) were left out; none was run.`)
  }
}

const readBlocks = (
  document: PdfDocument,
  { bytesMax }: MarkdownWriter,
  warnings: Warnings,
): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  const unreadable: Array<number> = []
  const withoutText: Array<number> = []
  let characters = 0
  let lost = 0
  for (let index = 0; index < document.pageCount; index++) {
    const page = document.page(index)
    if (page === undefined) unreadable.push(index + 1)
    else if (page.layers.length === 0 && !page.isEmpty) withoutText.push(index + 1)
    lost += page?.lost ?? 0
    if (page?.isCrowded === true) warnings.add("form_fields_left_out", fieldsLeftOut)
    for (const layer of page?.layers ?? []) {
      characters += layer.reduce((sum, { text }) => sum + text.length, 0)
      for (const block of blocksIn(layer)) blocks.push(block)
    }
    if (characters > bytesMax) {
      throw new Refusal(
        "result_too_large",
        `The text of the PDF has more than ${bytesMax} bytes, which are allowed at most.`,
      )
    }
  }
  if (unreadable.length === document.pageCount) {
    throw new Refusal("file_corrupt", "No page of the PDF can be read.")
  }
  if (unreadable.length > 0) {
    warnings.add("pages_unreadable", () => `Pages that cannot be read were left out: ${listed(unreadable)}.`)
  }
  if (lost > 0) {
    warnings.add(
      "symbols_left_out",
      () => `Characters that have a meaning in their own font only were left out: ${lost}.`,
    )
  }
  if (withoutText.length > 0 && blocks.length > 0) {
    warnings.add(
      "pages_without_text",
      () => `Pages without a text layer: ${listed(withoutText)}. Nothing is recognised in pictures.`,
    )
  }
  return blocks
}

const fieldsLeftOut = (pageCount: number): string =>
  `Form fields and notes were left out on pages with more than ${convertLimits.pdf_page_annotations_max} of them: ${pageCount}.`

const blocksIn = (layer: Layer): ReadonlyArray<Block> => regionsOf(segmentsOf(layer)).flatMap(blocksOf)

const listedMax = 20

const listed = (pages: ReadonlyArray<number>): string => {
  const more = pages.length - listedMax
  return pages.slice(0, listedMax).join(", ") + (more > 0 ? ` and ${more} more` : "")
}
