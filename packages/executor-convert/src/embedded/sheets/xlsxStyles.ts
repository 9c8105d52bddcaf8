import { readXml, xmlClose, xmlEnd, xmlStart } from "@atelier/intake/bytes"
import { builtInFormat } from "./NumberFormat.ts"
import { spreadsheetml } from "./spreadsheetml.ts"

const numberFormats = spreadsheetml.number("x:numFmts")
const numberFormat = spreadsheetml.number("x:numFmt")
const cellFormats = spreadsheetml.number("x:cellXfs")
const cellFormat = spreadsheetml.number("x:xf")

/** The number format's code for each cell style of a workbook, by the style's number. */
export const readStyles = (bytes: Uint8Array | undefined, source: string): ReadonlyArray<string> => {
  if (bytes === undefined) return []
  const codes = new Map<number, string>()
  const ids: Array<number> = []
  // Other lists of the part have elements of the same names.
  let list = 0
  const xml = readXml(bytes, { vocabulary: spreadsheetml, source, textIn: [] })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    const { element } = xml
    if (element === numberFormats || element === cellFormats) list = token === xmlClose ? 0 : element
    else if (token !== xmlStart) continue
    else if (element === numberFormat && list === numberFormats) {
      codes.set(Number(xml.attribute("numFmtId")), xml.attribute("formatCode") ?? "")
    } else if (element === cellFormat && list === cellFormats)
      ids.push(Number(xml.attribute("numFmtId") ?? 0))
  }
  return ids.map((id) => codes.get(id) ?? builtInFormat(id))
}
