import { Refusal } from "@atelier/intake/bytes"
import { parseJson, property, unknownAnswer } from "./json.ts"
import type { ReadAnswer } from "./Vendor.ts"

/** `{ success, result: [{ format: "markdown", data } | { format: "error", error }] }`, one for each file. */
export const read: ReadAnswer = ({ bytes, markdown }) => {
  const answer = parseJson(bytes, "cloudflare")
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
