import { describe, expect, it } from "vitest"
import { deck, graphic, notesXml, picture, type SlideParts, textBox, title } from "./deck.ts"
import { parsed } from "./documents.ts"

const warningsOf = async (slides: ReadonlyArray<SlideParts | string>, parts = {}) =>
  parsed(await deck({ slides, parts })).warnings

const hello = textBox("Hello")
const drawing = "http://schemas.openxmlformats.org/drawingml/2006"

describe("a warning says", () => {
  it("nothing about a presentation that is text alone", async () => {
    expect(await warningsOf([title("T") + hello])).toEqual([])
  })

  it("no_text of a presentation without text or without slides", async () => {
    const expected = [{ code: "no_text", message: "No slide holds text." }]
    expect(await warningsOf(["", textBox(" ")])).toEqual(expected)
    expect(await warningsOf([])).toEqual(expected)
    expect(await warningsOf([title("T"), ""])).toEqual([])
  })

  it("hidden_slides: which are hidden", async () => {
    const hidden = { tree: hello, attributes: 'show="0"' }
    expect(await warningsOf([hidden, hello, hidden])).toEqual([
      { code: "hidden_slides", message: "Hidden slides are included and marked (2; slides 1, 3)." },
    ])
  })

  it("charts_not_interpreted, of every kind of chart", async () => {
    const kinds = [
      `${drawing}/chart`,
      "http://purl.oclc.org/ooxml/drawingml/chart",
      "http://schemas.microsoft.com/office/drawing/2014/chartex",
    ]
    const tree = hello + kinds.map((uri) => graphic(uri, '<c:chart r:id="rId2"/>')).join("")
    expect(await warningsOf([tree])).toEqual([
      { code: "charts_not_interpreted", message: "Charts are not interpreted (3; slide 1)." },
    ])
  })

  it("diagrams_not_interpreted", async () => {
    expect(await warningsOf([hello + graphic(`${drawing}/diagram`, "")])).toEqual([
      {
        code: "diagrams_not_interpreted",
        message: "Of diagrams (SmartArt) only the text is read, as lists (1; slide 1).",
      },
    ])
  })

  it("images_not_interpreted, of pictures anywhere", async () => {
    const group = `<p:grpSp><p:grpSpPr/>${picture()}</p:grpSp>`
    expect(await warningsOf([hello + picture(), hello, picture() + group])).toEqual([
      { code: "images_not_interpreted", message: "Images are not interpreted (3; slides 1, 3)." },
    ])
  })

  it("media_not_interpreted of sounds and videos, whose picture is no image", async () => {
    const tree = hello + picture('<a:videoFile r:link="rId2"/>') + picture('<a:audioFile r:link="rId3"/>')
    expect(await warningsOf([tree])).toEqual([
      { code: "media_not_interpreted", message: "Sounds and videos are not interpreted (2; slide 1)." },
    ])
  })

  it("embedded_documents_left_out, once for both alternatives, and not of the picture in it", async () => {
    const object = `<mc:AlternateContent><mc:Choice Requires="v"><p:oleObj spid="_x0000_s1026" r:id="rId2"/></mc:Choice><mc:Fallback><p:oleObj r:id="rId2">${picture()}</p:oleObj></mc:Fallback></mc:AlternateContent>`
    const after = `<p:controls><p:control r:id="rId4">${picture()}</p:control></p:controls>`
    const tree = hello + graphic("http://schemas.openxmlformats.org/presentationml/2006/ole", object)
    expect(await warningsOf([{ tree, after }])).toEqual([
      {
        code: "embedded_documents_left_out",
        message: "Embedded documents and objects are left out (2; slide 1).",
      },
    ])
  })

  it("animations_not_interpreted, once for each slide, and not of transitions or empty timings", async () => {
    const effect = '<p:set><p:cBhvr/></p:set><p:animEffect transition="in"/>'
    const timing = (content: string) => `<p:timing><p:tnLst><p:par>${content}</p:par></p:tnLst></p:timing>`
    const still = { tree: hello, after: `<p:transition><p:fade/></p:transition>${timing("")}` }
    expect(await warningsOf([still, { tree: hello, after: timing(effect) }])).toEqual([
      { code: "animations_not_interpreted", message: "Animations are not interpreted (1; slide 2)." },
    ])
  })

  it("speaker_notes_left_out, of pages on which something is written", async () => {
    const withNotes = (number: number) => ({
      tree: hello,
      relationships: { rId2: { type: "notesSlide", target: `../notesSlides/notesSlide${number}.xml` } },
    })
    const parts = {
      "ppt/notesSlides/notesSlide1.xml": notesXml("Smile here."),
      "ppt/notesSlides/notesSlide2.xml": notesXml(" "),
    }
    const found = parsed(await deck({ slides: [1, 2, 3].map(withNotes), parts }))
    expect(found.warnings).toEqual([
      { code: "speaker_notes_left_out", message: "Speaker notes are left out (1; slide 1)." },
    ])
    expect(found.markdown).not.toContain("Smile")
  })

  it("comments_left_out", async () => {
    const commented = {
      tree: hello,
      relationships: { rId2: { type: "comments", target: "../comments/comment1.xml" } },
    }
    expect(await warningsOf([hello, commented])).toEqual([
      { code: "comments_left_out", message: "Comments are left out (1; slide 2)." },
    ])
  })

  it("where, but names no more than 20 slides", async () => {
    const slides = Array.from({ length: 23 }, () => hello + picture())
    const [warning] = await warningsOf(slides)
    expect(warning?.message).toBe(
      "Images are not interpreted (23; slides 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and 3 more).",
    )
  })

  it("the same in the same order, wherever the things stand", async () => {
    const chart = graphic(`${drawing}/chart`, "")
    const codes = async (tree: string) => (await warningsOf([tree])).map(({ code }) => code)
    const expected = ["no_text", "charts_not_interpreted", "images_not_interpreted"]
    expect(await codes(chart + picture())).toEqual(expected)
    expect(await codes(picture() + chart)).toEqual(expected)
  })
})
