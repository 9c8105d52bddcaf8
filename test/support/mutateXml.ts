/** Numbers from 0 to 1. */
type Random = () => number

const below = (random: Random, bound: number): number => Math.floor(random() * bound)
const pick = <A>(random: Random, values: ReadonlyArray<A>): A | undefined =>
  values[below(random, values.length)]

/** Where an element begins and ends, and where its content does; those of an empty tag are the same. */
interface Element {
  readonly from: number
  readonly contentFrom: number
  readonly contentTo: number
  readonly to: number
}

const tag = /<(\/?)([A-Za-z_][\w:.-]*)(?:[^<>"']|"[^"<]*"|'[^'<]*')*?(\/?)>/g

/** The elements of a well-formed text, in no order; of another those that close. */
const elementsOf = (xml: string): ReadonlyArray<Element> => {
  const open: Array<{ readonly name: string; readonly from: number; readonly contentFrom: number }> = []
  const elements: Array<Element> = []
  for (const match of xml.matchAll(tag)) {
    const [text, closes, name = "", empty] = match
    const to = match.index + text.length
    if (empty === "/") elements.push({ from: match.index, contentFrom: to, contentTo: to, to })
    else if (closes === "") open.push({ name, from: match.index, contentFrom: to })
    else {
      const opened = open.pop()
      if (opened?.name !== name) return elements
      elements.push({ from: opened.from, contentFrom: opened.contentFrom, contentTo: match.index, to })
    }
  }
  return elements
}

const numbers = ["", "0", "-1", "1e309", "2147483648", "4294967295", "999999999999999999999", "0x10", "NaN"]
const words = [
  "true",
  "none",
  "rId999",
  "../../x.xml",
  "A1:XFD1048576",
  "javascript:alert(1)",
  "\u202ea",
  "&#9;",
]
const texts = [
  "&#x10FFFF;",
  "&#13;&#10;",
  "# a\n\n```",
  "|a|b|\n|-|-|",
  "\u0085\u2028",
  "<![CDATA[]]>",
  "*_`[](){}<!-- x -->&lt;",
]

/** What is added at most. */
const addedCharactersMax = 64 * 1024

type Mutation = (xml: string, element: Element, random: Random) => string

const spliced = (xml: string, from: number, to: number, middle: string): string =>
  xml.slice(0, from) + middle + xml.slice(to)

const mutations: ReadonlyArray<Mutation> = [
  (xml, { from, to }) => spliced(xml, from, to, ""),
  (xml, { contentFrom, contentTo }) => spliced(xml, contentFrom, contentTo, ""),
  // The same often, side by side.
  (xml, { from, to }, random) => {
    const copy = xml.slice(from, to)
    const times = Math.min(pick(random, [1, 2, 10, 1_000]) ?? 1, Math.floor(addedCharactersMax / copy.length))
    return spliced(xml, to, to, copy.repeat(times))
  },
  // The same often, within itself.
  (xml, { from, contentFrom, contentTo, to }, random) => {
    const tags = contentFrom - from + to - contentTo
    const times = Math.min(pick(random, [1, 3, 30, 300]) ?? 1, Math.floor(addedCharactersMax / tags))
    if (contentFrom === to) return xml
    const inner = xml.slice(from, contentFrom).repeat(times) + xml.slice(contentFrom, contentTo)
    return spliced(xml, contentFrom, contentTo, inner + xml.slice(contentTo, to).repeat(times))
  },
  // In another's place, or in another.
  (xml, { from, to }, random) => {
    const other = pick(random, elementsOf(xml))
    if (other === undefined) return xml
    const copy = xml.slice(from, to).slice(0, addedCharactersMax)
    return random() < 0.5
      ? spliced(xml, other.from, other.to, copy)
      : spliced(xml, other.contentFrom, other.contentFrom, copy)
  },
  // Attributes that say something else, or nothing, or are another's.
  (xml, { from, contentFrom }, random) => {
    const found = pick(random, [...xml.slice(from, contentFrom).matchAll(/ ([\w:.-]+)=("[^"]*"|'[^']*')/g)])
    if (found === undefined) return xml
    const [whole, name] = found
    const value = pick(random, [...numbers, ...words, "a".repeat(5_000)]) ?? ""
    const at = from + found.index
    return spliced(xml, at, at + whole.length, random() < 0.2 ? "" : ` ${name}="${value}"`)
  },
  // Text where there is other text, or none.
  (xml, { contentFrom, contentTo, to }, random) =>
    contentFrom === to
      ? xml
      : spliced(xml, contentFrom, contentTo, pick(random, [...texts, ...numbers, "w".repeat(20_000)]) ?? ""),
]

/** A changed copy of an XML text that mostly is well-formed again, so that readers get to what it says. */
export const mutateXml = (xml: string, random: Random): string => {
  let result = xml
  for (let count = 1 + below(random, 4); count > 0; count--) {
    const element = pick(random, elementsOf(result))
    const mutation = pick(random, mutations)
    if (element !== undefined && mutation !== undefined) result = mutation(result, element, random)
  }
  return result
}
