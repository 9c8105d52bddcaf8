import type { XmlReader, XmlVocabulary } from "@atelier/intake/bytes"
import { forEachInside } from "./forEachInside.ts"
import {
  accents,
  delimiter,
  escaped,
  grouped,
  joined,
  knownFunction,
  linesOfBinomial,
  marked,
  operators,
} from "./latex.ts"
import { readText } from "./readText.ts"

const names = [
  "e",
  "f",
  "type",
  "num",
  "den",
  "sSup",
  "sSub",
  "sSubSup",
  "sPre",
  "sup",
  "sub",
  "rad",
  "deg",
  "nary",
  "d",
  "chr",
  "begChr",
  "endChr",
  "sepChr",
  "acc",
  "bar",
  "pos",
  "m",
  "mr",
  "eqArr",
  "limLow",
  "limUpp",
  "lim",
  "func",
  "fName",
  "t",
  "r",
  "sty",
  "scr",
] as const

type Name = (typeof names)[number]

/** The elements of Office's equations (OMML), but for `m:oMath` itself, for the vocabulary of a document with some. */
export const mathElements: ReadonlyArray<string> = names.map((name) => `m:${name}`)

interface Reading {
  readonly xml: XmlReader
  readonly names: ReadonlyMap<number, Name>
  /** Elements with text that are none of `mathElements`. */
  readonly texts: ReadonlySet<number>
  /** Elements that are left out with all that they hold. */
  readonly skipped: ReadonlySet<number>
}

/**
 * Reads the equation whose `m:oMath` (ECMA-376-1, 22.1.2.77) has just started, as LaTeX without dollars. `vocabulary` has the `mathElements`;
 * `texts` are its other elements with text, and `skipped` those that are left out.
 */
export const officeMath = (
  vocabulary: XmlVocabulary,
  texts: ReadonlyArray<number> = [],
  skipped: ReadonlyArray<number> = [],
): ((xml: XmlReader) => string) => {
  const known = {
    names: new Map(names.map((name) => [vocabulary.number(`m:${name}`), name])),
    texts: new Set(texts),
    skipped: new Set(skipped),
  }
  return (xml) => readEquation({ ...known, xml })
}

/** The equation, or the part of one, that has just started. */
const readEquation = (reading: Reading): string => {
  const pieces: Array<string> = []
  forEachInside(reading.xml, () => {
    pieces.push(readPiece(reading))
  })
  return joined(pieces)
}

/** What has started; nothing for an element that only holds others. */
const readPiece = (reading: Reading): string => {
  const { xml, texts, skipped } = reading
  const name = reading.names.get(xml.element)
  if (name === "t" || texts.has(xml.element)) return escaped(readText(xml))
  if (skipped.has(xml.element)) xml.skip()
  const write = name === undefined ? undefined : structures.get(name)
  return write === undefined ? "" : write(readParts(reading))
}

/** What a structure holds, each as LaTeX, and what its properties say. */
interface Parts {
  /** `m:e`, of which brackets and arrays have several. */
  readonly bases: Array<string>
  readonly rows: Array<ReadonlyArray<string>>
  /** By the name of their element. */
  readonly parts: Map<Name, string>
  readonly properties: Map<Name, string>
}

const partNames: ReadonlySet<Name> = new Set(["num", "den", "sup", "sub", "deg", "lim", "fName"])

const propertyNames: ReadonlySet<Name> = new Set([
  "type",
  "chr",
  "begChr",
  "endChr",
  "sepChr",
  "pos",
  "sty",
  "scr",
])

const readParts = (reading: Reading): Parts => {
  const { xml } = reading
  const found: Parts = { bases: [], rows: [], parts: new Map(), properties: new Map() }
  forEachInside(xml, () => {
    const name = reading.names.get(xml.element)
    if (name === "e") found.bases.push(readEquation(reading))
    else if (name === "mr") found.rows.push(readParts(reading).bases)
    else if (name !== undefined && partNames.has(name)) found.parts.set(name, readEquation(reading))
    else if (name !== undefined && propertyNames.has(name))
      found.properties.set(name, xml.attribute("m:val") ?? "")
    else {
      const latex = readPiece(reading)
      if (latex !== "") found.bases.push(latex)
    }
  })
  return found
}

const base = ({ bases }: Parts): string => joined(bases)
const part = ({ parts }: Parts, name: Name): string => parts.get(name) ?? ""
const scripts = (found: Parts): string => marked("_", part(found, "sub")) + marked("^", part(found, "sup"))

const writeFraction = (found: Parts): string => {
  const [above, below] = [part(found, "num"), part(found, "den")]
  const type = found.properties.get("type")
  // Without its line it is a binomial, whose brackets stand around it.
  if (type === "noBar") return `{${above} \\atop ${below}}`
  return type === "lin" ? `${grouped(above)}/${grouped(below)}` : `\\frac{${above}}{${below}}`
}

const writeDelimited = (found: Parts): string => {
  const bracket = (name: Name, usual: string): string => delimiter(found.properties.get(name) ?? usual)
  const [opening, closing] = [bracket("begChr", "("), bracket("endChr", ")")]
  const inner = found.bases.join(found.properties.get("sepChr") ?? " \\mid ")
  const lines = opening === "(" && closing === ")" ? linesOfBinomial(inner) : undefined
  if (lines !== undefined) return `\\binom{${lines[0]}}{${lines[1]}}`
  return `\\left${opening}${inner}\\right${closing}`
}

const writeOperator = (found: Parts): string => {
  const sign = found.properties.get("chr") ?? "∫"
  return joined([(operators[sign] ?? escaped(sign)) + scripts(found), base(found)])
}

const writeMatrix = ({ rows }: Parts): string =>
  `\\begin{matrix}${rows.map((row) => row.join(" & ")).join(" \\\\ ")}\\end{matrix}`

const writeFunction = (found: Parts): string => {
  const name = part(found, "fName").replace(/^\{(\w+)\}(?=[_^])/, "$1")
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

/** An upright run of nothing else, as Word writes a function without an element of its own. */
const isFunctionName = (latex: string): boolean => knownFunction.exec(latex)?.[0] === latex

/** Letters whose look says what they mean, such as those of vectors and of sets. */
const writeRun = (found: Parts): string => {
  const latex = base(found)
  const { properties } = found
  const alphabet = alphabets.get(properties.get("scr") ?? "")
  const style = properties.get("sty") ?? ""
  if (style === "p" && alphabet === undefined && isFunctionName(latex)) return `\\${latex}`
  const look = alphabet ?? weights.get(style)
  return look === undefined || !/[\p{L}\p{N}]/u.test(latex) ? latex : `${look}{${latex}}`
}

/** The number of an equation, which Office writes behind a `#`. */
const numbered = /\\#\s*(\([^()]*\)|\\left\([^()]*\\right\))$/

const writeLines = ({ bases }: Parts): string => {
  const lines = bases.map((line) => line.replace(numbered, "\\quad $1"))
  const [first = ""] = lines
  return lines.length === 1 && first !== bases[0]
    ? first
    : `\\begin{aligned}${lines.join(" \\\\ ")}\\end{aligned}`
}

const structures: ReadonlyMap<Name, (found: Parts) => string> = new Map([
  ["r", writeRun],
  ["f", writeFraction],
  ["sSup", (found: Parts) => grouped(base(found)) + scripts(found)],
  ["sSub", (found: Parts) => grouped(base(found)) + scripts(found)],
  ["sSubSup", (found: Parts) => grouped(base(found)) + scripts(found)],
  ["sPre", (found: Parts) => `{}${scripts(found)}${base(found)}`],
  [
    "rad",
    (found: Parts) => {
      const degree = part(found, "deg")
      return `\\sqrt${degree === "" ? "" : `[${degree}]`}{${base(found)}}`
    },
  ],
  ["nary", writeOperator],
  ["d", writeDelimited],
  ["acc", (found: Parts) => `\\${accents[found.properties.get("chr") ?? "\u0302"] ?? "hat"}{${base(found)}}`],
  [
    "bar",
    (found: Parts) => `\\${found.properties.get("pos") === "top" ? "overline" : "underline"}{${base(found)}}`,
  ],
  ["m", writeMatrix],
  ["eqArr", writeLines],
  ["limLow", (found: Parts) => base(found) + marked("_", part(found, "lim"))],
  ["limUpp", (found: Parts) => base(found) + marked("^", part(found, "lim"))],
  ["func", writeFunction],
])
