import {
  changed,
  docx,
  paragraph,
  pptx,
  row,
  slide,
  wordDocument,
  worksheet,
  xlsx,
  xml,
} from "./documents.ts"
import { zip } from "./ZipWriter.ts"

const main = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

/** A document whose `word/document.xml` has this declaration of its type before one paragraph. */
const withDoctype = (doctype: string, text: string): Buffer =>
  zip(
    docx(
      xml(
        "word/document.xml",
        `${doctype}<w:document ${main}><w:body>${paragraph(text)}</w:body></w:document>`,
      ),
    ),
  )

const entities = (count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const inner = index === 0 ? "lol" : `&e${index - 1};`.repeat(10)
    return `<!ENTITY e${index} "${inner}">`
  }).join("")

const attributes = (count: number): string =>
  Array.from({ length: count }, (_, index) => ` a${index}=""`).join("")

const withSlide = (text: string): Buffer => zip(pptx([text]))

/** Documents whose XML is invalid, by file name. */
export const xmlFaults = (): Readonly<Record<string, Buffer>> => ({
  "file_corrupt.xml-doctype.docx": withDoctype("<!DOCTYPE w:document>", "Text."),
  "file_corrupt.xml-external-entity.docx": withDoctype(
    '<!DOCTYPE a [<!ENTITY passwd SYSTEM "file:///etc/passwd">]>',
    "&passwd;",
  ),
  "file_corrupt.xml-exponential-entities.docx": withDoctype(`<!DOCTYPE a [${entities(10)}]>`, "&e9;"),
  "file_corrupt.xml-quadratic-entities.docx": withDoctype(
    `<!DOCTYPE a [<!ENTITY long "${"a".repeat(100_000)}">]>`,
    "&long;".repeat(50_000),
  ),
  "file_corrupt.xml-unknown-entity.pptx": withSlide(slide("&nbsp;")),
  "file_corrupt.xml-not-well-formed.pptx": withSlide(slide("a").replace("</a:t>", "")),
  "file_corrupt.xml-unclosed.docx": zip(
    docx(xml("word/document.xml", `<w:document ${main}><w:body>${"<w:p><w:r>".repeat(50)}`)),
  ),
  "file_corrupt.xml-cut-short.xlsx": zip(
    changed(xlsx(), "xl/worksheets/sheet1.xml", {
      data: String(worksheet(row("Text")).data).slice(0, -20),
    }),
  ),
  "file_corrupt.xml-empty-part.docx": zip(docx({ name: "word/document.xml", data: "" })),
  "file_corrupt.xml-not-utf8.pptx": withSlide(slide("Gr\u00fc\u00dfe").replace("UTF-8", "ISO-8859-1")),
  "file_corrupt.xml-invalid-utf8.pptx": zip(pptx([Buffer.from(slide("Gr\u00fc\u00dfe"), "latin1")])),
  "file_corrupt.xml-control-character.docx": zip(docx(wordDocument(paragraph("a\u0001b")))),
  "archive_limit_exceeded.xml-depth.docx": zip(
    docx(wordDocument("<w:p>".repeat(100_000) + "</w:p>".repeat(100_000))),
  ),
  "archive_limit_exceeded.xml-attribute-size.pptx": withSlide(
    slide("Text").replace('name="Title"', `name="${"a".repeat(10 * 1024 * 1024)}"`),
  ),
  "archive_limit_exceeded.xml-attributes.xlsx": zip(
    xlsx(worksheet(row("Text").replace("<row", `<row${attributes(20_000)}`))),
  ),
  "archive_limit_exceeded.xml-text-size.docx": zip(
    docx(wordDocument(paragraph("a".repeat(11 * 1024 * 1024)))),
  ),
  "archive_limit_exceeded.xml-name-size.docx": zip(docx(wordDocument(`<w:${"a".repeat(2_000)}/>`))),
})
