import { decodeText } from "../text.ts"
import type { ConvertFormat } from "./Format.ts"
import { DocumentWarnings } from "./flow/DocumentWarnings.ts"
import { HtmlContent } from "./html/HtmlContent.ts"
import { readHtml } from "./html/HtmlReader.ts"

/** HTML of any quality as the text that a reader sees. Throws a `Refusal` (`result_too_large`). */
export const convert: ConvertFormat = ({ bytes, markdown, warnings }) => {
  const html = decodeText(bytes, ".html")
  const content = new HtmlContent(
    markdown,
    markdown.bytesMax,
    new DocumentWarnings(warnings),
    !/<h1[\s>]/i.test(html),
  )
  readHtml(html, content)
  content.finish()
}
