import { executorContract } from "@atelier/core/testing"
import { definition, PptxExecutor } from "@atelier/executor-pptx"
import { ParsingPool } from "@atelier/intake"
import { assert, describe, it } from "@effect/vitest"
import JSZip from "jszip"
import {
  cell,
  deck,
  layoutParts,
  notesXml,
  paragraph,
  picture,
  run,
  shape,
  table,
  textBox,
  title,
  usesLayout,
} from "./deck.ts"

const small = await deck({ slides: [title("Welcome") + textBox("Hello")] })

/** A slide of everything, with layout, master, notes and a link. */
const rich = await deck({
  slides: [
    {
      tree:
        title("Plan") +
        shape(
          paragraph(run("one")) + paragraph(run("two", '<a:hlinkClick r:id="rId5"/>'), "", 1),
          'idx="1"',
        ) +
        table(2, cell("a") + cell("b"), cell("c") + cell("d")) +
        picture(),
      attributes: 'show="0"',
      relationships: {
        ...usesLayout,
        rId2: { type: "notesSlide", target: "../notesSlides/notesSlide1.xml" },
        rId5: { type: "hyperlink", target: "https://example.com/", external: true },
      },
    },
    textBox("Grüße 😀"),
  ],
  parts: {
    ...layoutParts(shape("<a:p/>", 'idx="1"'), "<p:txStyles><p:bodyStyle/></p:txStyles>"),
    "ppt/notesSlides/notesSlide1.xml": notesXml("Smile."),
  },
})

const withMacros = await JSZip.loadAsync(small).then((zip) =>
  zip.file("ppt/vbaProject.bin", "macros").generateAsync({ type: "nodebuffer" }),
)

executorContract({
  name: "pptx-md-json",
  make: PptxExecutor.make,
  layer: ParsingPool.layer(),
  accepted: [
    {
      name: "a presentation with one slide",
      filename: "deck.pptx",
      bytes: small,
      expect: ({ markdown, json }) => {
        assert.strictEqual(markdown, "## Slide 1: Welcome\n\nHello\n")
        assert.deepInclude(json, { structure_source: "pptx-xml" })
      },
    },
    {
      name: "a presentation of everything",
      filename: "deck.pptx",
      bytes: rich,
      expect: ({ markdown, warnings }) => {
        assert.include(markdown, "| c | d |")
        assert.deepStrictEqual(
          warnings.map(({ code }) => code),
          ["hidden_slides", "images_not_interpreted", "speaker_notes_left_out"],
        )
      },
    },
    { name: "a presentation without slides", filename: "deck.pptx", bytes: await deck({ slides: [] }) },
  ],
  refused: [
    { name: "a presentation with macros", filename: "deck.pptx", bytes: withMacros, code: "file_macro" },
    { name: "text", filename: "deck.pptx", bytes: Buffer.from("Hello"), code: "file_type_not_accepted" },
    {
      name: "a PDF",
      filename: "deck.pptx",
      bytes: Buffer.from("%PDF-1.7\n"),
      code: "file_type_not_accepted",
    },
    {
      name: "a presentation that was cut short",
      filename: "deck.pptx",
      bytes: small.subarray(0, -30),
      code: "file_corrupt",
    },
    {
      name: "a presentation without one of its slides",
      filename: "deck.pptx",
      bytes: await deck({ slides: ["", ""], parts: { "ppt/slides/slide2.xml": null } }),
      code: "file_corrupt",
    },
    {
      name: "a presentation with a document type definition",
      filename: "deck.pptx",
      bytes: await deck({ slides: [{ part: "<!DOCTYPE x><x/>" }] }),
      code: "file_corrupt",
    },
  ],
})

describe("document-tools 1, standard tools", () => {
  it("pptx-md-json takes PPTX of at most 10 MiB, within 30 s", () => {
    assert.deepInclude(definition, {
      id: "pptx-md-json",
      extensions: [".pptx"],
      maxFileBytes: 10 * 1024 * 1024,
      timeoutSeconds: 30,
      outputFormats: ["markdown", "json"],
    })
  })

  it("contract, Tools: pptx-md-json costs 0.0005 USD per document", () => {
    assert.strictEqual(definition.unitPriceUsd, "0.0005")
  })
})
