import type { XmlReader } from "@atelier/intake/bytes"
import { integerAt } from "./attributes.ts"
import { vocabulary } from "./vocabulary.ts"

/** The marker of a paragraph: none, a bullet, or a number that counts up from `start`. */
export type Bullet = "none" | "mark" | { readonly scheme: string; readonly start: number }

/** What a list style sets for a level; absent: inherited. */
export interface LevelStyle {
  bullet?: Bullet
  /** Its name. */
  font?: string
}

/** By level, from 0. */
export type ListStyle = Array<LevelStyle | undefined>

const none = vocabulary.number("a:buNone")
const character = vocabulary.number("a:buChar")
const picture = vocabulary.number("a:buBlip")
const numbered = vocabulary.number("a:buAutoNum")
const latinFont = vocabulary.number("a:latin")
const firstLevel = vocabulary.number("a:lvl1pPr")
const lastLevel = vocabulary.number("a:lvl9pPr")

/** The bullet that an element sets, if it sets one; `xml` stands at its start. */
export const bulletAt = (xml: XmlReader): Bullet | undefined => {
  switch (xml.element) {
    case none:
      return "none"
    case character:
      // Themes that show none set a space.
      return (xml.attribute("char") ?? "•").trim() === "" ? "none" : "mark"
    case picture:
      return "mark"
    case numbered:
      return { scheme: xml.attribute("type") ?? "", start: integerAt(xml, "startAt", 1) }
    default:
      return undefined
  }
}

/** Keeps what an element inside of a level of a list style sets; `xml` stands at its start. The first has the say. */
export const setLevel = (style: ListStyle, level: number, xml: XmlReader): void => {
  style[level] ??= {}
  const bullet = bulletAt(xml)
  if (bullet !== undefined) style[level].bullet ??= bullet
  else if (xml.element === latinFont) style[level].font ??= xml.attribute("typeface") ?? ""
}

/** The level, from 0, of an `a:lvlNpPr` in a list style. */
export const styleLevel = (element: number): number | undefined =>
  element >= firstLevel && element <= lastLevel ? element - firstLevel : undefined
