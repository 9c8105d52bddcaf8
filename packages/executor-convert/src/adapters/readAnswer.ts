/** The parsing module that makes results of what a converter on the network has answered. */
import { isUtf8 } from "node:buffer"
import {
  type DocumentOutput,
  MarkdownWriter,
  type ParseInput,
  Warnings,
  writeResults,
} from "@atelier/executor/parsing"
import { Refusal, withoutByteOrderMark } from "@atelier/intake/bytes"
import { acceptedExtensionOf } from "../formats.ts"
import { warnOfNoText } from "../noText.ts"
import type { ReadAnswer, VendorName } from "./Vendor.ts"

/** No interface, so that it counts as JSON. */
export type AnswerInput = ParseInput & {
  readonly vendor: VendorName
  /** As it came. */
  readonly answer: Uint8Array
  readonly answerType: string
}

const readers: Readonly<Record<VendorName, () => Promise<{ readonly read: ReadAnswer }>>> = {
  cloudflare: () => import("./CloudflareAnswer.ts"),
  "docling-serve": () => import("./DoclingAnswer.ts"),
  tika: () => import("./TikaAnswer.ts"),
}

export const parse = async (input: AnswerInput): Promise<DocumentOutput> => {
  const { answer, answerType, vendor } = input
  const bytes = withoutByteOrderMark(answer)
  if (!isUtf8(bytes)) {
    throw new Refusal("converter_failed", `The converter ${vendor} answered with what is not UTF-8 text.`)
  }
  const markdown = new MarkdownWriter(input.resultBytesMax)
  const warnings = new Warnings()
  const { read } = await readers[vendor]()
  await read({ bytes, type: answerType, markdown, warnings })
  const extension = acceptedExtensionOf(input.filename)
  if (markdown.isEmpty && extension !== undefined) warnOfNoText(extension, warnings)
  return writeResults(input, {
    markdown,
    structureSource: `converter:${vendor}`,
    warnings: warnings.list,
    inputBytes: input.document.length,
  })
}
