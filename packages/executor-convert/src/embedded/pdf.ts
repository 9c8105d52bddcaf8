import { detectSignature, Refusal } from "@atelier/intake/bytes"
import type { FormatInput } from "./Format.ts"
import { openPdf, type PdfDocument } from "./pdf/PdfDocument.ts"
import { readBlocks } from "./pdf/readBlocks.ts"
import { writeBlocks } from "./pdf/writeBlocks.ts"

/**
 * Looks at a PDF at upload: its signature stands near its beginning, it opens without a password, and has pages. Throws a
 * `Refusal`: `file_type_not_accepted`, `file_encrypted`, `file_corrupt`, `archive_limit_exceeded`.
 */
export const inspectPdf = (bytes: Uint8Array): Promise<PdfDocument> => openPdf(fromSignature(bytes))

/** Whether some page has a text layer. Throws a `Refusal`. */
export const hasText = async (bytes: Uint8Array): Promise<boolean> => {
  const document = await inspectPdf(bytes)
  for (let index = 0; index < document.pageCount; index++) {
    if (document.page(index)?.layers.some(({ words }) => words.length > 0) === true) return true
  }
  return false
}

const signature = "%PDF-"
/** As other readers do, the signature is looked for so far into a file. */
const strayBytesMax = 1024

/** The document from its signature on. Bytes before it count for nothing, if they are of no other known format. */
const fromSignature = (bytes: Uint8Array): Uint8Array => {
  const found = detectSignature(bytes)
  if (found !== undefined && found.format !== "pdf") {
    throw new Refusal("file_type_not_accepted", `The file is ${found.name}, not a PDF document.`)
  }
  const at = Buffer.from(bytes.subarray(0, strayBytesMax + signature.length)).indexOf(signature)
  if (at >= 0) return bytes.subarray(at)
  throw new Refusal(
    "file_type_not_accepted",
    `The file is no PDF document: "${signature}" does not stand within its first ${strayBytesMax} bytes.`,
  )
}

/** Writes the text of a PDF in the order of reading. Pages are not marked; a page begins a new block. */
export const convert = async ({ bytes, markdown, warnings }: FormatInput): Promise<void> => {
  const document = await openPdf(fromSignature(bytes))
  writeBlocks(readBlocks(document, markdown, warnings), document.pageCount, markdown)
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
