import JSZip from "jszip"

/** The same moment in every entry, so that the same parts make the same bytes. */
const date = new Date(Date.UTC(2024, 0, 1))

export interface BookParts {
  /** What stands in the body of each document, by its name without `.xhtml`, in reading order. */
  readonly documents: Readonly<Record<string, string>>
  readonly title?: string
  /** The list of the table of contents: `<ol>…</ol>`; none if absent. */
  readonly contents?: string
  /** `navMap` of EPUB 2. */
  readonly navMap?: string
  /** Further files by their paths, and others in the place of those that are made; null leaves one out. */
  readonly files?: Readonly<Record<string, string | Uint8Array | null>>
  /** Further elements of the manifest and of the spine. */
  readonly items?: string
  readonly spine?: string
}

/** A book as small as can be. */
export const book = async (parts: BookParts): Promise<Buffer> => {
  const zip = new JSZip()
  zip.file("mimetype", "application/epub+zip", { date, compression: "STORE" })
  for (const [path, content] of Object.entries({ ...filesOf(parts), ...parts.files })) {
    if (content !== null) zip.file(path, content, { date, createFolders: false })
  }
  return zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE" })
}

const filesOf = (parts: BookParts): Readonly<Record<string, string>> => ({
  "META-INF/container.xml":
    '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
  "OEBPS/book.opf": packageOf(parts),
  ...Object.fromEntries(
    Object.entries(parts.documents).map(([name, body]) => [`OEBPS/${name}.xhtml`, xhtml(body)]),
  ),
  ...(parts.contents === undefined
    ? {}
    : { "OEBPS/nav.xhtml": xhtml(`<nav epub:type="toc"><h1>Contents</h1>${parts.contents}</nav>`) }),
  ...(parts.navMap === undefined
    ? {}
    : {
        "OEBPS/toc.ncx": `<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><docTitle><text>Not a heading</text></docTitle><navMap>${parts.navMap}</navMap></ncx>`,
      }),
})

const packageOf = ({ documents, title, contents, navMap, items = "", spine = "" }: BookParts): string => {
  const names = Object.keys(documents)
  const manifest = names.map(
    (name) => `<item id="${name}" href="${name}.xhtml" media-type="application/xhtml+xml"/>`,
  )
  if (contents !== undefined)
    manifest.push('<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>')
  if (navMap !== undefined)
    manifest.push('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
  const titles = title === undefined ? "" : `<dc:title>${title}</dc:title>`
  return `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">${titles}</metadata><manifest>${manifest.join("")}${items}</manifest><spine toc="ncx">${names.map((name) => `<itemref idref="${name}"/>`).join("")}${spine}</spine></package>`
}

export const xhtml = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Document</title></head><body>${body}</body></html>`

/** What a book says of one encrypted file. */
export const encryption = (uri: string, algorithm: string): string =>
  `<?xml version="1.0"?><encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/><enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData></encryption>`
