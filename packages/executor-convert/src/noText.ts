import type { Warnings } from "@atelier/executor/parsing"
import { Refusal } from "@atelier/intake/bytes"
import type { Extension } from "./formats.ts"

const noTextLayer = "The document has no text layer; it may be a scan."

/** What an operator may set for PDFs without a text layer. */
export const refusedWithoutText = (recognizer?: string): Refusal =>
  new Refusal(
    "no_text_layer",
    `${noTextLayer} ${recognizer === undefined ? "Nothing is recognised in pictures here." : `Upload it to the tool ${recognizer}, which recognises text in pictures.`}`,
  )

/** Adds the warning that a result without text carries, unless the document's own module has said so. */
export const warnOfNoText = (extension: Extension, warnings: Warnings, recognizer?: string): void => {
  const code = extension === ".pdf" ? "no_text_layer" : "no_text"
  if (warnings.list.some((warning) => warning.code === code)) return
  const message =
    extension === ".pdf"
      ? `${noTextLayer} Nothing is recognised in pictures${recognizer === undefined ? "" : ` by this tool; ${recognizer} does that`}.`
      : "The document holds no text."
  warnings.add(code, () => message)
}
