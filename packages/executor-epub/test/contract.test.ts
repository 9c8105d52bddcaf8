import { executorContract } from "@atelier/core/testing"
import { EpubExecutor } from "@atelier/executor-epub"
import { ParsingPool } from "@atelier/intake"
import { assert } from "@effect/vitest"
import { book, encryption } from "./books.ts"

const document = (name: string, bytes: Uint8Array) => ({ name, filename: "tides.epub", bytes })

const whole = await book({
  title: "Tides",
  documents: { one: "<h1>One</h1><p>High<img src='a.png'/></p>", two: "<p>Low</p>" },
  contents: '<ol><li><a href="one.xhtml">One</a></li><li><a href="two.xhtml">Two</a></li></ol>',
})
const aes = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
const one = { documents: { one: "<p>a</p>" } }

executorContract({
  name: "epub-md-json",
  make: EpubExecutor.make,
  layer: ParsingPool.layer(),
  accepted: [
    {
      ...document("a book with chapters", whole),
      expect: ({ markdown, warnings }) => {
        assert.strictEqual(markdown, "# Tides\n\n## One\n\nHigh\n\n## Two\n\nLow\n")
        assert.deepStrictEqual(
          warnings.map(({ code }) => code),
          ["images_not_interpreted"],
        )
      },
    },
    {
      ...document("a book without text", await book({ documents: { one: "" } })),
      expect: ({ markdown, warnings }) => {
        assert.strictEqual(markdown, "")
        assert.deepStrictEqual(warnings, [{ code: "no_text", message: "The book holds no text." }])
      },
    },
  ],
  refused: [
    { ...document("an empty file", new Uint8Array()), code: "file_type_not_accepted" },
    { ...document("text", Buffer.from("Call me Ishmael.")), code: "file_type_not_accepted" },
    {
      ...document(
        "another archive",
        await book({ ...one, files: { mimetype: "application/vnd.oasis.opendocument.base" } }),
      ),
      code: "file_type_not_accepted",
    },
    {
      ...document(
        "a book under DRM",
        await book({ ...one, files: { "META-INF/encryption.xml": encryption("OEBPS/one.xhtml", aes) } }),
      ),
      code: "file_encrypted",
    },
    {
      ...document(
        "a book without its declarations",
        await book({ ...one, files: { "META-INF/container.xml": null } }),
      ),
      code: "file_corrupt",
    },
    {
      ...document(
        "a book whose text is not there",
        await book({ ...one, files: { "OEBPS/one.xhtml": null } }),
      ),
      code: "file_corrupt",
    },
    {
      ...document(
        "a text that is not UTF-8",
        await book({ ...one, files: { "OEBPS/one.xhtml": Uint8Array.of(0x3c, 0xc4, 0xe3) } }),
      ),
      code: "file_corrupt",
    },
    {
      ...document(
        "an archive bomb",
        await book({ ...one, files: { "OEBPS/big.css": " ".repeat(21 * 1024 * 1024) } }),
      ),
      code: "archive_limit_exceeded",
    },
  ],
})
