import type { Line } from "./TextLine.ts"
import type { Word } from "./Word.ts"

type Words = ReadonlyArray<Word>

/** The title that a paragraph begins with, in a type of its own: its words in each line. */
interface Found {
  readonly title: ReadonlyArray<Words>
  readonly bold: boolean
  readonly italic: boolean
  /** So is the number or letter before it. */
  readonly isMarkAlike: boolean
  /** What follows stands as far from it as the size of its letters, as LaTeX sets off a title within its text. */
  readonly isSetOff: boolean
}

const wordsMax = 30
const linesMax = 3
/** `II-A 1)`, `Section 1.2`. */
const numberWordsMax = 2

/** A share of the size: how much a gap may differ from it. */
const setOffTolerance = 0.01

/**
 * How many words of such a title there are: it is bold or in italics, which the text behind it is not; the number before
 * it may be as the text is. 0 for none.
 */
export const runInWords = (lines: ReadonlyArray<Line>): number => {
  const words = lines
    .slice(0, linesMax)
    .flatMap((line) => line.words.slice(0, wordsMax + 1))
    .slice(0, wordsMax + 1)
  const at = words.findIndex(isLettered)
  const first = words[at]
  if (first === undefined || !(first.bold || first.italic) || at > numberWordsMax) return 0
  const end = words.findIndex(
    (word, index) =>
      index > at &&
      !isAs(first, word) &&
      ((!word.mono && /\p{L}/u.test(word.text)) || isSetOff(words[index - 1], word)),
  )
  const last = words[end - 1]
  return last === undefined || !/[\p{L}\p{N}.:?!)\]”"’]$/u.test(last.text) ? 0 : end
}

export const runInTitle = (lines: ReadonlyArray<Line>): Found | undefined => {
  let left = runInWords(lines)
  const title: Array<Words> = []
  let next: Word | undefined
  for (const line of lines) {
    if (left <= 0) break
    title.push(line.words.slice(0, left))
    next = line.words[left]
    left -= line.words.length
  }
  const named = title.flat().find(isLettered)
  if (named === undefined) return undefined
  const [mark] = title[0] ?? []
  const { bold, italic } = named
  const below = lines[title.length]?.left ?? Number.NEGATIVE_INFINITY
  return {
    title,
    bold,
    italic,
    isMarkAlike: mark !== undefined && mark !== named && isAs(mark, named),
    // The text below a label in a box begins where that beside it does.
    isSetOff: isSetOff(title.at(-1)?.at(-1), next) && below <= (mark?.right ?? below),
  }
}

const isSetOff = (last: Word | undefined, next: Word | undefined): boolean =>
  last !== undefined &&
  next !== undefined &&
  // Code in the text or in the title may be a little smaller.
  [last.size, next.size].some((size) => Math.abs(next.left - last.right - size) < setOffTolerance * size)

const isLettered = ({ text }: Word): boolean => /\p{L}{2}/u.test(text)

const isAs = (one: Word, other: Word): boolean => one.bold === other.bold && one.italic === other.italic
