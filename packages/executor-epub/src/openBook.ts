import {
  detectSignature,
  nameContent,
  openZip,
  Refusal,
  readXml,
  xmlClose,
  xmlEnd,
  xmlStart,
  xmlText,
  xmlVocabulary,
  type ZipArchive,
} from "@atelier/intake/bytes"
import { encryptedFiles } from "./encryptedFiles.ts"
import { epubLimits } from "./Limits.ts"
import { placeOf } from "./places.ts"

/** A book whose declarations were read: nothing that is read of it is encrypted. */
export interface Book {
  readonly archive: ZipArchive
  /** Empty if it states none. */
  readonly title: string
  /** The paths of its XHTML documents in reading order, each once; each is there. */
  readonly documents: ReadonlyArray<string>
  /** What the reading order names that is missing, or neither XHTML nor replaced by XHTML. */
  readonly unread: number
  /** Of EPUB 3, an XHTML document. */
  readonly navigation: string | undefined
  /** Of EPUB 2. */
  readonly ncx: string | undefined
}

/**
 * Opens a file that claims to be a book. Throws a `Refusal`: `file_type_not_accepted`, `file_encrypted`,
 * `file_corrupt`, `archive_limit_exceeded` (document-tools 4.2 and 8).
 */
export const openBook = (bytes: Uint8Array): Book => {
  if (detectSignature(bytes)?.format !== "zip") throw isOther(bytes)
  const archive = openZip(bytes)
  const mimetype = Buffer.from(archive.read("mimetype")?.subarray(0, 64) ?? []).toString("latin1")
  if (mimetype.trim() !== "application/epub+zip" && !(mimetype === "" && archive.has(container))) {
    throw isOther(bytes)
  }
  const packagePath = readContainer(archive)
  const { title, items, spine, ncxId } = readPackage(archive, packagePath)
  const found = new Set<string>()
  let unread = 0
  for (const id of spine) {
    const path = xhtmlOf(items, id)
    if (path !== undefined && archive.has(path)) found.add(path)
    else unread++
  }
  const documents = [...found]
  if (documents.length === 0) throw corrupt("names no XHTML document in its reading order that is there")
  const navigation = [...items.values()].find(({ properties }) => properties.includes("nav"))?.path
  const ncx = (items.get(ncxId) ?? [...items.values()].find(({ type }) => type === ncxType))?.path
  const encrypted = encryptedFiles(archive)
  const hidden = [packagePath, ...documents, navigation, ncx].filter(
    (path) => path !== undefined && encrypted.has(path),
  ).length
  if (hidden > 0) {
    throw new Refusal(
      "file_encrypted",
      `The book is protected: ${hidden} of the ${documents.length} documents of its text are encrypted (DRM). Only books without protection are accepted.`,
    )
  }
  return { archive, title, documents, unread, navigation, ncx }
}

const container = "META-INF/container.xml"
const ncxType = "application/x-dtbncx+xml"
const xhtmlType = /^(?:application\/xhtml\+xml|text\/html|text\/x-oeb1-document)$/i

const isOther = (bytes: Uint8Array): Refusal =>
  new Refusal("file_type_not_accepted", `The file is ${nameContent(bytes)}, not an EPUB book.`)

const corrupt = (fault: string): Refusal => new Refusal("file_corrupt", `The book ${fault}.`)

const vocabulary = xmlVocabulary(
  {
    c: ["urn:oasis:names:tc:opendocument:xmlns:container"],
    o: ["http://www.idpf.org/2007/opf", "http://openebook.org/namespaces/oeb-package/1.0/"],
    d: ["http://purl.org/dc/elements/1.1/", "http://purl.org/dc/elements/1.0/"],
  },
  ["c:rootfile", "o:item", "o:spine", "o:itemref", "d:title"],
)
const [rootfile, item, spineElement, itemref, titleElement] = [
  vocabulary.number("c:rootfile"),
  vocabulary.number("o:item"),
  vocabulary.number("o:spine"),
  vocabulary.number("o:itemref"),
  vocabulary.number("d:title"),
]

/** The path of the package document; where there are several renditions, that of the first. */
const readContainer = (archive: ZipArchive): string => {
  const bytes = archive.read(container)
  if (bytes === undefined) throw corrupt(`lacks its part ${container}`)
  const xml = readXml(bytes, { vocabulary, source: container, isLenient: true })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token !== xmlStart || xml.element !== rootfile) continue
    const path = placeOf("", xml.attribute("full-path") ?? "")?.path
    if (path !== undefined && archive.has(path)) return archive.find(path) ?? path
  }
  throw corrupt("names no package document that is there")
}

interface Item {
  readonly path: string | undefined
  readonly type: string
  readonly properties: ReadonlyArray<string>
  readonly fallback: string
}

const readPackage = (archive: ZipArchive, path: string) => {
  const bytes = archive.read(path) ?? new Uint8Array()
  const xml = readXml(bytes, { vocabulary, source: path, isLenient: true })
  const items = new Map<string, Item>()
  const spine: Array<string> = []
  let titles = 0
  let [title, ncxId] = ["", ""]
  let isTitle = false
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlText && isTitle) title += xml.text()
    if (token === xmlClose && xml.element === titleElement) isTitle = false
    if (token !== xmlStart) continue
    if (xml.element === titleElement) isTitle = titles++ === 0
    else if (xml.element === spineElement) ncxId = xml.attribute("toc") ?? ""
    else if (xml.element === itemref) spine.push(xml.attribute("idref") ?? "")
    else if (xml.element === item) {
      const place = placeOf(path, xml.attribute("href") ?? "")
      items.set(xml.attribute("id") ?? "", {
        path: place && (archive.find(place.path) ?? place.path),
        type: xml.attribute("media-type") ?? "",
        properties: (xml.attribute("properties") ?? "").split(/\s+/),
        fallback: xml.attribute("fallback") ?? "",
      })
    }
  }
  if (spine.length > epubLimits.epub_documents_max) {
    throw new Refusal(
      "archive_limit_exceeded",
      `The book has ${spine.length} documents in its reading order; at most ${epubLimits.epub_documents_max} are allowed (epub_documents_max).`,
    )
  }
  return { title: title.replace(/\s+/g, " ").trim(), items, spine, ncxId }
}

/** An item's own document, or what the book offers in its place. */
const xhtmlOf = (items: ReadonlyMap<string, Item>, id: string): string | undefined => {
  let found = items.get(id)
  for (let fallbacks = 0; found !== undefined; fallbacks++) {
    if (xhtmlType.test(found.type)) return found.path
    found = fallbacks < epubLimits.epub_fallbacks_max ? items.get(found.fallback) : undefined
  }
  return undefined
}
