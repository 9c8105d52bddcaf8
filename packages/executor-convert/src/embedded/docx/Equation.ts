import type { XmlReader } from "@atelier/intake/bytes"
import { forEachInside } from "../flow/forEachInside.ts"
import { readText } from "./readText.ts"
import { element } from "./vocabulary.ts"

/**
 * The equation, or the part of one, that has just started, in one line: `a/b`, `x^(n+1)`, `√2`. That is how
 * people write equations as text; nothing reads it back.
 */
export const readEquation = (xml: XmlReader): string => readPart(xml).text

const readPart = (xml: XmlReader) => {
  let text = ""
  let opening = "("
  let closing = ")"
  forEachInside(xml, () => {
    switch (xml.element) {
      case element.text:
      case element.mathText:
        text += readText(xml)
        break
      case element.numerator:
        text += grouped(readEquation(xml))
        break
      case element.denominator:
        text += `/${grouped(readEquation(xml))}`
        break
      case element.superscript:
        text += marked("^", readEquation(xml))
        break
      case element.subscript:
        text += marked("_", readEquation(xml))
        break
      case element.radical:
        text += `√${grouped(readEquation(xml))}`
        break
      case element.degree:
      case element.deleted:
      case element.movedAway:
        xml.skip()
        break
      case element.operatorProperties:
        text += readOperator(xml)
        break
      case element.delimited:
        text += readDelimited(xml)
        break
      case element.opening:
        opening = xml.attribute("m:val") ?? opening
        break
      case element.closing:
        closing = xml.attribute("m:val") ?? closing
        break
      case element.matrixRow:
        text += `${readEquation(xml)}; `
    }
  })
  return { text, opening, closing }
}

const readDelimited = (xml: XmlReader): string => {
  const { text, opening, closing } = readPart(xml)
  return opening + text + closing
}

const grouped = (text: string): string => (/^[\p{L}\p{N}\p{M}.,]*$/u.test(text) ? text : `(${text})`)

const marked = (mark: string, text: string): string => (text === "" ? "" : mark + grouped(text))

const readOperator = (xml: XmlReader): string => {
  let operator = "∫"
  forEachInside(xml, () => {
    if (xml.element === element.character) operator = xml.attribute("m:val") ?? operator
  })
  return operator
}
