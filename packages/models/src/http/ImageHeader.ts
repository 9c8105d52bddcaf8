/**
 * Reads the first bytes of an image. Own code because the libraries for it read past their input, accept
 * any SVG or TIFF too, or walk a hostile JPEG byte by byte; this reads each byte at most once, in bounded
 * steps, and never throws.
 */
export type ImageType = "image/png" | "image/jpeg" | "image/webp" | "image/gif" | "image/avif"

export interface ImageHeader {
  readonly type: ImageType
  /** Pixels, before any rotation that metadata ask for. */
  readonly width: number
  readonly height: number
}

/** `Incomplete`: so far an image, but its size comes later. */
export type ImageReading =
  | { readonly _tag: "Image"; readonly header: ImageHeader }
  | { readonly _tag: "Incomplete"; readonly type: ImageType }
  | { readonly _tag: "NotAnImage" }

/** This many bytes identify the type of every image. */
export const signatureBytes = 64
/** JPEG segments and AVIF boxes that are stepped over before the size must have come. */
const stepsMax = 4096

/** The type that an image's signature tells; `bytes` are at least its first 64, or all of it. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | undefined => {
  if (startsWith(bytes, 0, "\x89PNG\r\n\x1a\n")) return "image/png"
  if (startsWith(bytes, 0, "\xff\xd8\xff")) return "image/jpeg"
  if (startsWith(bytes, 0, "RIFF") && startsWith(bytes, 8, "WEBPVP8")) return "image/webp"
  if (startsWith(bytes, 0, "GIF87a") || startsWith(bytes, 0, "GIF89a")) return "image/gif"
  return isAvif(bytes) ? "image/avif" : undefined
}

/**
 * Type, width and height from the first bytes of an image. A JPEG's size can stand behind its metadata, so
 * `Incomplete` may need the whole of it; of a whole file, `Incomplete` means that it is cut or broken.
 */
export const readImageHeader = (bytes: Uint8Array): ImageReading => {
  const type = imageTypeOf(bytes)
  if (type === undefined) return notAnImage
  const size = readers[type](bytes)
  if (size === "incomplete") return { _tag: "Incomplete", type }
  if (size === "invalid" || size.width < 1 || size.height < 1) return notAnImage
  return { _tag: "Image", header: { type, ...size } }
}

type Size = { readonly width: number; readonly height: number } | "incomplete" | "invalid"

const notAnImage: ImageReading = { _tag: "NotAnImage" }

const startsWith = (bytes: Uint8Array, offset: number, text: string): boolean =>
  bytes.length >= offset + text.length &&
  Array.from(text).every((character, index) => bytes[offset + index] === character.charCodeAt(0))

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** ISO/IEC 15948, 11.2.1: IHDR is the first chunk, 13 bytes long. */
const readPng = (bytes: Uint8Array): Size => {
  if (bytes.length < 33) return "incomplete"
  const view = viewOf(bytes)
  if (view.getUint32(8) !== 13 || !startsWith(bytes, 12, "IHDR")) return "invalid"
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  return width > 0x7fffffff || height > 0x7fffffff ? "invalid" : { width, height }
}

/** ITU-T T.81, B.1.1 and B.2.2: segments up to the frame header; a scan before it is an error. */
const readJpeg = (bytes: Uint8Array): Size => {
  const view = viewOf(bytes)
  let offset = 2
  for (let step = 0; step < stepsMax; step++) {
    if (offset + 2 > bytes.length) return "incomplete"
    if (view.getUint8(offset) !== 0xff) return "invalid"
    const marker = view.getUint8(offset + 1)
    if (marker === 0xff) {
      offset += 1 // a fill byte
      continue
    }
    if (standsAlone(marker) || marker === 0xda) return "invalid"
    if (offset + 4 > bytes.length) return "incomplete"
    const length = view.getUint16(offset + 2)
    if (length < 2) return "invalid"
    if (isFrameHeader(marker)) {
      if (length < 8) return "invalid"
      if (offset + 9 > bytes.length) return "incomplete"
      return { height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) }
    }
    offset += 2 + length
  }
  return "invalid"
}

/** Markers without a length: TEM, RST, SOI, EOI, and 00, which is none. */
const standsAlone = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9)

/** SOF0 to SOF15 but DHT, JPG and DAC, which share their range. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** RFC 9649 and, for VP8 frames, RFC 6386, 9.1. */
const readWebp = (bytes: Uint8Array): Size => {
  if (bytes.length < 30) return "incomplete"
  const view = viewOf(bytes)
  switch (view.getUint8(15)) {
    case 0x58: // VP8X
      return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) }
    case 0x4c: {
      // VP8L
      if (view.getUint8(20) !== 0x2f) return "invalid"
      const bits = view.getUint32(21, true)
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
    }
    case 0x20: // VP8, whose first frame must be a key frame
      if ((view.getUint8(20) & 1) !== 0 || !startsWith(bytes, 23, "\x9d\x01\x2a")) return "invalid"
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    default:
      return "invalid"
  }
}

const uint24 = (view: DataView, offset: number): number =>
  view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16)

const readGif = (bytes: Uint8Array): Size => {
  if (bytes.length < 13) return "incomplete"
  const view = viewOf(bytes)
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** ISO/IEC 14496-12, 4.3: `ftyp`, whose brands say what kind of file follows. */
const isAvif = (bytes: Uint8Array): boolean => {
  if (bytes.length < 16 || !startsWith(bytes, 4, "ftyp")) return false
  const end = Math.min(viewOf(bytes).getUint32(0), bytes.length, signatureBytes)
  for (let offset = 8; offset + 4 <= end; offset += 4) {
    if (offset !== 12 && startsWith(bytes, offset, "avif")) return true
  }
  return false
}

/**
 * The largest `ispe` in `meta`, `iprp`, `ipco`: thumbnails and the tiles of a grid are smaller than the image.
 * Boxes that hold others are entered, the rest is stepped over.
 */
const readAvif = (bytes: Uint8Array): Size => {
  const view = viewOf(bytes)
  let largest: Size = "incomplete"
  let offset = 0
  let end = Number.POSITIVE_INFINITY
  for (let step = 0; step < stepsMax && offset < end; step++) {
    if (offset + 20 > bytes.length) return "incomplete"
    const length = view.getUint32(offset)
    if (length < 8) return "invalid"
    if (startsWith(bytes, offset + 4, "meta")) {
      offset += 12 // a full box: version and flags before its boxes
    } else if (startsWith(bytes, offset + 4, "iprp")) {
      offset += 8
    } else if (startsWith(bytes, offset + 4, "ipco")) {
      end = offset + length
      offset += 8
    } else {
      if (startsWith(bytes, offset + 4, "ispe")) largest = larger(largest, view, offset)
      offset += length
    }
  }
  return largest === "incomplete" ? "invalid" : largest
}

const larger = (largest: Size, view: DataView, offset: number): Size => {
  const [width, height] = [view.getUint32(offset + 12), view.getUint32(offset + 16)]
  return typeof largest === "object" && largest.width * largest.height >= width * height
    ? largest
    : { width, height }
}

const readers: { readonly [K in ImageType]: (bytes: Uint8Array) => Size } = {
  "image/png": readPng,
  "image/jpeg": readJpeg,
  "image/webp": readWebp,
  "image/gif": readGif,
  "image/avif": readAvif,
}
