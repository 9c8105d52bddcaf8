import { Refusal } from "@atelier/intake/bytes"
import { parseJson, property, unknownAnswer } from "./json.ts"
import type { ReadAnswer } from "./Vendor.ts"

/** `{ document: { md_content }, status: "success" | "partial_success" | …, errors: [{ error_message }] }`. */
export const read: ReadAnswer = ({ bytes, markdown, warnings }) => {
  const answer = parseJson(bytes, "docling-serve")
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
