import { substituteFont } from "./substituteFont.ts"

/** What is used here of PDFium (fpdf_sysfontinfo.h) and of its WebAssembly module. */
export interface WithFonts {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly __indirect_function_table: { readonly set: (index: number, value: unknown) => void }
  readonly FPDF_GetDefaultSystemFontInfo: () => number
  readonly FPDF_SetSystemFontInfo: (info: number) => void
}

/** Makes an instance of a module that imports functions and exports them, as a table takes no others. */
export type Instantiate = (
  bytes: Uint8Array,
  imports: Record<string, Record<string, unknown>>,
) => Record<string, unknown>

interface Answer {
  /** Where the default one stands among the pointers of `FPDF_SYSFONTINFO`. */
  readonly field: number
  /** All of its parameters are 32 bits wide, and so is its result, if it has one. */
  readonly parameters: number
  readonly results: 0 | 1
  readonly answer: (...parameters: ReadonlyArray<number>) => number | undefined
}

/** Character sets of Windows: Japanese, Korean, Chinese in simplified and in traditional characters. */
const charsets: ReadonlySet<number> = new Set([128, 129, 134, 136])
const theFont = 1
const font = substituteFont()

/**
 * Gives PDFium one font for Chinese, Japanese and Korean, in place of the system's, of which it sees none. Its table of
 * functions is as long as it can be: these take the places of the default ones, which nothing else calls.
 */
export const provideFonts = (pdfium: WithFonts, instantiate: Instantiate): void => {
  const answers: ReadonlyArray<Answer> = [
    // MapFont(this, weight, italic, charset, pitch, face, exact)
    {
      field: 3,
      parameters: 7,
      results: 1,
      answer: (_this, _weight, _italic, charset = 0) => (charsets.has(charset) ? theFont : 0),
    },
    // GetFontData(this, font, table, buffer, size); table 0 is the whole file.
    {
      field: 5,
      parameters: 5,
      results: 1,
      answer: (_this, _font, table, buffer = 0, size = 0) => {
        if (table !== 0) return 0
        if (size >= font.length) new Uint8Array(pdfium.memory.buffer).set(font, buffer)
        return font.length
      },
    },
    // GetFaceName(this, font, buffer, size)
    { field: 6, parameters: 4, results: 1, answer: () => 0 },
    // GetFontCharset(this, font)
    { field: 7, parameters: 2, results: 1, answer: () => 1 },
    // DeleteFont(this, font)
    { field: 8, parameters: 2, results: 0, answer: () => undefined },
  ]
  const info = pdfium.FPDF_GetDefaultSystemFontInfo()
  const view = new DataView(pdfium.memory.buffer)
  const functions = instantiate(passing(answers), {
    f: Object.fromEntries(answers.map(({ answer }, index) => [`${index}`, answer])),
  })
  for (const [index, { field }] of answers.entries()) {
    pdfium.__indirect_function_table.set(view.getInt32(info + 4 * field, true), functions[`${index}`])
  }
  pdfium.FPDF_SetSystemFontInfo(info)
}

/** A module that imports a function of each of these types, and exports it. */
const passing = (answers: ReadonlyArray<Answer>): Uint8Array => {
  const named = (name: string | number): ReadonlyArray<number> => vector([...Buffer.from(`${name}`)])
  const types = answers.map(({ parameters, results }) => [
    0x60,
    ...vector(Array<number>(parameters).fill(i32)),
    ...vector(Array<number>(results).fill(i32)),
  ])
  const imports = answers.map((_, index) => [...named("f"), ...named(index), 0, index])
  const exports = answers.map((_, index) => [...named(index), 0, index])
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, imports),
    ...section(7, exports),
  ])
}

const i32 = 0x7f

const section = (id: number, items: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<number> => [
  id,
  ...vector([items.length, ...items.flat()]),
]

/** Numbers with their count, which is less than 128. */
const vector = (items: ReadonlyArray<number>): ReadonlyArray<number> => [items.length, ...items]
