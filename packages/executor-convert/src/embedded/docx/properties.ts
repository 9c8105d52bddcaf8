import type { XmlReader } from "@atelier/intake/bytes"
import type { Indentation } from "../flow/Indentation.ts"

/** The value of a property that is on unless it says otherwise. */
export const isOn = (xml: XmlReader): boolean => {
  const value = xml.attribute("w:val")
  return value === undefined || !["0", "false", "off"].includes(value)
}

/** The value of the element that has started as a whole number from 0 to `max`, undefined if it is none. */
export const wholeNumber = (xml: XmlReader, max: number): number | undefined => {
  const value = Number(xml.attribute("w:val") ?? Number.NaN)
  return Number.isInteger(value) && value >= 0 ? Math.min(value, max) : undefined
}

/** Reads the indentation that has started. */
export const readIndentation = (xml: XmlReader): Indentation => {
  const measure = (name: string): number | undefined => {
    const value = Number.parseInt(xml.attribute(name) ?? "", 10)
    return Number.isNaN(value) ? undefined : value
  }
  const hanging = measure("w:hanging")
  return {
    left: measure("w:left") ?? measure("w:start"),
    first: hanging === undefined ? measure("w:firstLine") : -hanging,
  }
}
