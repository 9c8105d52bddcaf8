import {
  readXml,
  relationshipsOf,
  type XmlReader,
  xmlClose,
  xmlEnd,
  xmlStart,
  type ZipArchive,
} from "@atelier/intake/bytes"
import type { Place } from "./Arrangement.ts"
import { type Bullet, type LevelStyle, type ListStyle, setLevel, styleLevel } from "./bullets.ts"
import { Transform } from "./Transform.ts"
import { vocabulary } from "./vocabulary.ts"

/** What a shape stands in for, as its `p:ph` says. */
export interface Placeholder {
  readonly type: string
  readonly index: string
}

/** A placeholder of a layout or a master. */
interface Model {
  readonly list: ListStyle
  place: Place | undefined
}

/** The placeholders and list styles of a layout or a master. */
interface Part {
  /** The first placeholder with a type. */
  readonly byType: ReadonlyMap<string, Model>
  /** The first body placeholder with an index. */
  readonly byIndex: ReadonlyMap<string, Model>
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

/** The bullets, fonts and places that slides inherit from layouts and masters, each of which is read once. */
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
    return this.#inherited(layout, of, level, "bullet") ?? "none"
  }

  /** The name of the font of a paragraph in a placeholder where neither of them sets one; empty where it is unknown. */
  font(layout: string | undefined, of: Placeholder, level: number): string {
    return layout === undefined || !hasBody(of) ? "" : (this.#inherited(layout, of, level, "font") ?? "")
  }

  #inherited<Name extends keyof LevelStyle>(
    layout: string,
    of: Placeholder,
    level: number,
    name: Name,
  ): LevelStyle[Name] | undefined {
    const { byIndex, byType, master } = this.#part(layout)
    const { list } = byIndex.get(of.index) ?? byType.get(of.type) ?? { list: [] }
    const parent = master === undefined ? undefined : this.#part(master)
    return (
      list[level]?.[name] ?? parent?.byType.get("body")?.list[level]?.[name] ?? parent?.body[level]?.[name]
    )
  }

  /** Where a placeholder stands that does not say it itself. */
  place(layout: string | undefined, of: Placeholder): Place | undefined {
    if (layout === undefined) return undefined
    const { byIndex, byType, master } = this.#part(layout)
    const own = (hasBody(of) ? byIndex.get(of.index) : undefined) ?? byType.get(of.type)
    if (own?.place !== undefined || master === undefined) return own?.place
    const general = isTitle(of) ? "title" : hasBody(of) ? "body" : of.type
    return this.#part(master).byType.get(general)?.place
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
  const byType = new Map<string, Model>()
  const byIndex = new Map<string, Model>()
  const body: ListStyle = []
  const relationships = [...relationshipsOf(archive, source).values()]
  const master = relationships.find(({ type }) => type === "slideMaster")?.target
  const bytes = archive.read(source)
  if (bytes === undefined) return { byType, byIndex, body, master }
  const transform = new Transform()
  let style: ListStyle = []
  let model: Model | undefined
  let level: number | undefined
  const xml = readXml(bytes, { vocabulary, source, textIn: [] })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlClose) {
      if (styleLevel(xml.element) !== undefined) level = undefined
      else if (xml.element === bodyStyle) style = []
      else if (xml.element === shape) {
        // A master's titles have their style behind all shapes.
        style = []
        model = undefined
      }
    } else if (token === xmlStart) {
      if (level !== undefined) setLevel(style, level, xml)
      else if (xml.element === shape) style = []
      else if (xml.element === bodyStyle) style = body
      else if (xml.element === placeholder) {
        const found = placeholderAt(xml)
        model = { list: style, place: undefined }
        if (!byType.has(found.type)) byType.set(found.type, model)
        if (hasBody(found) && !byIndex.has(found.index)) byIndex.set(found.index, model)
      } else {
        level = styleLevel(xml.element)
        const place = transform.start(xml)
        if (model !== undefined) model.place ??= place
      }
    }
  }
  return { byType, byIndex, body, master }
}
