import { Latex } from "@atelier/executor/flow"
import type { XmlReader } from "@atelier/intake/bytes"
import { forEachInside } from "../flow/forEachInside.ts"
import { readText } from "./readText.ts"
import { element } from "./vocabulary.ts"

const { accents, delimiter, escaped, grouped, joined, knownFunction, linesOfBinomial, marked, operators } =
  Latex

/** The equation, or the part of one, that has just started, as LaTeX. */
export const readEquation = (xml: XmlReader): string => {
  const pieces: Array<string> = []
  forEachInside(xml, () => {
    pieces.push(readPiece(xml))
  })
  return joined(pieces)
}

/** What has started; nothing for an element that only holds others. */
const readPiece = (xml: XmlReader): string => {
  if (xml.element === element.text || xml.element === element.mathText) return escaped(readText(xml))
  if (xml.element === element.deleted || xml.element === element.movedAway) xml.skip()
  const write = structures.get(xml.element)
  return write === undefined ? "" : write(readParts(xml))
}

/** What a structure holds, each as LaTeX, and what its properties say. */
interface Parts {
  /** `m:e`, of which brackets and arrays have several. */
  readonly bases: Array<string>
  readonly rows: Array<ReadonlyArray<string>>
  /** By the number of their element. */
  readonly parts: Map<number, string>
  readonly properties: Map<number, string>
}

const partElements: ReadonlySet<number> = new Set([
  element.numerator,
  element.denominator,
  element.superscript,
  element.subscript,
  element.degree,
  element.limit,
  element.functionName,
])

const propertyElements: ReadonlySet<number> = new Set([
  element.fractionType,
  element.character,
  element.opening,
  element.closing,
  element.separator,
  element.position,
  element.mathStyle,
  element.mathAlphabet,
])

const readParts = (xml: XmlReader): Parts => {
  const found: Parts = { bases: [], rows: [], parts: new Map(), properties: new Map() }
  forEachInside(xml, () => {
    const { element: number } = xml
    if (number === element.mathBase) found.bases.push(readEquation(xml))
    else if (number === element.matrixRow) found.rows.push(readParts(xml).bases)
    else if (partElements.has(number)) found.parts.set(number, readEquation(xml))
    else if (propertyElements.has(number)) found.properties.set(number, xml.attribute("m:val") ?? "")
    else {
      const latex = readPiece(xml)
      if (latex !== "") found.bases.push(latex)
    }
  })
  return found
}

const base = ({ bases }: Parts): string => joined(bases)
const part = ({ parts }: Parts, number: number): string => parts.get(number) ?? ""
const scripts = (found: Parts): string =>
  marked("_", part(found, element.subscript)) + marked("^", part(found, element.superscript))

const writeFraction = (found: Parts): string => {
  const [above, below] = [part(found, element.numerator), part(found, element.denominator)]
  const type = found.properties.get(element.fractionType)
  // Without its line it is a binomial, whose brackets stand around it.
  if (type === "noBar") return `{${above} \\atop ${below}}`
  return type === "lin" ? `${grouped(above)}/${grouped(below)}` : `\\frac{${above}}{${below}}`
}

const writeDelimited = (found: Parts): string => {
  const bracket = (number: number, usual: string): string => delimiter(found.properties.get(number) ?? usual)
  const [opening, closing] = [bracket(element.opening, "("), bracket(element.closing, ")")]
  const inner = found.bases.join(found.properties.get(element.separator) ?? " \\mid ")
  const lines = opening === "(" && closing === ")" ? linesOfBinomial(inner) : undefined
  if (lines !== undefined) return `\\binom{${lines[0]}}{${lines[1]}}`
  return `\\left${opening}${inner}\\right${closing}`
}

const writeOperator = (found: Parts): string => {
  const sign = found.properties.get(element.character) ?? "∫"
  return joined([(operators[sign] ?? escaped(sign)) + scripts(found), base(found)])
}

const writeMatrix = ({ rows }: Parts): string =>
  `\\begin{matrix}${rows.map((row) => row.join(" & ")).join(" \\\\ ")}\\end{matrix}`

const writeFunction = (found: Parts): string => {
  const name = part(found, element.functionName).replace(/^\{(\w+)\}(?=[_^])/, "$1")
  const called = knownFunction.test(name) ? `\\${name}` : name
  const argument = base(found)
  return /^[\\{(]/.test(argument) ? called + argument : `${called} ${argument}`
}

const alphabets: ReadonlyMap<string, string> = new Map([
  ["double-struck", "\\mathbb"],
  ["fraktur", "\\mathfrak"],
  ["script", "\\mathcal"],
  ["sans-serif", "\\mathsf"],
  ["monospace", "\\mathtt"],
])

const weights: ReadonlyMap<string, string> = new Map([
  ["b", "\\mathbf"],
  ["bi", "\\boldsymbol"],
])

/** Letters whose look says what they mean, such as those of vectors and of sets. */
const writeRun = (found: Parts): string => {
  const latex = base(found)
  const { properties } = found
  const alphabet = alphabets.get(properties.get(element.mathAlphabet) ?? "")
  const look = alphabet ?? weights.get(properties.get(element.mathStyle) ?? "")
  return look === undefined || !/[\p{L}\p{N}]/u.test(latex) ? latex : `${look}{${latex}}`
}

const structures: ReadonlyMap<number, (found: Parts) => string> = new Map([
  [element.mathRun, writeRun],
  [element.fraction, writeFraction],
  [element.power, (found: Parts) => grouped(base(found)) + scripts(found)],
  [element.index, (found: Parts) => grouped(base(found)) + scripts(found)],
  [element.powerAndIndex, (found: Parts) => grouped(base(found)) + scripts(found)],
  [element.preceding, (found: Parts) => `{}${scripts(found)}${base(found)}`],
  [
    element.radical,
    (found: Parts) => {
      const degree = part(found, element.degree)
      return `\\sqrt${degree === "" ? "" : `[${degree}]`}{${base(found)}}`
    },
  ],
  [element.operator, writeOperator],
  [element.delimited, writeDelimited],
  [
    element.accent,
    (found: Parts) =>
      `\\${accents[found.properties.get(element.character) ?? "\u0302"] ?? "hat"}{${base(found)}}`,
  ],
  [
    element.bar,
    (found: Parts) =>
      `\\${found.properties.get(element.position) === "top" ? "overline" : "underline"}{${base(found)}}`,
  ],
  [element.matrix, writeMatrix],
  [element.equations, ({ bases }: Parts) => `\\begin{aligned}${bases.join(" \\\\ ")}\\end{aligned}`],
  [element.lowerLimit, (found: Parts) => base(found) + marked("_", part(found, element.limit))],
  [element.upperLimit, (found: Parts) => base(found) + marked("^", part(found, element.limit))],
  [element.functionOf, writeFunction],
])
