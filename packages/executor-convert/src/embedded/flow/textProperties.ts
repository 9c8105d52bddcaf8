import { bold, type CharacterFormat, hidden, italic, lowered, raised, strike } from "@atelier/executor/flow"
import type { XmlReader } from "@atelier/intake/bytes"

/** What the `style:text-properties` of OpenDocument that has just started says of characters. */
export const readTextProperties = (xml: XmlReader): CharacterFormat => {
  let known = 0
  let bits = 0
  const set = (bit: number, isSet: boolean): void => {
    known |= bit
    if (isSet) bits |= bit
  }
  const weight = xml.attribute("fo:font-weight")
  if (weight !== undefined) set(bold, weight === "bold" || Number(weight) >= 600)
  const slant = xml.attribute("fo:font-style")
  if (slant !== undefined) set(italic, slant !== "normal")
  const line = xml.attribute("style:text-line-through-style") ?? xml.attribute("style:text-line-through-type")
  if (line !== undefined) set(strike, line !== "none")
  const position = xml.attribute("style:text-position")
  if (position !== undefined) {
    set(raised, /^(?:super|[1-9])/.test(position))
    set(lowered, /^(?:sub|-)/.test(position))
  }
  const display = xml.attribute("text:display")
  if (display !== undefined) set(hidden, display === "none")
  return { known, bits }
}
