import {
  accents,
  delimiter,
  escaped,
  grouped,
  inlineEquation,
  joined,
  knownFunction,
  linesOfBinomial,
  marked,
  operators,
} from "../flow/latex.ts"
import { readXhtml } from "./HtmlReader.ts"
import type { HtmlAttributes } from "./OpenElements.ts"

/** LaTeX as wikis write it into the descriptions of their equations. */
export const displayed = /^\s*\{\\(?:display|text)style\s([\s\S]*)\}\s*$/

const teX = /^application\/(?:x-)?(?:la)?tex$/i
/** What only LaTeX has. */
const looksLikeTeX = /[\\^_]/

interface Open {
  readonly name: string
  readonly attributes: HtmlAttributes
  /** What is inside, each as LaTeX. */
  readonly parts: Array<string>
  readonly texts: Array<string>
}

/** Collects an equation in MathML. What its author gives as LaTeX is taken before what its elements say. */
export class MathMl {
  private readonly alternative: string
  private readonly open: Array<Open>
  private readonly root: Open
  private annotation = ""

  /** `alternative` is what the equation says of itself, as LaTeX or in words. */
  constructor(alternative = "") {
    this.alternative = alternative
    this.root = { name: "math", attributes: new Map(), parts: [], texts: [] }
    this.open = [this.root]
  }

  start(name: string, attributes: HtmlAttributes): void {
    this.open.push({ name: name.slice(name.indexOf(":") + 1), attributes, parts: [], texts: [] })
  }

  text(text: string): void {
    this.open.at(-1)?.texts.push(text)
  }

  end(): void {
    const ended = this.open.pop()
    if (ended === undefined) return
    if (ended.name === "annotation") {
      if (teX.test(ended.attributes.get("encoding") ?? "")) this.annotation ||= ended.texts.join("")
    } else this.open.at(-1)?.parts.push(latexOf(ended))
  }

  /** Empty where only words are known. */
  get latex(): string {
    if (this.annotation !== "") return plainTeX(this.annotation)
    if (looksLikeTeX.test(this.alternative)) return plainTeX(this.alternative)
    return latexOf(this.root)
  }

  get words(): string {
    return this.latex === "" ? this.alternative : ""
  }
}

/** A whole document in MathML, as inline Markdown; empty where its root is another element. */
export const readMathMl = (xml: string): string => {
  let equation: MathMl | undefined
  let depth = 0
  readXhtml(xml, {
    start: (name, attributes) => {
      if (depth === 0) equation = name === "math" ? new MathMl(attributes.get("alttext")) : undefined
      else equation?.start(name, attributes)
      depth += 1
    },
    text: (text) => equation?.text(text),
    end: () => {
      depth -= 1
      if (depth > 0) equation?.end()
    },
  })
  return equation === undefined ? "" : inlineEquation(equation.latex)
}

/** LaTeX without what only sets how large it is, and without dollars. */
const plainTeX = (latex: string): string => (displayed.exec(latex)?.[1] ?? latex).replace(/(?<!\\)\$/g, "")

const latexOf = (open: Open): string => (writers.get(open.name) ?? writeRow)(open)

const wordsOf = ({ texts }: Open): string => texts.join("").replace(/\s+/g, " ").trim()
const part = ({ parts }: Open, index: number): string => parts[index] ?? ""

const writeIdentifier = (open: Open): string => {
  const words = wordsOf(open)
  if (knownFunction.test(words)) return `\\${words}`
  return [...words].length > 1 ? `\\mathrm{${escaped(words)}}` : escaped(words)
}

/** Signs that are only heard: "of", "times", commas between indices. */
const invisible = /[\u2061-\u2064]/g

const writeOperator = (open: Open): string => {
  const sign = wordsOf(open).replace(invisible, "")
  return operators[sign] ?? escaped(sign)
}

const writeText = (open: Open): string => {
  const words = wordsOf(open)
  return words === "" ? "" : `\\text{${escaped(words)}}`
}

const writeRow = ({ parts, texts }: Open): string => {
  const [opening, inner = "", closing] = parts.length === 3 ? parts : []
  const lines = opening === "(" && closing === ")" ? linesOfBinomial(inner) : undefined
  if (lines !== undefined) return `\\binom{${lines[0]}}{${lines[1]}}`
  return joined([...parts, escaped(texts.join("").trim())])
}

const writeFraction = (open: Open): string => {
  const hasLine = !/^0+(?:\.0+)?\D*$/.test(open.attributes.get("linethickness") ?? "1")
  return hasLine ? `\\frac{${part(open, 0)}}{${part(open, 1)}}` : `{${part(open, 0)} \\atop ${part(open, 1)}}`
}

const marks: Readonly<Record<string, string>> = {
  ...accents,
  "¯": "bar",
  "‾": "overline",
  "\\hat{}": "hat",
  "\\sim ": "tilde",
  "˜": "tilde",
  "\u02c6": "hat",
  "˙": "dot",
  "¨": "ddot",
  "→": "vec",
  "\\_": "underline",
}

/** Limits belong to operators and functions; above and below anything else they are marks. */
const takesLimits = /^\\[A-Za-z]+$/

const writeOver = (open: Open): string => {
  const [base, over] = [part(open, 0), part(open, 1)]
  if (marks[over] !== undefined) return `\\${marks[over]}{${base}}`
  return takesLimits.test(base) ? base + marked("^", over) : `\\overset{${over}}{${base}}`
}

const writeUnder = (open: Open): string => {
  const [base, under] = [part(open, 0), part(open, 1)]
  if (marks[under] !== undefined) return `\\underline{${base}}`
  return takesLimits.test(base) ? base + marked("_", under) : `\\underset{${under}}{${base}}`
}

const writeFenced = ({ attributes, parts }: Open): string => {
  const [opening, closing] = [attributes.get("open") ?? "(", attributes.get("close") ?? ")"]
  return `\\left${delimiter(opening)}${parts.join(", ")}\\right${delimiter(closing)}`
}

const scripted =
  (below: number, above: number) =>
  (open: Open): string =>
    grouped(part(open, 0)) + marked("_", part(open, below)) + marked("^", part(open, above))

const none = 9

const writers: ReadonlyMap<string, (open: Open) => string> = new Map([
  ["mi", writeIdentifier],
  ["mn", (open: Open) => escaped(wordsOf(open))],
  ["mo", writeOperator],
  ["ms", writeText],
  ["mtext", writeText],
  ["mspace", () => ""],
  ["mphantom", () => ""],
  ["annotation-xml", () => ""],
  ["semantics", (open: Open) => part(open, 0)],
  ["mfrac", writeFraction],
  ["msup", scripted(none, 1)],
  ["msub", scripted(1, none)],
  ["msubsup", scripted(1, 2)],
  ["mmultiscripts", scripted(1, 2)],
  ["munderover", scripted(1, 2)],
  ["mover", writeOver],
  ["munder", writeUnder],
  ["msqrt", ({ parts }: Open) => `\\sqrt{${joined(parts)}}`],
  ["mroot", (open: Open) => `\\sqrt[${part(open, 1)}]{${part(open, 0)}}`],
  ["mfenced", writeFenced],
  ["mtr", ({ parts }: Open) => parts.join(" & ")],
  ["mtable", ({ parts }: Open) => `\\begin{matrix}${parts.join(" \\\\ ")}\\end{matrix}`],
])
