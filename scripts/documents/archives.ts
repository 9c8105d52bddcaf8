import { deflateRawSync } from "node:zlib"
import { changed, docx, paragraph, pptx, slide, wordDocument, xlsx } from "./documents.ts"
import { extraField, flagEncrypted, type Part, u16, u32, zip } from "./ZipWriter.ts"

const document = "word/document.xml"
const zeros = Buffer.alloc(64 * 1024 * 1024)

/** The document with one more entry that nothing refers to. */
const withEntry = (part: Part): ReadonlyArray<Part> => [...docx(), part]
const named = (name: string): Part => ({ name, data: "a" })

const cut = (bytes: Buffer, behind: number): Buffer => bytes.subarray(0, bytes.length - behind)

/** A Windows executable as far as its header goes. */
export const portableExecutable = (): Buffer => {
  const file = Buffer.alloc(256)
  file.write("MZ")
  file.writeUInt32LE(128, 0x3c)
  file.write("PE\0\0", 128)
  return file
}

/** An entry that lies within the data of another one; both are in the directory. */
const overlapping = (): Buffer => {
  const inner: Part = { name: "word/inner.xml", data: "<a/>", stored: true }
  const outer: Part = { name: "word/outer.bin", data: zip([inner]), stored: true }
  const innerAt = zip([outer]).lastIndexOf("PK\x03\x04")
  return zip([outer, { ...inner, central: { headerAt: innerAt } }, ...docx()])
}

const bombs = (): Readonly<Record<string, Buffer>> => ({
  "archive_limit_exceeded.honest-bomb.docx": zip(withEntry({ name: "word/media/image1.png", data: zeros })),
  "archive_limit_exceeded.lying-size-bomb.pptx": zip([
    ...pptx(),
    { name: "ppt/media/image1.png", data: zeros, both: { expanded: 1_000 } },
  ]),
  "archive_limit_exceeded.lying-size-in-descriptor.docx": zip(
    withEntry({
      name: "word/media/image1.png",
      data: zeros,
      descriptor: "signed",
      central: { expanded: 1_000 },
    }),
  ),
  "archive_limit_exceeded.300-large-slides.pptx": zip(
    pptx(Array.from({ length: 300 }, (_, index) => slide(`Slide ${index + 1} ${"and on ".repeat(10_000)}`))),
  ),
  "archive_limit_exceeded.10001-entries.docx": zip([
    ...docx(),
    ...Array.from({ length: 10_001 - docx().length }, (_, index) => ({
      name: index.toString(36),
      data: "",
      stored: true,
    })),
  ]),
  "archive_limit_exceeded.zip64-absurd-entries.docx": zip(docx(), { zip64: "instead", entries: 2 ** 50 }),
  "archive_limit_exceeded.long-name.docx": zip(withEntry(named("a".repeat(1_025)))),
})

const names = (): Readonly<Record<string, Buffer>> => ({
  "file_corrupt.duplicate-names.docx": zip([...docx(), wordDocument(paragraph("Another text."))]),
  "file_corrupt.duplicate-names-by-case.docx": zip(withEntry(named("Word/Document.XML"))),
  "file_corrupt.duplicate-names-by-backslash.docx": zip(withEntry(named("word\\document.xml"))),
  "file_corrupt.parent-folder-name.pptx": zip([...pptx(), named("../../etc/cron.d/job")]),
  "file_corrupt.parent-folder-backslash-name.xlsx": zip([...xlsx(), named("xl\\..\\..\\job")]),
  "file_corrupt.absolute-name.docx": zip(withEntry(named("/etc/passwd"))),
  "file_corrupt.drive-letter-name.docx": zip(withEntry(named("C:\\Windows\\a.dll"))),
  "file_corrupt.nul-name.docx": zip(withEntry(named("word/a.xml\0.png"))),
  "file_corrupt.control-character-name.docx": zip(withEntry(named("word/a\u001b[2J.xml"))),
  "file_corrupt.empty-name.docx": zip(withEntry(named(""))),
  "file_corrupt.two-names.docx": zip(
    changed(docx(), document, {
      central: {
        extra: extraField(0x7075, Buffer.concat([Buffer.of(1), u32(0), Buffer.from("word/other.xml")])),
      },
    }),
  ),
})

const headers = (): Readonly<Record<string, Buffer>> => ({
  "file_corrupt.names-disagree.docx": zip(
    changed(docx(), document, { local: { name: "word/document.xmm" } }),
  ),
  "file_corrupt.sizes-disagree.docx": zip(changed(docx(), document, { local: { expanded: 5 } })),
  "file_corrupt.checksums-disagree.docx": zip(changed(docx(), document, { local: { crc: 5 } })),
  "file_corrupt.methods-disagree.docx": zip(changed(docx(), document, { local: { method: 0 } })),
  "file_corrupt.flags-disagree.docx": zip(changed(docx(), document, { local: { flags: 1 } })),
  "file_corrupt.descriptor-disagrees.docx": zip(
    changed(docx(), document, { descriptor: "signed", both: { crc: 5 }, local: { crc: 0 } }),
  ),
  "file_corrupt.descriptor-missing.docx": zip(
    changed(docx(), document, { both: { flags: 8 }, local: { crc: 0, compressed: 0, expanded: 0 } }),
  ),
  "file_corrupt.bad-crc.docx": zip(changed(docx(), document, { both: { crc: 0x12345678 } })),
  "file_corrupt.size-too-small.xlsx": zip(changed(xlsx(), "xl/workbook.xml", { both: { expanded: 10 } })),
  "file_corrupt.size-too-large.xlsx": zip(changed(xlsx(), "xl/workbook.xml", { both: { expanded: 10_000 } })),
  "file_corrupt.stored-sizes-differ.docx": zip(
    changed(docx(), document, { stored: true, both: { expanded: 10 } }),
  ),
  "file_corrupt.no-deflate-data.docx": zip(changed(docx(), document, { compressed: Buffer.alloc(50, 0xff) })),
  "file_corrupt.deflate-data-cut-short.docx": zip(
    changed(docx(), document, {
      compressed: cut(deflateRawSync(String(wordDocument(paragraph("Text.")).data)), 20),
    }),
  ),
  "file_corrupt.hidden-behind-deflate-data.docx": zip(
    changed(docx(), document, {
      compressed: Buffer.concat([
        deflateRawSync(Buffer.from(wordDocument(paragraph("Text.")).data)),
        Buffer.from("hidden"),
      ]),
      data: wordDocument(paragraph("Text.")).data,
    }),
  ),
  "file_corrupt.method-bzip2.docx": zip(changed(docx(), document, { both: { method: 12 } })),
  "file_corrupt.folder-with-data.docx": zip(withEntry({ name: "word/media/", data: "a", stored: true })),
  "file_corrupt.zip64-field-missing.docx": zip(
    changed(docx(), document, { both: { compressed: 0xffff_ffff } }),
  ),
  "file_encrypted.zip-flag.docx": zip(changed(docx(), document, { both: { flags: flagEncrypted } })),
  "file_encrypted.zip-aes.xlsx": zip(
    changed(xlsx(), "xl/workbook.xml", {
      both: {
        flags: flagEncrypted,
        method: 99,
        extra: extraField(0x9901, Buffer.concat([u16(2), Buffer.from("AE"), Buffer.of(3), u16(8)])),
      },
    }),
  ),
})

const layouts = (): Readonly<Record<string, Buffer>> => ({
  "file_corrupt.overlapping-entries.docx": overlapping(),
  "file_corrupt.entry-over-directory.docx": zip(changed(docx(), document, { both: { compressed: 100_000 } })),
  "file_corrupt.entry-outside.docx": zip(changed(docx(), document, { central: { headerAt: 0x7fff_ffff } })),
  "file_corrupt.hidden-between-entries.docx": zip(
    changed(docx(), document, { before: zip([named("hidden.xml")]) }),
  ),
  "file_corrupt.bytes-behind-end.docx": zip(docx(), { behind: "<script>alert(1)</script>" }),
  "file_corrupt.truncated.docx": cut(zip(docx()), 200),
  "file_corrupt.truncated-end-record.pptx": cut(zip(pptx()), 5),
  "file_corrupt.truncated-comment.docx": cut(zip(docx(), { comment: "made by hand" }), 5),
  "file_corrupt.too-few-entries.docx": zip(docx(), { entries: 2 }),
  "file_corrupt.too-many-entries.docx": zip(docx(), { entries: 4 }),
  "file_corrupt.split-archive.docx": zip(docx(), { disk: 1 }),
  "file_corrupt.directory-elsewhere.docx": zip(docx(), { directoryAt: 0x7fff_0000 }),
  "file_corrupt.zip64-absurd-offset.docx": zip(docx(), { zip64: "instead", directoryAt: 2 ** 60 }),
  "file_corrupt.zip64-disagrees.docx": zip(docx(), { zip64: "beside", plainEntries: 2 }),
  "file_corrupt.zip64-record-missing.docx": zip(docx(), { entries: 0xffff }),
  "file_type_not_accepted.mz-stub.pptx": zip(pptx(), { before: portableExecutable() }),
  "file_type_not_accepted.shell-stub.docx": zip(docx(), {
    before: Buffer.from("#!/bin/sh\nexec unzip $0\n"),
  }),
})

/** Archives that are themselves invalid, by file name. */
export const archives = (): Readonly<Record<string, Buffer>> => ({
  ...bombs(),
  ...names(),
  ...headers(),
  ...layouts(),
})
