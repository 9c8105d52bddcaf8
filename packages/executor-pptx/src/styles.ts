import {
  readXml,
  relationshipsOf,
  type XmlReader,
  xmlClose,
  xmlEnd,
  xmlStart,
  type ZipArchive,
} from "@atelier/intake/bytes"
import { type Bullet, bulletAt, type ListStyle, styleLevel } from "./bullets.ts"
import { vocabulary } from "./vocabulary.ts"

/** What a shape stands in for, as its `p:ph` says. */
export interface Placeholder {
  readonly type: string
  readonly index: string
}

/** The list styles of a layout or a master. */
interface Part {
  /** Of the first placeholder with a type. */
  readonly byType: ReadonlyMap<string, ListStyle>
  /** Of the first body placeholder with an index. */
  readonly byIndex: ReadonlyMap<string, ListStyle>
  /** Of all body text; in masters only. */
  readonly body: ListStyle
  /** A layout's master. */
  readonly master: string | undefined
}

const shape = vocabulary.number("p:sp")
const placeholder = vocabulary.number("p:ph")
const bodyStyle = vocabulary.number("p:bodyStyle")

/** The shape's `p:ph`; `xml` stands at its start. Without a type it is an object, which holds body text. */
export const placeholderAt = (xml: XmlReader): Placeholder => ({
  type: xml.attribute("type") ?? "obj",
  index: xml.attribute("idx") ?? "0",
})

export const isTitle = ({ type }: Placeholder): boolean => type === "title" || type === "ctrTitle"

const withoutBody: ReadonlySet<string> = new Set(["title", "ctrTitle", "dt", "ftr", "sldNum", "hdr"])
const hasBody = ({ type }: Placeholder): boolean => !withoutBody.has(type)

/** The bullets that slides inherit from layouts and masters, each of which is read once. */
export class Styles {
  readonly #archive: ZipArchive
  readonly #parts = new Map<string, Part>()

  constructor(archive: ZipArchive) {
    this.#archive = archive
  }

  /**
   * The bullet of a paragraph in a placeholder where neither of them sets one. Body text has bullets where
   * there is no layout to say otherwise.
   *
   * @param level from 0
   */
  bullet(layout: string | undefined, of: Placeholder, level: number): Bullet {
    if (!hasBody(of)) return "none"
    if (layout === undefined) return of.type === "subTitle" ? "none" : "mark"
    const { byIndex, byType, master } = this.#part(layout)
    const style = byIndex.get(of.index) ?? byType.get(of.type)
    const parent = master === undefined ? undefined : this.#part(master)
    return style?.[level] ?? parent?.byType.get("body")?.[level] ?? parent?.body[level] ?? "none"
  }

  #part(name: string): Part {
    const known = this.#parts.get(name)
    if (known !== undefined) return known
    const part = readPart(this.#archive, name)
    this.#parts.set(name, part)
    return part
  }
}

const readPart = (archive: ZipArchive, source: string): Part => {
  const byType = new Map<string, ListStyle>()
  const byIndex = new Map<string, ListStyle>()
  const body: ListStyle = []
  const relationships = [...relationshipsOf(archive, source).values()]
  const master = relationships.find(({ type }) => type === "slideMaster")?.target
  const bytes = archive.read(source)
  if (bytes === undefined) return { byType, byIndex, body, master }
  let style: ListStyle = []
  let level: number | undefined
  const xml = readXml(bytes, { vocabulary, source, textIn: [] })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlClose) {
      if (styleLevel(xml.element) !== undefined) level = undefined
      else if (xml.element === bodyStyle) style = []
    } else if (token === xmlStart) {
      if (level !== undefined) style[level] = bulletAt(xml) ?? style[level]
      else if (xml.element === shape) style = []
      else if (xml.element === bodyStyle) style = body
      else if (xml.element === placeholder) {
        const found = placeholderAt(xml)
        if (!byType.has(found.type)) byType.set(found.type, style)
        if (hasBody(found) && !byIndex.has(found.index)) byIndex.set(found.index, style)
      } else level = styleLevel(xml.element)
    }
  }
  return { byType, byIndex, body, master }
}
