import { detectSignature, nameContent, Refusal } from "@atelier/intake/bytes"
import { scanLimits } from "./Limits.ts"

/** A picture of a page, as far as its head tells. */
export interface PictureHead {
  readonly contentType: "image/png" | "image/jpeg"
  readonly width: number
  readonly height: number
  /** As EXIF has it, 1 for upright. */
  readonly orientation: number
}

/** Reads the head of a PNG or JPEG file. Throws a `Refusal`: another format, damaged, or too large. */
export const pictureHead = (bytes: Uint8Array): PictureHead => {
  const format = detectSignature(bytes)?.format
  if (format !== "png" && format !== "jpeg") {
    throw new Refusal(
      "file_type_not_accepted",
      `The file is ${nameContent(bytes)}, not a PNG or JPEG picture.`,
    )
  }
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const size = format === "png" ? pngSize(file) : jpegSize(file)
  if (size === undefined || size.width < 1 || size.height < 1) {
    throw new Refusal("file_corrupt", "The size of the picture cannot be found in the file.")
  }
  const pixels = size.width * size.height
  if (pixels > scanLimits.scan_page_pixels_max) {
    throw new Refusal(
      "archive_limit_exceeded",
      `The picture has ${pixels} pixels; at most ${scanLimits.scan_page_pixels_max} are allowed.`,
    )
  }
  const orientation = format === "png" ? 1 : orientationOf(file)
  return { contentType: `image/${format}`, ...size, orientation }
}

interface Size {
  readonly width: number
  readonly height: number
}

const pngSize = (file: Buffer): Size | undefined =>
  file.length >= 24 && file.toString("latin1", 12, 16) === "IHDR"
    ? { width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
    : undefined

/** Frames begin with one of these markers: SOF0 to SOF15, without DHT, JPG and DAC. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const jpegSize = (file: Buffer): Size | undefined => {
  for (let at = 2; at + 9 <= file.length && file[at] === 0xff; ) {
    const marker = file[at + 1] ?? 0
    if (marker === 0xff) at++
    else if (isFrame(marker)) return { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) }
    else at += 2 + file.readUInt16BE(at + 2)
  }
  return undefined
}

/** EXIF stands near the beginning. */
const exifBytesMax = 4096
const bigEndian = Buffer.from("011200030000000100", "hex")
const littleEndian = Buffer.from("1201030001000000", "hex")

const orientationOf = (file: Buffer): number => {
  const head = file.subarray(0, exifBytesMax)
  const big = head.indexOf(bigEndian)
  const little = head.indexOf(littleEndian)
  const found = big >= 0 ? head[big + bigEndian.length] : little >= 0 ? head[little + littleEndian.length] : 1
  return found !== undefined && found >= 1 && found <= 8 ? found : 1
}
