import { mainSize } from "./Blocks.ts"
import { linesOfRun } from "./taggedLines.ts"
import type { Word } from "./Word.ts"

type Words = ReadonlyArray<Word>

/** Lines that begin where the text does. */
const textLinesMin = 8
const textLeftsMax = 3
/** Shares of the size of the text. */
const smallMax = 0.88
const roomMin = 0.5
const gapMax = 1.5
/** Of the words of notes, as a mark may stand among them; of their lines. */
const usualMin = 0.8
const lineWordsMin = 2.5
/** Of the words of a page, and of those of the text, as its running footer may begin in the margin. */
const notesShareMax = 0.5
const marginMax = 0.1
/** Points. */
const sameLeft = 2

/**
 * The notes in the margin to the left of the text, such as those of a journal on how to cite an article: in smaller type,
 * and written in one go before or after all else. Their lines are no part of the lines of text that they stand beside.
 */
export const marginNotes = (words: Words): Words => {
  for (const textLeft of textLeftsOf(words)) {
    const isWithin = ({ right, size }: Word): boolean => right > textLeft - roomMin * size
    const before = words.findIndex(isWithin)
    const behind = words.findLastIndex(isWithin) + 1
    if (areNotes(words.slice(behind), words.slice(0, behind), textLeft)) return words.slice(behind)
    if (areNotes(words.slice(0, before), words.slice(before), textLeft)) return words.slice(0, before)
  }
  return []
}

/** Where most lines begin, those where the fewest do last. */
const textLeftsOf = (words: Words): ReadonlyArray<number> =>
  [...Map.groupBy(linesOfRun(words), ({ words: [first] }) => Math.round(first?.left ?? 0))]
    .filter(([, lines]) => lines.length >= textLinesMin)
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, textLeftsMax)
    .map(([left]) => left)

/** `run` is what stands outside, and `others` is what else the page has. */
const areNotes = (run: Words, others: Words, textLeft: number): boolean => {
  const lines = linesOfRun(run).map((line) => line.words)
  if (lines.length < 2 || run.length < lineWordsMin * lines.length || !lines.every(isText)) return false
  if (run.length > notesShareMax * (run.length + others.length)) return false
  const size = mainSize(others)
  const firsts = lines.flatMap(([first]) => (first === undefined ? [] : [first]))
  const left = firsts.reduce((least, first) => Math.min(least, first.left), Number.POSITIVE_INFINITY)
  const small = run.filter((word) => word.size <= smallMax * size)
  const aligned = firsts.filter((first) => first.left - left < sameLeft)
  if (small.length < usualMin * run.length || aligned.length < usualMin * lines.length) return false
  const inMargin = others.filter((word) => word.left < textLeft - sameLeft)
  if (inMargin.length > marginMax * others.length) return false
  const top = firsts.reduce((least, { baseline }) => Math.min(least, baseline), Number.POSITIVE_INFINITY)
  const bottom = firsts.reduce((most, { baseline }) => Math.max(most, baseline), Number.NEGATIVE_INFINITY)
  return inMargin.every(({ baseline }) => baseline < top - size || baseline > bottom + size)
}

/** Not a row of cells, between which there is more room than between words, and no title, which may hang out into the margin. */
const isText = (line: Words): boolean =>
  line.every(({ left, size }, index) => left - (line[index - 1]?.right ?? left) <= gapMax * size) &&
  !line.every(({ bold }) => bold)
