import { byReading, cellOf, stretchesOf } from "./Cells.ts"
import type { PlacedTable } from "./Grid.ts"
import type { Rule } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** Points that lines of one table may differ by at their ends. */
export const sameEnd = 4

/** A share of the size: a wider gap parts cells of a line. */
export const aloneGap = 0.5

/**
 * A table of one column: its lines are only as long as the longest of the texts that stand one by one between them, or
 * below its head, and far apart.
 */
export const oneColumnTable = (
  rules: ReadonlyArray<Rule>,
  bands: ReadonlyArray<ReadonlyArray<Word>>,
  beside: ReadonlyArray<Word>,
): PlacedTable | undefined => {
  const [first, last] = [rules[0], rules.at(-1)]
  const [word] = bands[0] ?? []
  if (first === undefined || last === undefined || word === undefined) return undefined
  const { size, left } = word
  const isCell = (line: ReadonlyArray<Word>): boolean =>
    stretchesOf(line, aloneGap).length === 1 &&
    Math.abs((line[0]?.left ?? 0) - left) < sameEnd &&
    line.every((each) => each.size === size)
  const inBands = bands.map(byReading)
  const room = (index: number): number =>
    (rules[index + 1]?.at ?? 0) - (inBands[index]?.at(-1)?.[0]?.baseline ?? 0)
  const isParted =
    rules.length >= columnRulesMin &&
    room(0) > underlineMax * size &&
    inBands.every((lines, index) => lines.length === 1 && Math.abs(room(index) - room(0)) < sameEnd)
  const [heads = [], body = [], ...others] = inBands
  const isBelowHead = others.length === 0 && heads.length === 1 && areRows(body)
  if (!isParted && !isBelowHead) return undefined
  const near = isParted
    ? beside.filter(({ baseline }) => Math.abs(first.at - baseline - room(0)) < sameEnd)
    : []
  const lines = [...(near.length > 0 && isCell(near) ? [near] : []), ...inBands.flat()]
  const words = lines.flat()
  const right = words.reduce((most, each) => Math.max(most, each.right), Number.NEGATIVE_INFINITY)
  const isWrapped = left - first.from < paddingMax * size && first.to - right < paddingMax * size
  if (!isWrapped || !lines.every(isCell)) return undefined
  return {
    left: first.from,
    right: first.to,
    top: Math.min(first.at, (lines[0]?.[0]?.baseline ?? first.at) - size),
    bottom: last.at,
    sides: [first.from, first.to],
    cells: lines.map((line) => [cellOf(line)]),
    words: new Set(words),
  }
}

/** Lines that stand equally far from one another, and further than those of a text. */
const areRows = (lines: ReadonlyArray<ReadonlyArray<Word>>): boolean => {
  if (lines.length < columnRowsMin || lines.length > columnRowsMax) return false
  const leadings = lines
    .slice(1)
    .map(([word], index) => (word?.baseline ?? 0) - (lines[index]?.[0]?.baseline ?? 0))
  const [least, most] = [Math.min(...leadings), Math.max(...leadings)]
  return most - least < 1 && least > rowLeadingMin * (lines[0]?.[0]?.size ?? 0)
}

const columnRowsMin = 3
const columnRowsMax = 100
/** A share of the size. */
const rowLeadingMin = 1.45

const columnRulesMin = 4
/** Shares of the size: how far the text of a link stands above its line, and that of a cell from the ends of its lines. */
const underlineMax = 0.3
const paddingMax = 1.2
