import { byReading } from "./Cells.ts"
import { areCode, isCodeWord } from "./codeHeights.ts"
import { sameEnd } from "./oneColumnTable.ts"
import { middleOf } from "./outerRows.ts"
import type { Area, Rule } from "./Ruling.ts"
import type { Word } from "./Word.ts"

const linesMax = 1_000
/** How often a word or a line of a page is looked at for what may be behind or around it. */
export const looksMax = 5_000_000

/**
 * The areas, without those behind code alone: they are no rows. One of these stands behind words within a text or a line
 * of a listing, and is as long as they are, or behind all lines of a listing; any other one has code that is in columns.
 */
export const withoutCode = (fills: ReadonlyArray<Area>, words: ReadonlyArray<Word>): ReadonlyArray<Area> => {
  const code = words.filter(({ mono }) => mono)
  if (code.length === 0 || fills.length * words.length > looksMax) return fills
  // Where all of a page is set so, what is behind a whole line may be a row.
  const areAll = code.length === words.length
  const inColumns: Array<{ readonly fill: Area; readonly behind: ReadonlyArray<Word> }> = []
  const grounded = new Set<Word>()
  const empty: Array<Area> = []
  const others = fills.filter((fill) => {
    const behind = words.filter((word) => isInside(word, fill))
    const lines = byReading(behind)
    if (behind.length === 0) empty.push(fill)
    if (behind.length === 0 || !lines.every(areCode)) return true
    if (isAsLong(fill, lines)) for (const word of behind) grounded.add(word)
    else if (areAll) return true
    else if (areInColumns(lines)) inColumns.push({ fill, behind })
    return false
  })
  const cells = inColumns.filter(({ behind }) => !behind.every((word) => grounded.has(word)))
  const found = [...others, ...cells.map(({ fill }) => fill)]
  const kept = new Set(found)
  const between = emptyLines(
    empty,
    fills.filter((fill) => !kept.has(fill)),
  )
  return between.size === 0 ? found : found.filter((fill) => !between.has(fill))
}

/** The areas behind empty lines that go on with those behind lines of code. */
const emptyLines = (empty: ReadonlyArray<Area>, code: ReadonlyArray<Area>): ReadonlySet<Area> => {
  const found = new Set<Area>()
  if (empty.length * (empty.length + code.length) > looksMax) return found
  const grounds = [...code]
  for (const fill of empty.toSorted((a, b) => a.top - b.top)) {
    const goesOn = grounds.some(
      ({ left, right, top, bottom }) =>
        Math.abs(left - fill.left) < sameEnd &&
        Math.abs(right - fill.right) < sameEnd &&
        Math.min(Math.abs(fill.top - bottom), Math.abs(fill.bottom - top)) < touching,
    )
    if (!goesOn) continue
    found.add(fill)
    grounds.push(fill)
  }
  return found
}

/** Points. */
const touching = 1.5

type Lines = ReadonlyArray<ReadonlyArray<Word>>

/** The area ends where its single line does, which may be indented. */
const isAsLong = ({ right, top, bottom }: Area, [line = [], none]: Lines): boolean => {
  const last = line.at(-1)
  if (last === undefined || none !== undefined) return false
  return right - last.right < last.size && bottom - top < lineHeightMax * last.size
}

/** The lines, without those above and below a listing that has lines at its sides, too: it is a box of its own. */
export const withoutBoxesOfCode = (
  lines: ReadonlyArray<Rule>,
  vertical: ReadonlyArray<Rule>,
  words: ReadonlyArray<Word>,
): ReadonlyArray<Rule> => {
  const code = words.filter(({ mono }) => mono)
  if (code.length === 0 || code.length === words.length || lines.length > linesMax) return lines
  if (lines.length * (vertical.length + words.length) > looksMax) return lines
  const inBoxes = new Set<Rule>()
  const sorted = lines.toSorted((a, b) => a.at - b.at)
  for (const [index, top] of sorted.entries()) {
    const bottom = sorted[index + 1]
    if (bottom === undefined || !areAlike(top, bottom)) continue
    const isSide = (x: number): boolean =>
      vertical.some(
        ({ at, from, to }) =>
          Math.abs(at - x) < sameEnd && from < top.at + sameEnd && to > bottom.at - sameEnd,
      )
    if (!isSide(top.from) || !isSide(top.to)) continue
    const area = { left: top.from, right: top.to, top: top.at, bottom: bottom.at }
    const inside = words.filter((word) => isInside(word, area))
    if (inside.length === 0 || !inside.every(isCodeWord) || areInColumns(byReading(inside))) continue
    inBoxes.add(top).add(bottom)
  }
  return inBoxes.size === 0 ? lines : lines.filter((line) => !inBoxes.has(line))
}

const areAlike = (one: Rule, other: Rule): boolean =>
  Math.abs(one.from - other.from) < sameEnd && Math.abs(one.to - other.to) < sameEnd

const areInColumns = (lines: Lines): boolean => lines.some(isInColumns)

/** The code has wide gaps, but for those before a comment and within a string. */
const isInColumns = (line: ReadonlyArray<Word>): boolean => {
  let isInString = false
  for (const [index, word] of line.entries()) {
    const isWide = word.left - (line[index - 1]?.right ?? word.left) > codeGapMax * word.size
    if (isWide && comment.test(word.text)) return false
    if (isWide && !isInString) return true
    for (const _ of word.text.matchAll(quotationMark)) isInString = !isInString
  }
  return false
}

const comment = /^(?:#|\/\/|\/\*|--|;|%|<!--|\(\*)/
const quotationMark = /(?<!\\)"/g

const isInside = (word: Word, { left, right, top, bottom }: Area): boolean => {
  const [across, down] = [(word.left + word.right) / 2, middleOf(word)]
  return across > left && across < right && down > top && down < bottom
}

/** Shares of the size; a gap that is wider parts columns. */
const lineHeightMax = 2

const codeGapMax = 2.5
