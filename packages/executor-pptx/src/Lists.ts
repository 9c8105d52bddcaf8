import { escapeMarkdown, formatNumber } from "@atelier/executor/parsing"
import type { Block } from "./blocks.ts"
import type { Bullet } from "./bullets.ts"

interface Counter {
  readonly scheme: string
  readonly start: number
  readonly number: number
}

/** Makes list items and paragraphs of one shape's text: presentations have levels, Markdown has lists in lists. */
export class Lists {
  /** The last number at each level. */
  readonly #counters: Array<Counter | undefined> = []
  /** Levels of the items that the next one can be below, from the outermost on. */
  #parents: Array<number> = []

  /** @param level from 0, as the presentation has it: a list may well begin at 1 */
  block(markdown: string, level: number, bullet: Bullet): Block {
    const number = this.#count(level, bullet)
    if (bullet === "none") {
      this.#parents = []
      return { kind: "paragraph", markdown }
    }
    while ((this.#parents.at(-1) ?? -1) >= level) this.#parents.pop()
    const depth = this.#parents.length
    this.#parents.push(level)
    const label = typeof bullet === "string" || number === undefined ? "" : labelOf(bullet.scheme, number)
    const item = { kind: "item", depth, markdown: label + markdown, list: this } as const
    return number === undefined || label !== "" ? item : { ...item, number }
  }

  /** A paragraph ends the counting of deeper levels, and, unless it goes on with it, that of its own. */
  #count(level: number, bullet: Bullet): number | undefined {
    const last = this.#counters[level]
    this.#counters.length = Math.min(this.#counters.length, level)
    if (typeof bullet === "string") return undefined
    const goesOn = last?.scheme === bullet.scheme && last.start === bullet.start
    const number = goesOn ? last.number + 1 : bullet.start
    this.#counters[level] = { ...bullet, number }
    return number
  }
}

/** Letters and Roman numbers, which no list of Markdown has, as they are printed; empty for other numbers. */
const labelOf = (scheme: string, number: number): string => {
  const [, kind = "", marks = ""] =
    /^(alphaLc|alphaUc|romanLc|romanUc)(Period|ParenR|ParenBoth)$/.exec(scheme) ?? []
  const format = formats[kind]
  if (format === undefined) return ""
  const text = formatNumber(number, format)
  if (marks === "Period") return `${text}. `
  return escapeMarkdown(marks === "ParenR" ? `${text}) ` : `(${text}) `)
}

const formats: Readonly<Record<string, string>> = {
  alphaLc: "lowerLetter",
  alphaUc: "upperLetter",
  romanLc: "lowerRoman",
  romanUc: "upperRoman",
}
