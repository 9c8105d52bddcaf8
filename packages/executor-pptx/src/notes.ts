import { readXml, xmlEnd, xmlStart, xmlText, type ZipArchive } from "@atelier/intake/bytes"
import { placeholderAt } from "./styles.ts"
import { vocabulary } from "./vocabulary.ts"

const shape = vocabulary.number("p:sp")
const placeholder = vocabulary.number("p:ph")
const text = vocabulary.number("a:t")

/** Whether pages of speaker notes say anything; each is read once. */
export class Notes {
  readonly #archive: ZipArchive
  readonly #known = new Map<string, boolean>()

  constructor(archive: ZipArchive) {
    this.#archive = archive
  }

  /** Many programs add an empty page to every slide. */
  hasText(part: string): boolean {
    const known = this.#known.get(part)
    if (known !== undefined) return known
    const bytes = this.#archive.read(part)
    const found = bytes !== undefined && hasBodyText(bytes, part)
    this.#known.set(part, found)
    return found
  }
}

/** The slide's picture, the page's number and its footers are no notes. */
const hasBodyText = (bytes: Uint8Array, source: string): boolean => {
  let isBody = false
  const xml = readXml(bytes, { vocabulary, source, textIn: [text] })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlText) {
      if (isBody && xml.text().trim() !== "") return true
    } else if (token === xmlStart) {
      if (xml.element === shape) isBody = false
      else if (xml.element === placeholder) isBody = placeholderAt(xml).type === "body"
    }
  }
  return false
}
