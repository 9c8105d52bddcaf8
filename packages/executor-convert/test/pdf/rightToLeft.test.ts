import { describe, expect, it } from "vitest"
import { codesAt, withCharacters } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const [seen, lam, sign] = ["\u0633", "\u0644", "\u060c"]

/** What a line says whose shapes these are, from left to right: `a` and `b` are letters, `d` is a space. */
const read = (codes: string, ...others: ReadonlyArray<string>): Promise<string> =>
  markdownOf(withCharacters([seen, lam, ...others], codesAt([72, 700, codes])))

describe("file-md-json: text from right to left in a PDF", () => {
  it("has its signs at the words that they touch", async () => {
    expect(await read("cbadba", ".", " ")).toBe(`${seen}${lam} ${seen}${lam}.\n`)
    expect(await read("badcdba", ":", " ")).toBe(`${seen}${lam} : ${seen}${lam}\n`)
  })

  it("has the sign behind a number there, though that is read from left to right", async () => {
    expect(await read("cefdba", sign, " ", "1", "9")).toBe(`${seen}${lam} 19${sign}\n`)
  })

  it("has its brackets as they are read, whether the file says their shapes or their meaning", async () => {
    expect(await read("ebac", "(", " ", ")")).toBe(`(${seen}${lam})\n`)
    expect(await read("cbae", "(", " ", ")")).toBe(`(${seen}${lam})\n`)
    expect(await read("effcdba", "(", " ", ")", "7")).toBe(`${seen}${lam} (77)\n`)
  })

  it("is not torn at a shape that stands for a letter and a mark", async () => {
    const marked = `/Span << /ActualText <FEFF0644064E> >> BDC\n${codesAt([82, 700, "b"])}EMC\n`
    const page = withCharacters([seen, lam, "\u064e"], codesAt([72, 700, "a"], [92, 700, "a"]) + marked, 0)
    expect(await markdownOf(page)).toBe(`${seen}${lam}\u064e${seen}\n`)
  })

  it("is not stretched, as lines are to be as long as others", async () => {
    expect(await read("bcca", "\u0640")).toBe(`${seen}${lam}\n`)
    expect(await read("cba", "\u0640")).toBe(`${seen}${lam}\u0640\n`)
  })
})
