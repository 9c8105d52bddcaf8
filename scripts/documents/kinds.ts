import { gzipSync } from "node:zlib"
import { portableExecutable } from "./archives.ts"
import { compoundFile } from "./CompoundWriter.ts"
import {
  changed,
  contentTypes,
  documentType,
  docx,
  encryptionData,
  ods,
  odt,
  pptx,
  presentationType,
  relationships,
  xlsx,
} from "./documents.ts"
import { biff2, biff8, filePass, xls } from "./workbooks.ts"
import { type Part, zip } from "./ZipWriter.ts"

const text = (words: string): Buffer => Buffer.from(words)
const data: Buffer = Buffer.from("not looked at")
const macroEnabled = "macroEnabled.main+xml"

/** A document whose `[Content_Types].xml` gives the main part another type. */
const typed = (type: string): Buffer =>
  zip(changed(docx(), "[Content_Types].xml", contentTypes({ "word/document.xml": type })))

const legacy = (stream: string): Buffer => compoundFile([{ name: stream, data }])

const macros = (): Readonly<Record<string, Buffer>> => ({
  "file_macro.vba-renamed.docx": zip([...docx(), { name: "word/vbaProject.bin", data }]),
  "file_macro.vba-of-another-name.pptx": zip([
    ...changed(
      pptx(),
      "ppt/_rels/presentation.xml.rels",
      relationships("ppt/_rels/presentation.xml.rels", [
        ["slideMaster", "slideMasters/slideMaster1.xml"],
        ["slide", "slides/slide1.xml"],
        ["vbaProject", "notes.bin"],
      ]),
    ),
    { name: "ppt/notes.bin", data },
  ]),
  "file_macro.vba-by-content-type.docx": zip([
    ...changed(
      docx(),
      "[Content_Types].xml",
      contentTypes(
        { "word/document.xml": documentType },
        '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>',
      ),
    ),
    { name: "word/notes.bin", data },
  ]),
  "file_macro.docm-renamed.docx": typed(`application/vnd.ms-word.document.${macroEnabled}`),
  "file_macro.xlsm-renamed.xlsx": zip(xlsx(undefined, `application/vnd.ms-excel.sheet.${macroEnabled}`)),
  "file_macro.pptm-renamed.pptx": zip(
    pptx(undefined, `application/vnd.ms-powerpoint.presentation.${macroEnabled}`),
  ),
  "file_macro.excel4-macro-sheet.xlsx": zip([...xlsx(), { name: "xl/macrosheets/sheet1.xml", data: "<a/>" }]),
  "file_macro.basic.odt": zip([...odt(), { name: "Basic/Standard/Module1.xml", data: "<a/>" }]),
  "file_macro.python-script.ods": zip([...ods(), { name: "Scripts/python/job.py", data: "import os" }]),
  "file_macro.vba.xls": xls(undefined, [
    { name: "_VBA_PROJECT_CUR", children: [{ name: "VBA", children: [{ name: "_VBA_PROJECT", data }] }] },
  ]),
  "file_macro.macro-sheet.xls": xls(biff8("Text", 1)),
  "file_macro.bare-macro-sheet.xls": biff2("Text", 0x40),
})

const encrypted = (): Readonly<Record<string, Buffer>> => {
  const document = compoundFile([
    { name: "EncryptionInfo", data },
    { name: "EncryptedPackage", data },
  ])
  return {
    "file_encrypted.cfb.docx": document,
    "file_encrypted.cfb.xlsx": document,
    "file_encrypted.cfb.pptx": document,
    "file_encrypted.cfb.xls": document,
    "file_encrypted.manifest.odt": zip(odt(encryptionData)),
    "file_encrypted.manifest.ods": zip(ods(encryptionData)),
    "file_encrypted.filepass.xls": xls(biff8("Text", 0, filePass)),
  }
}

const others = (): Readonly<Record<string, Buffer>> => ({
  "file_type_not_accepted.xlsx-renamed.docx": zip(xlsx()),
  "file_type_not_accepted.docx-renamed.pptx": zip(docx()),
  "file_type_not_accepted.pptx-renamed.xlsx": zip(pptx()),
  "file_type_not_accepted.odt-renamed.docx": zip(odt()),
  "file_type_not_accepted.docx-renamed.odt": zip(docx()),
  "file_type_not_accepted.ods-renamed.odt": zip(ods()),
  "file_type_not_accepted.odp-renamed.odt": zip(
    odt(undefined, "application/vnd.oasis.opendocument.presentation"),
  ),
  "file_type_not_accepted.ott-renamed.odt": zip(
    odt(undefined, "application/vnd.oasis.opendocument.text-template"),
  ),
  "file_type_not_accepted.epub-renamed.odt": zip([
    { name: "mimetype", data: "application/epub+zip", stored: true },
    { name: "META-INF/container.xml", data: "<a/>" },
  ]),
  "file_type_not_accepted.zip-renamed.docx": zip([{ name: "notes.txt", data: "Text" }]),
  "file_type_not_accepted.empty-zip-renamed.docx": zip([]),
  "file_type_not_accepted.jar-renamed.docx": zip([
    { name: "META-INF/MANIFEST.MF", data: "Manifest-Version: 1.0\n" },
    { name: "Main.class", data: Buffer.from("cafebabe00000034", "hex") },
  ]),
  "file_type_not_accepted.apk-renamed.docx": zip([
    { name: "META-INF/MANIFEST.MF", data: "Manifest-Version: 1.0\n" },
    { name: "AndroidManifest.xml", data },
    { name: "classes.dex", data },
  ]),
  "file_type_not_accepted.vsdx-renamed.docx": typed("application/vnd.ms-visio.drawing.main+xml"),
  "file_type_not_accepted.xlsb-renamed.xlsx": typed(
    "application/vnd.ms-excel.sheet.binary.macroEnabled.main",
  ),
  "file_type_not_accepted.theme-renamed.docx": typed(
    "application/vnd.openxmlformats-officedocument.themeManager+xml",
  ),
  "file_type_not_accepted.doc-renamed.docx": legacy("WordDocument"),
  "file_type_not_accepted.ppt-renamed.pptx": legacy("PowerPoint Document"),
  "file_type_not_accepted.xls-renamed.xlsx": xls(),
  "file_type_not_accepted.msg-renamed.docx": legacy("__properties_version1.0"),
  "file_type_not_accepted.pdf-renamed.docx": text("%PDF-1.7\n%%EOF\n"),
  "file_type_not_accepted.rtf-renamed.docx": text("{\\rtf1\\ansi Hello.}"),
  "file_type_not_accepted.elf-renamed.docx": Buffer.concat([
    Buffer.from("7f454c46020101", "hex"),
    Buffer.alloc(57),
  ]),
  "file_type_not_accepted.exe-renamed.xlsx": portableExecutable(),
  "file_type_not_accepted.mach-o-renamed.pptx": Buffer.concat([
    Buffer.from("cffaedfe", "hex"),
    Buffer.alloc(60),
  ]),
  "file_type_not_accepted.gzip-renamed.docx": gzipSync("Text"),
  "file_type_not_accepted.7z-renamed.docx": Buffer.concat([
    Buffer.from("377abcaf271c0004", "hex"),
    Buffer.alloc(24),
  ]),
  "file_type_not_accepted.rar-renamed.docx": Buffer.from("526172211a070100", "hex"),
  "file_type_not_accepted.html-renamed.docx": text("<!DOCTYPE html><p>Hello</p>"),
  "file_type_not_accepted.empty.docx": Buffer.alloc(0),
  "file_type_not_accepted.doc-renamed.xls": legacy("WordDocument"),
  "file_type_not_accepted.xlsx-renamed.xls": zip(xlsx()),
  "file_type_not_accepted.html-renamed.xls": text("<html><table><tr><td>Hello</td></tr></table></html>"),
  "file_type_not_accepted.xml-renamed.xls": text(
    '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><a/>',
  ),
  "file_type_not_accepted.csv-renamed.xls": text("a;b\n1;2\n"),
})

const main = (part: string): Part => relationships("_rels/.rels", [["officeDocument", part]])

const damaged = (): Readonly<Record<string, Buffer>> => ({
  "file_corrupt.main-part-missing.docx": zip(changed(docx(), "_rels/.rels", main("word/other.xml"))),
  "file_corrupt.two-main-parts.pptx": zip([
    ...changed(
      pptx(),
      "_rels/.rels",
      relationships("_rels/.rels", [
        ["officeDocument", "ppt/presentation.xml"],
        ["officeDocument", "ppt/slides/slide1.xml"],
      ]),
    ),
  ]),
  "file_corrupt.relationship-twice.pptx": zip(
    changed(pptx(), "ppt/_rels/presentation.xml.rels", {
      data: String(
        relationships("", [
          ["slide", "slides/slide1.xml"],
          ["slide", "slides/slide1.xml"],
        ]).data,
      ).replace("rId2", "rId1"),
    }),
  ),
  "file_corrupt.content-types-twice.docx": zip(
    changed(docx(), "[Content_Types].xml", {
      data: String(
        contentTypes({ "word/document.xml": presentationType, "Word/document.xml": documentType }).data,
      ),
    }),
  ),
  "file_corrupt.manifest-missing.odt": zip(odt().filter(({ name }) => !name.includes("manifest"))),
  "file_corrupt.content-missing.ods": zip(ods().filter(({ name }) => name !== "content.xml")),
  "file_corrupt.compound-table-circle.xls": xls(undefined, [], { afterStream: 2, bytes: 0x7fff_ffff }),
  "file_corrupt.compound-directory-circle.xls": xls(undefined, [], { afterDirectory: 1 }),
  "file_corrupt.compound-tree-circle.xls": xls(undefined, [], { neighbour: 1 }),
  "file_corrupt.compound-absurd-size.xls": xls(undefined, [], { bytes: 0xffff_fff0 }),
  "file_corrupt.compound-absurd-sector.xls": xls(undefined, [], { firstDirectory: 0x7fff_ffff }),
  "file_corrupt.compound-cut-short.xls": xls().subarray(0, 700),
  "file_corrupt.no-workbook-stream.xls": xls(Buffer.from("this is no workbook")),
})

/** Documents that are of another kind than their name says, hold macros, are encrypted or damaged, by file name. */
export const kinds = (): Readonly<Record<string, Buffer>> => ({
  ...macros(),
  ...encrypted(),
  ...others(),
  ...damaged(),
})
