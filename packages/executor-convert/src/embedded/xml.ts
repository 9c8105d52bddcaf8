import type { ConvertFormat } from "./Format.ts"

/**
 * XML as it is, in a code block: what its elements mean only its reader knows, and any shorter form would leave
 * out names, attributes or order. Throws a `Refusal` (`result_too_large`).
 */
export const convert: ConvertFormat = ({ bytes, markdown }) => {
  markdown.code(new TextDecoder(encodingOf(bytes)).decode(bytes), "xml")
}

/** XML is UTF-8 or UTF-16; the latter begins with its mark, or with a zero beside the first character. */
const encodingOf = ([first, second]: Uint8Array): string => {
  if (first === 0xfe || first === 0) return "utf-16be"
  return first === 0xff || second === 0 ? "utf-16le" : "utf-8"
}
