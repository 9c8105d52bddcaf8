import { type ImageHeader, readImageHeader } from "./http/ImageHeader.ts"

/** contract, Images: reference images. */
const imageBytesMax = 20 * 1024 * 1024
/** Longest plausible prefix (`data:image/…;base64,`). */
const headCharsMax = 100

/** An image that came in a Data URL (RFC 2397). */
export interface DataImage {
  readonly bytes: Uint8Array
  readonly header: ImageHeader
}

/** True for what looks like a Data URL, valid or not. */
export const isDataUrl = (text: string): boolean => /^data:/i.test(text)

/**
 * The image of a Base64 Data URL; else what the text must be, as it follows a field's name. The bytes decide
 * what it is: the media type of the head only has to be an image's.
 */
export const read = (text: string): DataImage | string => {
  const head = /^data:image\/[a-z0-9.+-]+;base64,/i.exec(text.slice(0, headCharsMax))?.[0]
  if (head === undefined) return "must be a Base64 Data URL that starts with data:image/TYPE;base64,"
  const data = text.slice(head.length)
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) {
    return "must be a Base64 Data URL; what follows its comma is not Base64 (RFC 4648, 4)"
  }
  if (Buffer.byteLength(data, "base64") > imageBytesMax) {
    return `must hold an image of at most ${imageBytesMax} bytes`
  }
  const bytes = new Uint8Array(Buffer.from(data, "base64"))
  const reading = readImageHeader(bytes)
  return reading._tag === "Image"
    ? { bytes, header: reading.header }
    : "must hold a PNG, JPEG, WebP, GIF or AVIF image whose header can be read"
}

/** What is wrong with a Data URL of an image; undefined for a valid one. */
export const problemOf = (text: string): string | undefined => {
  const image = read(text)
  return typeof image === "string" ? image : undefined
}
