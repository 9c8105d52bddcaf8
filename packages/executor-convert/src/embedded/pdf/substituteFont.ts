/**
 * A TrueType font (OpenType 1.9) of one character that fills its square and shows nothing. It stands for the fonts of
 * Chinese, Japanese and Korean that a document does not bring along: without any, PDFium leaves out each character that
 * is a text object of its own, as scanners write them.
 */
export const substituteFont = (): Uint8Array => {
  const tables: ReadonlyArray<readonly [tag: string, bytes: Uint8Array]> = [
    ["cmap", numbers([16, 0], [16, 1], [16, 3], [16, 10], [32, 12], ...allToOne)],
    ["glyf", glyph],
    ["head", head],
    ["hhea", numbers([32, 0x10000], [16, ascent], [16, descent], [16, 0], [16, em], ...zeros(11), [16, 1])],
    ["hmtx", numbers([16, em], [16, 0], [16, 0])],
    ["loca", numbers([16, 0], [16, 0], [16, glyph.length / 2])],
    ["maxp", numbers([32, 0x10000], [16, 2], [16, corners.length], [16, 1], ...zeros(10), [16, 0])],
  ]
  let offset = 12 + 16 * tables.length
  const directory: Array<Field> = [[32, 0x10000], [16, tables.length], ...zeros(3)]
  for (const [tag, { length }] of tables) {
    directory.push([32, Buffer.from(tag).readUInt32BE()], [32, 0], [32, offset], [32, length])
    offset += padded(length)
  }
  return Buffer.concat([
    numbers(...directory),
    ...tables.map(([, bytes]) => Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)])),
  ])
}

type Field = readonly [bits: 8 | 16 | 32, value: number]

const numbers = (...fields: ReadonlyArray<Field>): Buffer =>
  Buffer.concat(
    fields.map(([bits, value]) => {
      const bytes = Buffer.alloc(4)
      bytes.writeInt32BE(value | 0)
      return bytes.subarray(4 - bits / 8)
    }),
  )

const zeros = (count: number): ReadonlyArray<Field> => Array.from({ length: count }, () => [16, 0] as const)

const padded = (length: number): number => (length + 3) & ~3

const em = 1_000
const ascent = 880
const descent = -120

/** A line there and back: as large as the square, without an area. */
const corners = [
  [0, descent],
  [em, ascent],
  [0, descent],
] as const
const onCurve = 1

const glyph = numbers(
  [16, 1],
  [16, 0],
  [16, descent],
  [16, em],
  [16, ascent],
  [16, corners.length - 1],
  [16, 0],
  ...corners.map((): Field => [8, onCurve]),
  ...[0, 1].flatMap((axis) =>
    corners.map((corner, index): Field => [16, (corner[axis] ?? 0) - (corners[index - 1]?.[axis] ?? 0)]),
  ),
  [8, 0],
)

/** Format 13: all characters are the second glyph, as the first is that of none. */
const allToOne: ReadonlyArray<Field> = [
  [16, 13],
  [16, 0],
  [32, 28],
  [32, 0],
  [32, 1],
  [32, 0x20],
  [32, 0x10ffff],
  [32, 1],
]

const head = numbers(
  [32, 0x10000],
  [32, 0x10000],
  [32, 0],
  [32, 0x5f0f3cf5],
  [16, 0],
  [16, em],
  ...zeros(8),
  [16, 0],
  [16, descent],
  [16, em],
  [16, ascent],
  [16, 0],
  [16, 8],
  ...zeros(3),
)
