import { byReading } from "./Cells.ts"
import type { Word } from "./Word.ts"

/** The numbers of a page's lines, below one another, at the left of all of its text. */
interface Column {
  readonly numbers: ReadonlyArray<Word>
  readonly left: number
  readonly right: number
}

const linesMin = 10
const numbersMin = 3
/** Shares of the lines: so many are counted, begin in lower case, and are those of a text. */
const countedMin = 0.8
const lowerMin = 0.3
const fullMin = 0.5
/** Of a line of text: a share of the width of all, words, and a share of the size that they may stand apart. */
const fullWidth = 0.85
const wordsMin = 4
const gapMax = 4
/** Points. */
const sameSide = 1.5

/**
 * The numbers that count the lines of these pages, as those of manuscripts and pleadings do; none of a list or a table,
 * whose lines are no text that goes on. A page with a few lines has some where another page has them at the same place.
 * Those of two columns of text stand at both sides of the page.
 */
export const lineNumbersIn = (pages: ReadonlyArray<ReadonlyArray<Word>>): ReadonlySet<Word> => {
  const ofColumns = atBothSides(pages)
  return ofColumns.size > 0 ? ofColumns : atLeft(pages)
}

/** Numbers at both sides of a page, of which the first at the right is the next one after the last at the left. */
const atBothSides = (pages: ReadonlyArray<ReadonlyArray<Word>>): ReadonlySet<Word> => {
  const rulers = pages.map((words) => [rulerAt(words, -1), rulerAt(words, 1)] as const)
  const known = rulers.find(([left, right]) => areOnePage(left, right))
  if (known === undefined) return new Set()
  return new Set(
    rulers.flatMap((sides) =>
      sides.flatMap((side, index) => {
        const own = known[index]
        return side !== undefined && own !== undefined && isAt(own, side) ? side.numbers : []
      }),
    ),
  )
}

const areOnePage = (left: Column | undefined, right: Column | undefined): boolean =>
  left !== undefined &&
  right !== undefined &&
  Math.min(left.numbers.length, right.numbers.length) >= linesMin &&
  valueOf(right.numbers[0]) === valueOf(left.numbers.at(-1)) + 1

const valueOf = (word: Word | undefined): number => Number(word?.text ?? Number.NaN)

/** Numbers below one another that count by one, with nothing further out beside them: at the left (-1), or at the right. */
const rulerAt = (words: ReadonlyArray<Word>, side: -1 | 1): Column | undefined => {
  const found = words.filter(isNumber)
  const outermost = found.reduce<Word | undefined>(
    (most, word) => (most === undefined || side * (word.left - most.left) > 0 ? word : most),
    undefined,
  )
  if (outermost === undefined) return undefined
  const numbers = found
    .filter(({ left, size }) => Math.abs(left - outermost.left) < sameSide && size === outermost.size)
    .sort((a, b) => a.baseline - b.baseline)
  const column = {
    numbers,
    left: outermost.left,
    right: numbers.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY),
  }
  const [top, bottom] = [numbers[0]?.baseline ?? 0, numbers.at(-1)?.baseline ?? 0]
  const own = new Set(numbers)
  const isBeside = ({ left, right, baseline }: Word): boolean =>
    baseline >= top && baseline <= bottom && (side < 0 ? left < column.right : right > column.left)
  if (stepOf(numbers) !== 1 || words.some((word) => !own.has(word) && isBeside(word))) return undefined
  return column
}

const atLeft = (pages: ReadonlyArray<ReadonlyArray<Word>>): ReadonlySet<Word> => {
  const columns = pages.map((words) => {
    const column = columnOf(words)
    const isSure = column !== undefined && (column.numbers.length > 1 || !mayBeCounted(words))
    return isSure ? column : (columnOf(withinEnds(words)) ?? column)
  })
  const known = columns.find(
    (column, index) =>
      column !== undefined &&
      (areCounted(column, pages[index] ?? []) || areCountedBelow(column, pages[index] ?? [])),
  )
  if (known === undefined) return new Set()
  return new Set(
    columns.flatMap((column) => (column !== undefined && isAt(known, column) ? column.numbers : [])),
  )
}

/** As many numbers stand below one another. */
const mayBeCounted = (words: ReadonlyArray<Word>): boolean => {
  const counts = new Map<number, number>()
  for (const word of words) {
    if (!isNumber(word)) continue
    const at = Math.round(word.right)
    counts.set(at, (counts.get(at) ?? 0) + 1)
  }
  return [...counts.values()].some((count) => count >= numbersMin)
}

const isAt = (known: Column, { left, right }: Column): boolean =>
  Math.abs(known.left - left) < sameSide || Math.abs(known.right - right) < sameSide

/** Whole numbers with nothing at their left or between them but one another, which count in equal steps. */
const columnOf = (words: ReadonlyArray<Word>): Column | undefined => {
  const found = words.filter(isNumber)
  const left = found.reduce((least, word) => Math.min(least, word.left), Number.POSITIVE_INFINITY)
  const first = found.find((word) => word.left === left)
  if (first === undefined) return undefined
  const within = words.filter((word) => word.left < Math.max(first.right, left + widthMax * first.size))
  const numbers = within.filter(isNumber).sort((a, b) => a.baseline - b.baseline)
  const right = numbers.reduce((most, word) => Math.max(most, word.right), Number.NEGATIVE_INFINITY)
  const isAligned =
    numbers.every((word) => word.left - left < sameSide) ||
    numbers.every((word) => right - word.right < sameSide)
  const [top, bottom] = [numbers[0]?.baseline ?? 0, numbers.at(-1)?.baseline ?? 0]
  // A court stamps its own line above the page or below it, which may begin further to the left.
  const isAmong = within.some(
    (word) =>
      !isNumber(word) &&
      word.left < right + besideMin * word.size &&
      word.baseline >= top &&
      word.baseline <= bottom,
  )
  if (isAmong || !isAligned || stepOf(numbers) === 0) return undefined
  return { numbers, left, right }
}

/** Without the lines of a header and a footer, which may have numbers of their own: a year, or that of the page. */
const withinEnds = (words: ReadonlyArray<Word>): ReadonlyArray<Word> =>
  byReading(words).slice(headerLines, -footerLines).flat()

const headerLines = 2
const footerLines = 1

const isNumber = ({ text }: Word): boolean => /^\d{1,5}$/.test(text)

/** Shares of the size. */
const widthMax = 1.5
const besideMin = 0.3

/** By how much each of the numbers is higher than the one above it; 0 if that differs. */
const stepOf = (numbers: ReadonlyArray<Word>): number => {
  const values = numbers.map(({ text }) => Number(text))
  const step = (values[1] ?? 0) - (values[0] ?? 0)
  if (values.length < 2) return values.length
  const isEven = values.every((value, index) => index === 0 || value - (values[index - 1] ?? 0) === step)
  return isEven ? Math.max(0, step) : 0
}

/** Nearly all lines of the page are counted, and they are a text that goes on from line to line. */
const areCounted = ({ numbers }: Column, words: ReadonlyArray<Word>, least = linesMin): boolean => {
  const counting = new Set(numbers)
  const lines = byReading(words.filter((word) => !counting.has(word)))
  const counted = numbers.length * stepOf(numbers)
  if (numbers.length < numbersMin || counted < least || counted < countedMin * lines.length) return false
  const left = lines.reduce((least, [word]) => Math.min(least, word?.left ?? least), Number.POSITIVE_INFINITY)
  const ends = lines.map((line) => line.at(-1)?.right ?? 0)
  const width = ends.reduce((most, end) => Math.max(most, end), 0) - left
  const full = ends.filter((end) => end - left > fullWidth * width).length
  const lower = lines.filter(([word]) => /^\p{Ll}/u.test(word?.text ?? "")).length
  const together = lines.filter(areTogether).length
  return Math.min(full, together) >= fullMin * lines.length && lower >= lowerMin * lines.length
}

/**
 * The lines of the page are counted from one on below some that are not, as the text of a bill is below its recitals: they
 * go on from one to the next, also within words.
 */
const areCountedBelow = (column: Column, words: ReadonlyArray<Word>): boolean => {
  const [first, last] = [column.numbers[0], column.numbers.at(-1)]
  if (first?.text !== "1" || last === undefined || column.numbers.length < belowLinesMin) return false
  const room = sameLine * first.size
  const within = words.filter(
    ({ baseline }) => baseline > first.baseline - room && baseline < last.baseline + room,
  )
  const divided = byReading(within).filter((line) => line.at(-1)?.hyphenated === true)
  return divided.length >= dividedMin && areCounted(column, within, belowLinesMin)
}

const belowLinesMin = 5
const dividedMin = 2
/** A share of the size. */
const sameLine = 0.4

/** Some words, and no columns of a few. */
const areTogether = (line: ReadonlyArray<Word>): boolean =>
  line.length >= wordsMin &&
  line.every((word, index) => word.left - (line[index - 1]?.right ?? word.left) < gapMax * word.size)
