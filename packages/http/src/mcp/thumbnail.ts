/** Runs in a parsing process: what an upstream made is a stranger's file. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { initWasm, Resvg } from "@resvg/resvg-wasm"

interface Picture {
  readonly image: Uint8Array
  readonly contentType: string
  /** Pixels. */
  readonly width: number
  readonly height: number
}

export interface ThumbnailInput extends Picture {
  /** Longest sides that it may have, in pixels, the largest first: the first whose file is small enough is taken. */
  readonly sides: ReadonlyArray<number>
  readonly bytesMax: number
  readonly write: (name: "thumbnail", bytes: Uint8Array) => void
}

/** Writes a PNG of at most `bytesMax`; throws where the image cannot be read, or no side makes it small enough. */
export const thumbnail = async ({ bytesMax, sides, write, ...original }: ThumbnailInput): Promise<null> => {
  await prepared()
  let picture: Picture = original
  for (const side of sides) {
    picture = shrunk(picture, side)
    if (picture.image.length > bytesMax) continue
    write("thumbnail", picture.image)
    return null
  }
  throw new RangeError("no side makes the picture small enough")
}

let ready: Promise<void> | undefined
/** The renderer is compiled for the first picture of a process. */
const prepared = (): Promise<void> => {
  ready ??= initWasm(readFileSync(fileURLToPath(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"))))
  return ready
}

const shrunk = (picture: Picture, side: number): Picture => {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  return { image: drawn(picture, width, height), contentType: "image/png", width, height }
}

const drawn = ({ image, contentType }: Picture, width: number, height: number): Uint8Array => {
  const href = `data:${contentType};base64,${Buffer.from(image).toString("base64")}`
  const size = `width="${width}" height="${height}"`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image href="${href}" ${size} preserveAspectRatio="none"/></svg>`
  const rendered = new Resvg(svg).render()
  // The renderer leaves out what it cannot read.
  if (rendered.pixels.every((byte) => byte === 0)) throw new TypeError("nothing of the image can be shown")
  return rendered.asPng()
}
