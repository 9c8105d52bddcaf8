import type { XmlReader } from "@atelier/intake/bytes"
import { integerAt } from "./attributes.ts"
import { vocabulary } from "./vocabulary.ts"

/** The marker of a paragraph: none, a bullet, or a number that counts up from `start`. */
export type Bullet = "none" | "mark" | { readonly scheme: string; readonly start: number }

/** The bullets that a list style sets, by level from 0; absent: inherited. */
export type ListStyle = Array<Bullet | undefined>

const none = vocabulary.number("a:buNone")
const character = vocabulary.number("a:buChar")
const picture = vocabulary.number("a:buBlip")
const numbered = vocabulary.number("a:buAutoNum")
const firstLevel = vocabulary.number("a:lvl1pPr")
const lastLevel = vocabulary.number("a:lvl9pPr")

/** The bullet that an element sets, if it sets one; `xml` stands at its start. */
export const bulletAt = (xml: XmlReader): Bullet | undefined => {
  switch (xml.element) {
    case none:
      return "none"
    case character:
    case picture:
      return "mark"
    case numbered:
      return { scheme: xml.attribute("type") ?? "", start: integerAt(xml, "startAt", 1) }
    default:
      return undefined
  }
}

/** The level, from 0, of an `a:lvlNpPr` in a list style. */
export const styleLevel = (element: number): number | undefined =>
  element >= firstLevel && element <= lastLevel ? element - firstLevel : undefined
