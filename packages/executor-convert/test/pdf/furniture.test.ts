import { describe, expect, it } from "vitest"
import { lines, pages, pdfOf, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const sentences = ["This is a text of several lines which has", "no meaning but its length, and ends here."]

describe("file-md-json: page furniture of pages out of a longer PDF", () => {
  const numbered = (number: number, words = sentences): { readonly content: string } => ({
    content:
      lines(words.map((each) => `${each} ${number}`)) + text(72, 30, `${number} The harbour, a history`),
  })

  it("footers whose numbers go up with gaps are left out", async () => {
    const markdown = await markdownOf(pdfOf(pages([7, 11, 20, 40].map((number) => numbered(number)))))
    expect(markdown).not.toContain("The harbour, a history")
  })

  it("lines whose numbers go down are kept", async () => {
    const markdown = await markdownOf(pdfOf(pages([40, 11, 7].map((number) => numbered(number)))))
    expect(markdown.match(/The harbour, a history/g)).toHaveLength(3)
  })
})
