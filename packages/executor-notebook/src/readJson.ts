import { detectSignature, Refusal, scanText, textFault, withoutByteOrderMark } from "@atelier/intake/bytes"
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
  const text = withoutByteOrderMark(bytes)
  requireSize(text)
  try {
    return JSON.parse(Buffer.from(text).toString())
  } catch (thrown) {
    const place = /at position (\d+)/.exec(String(thrown))?.[1]
    const where = place === undefined ? "" : `, near character ${place}`
    throw new Refusal("file_corrupt", `The file is not valid JSON${where}.`)
  }
}

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const { json_depth_max, json_nodes_max } = notebookLimits

/** Looks at the limits before anything is built. */
const requireSize = (text: Uint8Array): void => {
  let depth = 0
  let nodes = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]
    if (isString) {
      if (byte === backslash) at++
      else if (byte === quote) isString = false
    } else if (byte === quote) isString = true
    else if (byte === openBracket || byte === openBrace) {
      if (++depth > json_depth_max) throw excess(at, "levels deep", "json_depth_max", json_depth_max)
      if (++nodes > json_nodes_max)
        throw excess(at, "objects and lists long", "json_nodes_max", json_nodes_max)
    } else if (byte === closeBracket || byte === closeBrace) depth--
  }
}

const excess = (at: number, what: string, limit: string, bound: number): Refusal =>
  new Refusal(
    "invalid_file",
    `At byte ${at} the JSON is ${bound + 1} ${what}; the limit ${limit} is ${bound}.`,
  )
