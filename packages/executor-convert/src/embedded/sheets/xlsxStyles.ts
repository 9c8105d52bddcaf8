import { readXml, xmlClose, xmlEnd, xmlStart } from "@atelier/intake/bytes"
import { builtInFormat } from "./NumberFormat.ts"
import { isOn, spreadsheetml } from "./spreadsheetml.ts"

const numberFormats = spreadsheetml.number("x:numFmts")
const numberFormat = spreadsheetml.number("x:numFmt")
const fontList = spreadsheetml.number("x:fonts")
const font = spreadsheetml.number("x:font")
const strikeThrough = spreadsheetml.number("x:strike")
const cellFormats = spreadsheetml.number("x:cellXfs")
const cellFormat = spreadsheetml.number("x:xf")

/** What a cell's style says of it. */
export interface CellStyle {
  /** The number format's code. */
  readonly code: string
  readonly isStruck: boolean
}

/** The cell styles of a workbook, by the style's number. */
export const readStyles = (bytes: Uint8Array, source: string): ReadonlyArray<CellStyle> => {
  const codes = new Map<number, string>()
  const fonts: Array<boolean> = []
  const styles: Array<{ readonly format: number; readonly font: number }> = []
  // Other lists of the part have elements of the same names.
  let list = 0
  const xml = readXml(bytes, { vocabulary: spreadsheetml, source, textIn: [] })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    const { element } = xml
    if (element === numberFormats || element === fontList || element === cellFormats)
      list = token === xmlClose ? 0 : element
    else if (token !== xmlStart) continue
    else if (element === numberFormat && list === numberFormats) {
      codes.set(Number(xml.attribute("numFmtId")), xml.attribute("formatCode") ?? "")
    } else if (element === font && list === fontList) fonts.push(false)
    else if (element === strikeThrough && list === fontList) fonts[fonts.length - 1] = isOn(xml)
    else if (element === cellFormat && list === cellFormats) {
      styles.push({
        format: Number(xml.attribute("numFmtId") ?? 0),
        font: Number(xml.attribute("fontId") ?? 0),
      })
    }
  }
  return styles.map(({ format, font }) => ({
    code: codes.get(format) ?? builtInFormat(format),
    isStruck: fonts[font] ?? false,
  }))
}
