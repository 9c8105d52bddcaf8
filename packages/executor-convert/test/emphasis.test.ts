import fc from "fast-check"
import MarkdownIt from "markdown-it"
import { describe, expect, it } from "vitest"
import { converted } from "./documents.ts"
import { paragraph, run, word } from "./docx/word.ts"

const renderer = new MarkdownIt()

interface Piece {
  readonly text: string
  readonly bold: boolean
  readonly italic: boolean
}

const characters = fc.constantFrom(..."ab1 *_~`[](){}<>&;:!.,-#|\\/'\"“”。é漢 \u00a0\t😀")
const piece: fc.Arbitrary<Piece> = fc.record({
  text: fc.array(characters, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("")),
  bold: fc.boolean(),
  italic: fc.boolean(),
})

/** Renderers differ in whether a symbol is punctuation. */
const symbolBesideMark: Array<Piece> = [
  { text: "a", bold: true, italic: true },
  { text: "-", bold: false, italic: true },
  { text: "😀a", bold: true, italic: true },
]

/** Each character as a reader sees it, with whether it is bold or italic; runs of white space are one space. */
const seen = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> =>
  pieces.flatMap(({ text, ...format }) => Array.from(text, (character) => ({ text: character, ...format })))

const spaced = (pieces: ReadonlyArray<Piece>): string =>
  pieces
    .map(({ text }) => text)
    .join("")
    .replace(/\s+/g, " ")
    .trim()

const rendered = (markdown: string): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  let [bold, italic] = [0, 0]
  for (const block of renderer.parse(markdown, {})) {
    for (const { type, content } of block.children ?? []) {
      if (type === "strong_open") bold++
      else if (type === "strong_close") bold--
      else if (type === "em_open") italic++
      else if (type === "em_close") italic--
      else if (type === "text") pieces.push({ text: content, bold: bold > 0, italic: italic > 0 })
      else if (type.endsWith("break")) pieces.push({ text: " ", bold: false, italic: false })
      else throw new Error(`${type} in ${JSON.stringify(markdown)}`)
    }
  }
  return seen(pieces)
}

const properties = ({ bold, italic }: Piece): string => `${bold ? "<w:b/>" : ""}${italic ? "<w:i/>" : ""}`

describe("bold and italic text in Markdown, whatever stands around", () => {
  it("renders to the same text, and nothing is bold or italic that was not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 6 }), async (pieces) => {
        const body = paragraph(pieces.map((each) => run(each.text, properties(each))).join(""))
        const { markdown } = await converted(await word({ body }), "emphasis.docx")
        const shown = rendered(markdown)
        expect(spaced(shown)).toBe(spaced(pieces))
        const visible = seen(pieces).filter(({ text }) => /\S/.test(text))
        const marked = shown.filter(({ text }) => /\S/.test(text))
        for (const [index, { bold, italic }] of marked.entries()) {
          expect(!bold || visible[index]?.bold).toBe(true)
          expect(!italic || visible[index]?.italic).toBe(true)
        }
      }),
      { numRuns: 300, examples: [[symbolBesideMark]] },
    )
  })
})
