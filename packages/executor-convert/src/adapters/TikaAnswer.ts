import { convert } from "../embedded/html.ts"
import { unknownAnswer } from "./json.ts"
import type { ReadAnswer } from "./Vendor.ts"

/** HTML from version 3 and before; Markdown, as plain text, from version 4 on. */
export const read: ReadAnswer = async ({ bytes, type, markdown, warnings }) => {
  if (/^text\/html\b/i.test(type)) {
    await convert({ bytes, filename: "answer.html", markdown, warnings })
  } else if (/^text\/(plain|markdown)\b/i.test(type)) {
    markdown.block(new TextDecoder().decode(bytes))
  } else throw unknownAnswer("tika")
}
