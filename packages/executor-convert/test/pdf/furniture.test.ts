import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
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

  /** Written upwards along the right side. */
  const along = (words: string, left = 590): string =>
    `BT /F 12 Tf 0 1 -1 0 ${left} 200 Tm (${words}) Tj ET\n`
  const stamped = (...stamps: ReadonlyArray<string>): Buffer =>
    pdfOf(
      pages(
        stamps.map((stamp, at) => ({
          content: lines([`The text of page ${at + 1}.`], { top: 400 }) + stamp,
        })),
      ),
    )

  it("what comes back along the sides of the pages is left out and counted, what stands there once is kept", async () => {
    const { markdown, warnings } = await converted(
      stamped(along("Downloaded by guest"), along("Downloaded by guest"), along("Downloaded by guest")),
      "a.pdf",
    )
    expect(markdown).toBe("The text of page 1.\n\nThe text of page 2.\n\nThe text of page 3.\n")
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining("3 line(s) on 3 page(s)"),
    ])
    const once = await markdownOf(stamped(along("An archive, 2020"), "", ""))
    expect(once).toContain("An archive, 2020")
    const elsewhere = stamped(along("A column", 300), along("A column", 400), along("A column", 500))
    expect((await markdownOf(elsewhere)).match(/A column/g)).toHaveLength(3)
  })

  it("a line in the margin in the type of 'Page 1 of 1' at the other end is left out, also of a single page", async () => {
    const page = (bottom: number, size: number): Buffer =>
      pdfOf(
        pages([
          {
            content:
              text(72, bottom, "Collected pages", { size }) +
              lines(sentences) +
              text(280, 20, "Page 1 of 1", { size: 8 }),
          },
        ]),
      )
    expect(await markdownOf(page(774, 8))).toBe(`${sentences.join(" ")}\n`)
    expect(await markdownOf(page(774, 9))).toContain("Collected pages")
    expect(await markdownOf(page(750, 8))).toContain("Collected pages")
  })
})
