import { detectSignature, JsonExcess, parseJson, Refusal, scanText, textFault } from "@atelier/intake/bytes"
import { notebookLimits } from "./Limits.ts"

/**
 * The value of a JSON document in UTF-8. Throws a `Refusal`: `file_type_not_accepted` for another format,
 * `file_not_utf8`, `file_corrupt`, and `invalid_file` for one that goes beyond a limit.
 */
export const readJson = (bytes: Uint8Array): unknown => {
  const signature = detectSignature(bytes)
  if (signature !== undefined) {
    throw new Refusal("file_type_not_accepted", `The file is ${signature.name}, not a notebook.`)
  }
  const fault = textFault(bytes, scanText(bytes))
  if (fault !== undefined) throw fault
  try {
    return parseJson(bytes, notebookLimits)
  } catch (thrown) {
    if (thrown instanceof JsonExcess) throw new Refusal("invalid_file", thrown.message)
    const place = /at position (\d+)/.exec(String(thrown))?.[1]
    const where = place === undefined ? "" : `, near character ${place}`
    throw new Refusal("file_corrupt", `The file is not valid JSON${where}.`)
  }
}
