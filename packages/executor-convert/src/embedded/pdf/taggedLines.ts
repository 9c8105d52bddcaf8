import { fromLeftToRight } from "./fromLeftToRight.ts"
import type { Line } from "./TextLine.ts"
import type { Word } from "./Word.ts"

/** As shares of the size: what is raised stays in its line. */
const sameLineMax = 0.35
const raisedMax = 0.9

interface RunLine {
  readonly words: ReadonlyArray<Word>
}

/** The lines of words that one element holds, in the order of its tags, or of the page where that alone runs downwards. */
export const linesOfRun = (words: ReadonlyArray<Word>): ReadonlyArray<RunLine> => {
  if (runsDownwards(words)) return linesOf(words)
  const drawn = words.toSorted((a, b) => a.order - b.order)
  return linesOf(runsDownwards(drawn) ? drawn : words)
}

/** Each word stands to the right of the one before it, or in a line below that. */
const runsDownwards = (words: ReadonlyArray<Word>): boolean =>
  words.every((word, index) => {
    const last = words[index - 1]
    if (last === undefined) return true
    return isNewLine(last, word) ? word.baseline > last.baseline : word.left >= last.left
  })

const linesOf = (words: ReadonlyArray<Word>): ReadonlyArray<RunLine> => {
  const lines: Array<Array<Word>> = []
  let last: Word | undefined
  for (const word of words) {
    const line = lines.at(-1)
    if (line === undefined || last === undefined || isNewLine(last, word)) lines.push([word])
    else line.push(word)
    last = word
  }
  return lines.map((line) => ({ words: fromLeftToRight(line) }))
}

const isNewLine = (last: Word, word: Word): boolean => {
  const size = Math.max(last.size, word.size)
  const down = Math.abs(word.baseline - last.baseline)
  return down > raisedMax * size || (down > sameLineMax * size && word.left < last.left)
}

/**
 * The paragraphs and items of one element, which may hold several with empty lines between them: where the height between
 * its lines is much larger than that of most, and where lines begin with the marks of items, or with a label below a short
 * line.
 */
export const partsOfRun = (lines: ReadonlyArray<Line>): ReadonlyArray<ReadonlyArray<Line>> => {
  if (lines.length < partedLinesMin) return [lines]
  const leadings = lines.slice(1).map((line, index) => line.baseline - (lines[index]?.baseline ?? 0))
  const usual = leadings.toSorted((a, b) => a - b)[(leadings.length - 1) >> 1] ?? 0
  const [first] = lines
  const isMarked = (line: Line): boolean =>
    line.mark !== undefined && Math.abs(line.left - (first?.left ?? 0)) < sameLeft
  const areItems = lines.slice(1).filter(isMarked).length >= marksMin
  const width = lines.reduce((most, { left, right }) => Math.max(most, right - left), 0)
  const parts: Array<Array<Line>> = []
  for (const [index, line] of lines.entries()) {
    const leading = leadings[index - 1] ?? 0
    const isParted = usual > line.size && leading > partedMin * usual && leading < partedMax * line.size
    const begins = (areItems && isMarked(line)) || isLabelled(line, lines[index - 1], width)
    if (index === 0 || isParted || begins) parts.push([line])
    else parts.at(-1)?.push(line)
  }
  return parts
}

/** "Place: Bristol", below a line that was ended on purpose. */
const isLabelled = ({ words }: Line, above: Line | undefined, width: number): boolean =>
  above !== undefined &&
  above.right - above.left < shortMax * width &&
  /^\p{Lu}/u.test(words[0]?.text ?? "") &&
  words.slice(0, labelWordsMax).some(({ text }) => /\p{L}:$/u.test(text))

/** A share of the widest line. */
const shortMax = 0.6
const labelWordsMax = 3

const partedLinesMin = 3
const marksMin = 2
/** Points. */
const sameLeft = 2
/** A share of the height between most lines, and of the size: what stands further away is elsewhere on the page. */
const partedMin = 1.6
const partedMax = 5
