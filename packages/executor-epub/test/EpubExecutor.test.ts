import { describe, expect, it } from "vitest"
import { inspect, parse } from "../src/parse.ts"
import { type BookParts, book, encryption, xhtml } from "./books.ts"

const convert = (document: Uint8Array) => {
  const pieces: Array<Uint8Array> = []
  const input = {
    document,
    filename: "a.epub",
    fileBytesMax: document.length,
    resultBytesMax: 20 * 1024 * 1024,
  }
  inspect(input)
  const { warnings } = parse({
    ...input,
    outputFormats: ["markdown"],
    write: (_, bytes) => pieces.push(Buffer.from(bytes)),
  })
  return { markdown: Buffer.concat(pieces).toString(), warnings: warnings.map(({ code }) => code) }
}

const markdownOf = async (parts: BookParts): Promise<string> => convert(await book(parts)).markdown

describe("EPUB: reading order and navigation", () => {
  it("writes documents in the order of the spine, whatever the manifest says", async () => {
    const opf =
      '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="text/b%20b.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="b"/><itemref idref="a" linear="no"/><itemref idref="b"/></spine></package>'
    const files = { "OEBPS/book.opf": opf, "OEBPS/text/b b.xhtml": xhtml("<p>first</p>") }
    expect(await markdownOf({ documents: { a: "<p>last</p>" }, files })).toBe("first\n\nlast\n")
  })

  it("makes nested headings of nested navigation, by the headings that stand where it leads", async () => {
    const contents =
      '<ol><li><span>Part One</span><ol><li><a href="a.xhtml#c1">1. Loomings</a><ol><li><a href="a.xhtml#s">The inn</a></li></ol></li></ol></li><li><a href="b.xhtml">Part Two</a></li></ol>'
    const documents = {
      a: '<h1 id="c1">Loomings</h1><p>x</p><h2>By the sea</h2><p>y</p><section id="s"><h5>The inn</h5><p>z</p></section>',
      b: "<h1>Part Two</h1><p>end</p>",
    }
    expect(await markdownOf({ title: "The Whale", documents, contents })).toBe(
      "# The Whale\n\n## Part One\n\n### Loomings\n\nx\n\n#### By the sea\n\ny\n\n#### The inn\n\nz\n\n## Part Two\n\nend\n",
    )
  })

  it("reads the navigation of EPUB 2", async () => {
    const navMap =
      '<navPoint id="p"><navLabel><text>Part I</text></navLabel><content src="a.xhtml"/><navPoint id="c"><navLabel><text>A &amp; B</text></navLabel><content src="a.xhtml#x"/></navPoint></navPoint>'
    const documents = { a: '<p class="big">Part I</p><p><a id="x"></a>A &amp; B</p><p>text</p>' }
    expect(await markdownOf({ documents, navMap })).toBe("# Part I\n\n## A & B\n\ntext\n")
  })

  it("puts a heading where the text has none, and says the title once", async () => {
    const contents =
      '<ol><li><a href="t.xhtml">Tides</a></li><li><a href="c.xhtml">One</a></li><li><a href="c.xhtml#gone">Two</a></li></ol>'
    const documents = { t: "<h2>TIDES</h2><p>by Ada</p>", c: "<p>It began.</p>" }
    expect(await markdownOf({ title: "Tides", documents, contents })).toBe(
      "# Tides\n\nby Ada\n\n## One\n\nIt began.\n",
    )
  })

  it("is a text without a table of contents that can be read", async () => {
    const documents = { a: "<h1>One</h1><p>x</p>" }
    const bytes = await book({ documents, navMap: "</navMap>" })
    expect(convert(bytes)).toEqual({ markdown: "# One\n\nx\n", warnings: ["navigation_left_out"] })
  })

  it("takes what the book offers in the place of another format, and says what it left out", async () => {
    const items =
      '<item id="p" href="p.svg" media-type="image/svg+xml" fallback="f"/><item id="f" href="f.xhtml" media-type="application/xhtml+xml"/><item id="q" href="q.svg" media-type="image/svg+xml" fallback="q"/>'
    const spine = '<itemref idref="p"/><itemref idref="q"/><itemref idref="nothing"/>'
    const bytes = await book({
      documents: { a: "<p>x</p>" },
      items,
      spine,
      files: { "OEBPS/f.xhtml": xhtml("<p>said</p>") },
    })
    expect(convert(bytes)).toEqual({ markdown: "x\n\nsaid\n", warnings: ["parts_left_out"] })
  })

  it("follows ten fallbacks from a document, and no more", async () => {
    const chain = Array.from(
      { length: 11 },
      (_, at) => `<item id="i${at}" href="${at}.svg" media-type="image/svg+xml" fallback="i${at + 1}"/>`,
    )
    const items = `${chain.join("")}<item id="i11" href="f.xhtml" media-type="application/xhtml+xml"/>`
    const read = async (first: string) =>
      convert(
        await book({
          documents: { a: "<p>x</p>" },
          items,
          spine: `<itemref idref="${first}"/>`,
          files: { "OEBPS/f.xhtml": xhtml("<p>said</p>") },
        }),
      )
    expect(await read("i1")).toEqual({ markdown: "x\n\nsaid\n", warnings: [] })
    expect(await read("i0")).toEqual({ markdown: "x\n", warnings: ["parts_left_out"] })
  })
})

describe("EPUB: notes", () => {
  it("puts notes that say so behind the text, with their references", async () => {
    const documents = {
      a: '<p>One<a epub:type="noteref" href="#n1">1</a> two<sup><a role="doc-noteref" href="notes.xhtml#n2">*</a></sup></p><aside epub:type="footnote" id="n1"><p>first <i>note</i> <a epub:type="backlink" href="#r">↩</a></p></aside><p>on</p>',
      notes: '<h2>Notes</h2><ol><li id="n2" role="doc-endnote"><p>second</p><p>more</p></li></ol>',
    }
    expect(await markdownOf({ documents })).toBe(
      "One[^1] two[^2]\n\non\n\n## Notes\n\n[^1]: first *note*\n\n[^2]: second  \nmore\n",
    )
  })

  it("tells notes of older books by links that lead back", async () => {
    const documents = {
      a: '<p>One<sup><a id="r1" href="#f1">[1]</a></sup>, see <a href="b.xhtml#f2">chapter two</a></p><p><a id="f1" href="#r1">1</a>. <i>Ibid.</i></p>',
      b: '<p id="f2">See <a href="a.xhtml#r1">there</a></p><p>Section <a href="#f2">2</a></p>',
    }
    expect(await markdownOf({ documents })).toBe(
      "One[^1], see chapter two\n\nSee there\n\nSection 2\n\n[^1]: . *Ibid.*\n",
    )
  })

  it("leaves out lists of pages and landmarks", async () => {
    const documents = {
      a: '<nav epub:type="page-list"><ol><li><a href="a.xhtml#p1">1</a></li></ol></nav><p>x</p>',
    }
    expect(await markdownOf({ documents })).toBe("x\n")
  })
})

describe("EPUB: content", () => {
  it("writes tables, lists, entities and equations as HTML is written", async () => {
    const documents = {
      a: '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td/></tr></table><ul><li>x&nbsp;&mdash;</li></ul><p><m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mi>x</m:mi></m:math></p>',
    }
    expect(await markdownOf({ documents })).toBe("| a | b |\n| --- | --- |\n| 1 |  |\n\n- x\u00a0—\n\n$x$\n")
  })

  it("is read where only fonts are hidden, and refused where its text is", async () => {
    const fonts = encryption("OEBPS/a.otf", "http://www.idpf.org/2008/embedding")
    const documents = { a: "<p>x</p>" }
    expect(await markdownOf({ documents, files: { "META-INF/encryption.xml": fonts } })).toBe("x\n")
    const text = encryption("OEBPS/a.xhtml", "http://www.w3.org/2001/04/xmlenc#aes256-cbc")
    const bytes = await book({ documents, files: { "META-INF/encryption.xml": text } })
    expect(() => convert(bytes)).toThrow("1 of the 1 documents of its text are encrypted (DRM)")
  })

  it("bounds the documents of a book", async () => {
    const spine = '<itemref idref="a"/>'.repeat(10_000)
    const bytes = await book({ documents: { a: "<p>x</p>" }, spine })
    expect(() => convert(bytes)).toThrow("10001 documents in its reading order; at most 10000")
  })
})
