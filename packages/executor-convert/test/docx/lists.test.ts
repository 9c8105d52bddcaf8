import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
import {
  abstractList,
  cell,
  item,
  level,
  list,
  paragraph,
  row,
  run,
  styled,
  table,
  type WordParts,
  word,
} from "./word.ts"

const markdownOf = async (document: WordParts) =>
  (await converted(await word(document), "list.docx")).markdown

const bullets = abstractList(1, [0, 1, 2].map((index) => level(index, "bullet", "•")).join(""))
const numbers = abstractList(
  2,
  level(0, "decimal", "%1.") + level(1, "lowerLetter", "%2)") + level(2, "lowerRoman", "%3.", 1),
)
const numbering = bullets + numbers + list(1, 1) + list(2, 2)

describe("lists", () => {
  it("have bullets and levels", async () => {
    const body = item("a", 1) + item("b", 1, 1) + item("c", 1, 2) + item("d", 1, 1) + item("e", 1)
    expect(await markdownOf({ numbering, body })).toBe("- a\n  - b\n    - c\n  - d\n- e\n")
  })

  it("have bullets that were typed, but not signs in cells, and those in front of nothing", async () => {
    const body = ["•   a", "•b", "▪ c", "▪d", "•"].map((words) => paragraph(words)).join("")
    expect(await markdownOf({ body })).toBe("- a\n- b\n- c\n\n▪d\n\n•\n")
    const cells = row(cell("•a"), cell("•"), cell("• b"))
    expect(await markdownOf({ body: table(cells) })).toBe("| •a | • | • b |\n| --- | --- | --- |\n")
  })

  it("have numbers, which restart below each item; letters are text, which Markdown has none of", async () => {
    const body = item("a", 2) + item("b", 2, 1) + item("c", 2, 1) + item("d", 2) + item("e", 2, 1)
    expect(await markdownOf({ numbering, body })).toBe("1. a\n   - a) b\n   - b) c\n2. d\n   - a) e\n")
  })

  it("count a level that no paragraph stood at as one where its number is printed", async () => {
    const parts = abstractList(
      3,
      [1, 2, 3].map((at) => level(at - 1, "decimal", "%1.%2.%3.".slice(0, at * 3))).join(""),
    )
    const body = item("a", 3) + item("b", 3, 2) + item("c", 3, 1)
    expect(await markdownOf({ numbering: parts + list(3, 3), body })).toBe(
      "1. a\n   - 1.1.1. b\n   - 1.2. c\n",
    )
  })

  it("keep the boxes of a check list", async () => {
    const font = '<w:rPr><w:rFonts w:ascii="Wingdings"/></w:rPr>'
    const boxes =
      abstractList(3, level(0, "bullet", "☐")) +
      abstractList(4, level(0, "bullet", "\uf0fe", 1, font)) +
      abstractList(5, level(0, "bullet", "\uf0a7", 1, font))
    const body = item("a", 3) + item("b", 4) + item("c", 5)
    expect(await markdownOf({ numbering: boxes + list(3, 3) + list(4, 4) + list(5, 5), body })).toBe(
      "- ☐ a\n\n* ☑ b\n\n- c\n",
    )
  })

  it("go on in another list whose first number follows", async () => {
    const start = (at: number) => `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="${at}"/></w:lvlOverride>`
    const parts = abstractList(3, level(0, "decimal", "%1.")) + abstractList(4, level(0, "decimal", "%1."))
    const body = item("a", 3) + item("b", 4)
    expect(await markdownOf({ numbering: parts + list(3, 3) + list(4, 4, start(2)), body })).toBe(
      "1. a\n2. b\n",
    )
  })

  it("count on over other paragraphs, and their empty items count too", async () => {
    const body = item("a", 2) + paragraph("text") + item("<w:r/>", 2) + item("b", 2)
    expect(await markdownOf({ numbering, body })).toBe("1. a\n\ntext\n\n3. b\n")
  })

  it("go on in paragraphs whose bullet is a space, and such a paragraph behind no item is none of a list", async () => {
    const blank = abstractList(6, [0, 1].map((index) => level(index, "bullet", " ")).join("")) + list(6, 6)
    const body =
      item("a", 6) +
      item("b", 2) +
      item("c", 6) +
      item("d", 2, 1) +
      item("e", 6, 1) +
      item("f", 6) +
      item("g", 2)
    expect(await markdownOf({ numbering: numbering + blank, body })).toBe(
      "a\n\n1. b\n\n   c\n   - a) d\n\n     e\n\n   f\n2. g\n",
    )
  })

  describe("whose text is indented", () => {
    const indent = (left: number, hanging = 0) =>
      `<w:pPr><w:ind w:left="${left}" w:hanging="${hanging}"/></w:pPr>`
    const [outer, inner] = [indent(720, 360), indent(1440, 360)]
    const indented =
      abstractList(7, level(0, "bullet", "•", 1, outer) + level(1, "bullet", "•", 1, inner)) + list(7, 7)
    const at = (left: number, text: string, hanging = 0) =>
      paragraph(text, `<w:ind w:left="${left}" w:hanging="${hanging}"/>`)

    it("go on in paragraphs that begin below it", async () => {
      const body = item("a", 7) + at(720, "b") + item("c", 7, 1) + at(1440, "d") + at(700, "e") + item("f", 7)
      expect(await markdownOf({ numbering: indented, body })).toBe("- a\n\n  b\n  - c\n\n    d\n\n  e\n- f\n")
    })

    it("do not go on where other text begins there too, further left, or in its first line alone", async () => {
      const all = at(720, "a") + item("b", 7) + at(720, "c") + item("d", 7)
      expect(await markdownOf({ numbering: indented, body: all })).toBe("a\n\n- b\n\nc\n\n- d\n")
      const left = item("a", 7) + at(360, "b") + item("c", 7) + at(720, "d", 720)
      expect(await markdownOf({ numbering: indented, body: left })).toBe("- a\n\nb\n\n- c\n\nd\n")
    })
  })

  it("of the same kind count on together, until one says its own start", async () => {
    const restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    const body = item("a", 2) + item("b", 3) + paragraph("text") + item("c", 4) + item("d", 4)
    expect(await markdownOf({ numbering: numbering + list(3, 2) + list(4, 2, restart), body })).toBe(
      "1. a\n2. b\n\ntext\n\n5. c\n6. d\n",
    )
  })

  it("that follow each other are told apart, and numbers that were left out stay out", async () => {
    const other = abstractList(5, level(0, "bullet", "–")) + list(5, 5)
    const bulleted = item("a", 1) + item("b", 1) + item("c", 5)
    expect(await markdownOf({ numbering: numbering + other, body: bulleted })).toBe("- a\n- b\n\n* c\n")
    const counted = item("a", 2) + item("<w:r/>", 2) + item("b", 2) + item("c", 2)
    expect(await markdownOf({ numbering, body: counted })).toBe("1. a\n\n3) b\n4) c\n")
  })

  it("begin where they say", async () => {
    const from = abstractList(7, level(0, "decimal", "%1.", 4)) + list(7, 7)
    expect(await markdownOf({ numbering: from, body: item("a", 7) + item("b", 7) })).toBe("4. a\n5. b\n")
  })

  it("may never restart at a level", async () => {
    const never = level(0, "decimal", "%1.") + level(1, "decimal", "%2.", 1, '<w:lvlRestart w:val="0"/>')
    const body = item("a", 7) + item("b", 7, 1) + item("c", 7) + item("d", 7, 1)
    expect(await markdownOf({ numbering: abstractList(7, never) + list(7, 7), body })).toBe(
      "1. a\n   1. b\n2. c\n\n   2. d\n",
    )
  })

  it("may change a level of what they are made of", async () => {
    const override = `<w:lvlOverride w:ilvl="0">${level(0, "bullet", "•")}</w:lvlOverride>`
    expect(await markdownOf({ numbering: numbers + list(8, 2, override), body: item("a", 8) })).toBe("- a\n")
  })

  it("are taken from the style of a paragraph, which may inherit them, and list 0 means no list", async () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>' +
      '<w:style w:type="paragraph" w:styleId="B"><w:name w:val="B"/><w:basedOn w:val="A"/></w:style>'
    const none = '<w:pStyle w:val="B"/><w:numPr><w:numId w:val="0"/></w:numPr>'
    const body = styled("B", "a") + paragraph("b", none)
    expect(await markdownOf({ styles, numbering, body })).toBe("- a\n\nb\n")
  })

  it("number a style at the level that names it", async () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/><w:pPr><w:numPr><w:numId w:val="7"/></w:numPr></w:pPr></w:style>'
    const levels = level(0, "decimal", "%1.") + level(1, "bullet", "•", 1, '<w:pStyle w:val="A"/>')
    const body = item("a", 7) + styled("A", "b")
    expect(await markdownOf({ styles, numbering: abstractList(7, levels) + list(7, 7), body })).toBe(
      "1. a\n   - b\n",
    )
  })

  it("may be linked to the list of a style", async () => {
    const styles =
      '<w:style w:type="numbering" w:styleId="L"><w:name w:val="L"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>'
    const linked = abstractList(7, '<w:numStyleLink w:val="L"/>') + list(7, 7)
    expect(await markdownOf({ styles, numbering: numbering + linked, body: item("a", 7) })).toBe("1. a\n")
  })

  it("without number and bullet are paragraphs; so are those that do not exist", async () => {
    const none = abstractList(7, level(0, "none", "")) + list(7, 7)
    expect(await markdownOf({ numbering: none, body: item("a", 7) + item("b", 99) })).toBe("a\n\nb\n")
  })

  it("whose labels hold words keep them as text", async () => {
    const words = abstractList(7, level(0, "upperRoman", "Article %1:")) + list(7, 7)
    expect(await markdownOf({ numbering: words, body: item("a", 7) + item("b", 7) })).toBe(
      "Article I: a\n\nArticle II: b\n",
    )
  })

  it("keep at most 200 characters of their labels", async () => {
    const long = abstractList(7, level(0, "decimal", `%1 ${"ab".repeat(500)}`)) + list(7, 7)
    const markdown = await markdownOf({ numbering: long, body: item("a", 7) })
    expect(markdown).toBe(`1 ${"ab".repeat(98)}a a\n`)
  })

  it("nest by where they begin if they are two", async () => {
    const indent = (left: number) => `<w:pPr><w:ind w:left="${left}" w:hanging="360"/></w:pPr>`
    const lists =
      abstractList(7, level(0, "decimal", "%1.", 1, indent(360))) +
      abstractList(8, level(0, "lowerLetter", "%1)", 1, indent(1080))) +
      list(7, 7) +
      list(8, 8)
    const body = item("a", 7) + item("b", 8) + item("c", 8) + item("d", 7)
    expect(await markdownOf({ numbering: lists, body })).toBe("1. a\n   - a) b\n   - b) c\n2. d\n")
    const own = item("a", 7) + item("b", 8, 0, '<w:ind w:left="360" w:hanging="360"/>')
    expect(await markdownOf({ numbering: lists, body: own })).not.toContain("   ")
  })

  it("that begin in the middle are not indented", async () => {
    expect(await markdownOf({ numbering, body: item("a", 1, 2) + item("b", 1, 1) })).toBe("- a\n- b\n")
  })
})

describe("a list of contents", () => {
  const entries = (names: ReadonlyArray<string>) =>
    names
      .map(
        (name, index) =>
          `<w:style w:type="paragraph" w:styleId="C${index + 1}"><w:name w:val="${name}"/></w:style>`,
      )
      .join("")
  const tab = "<w:r><w:tab/></w:r>"

  it("is a list whose entries have the number of their page, without what leads to it", async () => {
    const styles = entries(["toc 1", "toc 2", "table of figures"])
    const body =
      styled("C1", `${run("1")}${tab}${run("Quays", "<w:b/>")}${tab}${run("3")}`) +
      styled("C2", `${run("1.1")}${tab}${run("Depth")}${run(" . . . . . . . 4")}`) +
      styled("C2", `${run("1.2 Cranes....5")}`) +
      styled("C1", `${run("2")}${tab}${run("Sheds")}${tab}${run("9")}`) +
      paragraph("Figures") +
      styled("C3", `${run("Figure 1: Tide")}${tab}${run("7")}`)
    expect(await markdownOf({ styles, body })).toBe(
      "- 1 Quays 3\n  - 1.1 Depth 4\n  - 1.2 Cranes 5\n- 2 Sheds 9\n\nFigures\n\n- Figure 1: Tide 7\n",
    )
  })
})

describe("numbers of headings", () => {
  it("stand before them as text, of all their levels", async () => {
    const styles = [0, 1]
      .map(
        (index) =>
          `<w:style w:type="paragraph" w:styleId="H${index}"><w:name w:val="heading ${index + 1}"/>` +
          `<w:pPr><w:outlineLvl w:val="${index}"/><w:numPr><w:ilvl w:val="${index}"/><w:numId w:val="7"/></w:numPr></w:pPr></w:style>`,
      )
      .join("")
    const levels = level(0, "upperRoman", "%1") + level(1, "decimal", "%1.%2", 1, "<w:isLgl/>")
    const body = styled("H0", "a") + styled("H1", "b") + styled("H0", "c") + styled("H1", "d")
    expect(await markdownOf({ styles, numbering: abstractList(7, levels) + list(7, 7), body })).toBe(
      "# I a\n\n## 1.1 b\n\n# II c\n\n## 2.1 d\n",
    )
  })

  it("are none where they are bullets", async () => {
    const outline = '<w:outlineLvl w:val="0"/>'
    expect(await markdownOf({ numbering, body: item("a", 1, 0, outline) })).toBe("# a\n")
  })
})
