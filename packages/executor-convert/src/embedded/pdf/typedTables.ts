import { byReading, median } from "./Cells.ts"
import { partsAt } from "./NarrowGaps.ts"
import { joinedRules, type Rule, type Ruling } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** Share of the words of the page in a font of equal widths: elsewhere, such a table is code. */
const monoMin = 0.8
/** Lines of a table that are nothing but dashes, and lines with cells between bars. */
const rulesMin = 2
const rowsMin = 2
/** More than these are a pattern. */
const rulesMax = 1_000
const barsMax = 100
/** A share of the size: where a dash stands above the baseline. */
const dashHeight = 0.25
/** Of the height from line to line: how far the lines of a table may be apart. */
const apartMax = 1.5
/** Points: how far the bars of two lines go over one another. */
const touch = 1

/** Dashes with the crossings of a table: `|-----+---|`. */
const rule = /^[|+]?(?:[-=_]{2,}[|+]?)+$/
const dashes = /[-=_]{6}/

/** Words without the characters that tables are drawn with, and what these draw. */
interface Drawn {
  readonly words: ReadonlyArray<Word>
  readonly ruling: Ruling
}

/**
 * Tables that are typed, with dashes between their rows and bars between their columns, as programs print them on a page
 * of equal widths: the dashes and bars are lines of the page.
 */
export const withTypedTables = (words: ReadonlyArray<Word>, ruling: Ruling): Drawn => {
  const rules = words.filter(({ mono, text }) => mono && rule.test(text) && dashes.test(text))
  if (rules.length < rulesMin || rules.length > rulesMax) return { words, ruling }
  if (words.filter(({ mono }) => mono).length < monoMin * words.length) return { words, ruling }
  const drawn = new Set(rules)
  const lines = byReading(words)
  const leading = median(lines.slice(1).map((line, at) => baselineOf(line) - baselineOf(lines[at])))
  const parts = new Map<Word, ReadonlyArray<Word>>()
  const [horizontal, vertical]: [Array<Rule>, Array<Rule>] = [[], []]
  let rows = 0
  for (const { line, from: begin, to: end } of tableLines(lines, drawn, apartMax * leading)) {
    let bars = 0
    for (const word of line) {
      const isRule = drawn.has(word)
      const at = word.baseline - dashHeight * word.size
      const places = charactersOf(word, isRule ? "|+" : "|")
      const [from, to] = [at - leading / 2 - touch, at + leading / 2 + touch]
      for (const { left, right } of places) vertical.push({ at: (left + right) / 2, from, to })
      // Below the label of a column alone, they part rows, too.
      if (isRule) horizontal.push({ at, from: begin, to: end })
      if (isRule || places.length > 0) parts.set(word, isRule ? [] : withoutBars(word, places))
      if (!isRule) bars += places.length
    }
    if (bars > barsMax) return { words, ruling }
    if (bars > 1) rows++
  }
  if (rows < rowsMin) return { words, ruling }
  return {
    words: words.flatMap((word) => parts.get(word) ?? [word]).map((word, order) => ({ ...word, order })),
    ruling: {
      ...ruling,
      horizontal: [...ruling.horizontal, ...horizontal],
      vertical: [...ruling.vertical, ...joinedRules(vertical)],
    },
  }
}

type Line = ReadonlyArray<Word>

const baselineOf = ([word]: Line = []): number => word?.baseline ?? 0

/** A line of a table, and how far this goes to the sides. */
interface TableLine {
  readonly line: Line
  readonly from: number
  readonly to: number
}

/** The lines of tables: some that follow one another, each with dashes or bars, and dashes in two of them. */
const tableLines = (
  lines: ReadonlyArray<Line>,
  drawn: ReadonlySet<Word>,
  apart: number,
): ReadonlyArray<TableLine> => {
  const tables: Array<Array<Line>> = []
  for (const line of lines) {
    if (!line.some((word) => drawn.has(word) || word.text.includes("|"))) continue
    const table = tables.at(-1)
    if (table !== undefined && baselineOf(line) - baselineOf(table.at(-1)) <= apart) table.push(line)
    else tables.push([line])
  }
  const isRule = (line: Line): boolean => line.some((word) => drawn.has(word))
  return tables.flatMap((table) => {
    const rules = table.flat().filter((word) => drawn.has(word))
    const from = rules.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY)
    const to = rules.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY)
    return table.filter(isRule).length < rulesMin ? [] : table.map((line) => ({ line, from, to }))
  })
}

/** Where these characters stand in the word, and its text. */
const charactersOf = ({ text, left, right }: Word, characters: string): ReadonlyArray<Character> => {
  const width = (right - left) / text.length
  return [...text].flatMap((each, at) =>
    characters.includes(each) ? [{ at, left: left + at * width, right: left + (at + 1) * width }] : [],
  )
}

interface Character {
  readonly at: number
  readonly left: number
  readonly right: number
}

/** What stands between the bars. */
const withoutBars = (word: Word, bars: ReadonlyArray<Character>): ReadonlyArray<Word> =>
  partsAt(
    word,
    bars.flatMap(({ at, left, right }) => [
      { at, right: left, left },
      { at: at + 1, right, left: right },
    ]),
  ).filter(({ text }) => text !== "" && text !== "|")
