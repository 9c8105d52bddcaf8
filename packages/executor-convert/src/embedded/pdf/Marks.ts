import { firstWhere } from "../firstWhere.ts"
import { isPersonLink } from "./authors.ts"
import { byReading } from "./Cells.ts"
import { isBackwards } from "./mirrored.ts"
import type { Area, TickArea } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** As shares of the size: how far a bullet stands before its text, how large it is, and what it keeps free before it. */
const gapMax = 2.5
const markMin = 0.1
const markMax = 0.8
const freeBefore = 1

const marksMax = 5_000

/** The words, with a bullet before each line that has one drawn before it. */
export const withMarks = (words: ReadonlyArray<Word>, marks: ReadonlyArray<Area>): ReadonlyArray<Word> => {
  if (marks.length === 0 || marks.length > marksMax) return words
  const lines = byReading(words)
  const before = new Map<Word, Word>()
  for (const mark of marks) {
    for (const line of linesAt(lines, mark)) {
      const at = indexFrom(line, mark.right - 0.5)
      const [last, next] = [line[at - 1], line[at]]
      // The sign of a register of authors stands before a name, and is no bullet.
      if (next === undefined || before.has(next) || isPersonLink(next.link)) continue
      const { size, baseline, left } = next
      const side = Math.max(mark.right - mark.left, mark.bottom - mark.top)
      const middle = (mark.top + mark.bottom) / 2
      const isBeside =
        left - mark.right <= gapMax * size && middle < baseline && middle > baseline - 0.75 * size
      // Nearer to it, a line of another column may end.
      const free = last?.order === next.order - 1 ? freeBefore * size : 0
      const isFree = last === undefined || last.right < mark.left - free
      if (!isBeside || !isFree || side < markMin * size || side > markMax * size) continue
      before.set(next, signAt(mark, "•", next, next.order - 0.5))
    }
  }
  if (before.size === 0) return words
  return words.flatMap((word) => {
    const mark = before.get(word)
    return mark === undefined ? [word] : [mark, word]
  })
}

/** A word at the place of what is drawn there, that looks like the word beside it. */
const signAt = ({ left, right }: Area, text: string, beside: Word, order: number): Word => ({
  ...beside,
  text,
  left,
  right,
  order,
  hyphenated: false,
  spaced: false,
  link: "",
})

/** What is written into a box to tick it, which is one of the first words there. */
const tick = /^[xX×✓✔✕✖✗✘]$/u
const tickWordsMax = 20

/** As shares of the size: how far a box stands from its text, and points between boxes for single letters. */
const tickGapMax = 3
const tickSizeMax = 1.6
const combGap = 2

/**
 * The words, with a sign for each box to tick that is drawn beside one of them: empty, or with a cross. Boxes side by
 * side are places for letters.
 */
export const withTickBoxes = (
  words: ReadonlyArray<Word>,
  boxes: ReadonlyArray<TickArea>,
): ReadonlyArray<Word> => {
  if (boxes.length === 0) return words
  const lines = byReading(words)
  const signs = new Map<Word, Array<Word>>()
  const ticks = new Set<Word>()
  for (const box of boxes) {
    const isComb = boxes.some(
      (other) =>
        other !== box &&
        Math.abs(other.top - box.top) < combGap &&
        (Math.abs(other.left - box.right) < combGap || Math.abs(box.left - other.right) < combGap),
    )
    if (isComb) continue
    const middle = (box.top + box.bottom) / 2
    for (const line of linesAt(lines, { ...box, bottom: middle + 1 })) {
      const first = indexFrom(line, box.left - 1)
      const inside = line
        .slice(first, first + tickWordsMax)
        .find(({ text, right }) => tick.test(text) && right <= box.right + 1)
      const at = indexFrom(line, box.right - 0.5)
      const next = line[at] === inside ? line[at + 1] : line[at]
      const last = line[at - 1] === inside ? line[at - 2] : line[at - 1]
      const isNear = (word: Word, gap: number): boolean =>
        gap <= tickGapMax * word.size &&
        box.bottom - box.top <= tickSizeMax * word.size &&
        middle < word.baseline + 0.25 * word.size &&
        middle > word.baseline - word.size
      const atRight = next !== undefined && isNear(next, next.left - box.right) ? next : undefined
      const atLeft = last !== undefined && isNear(last, box.left - last.right) ? last : undefined
      const [before, behind] =
        atLeft !== undefined && isBackwards(atLeft) ? [atLeft, atRight] : [atRight, atLeft]
      const beside = before ?? behind
      if (beside === undefined || (last !== undefined && last.right > box.left + 1)) continue
      if (inside !== undefined) ticks.add(inside)
      const text = box.isTicked || inside !== undefined ? "☒" : "☐"
      const order = beside.order + (beside === before ? -0.5 : 0.5)
      signs.set(beside, [...(signs.get(beside) ?? []), signAt(box, text, beside, order)])
      break
    }
  }
  if (signs.size === 0) return words
  return words.flatMap((word) => {
    if (ticks.has(word)) return []
    const found = signs.get(word) ?? []
    const isBefore = (sign: Word): boolean => sign.order < word.order
    return [...found.filter(isBefore), word, ...found.filter((sign) => !isBefore(sign))]
  })
}

/** The index of the first word of a line that begins at `x` or behind it. */
const indexFrom = (line: ReadonlyArray<Word>, x: number): number =>
  firstWhere(line.length, (index) => (line[index]?.left ?? 0) >= x)

/** Points that a line of another column, at nearly the same height, may stand above a mark. */
const levelMax = 5

/** Lines that may stand at the height of a mark. */
const linesAt = (
  lines: ReadonlyArray<ReadonlyArray<Word>>,
  { bottom }: Area,
): ReadonlyArray<ReadonlyArray<Word>> => {
  const first = firstWhere(lines.length, (index) => (lines[index]?.[0]?.baseline ?? 0) >= bottom - levelMax)
  return lines.slice(first, first + 4)
}
