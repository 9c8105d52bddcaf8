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
