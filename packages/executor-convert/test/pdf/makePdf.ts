import { deflateSync } from "node:zlib"

/** Objects of a PDF by number; 1 is the catalog, 2 the page tree, 3 and 4 the fonts. */
export type PdfObjects = Record<number, string | Uint8Array>

const latin1 = (part: string | Uint8Array): Uint8Array =>
  typeof part === "string" ? Buffer.from(part, "latin1") : part

/** A PDF file of these objects, with its table of their offsets. */
export const pdfOf = (objects: PdfObjects, trailer = ""): Buffer => {
  const numbers = Object.keys(objects).map(Number)
  const size = Math.max(...numbers) + 1
  const parts: Array<Uint8Array> = [Buffer.from("%PDF-1.7\n")]
  const offsets = new Map<number, number>()
  let bytes = 9
  for (const number of numbers) {
    const part = Buffer.concat([
      latin1(`${number} 0 obj\n`),
      latin1(objects[number] ?? ""),
      latin1("\nendobj\n"),
    ])
    offsets.set(number, bytes)
    parts.push(part)
    bytes += part.length
  }
  const rows = Array.from({ length: size - 1 }, (_, index) => {
    const offset = offsets.get(index + 1)
    return offset === undefined ? "0000000000 00000 f \n" : `${String(offset).padStart(10, "0")} 00000 n \n`
  })
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}`
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${bytes}\n%%EOF\n`
  return Buffer.concat([...parts, latin1(table + end)])
}

export const stream = (content: string | Uint8Array, dictionary = ""): Buffer => {
  const data = deflateSync(latin1(content))
  const head = `<< /Length ${data.length} /Filter /FlateDecode ${dictionary} >>\nstream\n`
  return Buffer.concat([latin1(head), data, latin1("\nendstream")])
}

const firstPage = 10
const objectsPerPage = 2

const fonts: PdfObjects = {
  3: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
  4: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold /Encoding /WinAnsiEncoding >>",
}

/** What a page shows (its content stream), and more entries of its dictionary. */
export interface PdfPage {
  readonly content: string
  readonly entries?: string
}

/** A document of these pages; their objects are 10 and 11, 12 and 13 and so on. */
export const pages = (
  list: ReadonlyArray<PdfPage>,
  { catalog = "", objects = {} }: { readonly catalog?: string; readonly objects?: PdfObjects } = {},
): PdfObjects => ({
  1: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
  2: `<< /Type /Pages /Count ${list.length} /Kids [${list.map((_, index) => `${firstPage + objectsPerPage * index} 0 R`).join(" ")}] >>`,
  ...fonts,
  ...Object.fromEntries(
    list.flatMap(({ content, entries = "" }, index) => {
      const number = firstPage + objectsPerPage * index
      const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${number + 1} 0 R /Resources << /Font << /F 3 0 R /B 4 0 R >> /XObject << /I 5 0 R >> >> ${entries} >>`
      return [
        [number, page],
        [number + 1, stream(content)],
      ]
    }),
  ),
  ...objects,
})

/** A text at a place, in points from the lower left corner. Courier: each character is 0.6 of the size wide. */
export const text = (
  left: number,
  bottom: number,
  characters: string,
  { size = 12, font = "F" }: { readonly size?: number; readonly font?: "F" | "B" } = {},
): string =>
  `BT /${font} ${size} Tf 1 0 0 1 ${left} ${bottom} Tm (${characters.replace(/[\\()]/g, "\\$&")}) Tj ET\n`

/** Lines of text below one another, the first at the top of the page. */
export const lines = (
  list: ReadonlyArray<string>,
  { left = 72, top = 700, leading = 14, size = 12 } = {},
): string => list.map((line, index) => text(left, top - index * leading, line, { size })).join("")

/** A line from one point to another. */
export const line = (x1: number, y1: number, x2: number, y2: number): string =>
  `${x1} ${y1} m ${x2} ${y2} l S\n`

/** A page in a font whose codes a, b, c and so on are these characters, each as wide as its size, or as the last of a proportional font. */
export const withCharacters = (
  characters: ReadonlyArray<string>,
  content: string,
  lastWidth?: number,
  base = lastWidth === undefined ? "Courier" : "Times-Roman",
): Buffer => {
  const hex = (text: string): string => Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase()
  const rows = characters.map((each, index) => `<${(0x61 + index).toString(16)}> <${hex(each)}>`)
  const map = [
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def",
    "1 begincodespacerange <00> <FF> endcodespacerange",
    `${rows.length} beginbfchar ${rows.join(" ")} endbfchar`,
    "endcmap CMapName currentdict /CMap defineresource pop end end",
  ].join("\n")
  const widths = `${"1000 ".repeat(characters.length - 1)}${lastWidth ?? 1000}`
  const font = `<< /Type /Font /Subtype /TrueType /BaseFont /${base} /FirstChar 97 /LastChar ${96 + characters.length} /Widths [${widths}] /ToUnicode 6 0 R >>`
  return pdfOf(pages([{ content }], { objects: { 3: font, 6: stream(map) } }))
}

/** Codes at places, in points. */
export const codesAt = (
  ...places: ReadonlyArray<readonly [left: number, bottom: number, codes: string]>
): string =>
  places
    .map(([left, bottom, codes]) => `BT /F 10 Tf 1 0 0 1 ${left} ${bottom} Tm (${codes}) Tj ET\n`)
    .join("")

/** A document of one page. */
export const onePage = (content: string): Buffer => pdfOf(pages([{ content }]))

/** A picture that fills the page, in the place of text. */
export const picture = "q 612 0 0 792 0 0 cm /I Do Q\n"
export const pictureObject: PdfObjects = {
  5: stream(
    Buffer.alloc(64, 0x80),
    "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8",
  ),
}

/** A page whose one form is read ten to the power of ten times. */
export const nestedForms = (): Buffer => {
  const form = (level: number) =>
    stream(
      "/X Do ".repeat(10),
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${level + 1} 0 R >> >>`,
    )
  const levels = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [50 + index, form(50 + index)]))
  const last = stream(
    text(0, 0, "a"),
    "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F 3 0 R >> >>",
  )
  const page = {
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: "<< /Type /Pages /Count 1 /Kids [10 0 R] >>",
    10: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 11 0 R /Resources << /XObject << /X 50 0 R >> >> >>",
    11: stream("/X Do"),
  }
  return pdfOf({ ...page, 3: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>", ...levels, 60: last })
}

/** In letters of 9 points. */
export const small = (left: number, bottom: number, words: string): string =>
  text(left, bottom, words, { size: 9 })

/** What stands at these places of a line. */
export const at = (bottom: number, places: Readonly<Record<number, string>>): string =>
  Object.entries(places)
    .map(([left, words]) => small(Number(left), bottom, words))
    .join("")
