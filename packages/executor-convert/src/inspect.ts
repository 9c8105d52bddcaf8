/** The parsing module that looks at every file of file-md-json at upload, whatever the converter. */
import type { DocumentInput } from "@atelier/executor/parsing"
import { contentTypes } from "./formats.ts"
import { readChecked } from "./readChecked.ts"

/** Throws a `Refusal`, or tells the content type of a file that can be converted. */
export const inspect = async (input: DocumentInput): Promise<{ readonly contentType: string }> => {
  const { extension } = await readChecked(input)
  return { contentType: contentTypes[extension] }
}
