import { writeHtml } from "@atelier/executor/html"
import { decodeText } from "@atelier/executor/parsing"
import type { ConvertFormat } from "./Format.ts"

/** HTML of any quality as the text that a reader sees. Throws a `Refusal` (`result_too_large`). */
export const convert: ConvertFormat = ({ bytes, markdown, warnings }) =>
  writeHtml(decodeText(bytes, ".html"), { markdown, warnings })
