import { type XmlReader, xmlClose, xmlEnd, xmlText } from "@atelier/intake/bytes"

/** The text of the element that has just started; a line break inside of it is white space. */
export const readText = (xml: XmlReader): string => {
  const end = xml.depth - 1
  let text = ""
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlText) text += xml.text()
    else if (token === xmlClose && xml.depth === end) break
  }
  return text.includes("\n") ? joinLines(text) : text
}

const joinLines = (text: string): string => {
  const [first = "", ...rest] = text.split("\n")
  const last = rest.pop() ?? ""
  return [first.trimEnd(), ...rest.map((line) => line.trim()), last.trimStart()].join(" ")
}
