import type { XmlReader } from "@atelier/intake/bytes"

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
