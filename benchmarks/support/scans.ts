import { join } from "node:path"
import { crc32, deflateSync } from "node:zlib"
import { Resvg } from "@resvg/resvg-js"
import { root } from "../../scripts/workspace.ts"
import { seeded } from "../../test/support/random.ts"

/** How a page is printed and scanned. */
export interface Paper {
  readonly font: keyof typeof fonts
  /** Points. */
  readonly size: number
  /** Degrees, clockwise. */
  readonly skew: number
  /** 0 for none, to 1 for specks and grain over the whole page. */
  readonly noise: number
  /** Dots for each inch. */
  readonly resolution: number
}

const fonts = {
  sans: ["Manrope", "manrope/400Regular/Manrope_400Regular.ttf"],
  bold: ["Manrope", "manrope/700Bold/Manrope_700Bold.ttf"],
  serif: ["Instrument Serif", "instrument-serif/400Regular/InstrumentSerif_400Regular.ttf"],
  italic: ["Instrument Serif", "instrument-serif/400Regular_Italic/InstrumentSerif_400Regular_Italic.ttf"],
} as const

/** A page in shades of grey, 0 for black. */
export interface Scan {
  readonly width: number
  readonly height: number
  readonly grey: Uint8Array
}

const pointsPerInch = 72
const margin = 60

/** Lines of text on a page of these many points, as a scanner gives it. */
export const scan = (
  lines: ReadonlyArray<string>,
  { font, noise, resolution, size, skew }: Paper,
  [wide, high] = [595, 842],
): Scan => {
  const [family, file] = fonts[font]
  const weight = font === "bold" ? 700 : 400
  const style = font === "italic" ? "italic" : "normal"
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
  const texts = lines.map(
    (line, index) =>
      `<text x="${margin}" y="${margin + size * 1.45 * (index + 1)}" xml:space="preserve">${escaped(line)}</text>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}"><rect width="100%" height="100%" fill="white"/><g transform="rotate(${skew} ${wide / 2} ${high / 2})" font-family="${family}" font-size="${size}" font-weight="${weight}" font-style="${style}">${texts.join("")}</g></svg>`
  const drawn = new Resvg(svg, {
    fitTo: { mode: "width", value: Math.round((wide * resolution) / pointsPerInch) },
    font: {
      fontFiles: [join(root, "node_modules/@expo-google-fonts", file)],
      loadSystemFonts: false,
      defaultFontFamily: family,
    },
  }).render()
  const { height, pixels, width } = drawn
  const grey = new Uint8Array(width * height)
  for (let at = 0; at < grey.length; at++) grey[at] = pixels[4 * at] ?? 0
  return noisy({ width, height, grey }, noise)
}

/** Grain on every pixel, less contrast, and specks. */
const noisy = (page: Scan, noise: number): Scan => {
  if (noise === 0) return page
  const random = seeded(7)
  const { grey, width } = page
  for (let at = 0; at < grey.length; at++) {
    const paper = 255 - (255 - (grey[at] ?? 0)) * (1 - 0.4 * noise) - 25 * noise
    grey[at] = Math.max(0, Math.min(255, paper + (random() - 0.5) * 160 * noise))
  }
  for (let speck = 0; speck < (grey.length / 20_000) * noise; speck++) {
    const at = Math.floor(random() * (grey.length - 3 * width))
    for (const place of [at, at + 1, at + width, at + width + 1]) grey[place] = 40
  }
  return page
}

/** The page as a PNG file. */
export const pngOf = ({ grey, height, width }: Scan): Buffer<ArrayBuffer> => {
  const rows = Buffer.alloc(height * (width + 1))
  for (let row = 0; row < height; row++)
    rows.set(grey.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  const [before, after] = [Buffer.alloc(4), Buffer.alloc(4)]
  before.writeUInt32BE(data.length)
  after.writeUInt32BE(crc32(body))
  return Buffer.concat([before, body, after])
}

/** A PDF of pictures alone, one a page, each as large as the page. */
export const pdfOf = (scans: ReadonlyArray<Scan>, [wide, high] = [595, 842]): Buffer<ArrayBuffer> => {
  const objects: Array<Buffer> = []
  const kids = scans.map((_, index) => `${3 + 3 * index} 0 R`).join(" ")
  objects.push(Buffer.from("<< /Type /Catalog /Pages 2 0 R >>"))
  objects.push(Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${scans.length} >>`))
  for (const [index, { grey, height, width }] of scans.entries()) {
    const [content, picture] = [4 + 3 * index, 5 + 3 * index]
    const resources = `<< /XObject << /P ${picture} 0 R >> >>`
    const colours = "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode"
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents ${content} 0 R /Resources ${resources} >>`,
      ),
      stream(Buffer.from(`${wide} 0 0 ${high} 0 0 cm /P Do`), ""),
      stream(
        deflateSync(grey),
        `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${colours}`,
      ),
    )
  }
  return fileOf(objects)
}

const stream = (data: Buffer, entries: string): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from("\nendstream"),
  ])

const fileOf = (objects: ReadonlyArray<Buffer>): Buffer<ArrayBuffer> => {
  const pieces: Array<Buffer> = [Buffer.from("%PDF-1.4\n")]
  const places: Array<number> = []
  let length = pieces[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    places.push(length)
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")])
    pieces.push(whole)
    length += whole.length
  }
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("")
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...pieces, Buffer.from(table + trailer)])
}

/** The share of the characters of `text` that were read right, by the fewest changes from one to the other. */
export const charactersRight = (read: string, text: string): number => {
  const [one, other] = [squeezed(read), squeezed(text)]
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1]
    for (let at = 0; at < other.length; at++) {
      const kept = (row[at] ?? 0) + (other[at] === character ? 0 : 1)
      next.push(Math.min(kept, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return Math.max(0, 1 - (row.at(-1) ?? 0) / other.length)
}

/** Marks of Markdown and the places of lines count for nothing. */
const squeezed = (text: string): string =>
  text
    .replace(/\\([\p{P}\p{S}])/gu, "$1")
    .replace(/^#+ /gm, "")
    .replace(/\s+/g, " ")
    .trim()
