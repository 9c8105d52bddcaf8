import { readFileSync } from "node:fs"
import { join } from "node:path"
import { deflateSync } from "node:zlib"
import { docx, paragraph, wordDocument, xml } from "../../scripts/documents/documents.ts"
import { zip } from "../../scripts/documents/ZipWriter.ts"
import { filesBelow, root } from "../../scripts/workspace.ts"
import { hostileDecks } from "../support/hostileDecks.ts"

/** A document that is made to cost, and the tool that it is for. */
export interface Hostile {
  readonly tool: string
  readonly name: string
  readonly bytes: Buffer
}

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1")

const streamOf = (content: string, dictionary = ""): Buffer => {
  const data = deflateSync(latin1(content))
  const head = `<< /Length ${data.length} /Filter /FlateDecode ${dictionary} >>\nstream\n`
  return Buffer.concat([latin1(head), data, latin1("\nendstream")])
}

/** A PDF of these objects by number, 1 the catalog; readers find them without a table of offsets. */
const pdfOf = (objects: Readonly<Record<number, string | Buffer>>): Buffer => {
  const parts = Object.entries(objects).map(([number, object]) =>
    Buffer.concat([
      latin1(`${number} 0 obj\n`),
      typeof object === "string" ? latin1(object) : object,
      latin1("\nendobj\n"),
    ]),
  )
  return Buffer.concat([latin1("%PDF-1.7\n"), ...parts, latin1("trailer\n<< /Root 1 0 R >>\n%%EOF\n")])
}

const page = (content: string | Buffer, more: Readonly<Record<number, string | Buffer>>) =>
  pdfOf({
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: "<< /Type /Pages /Count 1 /Kids [10 0 R] >>",
    3: "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
    10: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 11 0 R /Resources << /Font << /F 3 0 R >> /XObject << /X 50 0 R >> >> >>",
    11: content,
    ...more,
  })

/** Forms that hold one another ten times over, ten levels deep. */
const nestedForms = (): Buffer => {
  const form = (level: number) =>
    streamOf(
      "/X Do ".repeat(10),
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${level + 1} 0 R >> >>`,
    )
  const levels = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [50 + index, form(50 + index)]))
  const last = streamOf(
    "BT /F 1 Tf (a) Tj ET",
    "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F 3 0 R >> >>",
  )
  return page(streamOf("/X Do"), { ...levels, 60: last })
}

/** 28 kB that inflate to millions of operators which show nothing. */
const operators = (): Buffer => page(streamOf("q 1 0 0 1 0 0 cm Q ".repeat(1_400_000)), {})

/** PDFs of some kilobytes that take seconds to read. */
export const hostilePdfs = async (): Promise<ReadonlyArray<Hostile>> =>
  [nestedForms(), operators()].map((bytes, index) => ({
    tool: "file-md-json",
    name: `slow-${index}.pdf`,
    bytes,
  }))

const laughs = (): string => {
  const levels = Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`,
  )
  return `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a0 "ha">${levels.join("")}]><a>&a9;</a>`
}

const deepDocx = (): Buffer =>
  zip(docx(wordDocument(`${"<w:sdt>".repeat(100_000)}${"</w:sdt>".repeat(100_000)}`)))

const laughingDocx = (): Buffer => zip(docx(xml("word/document.xml", laughs())))

const longDocx = (): Buffer => zip(docx(wordDocument(paragraph("a ".repeat(200)).repeat(25_000))))

/** Each kind of bomb once, for the tool that takes it. */
export const bombs = async (): Promise<ReadonlyArray<Hostile>> => [
  ...refusedFixtures(),
  { tool: "file-md-json", name: "deep.docx", bytes: deepDocx() },
  { tool: "file-md-json", name: "laughs.docx", bytes: laughingDocx() },
  { tool: "file-md-json", name: "long.docx", bytes: longDocx() },
  { tool: "file-md-json", name: "laughs.xml", bytes: Buffer.from(laughs()) },
  { tool: "text-md-json", name: "laughs.xml", bytes: Buffer.from(laughs()) },
  { tool: "file-md-json", name: "deep.html", bytes: Buffer.from("<div>".repeat(2_000_000)) },
  { tool: "file-md-json", name: "attributes.html", bytes: Buffer.from(`<p ${'a="b" '.repeat(1_500_000)}>`) },
  { tool: "file-md-json", name: "tables.html", bytes: Buffer.from("<table><tr><td>".repeat(500_000)) },
  { tool: "file-md-json", name: "quotes.csv", bytes: Buffer.from('"",'.repeat(3_000_000)) },
  ...(await hostilePdfs()),
  ...(await slowDecks()),
]

/** The archives of the fixtures that are refused for what they claim or hold. */
const refusedFixtures = (): ReadonlyArray<Hostile> =>
  filesBelow(join(root, "packages", "intake", "test", "fixtures", "refused"))
    .filter((path) => /archive_limit|bomb|lying|overlap/.test(path))
    .map((path) => ({
      tool: path.endsWith(".pptx") ? "pptx-md-json" : "file-md-json",
      name: path.split(/[\\/]/).at(-1) ?? path,
      bytes: readFileSync(path),
    }))

/** Presentations of at most 10 MiB that take as long as any. */
export const slowDecks = (): Promise<ReadonlyArray<Hostile>> =>
  Promise.all(
    hostileDecks
      .filter(({ name }) => ["one run of asterisks", "runs in one paragraph"].includes(name))
      .map(async ({ name, make }) => ({
        tool: "pptx-md-json",
        name: `${name.replaceAll(" ", "-")}.pptx`,
        bytes: await make(),
      })),
  )
