import { executorContract } from "@atelier/core/testing"
import { ConvertExecutor, definition, EmbeddedConverter } from "@atelier/executor-convert"
import { ParsingPool } from "@atelier/intake"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import JSZip from "jszip"
import { cell, field, paragraph, row, run, styled, table, textBox, word } from "./docx/word.ts"
import {
  heading,
  item,
  list,
  cell as odtCell,
  paragraph as odtParagraph,
  row as odtRow,
  table as odtTable,
  openDocumentText,
} from "./odt/openDocument.ts"

const docx = await word({
  body:
    styled("Heading1", "Plan") +
    paragraph(`${run("bold", "<w:b/>")}${field(" DATE ", run(" today"))}${textBox(paragraph("box"))}`) +
    table(row(cell("a"), cell("b")), row(cell("c"), cell("d"))) +
    paragraph('<w:r><w:footnoteReference w:id="1"/></w:r>'),
  footnotes: `<w:footnote w:id="1">${paragraph("note")}</w:footnote>`,
  header: paragraph("Draft"),
})

const odt = await openDocumentText({
  text:
    heading(1, "Plan") +
    list(item("one") + item("two")) +
    odtTable(odtRow(odtCell("a") + odtCell("b"))) +
    odtParagraph("Grüße 😀"),
})

const withMacros = await JSZip.loadAsync(docx).then((zip) =>
  zip.file("word/vbaProject.bin", "macros").generateAsync({ type: "nodebuffer" }),
)

executorContract({
  name: "file-md-json",
  make: Effect.flatMap(EmbeddedConverter.make, ConvertExecutor.make),
  layer: ParsingPool.layer(),
  accepted: [
    {
      name: "a Word document",
      filename: "plan.docx",
      bytes: docx,
      expect: ({ markdown, json, warnings }) => {
        assert.strictEqual(
          markdown,
          "# Plan\n\n**bold** today\n\nbox\n\n| a | b |\n| --- | --- |\n| c | d |\n\n[^1]\n\n[^1]: note\n",
        )
        assert.deepInclude(json, { structure_source: "converter:embedded" })
        assert.deepStrictEqual(
          warnings.map(({ code }) => code),
          ["headers_footers_left_out"],
        )
      },
    },
    {
      name: "an OpenDocument text",
      filename: "plan.odt",
      bytes: odt,
      expect: ({ markdown }) => {
        assert.strictEqual(markdown, "# Plan\n\n- one\n- two\n\n| a | b |\n| --- | --- |\n\nGrüße 😀\n")
      },
    },
    { name: "an empty CSV file", filename: "empty.csv", bytes: Buffer.of() },
  ],
  refused: [
    { name: "macros", filename: "plan.docx", bytes: withMacros, code: "file_macro" },
    { name: "another format", filename: "plan.odt", bytes: docx, code: "file_type_not_accepted" },
    { name: "half a document", filename: "plan.docx", bytes: docx.subarray(0, 900), code: "file_corrupt" },
    { name: "GBK", filename: "plan.csv", bytes: Buffer.of(0xb9, 0xe3, 0x2c), code: "file_not_utf8" },
  ],
})

describe("document-tools 1, standard tools", () => {
  it("file-md-json takes its formats of at most 10 MiB, within 60 s, for 0.001 USD per document", () => {
    assert.deepInclude(definition, {
      id: "file-md-json",
      extensions: [".pdf", ".docx", ".xlsx", ".xls", ".csv", ".html", ".htm", ".xml", ".odt", ".ods"],
      maxFileBytes: 10 * 1024 * 1024,
      timeoutSeconds: 60,
      outputFormats: ["markdown", "json"],
      unitPriceUsd: "0.001",
    })
  })
})
