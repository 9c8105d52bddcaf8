import { describe, expect, it } from "vitest"
import { cell, deck, layoutParts, paragraph, run, shape, table, textBox, title, usesLayout } from "./deck.ts"
import { parsed } from "./documents.ts"

type Rectangle = readonly [left: number, top: number, width: number, height: number]

const transform = ([left, top, width, height]: Rectangle, rotated = "") =>
  `<a:xfrm${rotated}><a:off x="${left}" y="${top}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm>`

/** A text box at a place. */
const box = (text: string, place: Rectangle, rotated = ""): string =>
  textBox(text).replace("<p:spPr/>", `<p:spPr>${transform(place, rotated)}</p:spPr>`)

const group = (place: Rectangle, ...content: ReadonlyArray<string>): string =>
  `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>` +
  `<p:grpSpPr>${transform(place)}</p:grpSpPr>${content.join("")}</p:grpSp>`

/** The paragraphs of a slide, without its heading. */
const readOf = async (...tree: ReadonlyArray<string>): Promise<string> =>
  parsed(await deck({ slides: [tree.join("")] }))
    .markdown.split("\n\n")
    .slice(1)
    .map((each) => each.trim())
    .join(" ")

describe("the order of a slide's text (decision 42)", () => {
  it("what stands above comes first, wherever it stands in the file", async () => {
    const tree = [
      box("source", [0, 600, 900, 50]),
      box("chart", [0, 200, 900, 400]),
      box("claim", [0, 0, 900, 100]),
    ]
    expect(await readOf(...tree)).toBe("claim chart source")
  })

  it("boxes in a row are read from the left to the right", async () => {
    const at = (left: number, top: number): Rectangle => [left, top, 100, 200]
    expect(await readOf(box("5", at(600, 310)), box("1", at(0, 300)), box("3", at(300, 290)))).toBe("1 3 5")
  })

  it("and in a row of Hebrew or Arabic from the right to the left", async () => {
    const at = (left: number): Rectangle => [left, 0, 100, 100]
    expect(await readOf(box("שתיים", at(0)), box("אחת", at(300)))).toBe("אחת שתיים")
  })

  it("the file says whether columns or rows are read first, if it keeps to one of them", async () => {
    const [a, b, c, d] = [
      box("A", [0, 0, 400, 100]),
      box("a", [0, 100, 400, 400]),
      box("B", [500, 0, 400, 100]),
      box("b", [500, 100, 400, 400]),
    ]
    expect(await readOf(a, b, c, d)).toBe("A a B b")
    expect(await readOf(a, c, b, d)).toBe("A B a b")
    expect(await readOf(b, d, a, c)).toBe("A a B b")
  })

  it("on a poster, a slide of more than 1,500 characters, columns are read first, whatever the file says", async () => {
    const names = async (filler: string, count: number) => {
      const text = (name: string) => `${name}${filler.repeat(count)}`
      const boxes = [
        box("A", [0, 0, 400, 100]),
        box("B", [500, 0, 400, 100]),
        box(text("a"), [0, 100, 400, 400]),
        box(text("b"), [500, 100, 400, 400]),
        box("c", [10, 520, 390, 100]),
      ]
      return (await readOf(...boxes)).replaceAll(filler, "")
    }
    expect(await names("x", 700)).toBe("A B a b c")
    expect(await names("x", 800)).toBe("A a c B b")
    expect(await names("港", 400)).toBe("A a c B b")
  })

  it("what overlaps, and what is in no row or column with another, stays as in the file", async () => {
    const back = box("back", [100, 100, 800, 500])
    expect(await readOf(back, box("front", [150, 110, 700, 100]))).toBe("back front")
    expect(await readOf(box("low", [600, 500, 100, 100]), box("high", [0, 0, 100, 100]))).toBe("low high")
  })

  it("a group is read as a whole, at its place, and by its own places inside", async () => {
    const card = group([500, 0, 400, 400], box("text", [0, 50, 99, 50]), box("head", [0, 0, 99, 50]))
    expect(await readOf(card, box("left", [0, 100, 400, 100]))).toBe("left head text")
  })

  it("a group has the place of its text, whatever else it draws around", async () => {
    const arrow = `<p:sp><p:spPr>${transform([0, 0, 10, 40])}</p:spPr></p:sp>`
    const inner = `<a:chOff x="0" y="0"/><a:chExt cx="10" cy="40"/></a:xfrm></p:grpSpPr>`
    const drawn = group([0, 0, 1000, 400], arrow, box("label", [0, 0, 10, 10])).replace(
      "</a:xfrm></p:grpSpPr>",
      inner,
    )
    expect(await readOf(box("below", [0, 200, 1000, 200]), drawn)).toBe("label below")
  })

  it("text that is turned by a quarter has its place where it is seen", async () => {
    const turned = box("turned", [-250, 250, 600, 100], ' rot="16200000"')
    expect(await readOf(box("right", [200, 0, 500, 600]), turned)).toBe("turned right")
  })

  it("tables have their place too", async () => {
    const placed = table(1, cell("cell")).replace(
      "<p:xfrm/>",
      transform([0, 300, 900, 300]).replaceAll("a:xfrm", "p:xfrm"),
    )
    expect(await readOf(placed, box("above", [0, 0, 900, 100]))).toBe("above | cell |\n| --- |")
  })

  it("a placeholder has the place that its layout gives it, or else its master", async () => {
    const placed = (index: string, place: Rectangle) =>
      shape("<a:p/>", `type="body" idx="${index}"`).replace(
        "<p:spPr/>",
        `<p:spPr>${transform(place)}</p:spPr>`,
      )
    const parts = layoutParts(
      placed("1", [0, 500, 900, 100]) + shape("<a:p/>", 'type="body" idx="2"'),
      `<p:cSld><p:spTree>${placed("1", [0, 200, 900, 200])}</p:spTree></p:cSld>`,
    )
    const text = (words: string, index: string) =>
      shape(paragraph(run(words), "<a:buNone/>"), `type="body" idx="${index}"`)
    const tree = text("layout", "1") + text("master", "2") + box("above", [0, 0, 900, 100]) + title("Title")
    const { markdown } = parsed(await deck({ slides: [{ tree, relationships: usesLayout }], parts }))
    expect(markdown).toBe("## Slide 1: Title\n\nabove\n\nmaster\n\nlayout\n")
  })

  it("places that go round in a circle, and more than 200 boxes, leave the order of the file", async () => {
    const circle = [box("a", [0, 0, 300, 100]), box("b", [200, 90, 100, 300]), box("c", [0, 300, 210, 90])]
    expect((await readOf(...circle)).split(" ").toSorted()).toEqual(["a", "b", "c"])
    const many = Array.from({ length: 201 }, (_, index) => box(`${index}`, [0, -index, 1, 1]))
    expect((await readOf(...many)).startsWith("0 1 2")).toBe(true)
  })
})
