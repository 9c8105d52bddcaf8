import { readFileSync } from "node:fs"

/** What setting type needs of a TrueType font: which characters it has, and how wide they are. */
export interface Font {
  readonly family: string
  readonly path: string
  /** Width of a character as a part of the font size; undefined where the font does not have it. */
  readonly widthOf: (character: string) => number | undefined
}

/** Reads the tables `head`, `hhea`, `hmtx` and `cmap` (format 4) of a font that the package ships. */
export const readFont = (family: string, path: string): Font => {
  const file = readFileSync(path)
  const tables = new Map<string, number>()
  for (let index = 0; index < file.readUInt16BE(4); index++) {
    const at = 12 + index * 16
    tables.set(file.toString("latin1", at, at + 4), file.readUInt32BE(at + 8))
  }
  const table = (name: string): number => {
    const at = tables.get(name)
    if (at === undefined) throw new Error(`the font ${family} has no table ${name}`)
    return at
  }
  const unitsPerEm = file.readUInt16BE(table("head") + 18)
  const metrics = file.readUInt16BE(table("hhea") + 34)
  const glyphOf = characterMap(file, table("cmap"))
  return {
    family,
    path,
    widthOf: (character) => {
      const glyph = glyphOf(character.codePointAt(0) ?? 0)
      if (glyph === 0) return undefined
      return file.readUInt16BE(table("hmtx") + Math.min(glyph, metrics - 1) * 4) / unitsPerEm
    },
  }
}

/** From code point to glyph, 0 where there is none. */
const characterMap = (file: Buffer, cmap: number): ((code: number) => number) => {
  const start = subtable(file, cmap)
  const segments = file.readUInt16BE(start + 6) / 2
  const [ends, starts] = [start + 14, start + 16 + segments * 2]
  const [deltas, offsets] = [starts + segments * 2, starts + segments * 4]
  return (code) => {
    for (let index = 0; index < segments && code <= 0xffff; index++) {
      if (file.readUInt16BE(ends + index * 2) < code) continue
      const first = file.readUInt16BE(starts + index * 2)
      if (first > code) return 0
      const delta = file.readUInt16BE(deltas + index * 2)
      const offset = file.readUInt16BE(offsets + index * 2)
      if (offset === 0) return (code + delta) & 0xffff
      const glyph = file.readUInt16BE(offsets + index * 2 + offset + (code - first) * 2)
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return 0
  }
}

const subtable = (file: Buffer, cmap: number): number => {
  for (let index = 0; index < file.readUInt16BE(cmap + 2); index++) {
    const start = cmap + file.readUInt32BE(cmap + 4 + index * 8 + 4)
    if (file.readUInt16BE(start) === 4) return start
  }
  throw new Error("the font has no character map of format 4")
}
