import type { Warnings } from "@atelier/executor/parsing"
import type { Extension } from "./formats.ts"

/** Adds the warning that a result without text carries, unless the document's own module has said so. */
export const warnOfNoText = (extension: Extension, warnings: Warnings): void => {
  const code = extension === ".pdf" ? "no_text_layer" : "no_text"
  if (warnings.list.some((warning) => warning.code === code)) return
  const message =
    extension === ".pdf"
      ? "The document has no text layer; it may be a scan. Nothing is recognised in pictures."
      : "The document holds no text."
  warnings.add(code, () => message)
}
