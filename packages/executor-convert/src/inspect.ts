/** The parsing module that checks every file of file-md-json at upload, whichever converter is used. */
import type { DocumentInput } from "@atelier/executor/parsing"
import { contentTypes } from "./formats.ts"
import { refusedWithoutText } from "./noText.ts"
import { readChecked } from "./readChecked.ts"

/** Throws a `Refusal`, or returns the content type of a file that can be converted. */
export const inspect = async (input: DocumentInput): Promise<{ readonly contentType: string }> => {
  const { bytes, extension } = await readChecked(input)
  if (extension === ".pdf" && input.textLayerNeeded === true) {
    const { hasText } = await import("./embedded/pdf.ts")
    if (!(await hasText(bytes))) throw refusedWithoutText(input.recognizer)
  }
  return { contentType: contentTypes[extension] }
}
