import { type HtmlAttributes, type HtmlHandler, readXhtml } from "@atelier/executor/html"
import { decodeXml, readXml, xmlClose, xmlEnd, xmlStart, xmlText, xmlVocabulary } from "@atelier/intake/bytes"
import { epubLimits } from "./Limits.ts"
import type { Book } from "./openBook.ts"
import { type Place, placeOf } from "./places.ts"
import { typesOf } from "./types.ts"

/** A part of the book as its navigation names it. */
export interface Entry {
  readonly label: string
  /** 1 for the outermost. */
  readonly level: number
  readonly place: Place
}

interface OpenEntry {
  label: string
  readonly level: number
  place: Place | undefined
}

/** The table of contents, from the outermost entries in; empty if the book has none. Throws `file_corrupt`. */
export const readNavigation = ({ archive, navigation, ncx }: Book): ReadonlyArray<Entry> => {
  const found = [
    { path: navigation, read: readList },
    { path: ncx, read: readNcx },
  ]
  for (const { path, read } of found) {
    const bytes = path === undefined ? undefined : archive.read(path)
    const entries = path === undefined || bytes === undefined ? [] : placed(read(bytes, path))
    if (entries.length > 0) return entries
  }
  return []
}

/** A part that leads nowhere begins where the next entry does. */
const placed = (open: ReadonlyArray<OpenEntry>): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  let next: Place | undefined
  for (const { label, level, place } of open.toReversed()) {
    next = place ?? next
    const text = label.replace(/\s+/g, " ").trim().slice(0, epubLimits.epub_label_characters_max)
    if (next !== undefined && text !== "") entries.push({ label: text, level, place: next })
  }
  return entries.reverse()
}

const readList = (bytes: Uint8Array, path: string): ReadonlyArray<OpenEntry> => {
  const list = new ContentsList(path)
  readXhtml(decodeXml(bytes), list, ["epub:type"])
  return list.entries
}

/** Reads the lists of the `nav` element that is the table of contents (EPUB 3, navigation document). */
class ContentsList implements HtmlHandler {
  readonly entries: Array<OpenEntry> = []
  private readonly path: string
  private isContents = false
  private level = 0
  private open: OpenEntry | undefined

  constructor(path: string) {
    this.path = path
  }

  start(name: string, attributes: HtmlAttributes): void {
    if (name === "nav") this.isContents = typesOf(attributes).some((type) => /^(?:doc-)?toc$/.test(type))
    if (!this.isContents) return
    if (name === "ol") this.level++
    else if ((name === "a" || name === "span") && this.level > 0 && this.open === undefined) {
      const href = attributes.get("href")
      this.open = {
        label: "",
        level: this.level,
        place: href === undefined ? undefined : placeOf(this.path, href),
      }
    } else if (name === "img" && this.open !== undefined) this.open.label += attributes.get("alt") ?? ""
  }

  text(text: string): void {
    if (this.open !== undefined && this.open.label.length < epubLimits.epub_label_characters_max)
      this.open.label += text
  }

  end(name: string): void {
    if (!this.isContents) return
    if (name === "nav") this.isContents = false
    if (name === "ol") this.level--
    if (name !== "a" && name !== "span") return
    if (this.open !== undefined && this.entries.length < epubLimits.epub_navigation_entries_max)
      this.entries.push(this.open)
    this.open = undefined
  }
}

const vocabulary = xmlVocabulary({ n: ["http://www.daisy.org/z3986/2005/ncx/"] }, [
  "n:navPoint",
  "n:text",
  "n:content",
])
const [navPoint, textElement, content] = [
  vocabulary.number("n:navPoint"),
  vocabulary.number("n:text"),
  vocabulary.number("n:content"),
]

const readNcx = (bytes: Uint8Array, path: string): ReadonlyArray<OpenEntry> => {
  const xml = readXml(bytes, { vocabulary, source: path, isLenient: true })
  const entries: Array<OpenEntry> = []
  const open: Array<OpenEntry> = []
  let isLabel = false
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    const last = open.at(-1)
    if (token === xmlStart && xml.element === navPoint) {
      const entry: OpenEntry = { label: "", level: open.length + 1, place: undefined }
      open.push(entry)
      if (entries.length < epubLimits.epub_navigation_entries_max) entries.push(entry)
    } else if (token === xmlClose && xml.element === navPoint) open.pop()
    else if (token === xmlText && isLabel && last !== undefined) last.label += xml.text()
    else if (token === xmlStart && xml.element === content && last !== undefined)
      last.place ??= placeOf(path, xml.attribute("src") ?? "")
    if (token !== xmlText && xml.element === textElement) isLabel = token === xmlStart && last?.label === ""
  }
  return entries
}
