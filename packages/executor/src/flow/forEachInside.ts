import { type XmlReader, xmlClose, xmlEnd, xmlStart } from "@atelier/intake/bytes"

/** Calls `visit` for each element that starts inside of the one that has just started, and reads on to its end. */
export const forEachInside = (xml: XmlReader, visit: () => void): void => {
  const end = xml.depth - 1
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlStart) visit()
    else if (token === xmlClose && xml.depth === end) return
  }
}
