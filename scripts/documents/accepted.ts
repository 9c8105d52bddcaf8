import {
  changed,
  contentTypes,
  documentType,
  docx,
  ods,
  odt,
  paragraph,
  pptx,
  relationships,
  slide,
  wordDocument,
  xlsx,
} from "./documents.ts"
import { biff2, xls } from "./workbooks.ts"
import { extraField, type Part, u64, zip } from "./ZipWriter.ts"

const stored = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> =>
  parts.map((part) => ({ ...part, stored: true }))

const described = (parts: ReadonlyArray<Part>, descriptor: "signed" | "bare" | "wide"): ReadonlyArray<Part> =>
  parts.map((part) => ({ ...part, descriptor }))

/** Sizes in the ZIP64 field of both headers, all ones in their place. */
const wide = (part: Part): Part => {
  const data = Buffer.from(part.data)
  const claims = {
    compressed: 0xffff_ffff,
    expanded: 0xffff_ffff,
    extra: extraField(1, u64(data.length, data.length)),
  }
  return { ...part, stored: true, both: claims }
}

const withMark = (text: string, mark: Buffer, swap: boolean): Buffer => {
  const bytes = Buffer.from(text, "utf16le")
  return Buffer.concat([mark, swap ? bytes.swap16() : bytes])
}

const slide16 = slide("Grüße aus UTF-16").replace("UTF-8", "UTF-16")

/** Documents that are unusual but valid, by file name. */
export const accepted = (): Readonly<Record<string, Buffer>> => ({
  "plain.docx": zip(docx()),
  "plain.pptx": zip(pptx()),
  "plain.xlsx": zip(xlsx()),
  "plain.odt": zip(odt()),
  "plain.ods": zip(ods()),
  "plain.xls": xls(),
  "bare-biff2.xls": biff2("Hello from 1987"),
  "stored.docx": zip(stored(docx())),
  "zip64.xlsx": zip(xlsx().map(wide), { zip64: "instead" }),
  "zip64-end-alone.docx": zip(docx(), { zip64: "instead" }),
  "zip64-end-beside-plain.docx": zip(docx(), { zip64: "beside" }),
  "data-descriptors.docx": zip(described(docx(), "signed")),
  "data-descriptors-without-signature.pptx": zip(described(pptx(), "bare")),
  "data-descriptors-of-zip64.xlsx": zip(described(xlsx(), "wide")),
  "comment.docx": zip(docx(), { comment: "made by hand" }),
  "unused-part-without-xml.docx": zip([...docx(), { name: "customXml/item1.xml", data: "<a>" }]),
  "newline-behind-end.docx": zip(docx(), { behind: "\r\n" }),
  "backslash-names.xlsx": zip(xlsx().map((part) => ({ ...part, name: part.name.replaceAll("/", "\\") }))),
  "folders.odt": zip([...odt(), { name: "Pictures/", data: "", stored: true }]),
  "empty-configuration.ods": zip([...ods(), { name: "Configurations2/accelerator/current.xml", data: "" }]),
  "utf8-flag-in-directory-alone.xlsx": zip(xlsx().map((part) => ({ ...part, central: { flags: 0x0800 } }))),
  "utf16-little-endian.pptx": zip(pptx([withMark(slide16, Buffer.of(0xff, 0xfe), false)])),
  "utf16-big-endian.pptx": zip(pptx([withMark(slide16, Buffer.of(0xfe, 0xff), true)])),
  "strict.docx": zip(
    docx().map(({ data, ...part }) => ({
      ...part,
      data: String(data)
        .replace(
          "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
          "http://purl.oclc.org/ooxml/officeDocument/relationships",
        )
        .replace(
          "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
          "http://purl.oclc.org/ooxml/wordprocessingml/main",
        ),
    })),
  ),
  "template.docx": zip(
    changed(
      docx(),
      "[Content_Types].xml",
      contentTypes({ "word/document.xml": documentType.replace("document.main", "template.main") }),
    ),
  ),
  "slide-show.pptx": zip(
    pptx(
      [slide("Hello from a show")],
      "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml",
    ),
  ),
  "main-part-elsewhere.docx": zip([
    contentTypes({ "Custom/Text.xml": documentType }),
    relationships("_rels/.rels", [["officeDocument", "/custom/text.xml"]]),
    { ...wordDocument(paragraph("Hello from elsewhere.")), name: "Custom/Text.xml" },
  ]),
})
