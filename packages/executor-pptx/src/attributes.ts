import { lowered, raised, strike } from "@atelier/executor/flow"
import type { XmlReader } from "@atelier/intake/bytes"

/** A number that counts something; what is no such number counts as absent. */
export const integerAt = (xml: XmlReader, name: string, absent: number): number => {
  const value = xml.attribute(name)
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : absent
}

/** A truth value of XML Schema, false where it is absent. */
export const isSet = (xml: XmlReader, name: string): boolean => {
  const value = xml.attribute(name)
  return value === "1" || value === "true"
}

/** Of the characters of a run (`a:rPr`) whether they are raised, lowered or struck: a sum of bits. */
export const characterFormat = (xml: XmlReader): number => {
  const baseline = xml.attribute("baseline") ?? "0"
  const struck = xml.attribute("strike") ?? "noStrike"
  // Thousandths of a percent; the strict form has a percent sign.
  const height = Number.parseFloat(baseline)
  return (height > 0 ? raised : 0) | (height < 0 ? lowered : 0) | (struck === "noStrike" ? 0 : strike)
}
