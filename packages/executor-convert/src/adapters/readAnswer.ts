/** The parsing module that makes results of what a converter on the network has answered. */
import { isUtf8 } from "node:buffer"
import {
  type DocumentOutput,
  MarkdownWriter,
  type ParseInput,
  Warnings,
  writeResults,
} from "@atelier/executor/parsing"
import { parseJson, Refusal, withoutByteOrderMark } from "@atelier/intake/bytes"
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

export const parse = async (input: AnswerInput): Promise<DocumentOutput> => {
  const { answer, answerType, vendor } = input
  const bytes = withoutByteOrderMark(answer)
  if (!isUtf8(bytes)) {
    throw new Refusal("converter_failed", `The converter ${vendor} answered with what is not UTF-8 text.`)
  }
  const markdown = new MarkdownWriter(input.resultBytesMax)
  const warnings = new Warnings()
  await readers[vendor]({ bytes, type: answerType, markdown, warnings })
  const extension = acceptedExtensionOf(input.filename)
  if (markdown.isEmpty && extension !== undefined) warnOfNoText(extension, warnings, input.recognizer)
  return writeResults(input, {
    markdown,
    structureSource: `converter:${vendor}`,
    warnings: warnings.list,
    inputBytes: input.document.length,
  })
}

/** `{ success, result: [{ format: "markdown", data } | { format: "error", error }] }`, one for each file. */
const readCloudflare: ReadAnswer = ({ bytes, markdown }) => {
  const answer = jsonOf(bytes, "cloudflare")
  const results = property(answer, "result")
  const result: unknown = Array.isArray(results) ? results[0] : undefined
  if (property(answer, "success") !== true) throw unknownAnswer("cloudflare")
  if (property(result, "format") === "error") {
    throw new Refusal("converter_rejected", "The converter cloudflare cannot convert this document.")
  }
  const data = property(result, "data")
  if (property(result, "format") !== "markdown" || typeof data !== "string") throw unknownAnswer("cloudflare")
  markdown.block(data)
}

/** `{ document: { md_content }, status: "success" | "partial_success" | …, errors: [{ error_message }] }`. */
const readDocling: ReadAnswer = ({ bytes, markdown, warnings }) => {
  const answer = jsonOf(bytes, "docling-serve")
  const status = property(answer, "status")
  if (status === "failure" || status === "skipped") {
    throw new Refusal("converter_rejected", "The converter docling-serve cannot convert this document.")
  }
  const content = property(property(answer, "document"), "md_content")
  const isPartial = status === "partial_success"
  if ((status !== "success" && !isPartial) || typeof content !== "string")
    throw unknownAnswer("docling-serve")
  markdown.block(content)
  if (isPartial) {
    warnings.add(
      "converted_in_part",
      () => "The converter docling-serve could convert only a part of the document; the rest is missing.",
    )
  }
}

/** HTML from version 3 and before; Markdown, as plain text, from version 4 on. */
const readTika: ReadAnswer = async ({ bytes, type, markdown, warnings }) => {
  if (/^text\/html\b/i.test(type)) {
    const { convert } = await import("../embedded/html.ts")
    await convert({ bytes, filename: "answer.html", markdown, warnings })
  } else if (/^text\/(plain|markdown)\b/i.test(type)) {
    markdown.block(new TextDecoder().decode(bytes))
  } else throw unknownAnswer("tika")
}

const readers: Readonly<Record<VendorName, ReadAnswer>> = {
  cloudflare: readCloudflare,
  "docling-serve": readDocling,
  tika: readTika,
}

/** An answer is a few fields around long texts. */
const answerLimits = { json_depth_max: 64, json_values_max: 100_000, json_keys_max: 100_000 }

/** The JSON value of an answer. Throws a `Refusal` (`converter_failed`). */
const jsonOf = (bytes: Uint8Array, vendor: string): unknown => {
  try {
    return parseJson(bytes, answerLimits)
  } catch {
    throw new Refusal("converter_failed", `The converter ${vendor} answered with what is not JSON.`)
  }
}

/** A property of a JSON value, or undefined where there is none. */
const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

const unknownAnswer = (vendor: string): Refusal =>
  new Refusal("converter_failed", `The converter ${vendor} answered in a form that is not known.`)
