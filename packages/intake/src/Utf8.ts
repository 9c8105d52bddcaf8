import { isUtf8 } from "node:buffer"
import { Refusal } from "./Refusal.ts"
import type { TextScan } from "./TextScan.ts"

/** Length of the UTF-8 byte order mark. */
const markBytes = 3

export const hasByteOrderMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** The same bytes without a leading UTF-8 byte order mark. */
export const withoutByteOrderMark = (bytes: Uint8Array): Uint8Array =>
  hasByteOrderMark(bytes) ? bytes.subarray(markBytes) : bytes

/**
 * Why `bytes` are no text (document-tools 1: text must be UTF-8, without illegal control characters), or
 * undefined if they are. `scan` is the scan of the same bytes. The code is `file_not_utf8`; the message
 * names the first byte at fault, counted from 0.
 */
export const textFault = (bytes: Uint8Array, scan: TextScan): Refusal | undefined => {
  const invalidAt = isUtf8(bytes) ? undefined : firstInvalidUtf8(bytes)
  const controlAt = scan.illegalControlAt
  if (invalidAt === undefined && controlAt === undefined) return undefined
  const otherEncoding = unicodeMark(bytes)
  if (otherEncoding !== undefined) {
    return notUtf8(`the file is encoded as ${otherEncoding}, as its byte order mark says`)
  }
  if (invalidAt === undefined || (controlAt !== undefined && controlAt < invalidAt)) {
    const at = controlAt ?? 0
    return notUtf8(`byte ${at} is the control character U+00${hex(bytes[at])}, which text may not contain`)
  }
  return notUtf8(`byte ${invalidAt} (0x${hex(bytes[invalidAt])}) is not valid UTF-8`)
}

/** Offset of the first byte that does not begin a well-formed sequence, or undefined if there is none. */
export const firstInvalidUtf8 = (bytes: Uint8Array): number | undefined => {
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at)
    if (length === 0) return at
    at += length
  }
  return undefined
}

/** Length of the well-formed sequence at `at`, or 0 (Unicode, table 3-7). */
const sequenceLength = (bytes: Uint8Array, at: number): number => {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return 1
  const second = bytes[at + 1] ?? 0
  if (lead < 0xc2 || lead > 0xf4 || !isContinuation(second)) return 0
  if (lead < 0xe0) return 2
  if ((lead === 0xe0 && second < 0xa0) || (lead === 0xed && second > 0x9f)) return 0
  if (!isContinuation(bytes[at + 2] ?? 0)) return 0
  if (lead < 0xf0) return 3
  if ((lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f)) return 0
  return isContinuation(bytes[at + 3] ?? 0) ? 4 : 0
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80

const unicodeMark = (bytes: Uint8Array): string | undefined => {
  const [first, second, third, fourth] = bytes
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? "UTF-32" : "UTF-16"
  if (first === 0xfe && second === 0xff) return "UTF-16"
  return first === 0 && second === 0 && third === 0xfe && fourth === 0xff ? "UTF-32" : undefined
}

const notUtf8 = (fault: string): Refusal =>
  new Refusal(
    "file_not_utf8",
    `The text must be UTF-8: ${fault}. Save the file as UTF-8 and upload it again.`,
  )

const hex = (byte: number | undefined): string => (byte ?? 0).toString(16).toUpperCase().padStart(2, "0")
