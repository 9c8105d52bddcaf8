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
}

const wordsMax = 30
const linesMax = 3
/** `II-A 1)`, `Section 1.2`. */
const numberWordsMax = 2

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
    (word, index) => index > at && !word.mono && /\p{L}/u.test(word.text) && !isAs(first, word),
  )
  const last = words[end - 1]
  return last === undefined || !/[\p{L}\p{N}.:?!)\]”"’]$/u.test(last.text) ? 0 : end
}

export const runInTitle = (lines: ReadonlyArray<Line>): Found | undefined => {
  let left = runInWords(lines)
  const title: Array<Words> = []
  for (const line of lines) {
    if (left <= 0) break
    title.push(line.words.slice(0, left))
    left -= line.words.length
  }
  const named = title.flat().find(isLettered)
  if (named === undefined) return undefined
  const [mark] = title[0] ?? []
  const { bold, italic } = named
  return { title, bold, italic, isMarkAlike: mark !== undefined && mark !== named && isAs(mark, named) }
}

const isLettered = ({ text }: Word): boolean => /\p{L}{2}/u.test(text)

const isAs = (one: Word, other: Word): boolean => one.bold === other.bold && one.italic === other.italic
