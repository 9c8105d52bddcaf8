import { isUtf8 } from "node:buffer"
import {
  detectSignature,
  isScript,
  nameContent,
  Refusal,
  scanText,
  textFault,
  withoutByteOrderMark,
} from "@atelier/intake/bytes"

/**
 * The characters of a text file: UTF-8 with or without a byte order mark, UTF-16 with one, and for `.html` and `.htm`
 * the encoding that it declares. Control characters but U+0000 are left out of HTML, as browsers show nothing for them.
 * Throws a `Refusal`: `file_type_not_accepted` for another format, `file_not_utf8`.
 */
export const decodeText = (bytes: Uint8Array, extension: string): string => {
  const isHtml = names[extension] === "HTML"
  const shownIn = (encoding: string): string =>
    isHtml ? decode(bytes, encoding, /\0/).replace(illegalControls, "") : decode(bytes, encoding)
  const utf16 = utf16Of(bytes)
  if (utf16 !== undefined) return shownIn(utf16)
  if (detectSignature(bytes) !== undefined || isScript(bytes)) {
    const name = names[extension] ?? "text"
    throw new Refusal("file_type_not_accepted", `The file is ${nameContent(bytes)}, not ${name}.`)
  }
  const fault = textFault(bytes, scanText(bytes))
  if (fault === undefined) return new TextDecoder().decode(withoutByteOrderMark(bytes))
  const encoding = isHtml ? encodingOfHtml(bytes) : undefined
  if (encoding === undefined) throw fault
  return shownIn(encoding)
}

const names: { readonly [extension: string]: string } = { ".csv": "CSV", ".html": "HTML", ".htm": "HTML" }

/** A byte order mark of UTF-16; that of UTF-32 in little-endian order begins like it. */
const utf16Of = (bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return bytes[2] === 0 && bytes[3] === 0 ? undefined : "utf-16le"
  }
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined
}

/** HTML has its encoding in the first kilobyte; browsers believe one that stands later, too. */
const declarationBytesMax = 65_536

/** What an HTML file is encoded as, by its standard name; undefined if it is not UTF-8 and declares nothing that is known. */
const encodingOfHtml = (bytes: Uint8Array): string | undefined =>
  declaredEncoding(bytes) ?? (isUtf8(bytes) ? "utf-8" : undefined)

const declaredEncoding = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.subarray(0, declarationBytesMax)).toString("latin1")
  const label = /<meta[^>]{0,512}?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1]
  try {
    const encoding = label === undefined ? undefined : new TextDecoder(label).encoding
    // A file that declares UTF-8 or UTF-16 and can be read as a declaration is UTF-8 that is broken.
    return encoding?.startsWith("utf-") ? undefined : encoding
  } catch {
    return undefined
  }
}

const decode = (bytes: Uint8Array, encoding: string, illegal = illegalControls): string => {
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal("file_not_utf8", `The text is not valid ${encoding}, which it claims to be. ${advice}`)
  }
  const at = text.search(illegal)
  if (at < 0) return text
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0")
  throw new Refusal(
    "file_not_utf8",
    `Character ${at} is the control character U+${code}, which text may not contain. ${advice}`,
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const illegalControls = /[\0-\x08\x0b\x0e-\x1f\x7f]/g

const advice = "Save the file as UTF-8 and upload it again."
