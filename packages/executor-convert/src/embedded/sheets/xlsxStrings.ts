import { lowered, raised, strike } from "@atelier/executor/flow"
import { readXml, type XmlReader, xmlClose, xmlEnd, xmlStart, xmlText } from "@atelier/intake/bytes"
import { type CellText, CellTextBuilder } from "./CellText.ts"
import { isOn, spreadsheetml } from "./spreadsheetml.ts"

const item = spreadsheetml.number("x:si")
const text = spreadsheetml.number("x:t")
const phonetic = spreadsheetml.number("x:rPh")
const run = spreadsheetml.number("x:r")
const verticalAlignment = spreadsheetml.number("x:vertAlign")
const strikeThrough = spreadsheetml.number("x:strike")

/** The shared strings part of a workbook. Throws a `Refusal`. */
export const readStrings = (bytes: Uint8Array, source: string): Array<CellText> => {
  const strings: Array<CellText> = []
  const xml = readXml(bytes, { vocabulary: spreadsheetml, source, textIn: [text] })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlStart && xml.element === item) strings.push(readString(xml))
  }
  return strings
}

/**
 * The text of the `si` or `is` that has just started, with all of its runs and without the pronunciations
 * (`rPh`), which is not shown in the cell.
 */
export const readString = (xml: XmlReader): CellText => {
  const end = xml.depth - 1
  const read = new CellTextBuilder()
  let format = 0
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlText) read.add(decodeCharacters(xml.text()), format)
    else if (token === xmlClose) {
      if (xml.depth === end) break
    } else if (xml.element === phonetic) xml.skip()
    else if (xml.element === run) format = 0
    else format |= formatOf(xml)
  }
  return read.text
}

/** What a property of a run that has just started says of its look. */
const formatOf = (xml: XmlReader): number => {
  if (xml.element === strikeThrough) return isOn(xml) ? strike : 0
  if (xml.element !== verticalAlignment) return 0
  const value = xml.attribute("val")
  return value === "superscript" ? raised : value === "subscript" ? lowered : 0
}

const character = /_x([0-9A-Fa-f]{4})_/g

/** Characters that XML cannot hold, and strings that look like one, stand as `_x000D_` there. */
export const decodeCharacters = (text: string): string =>
  text.includes("_x") ? text.replace(character, characterOf) : text

/** Controls have no text, but for tabs and line ends. */
const characterOf = (_: string, digits: string): string => {
  const code = Number.parseInt(digits, 16)
  if (code === 0x7f || (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d)) return ""
  return String.fromCharCode(code)
}
