import type { Line } from "./TextLine.ts"
import type { Word } from "./Words.ts"

/** As shares of the size: what is raised stays in its line. */
const sameLineMax = 0.35
const raisedMax = 0.9

interface RunLine {
  readonly words: Array<Word>
}

/** The lines of words that one element holds, in the order of the document. */
export const linesOfRun = (words: ReadonlyArray<Word>): ReadonlyArray<RunLine> => {
  const lines: Array<RunLine> = []
  let last: Word | undefined
  for (const word of words) {
    const line = lines.at(-1)
    if (line === undefined || last === undefined || isNewLine(last, word)) lines.push({ words: [word] })
    else line.words.push(word)
    last = word
  }
  return lines
}

const isNewLine = (last: Word, word: Word): boolean => {
  const size = Math.max(last.size, word.size)
  const down = Math.abs(word.baseline - last.baseline)
  return down > raisedMax * size || (down > sameLineMax * size && word.left < last.left)
}

/**
 * The paragraphs and items of one element, which may hold several with empty lines between them: where the height between
 * its lines is much larger than that of most, and where lines begin with the marks of items.
 */
export const partsOfRun = (lines: ReadonlyArray<Line>): ReadonlyArray<ReadonlyArray<Line>> => {
  if (lines.length < partedLinesMin) return [lines]
  const leadings = lines.slice(1).map((line, index) => line.baseline - (lines[index]?.baseline ?? 0))
  const usual = leadings.toSorted((a, b) => a - b)[(leadings.length - 1) >> 1] ?? 0
  const [first] = lines
  const isMarked = (line: Line): boolean =>
    line.mark !== undefined && Math.abs(line.left - (first?.left ?? 0)) < sameLeft
  const areItems = lines.slice(1).filter(isMarked).length >= marksMin
  const parts: Array<Array<Line>> = []
  for (const [index, line] of lines.entries()) {
    const leading = leadings[index - 1] ?? 0
    const isParted = usual > line.size && leading > partedMin * usual && leading < partedMax * line.size
    if (index === 0 || isParted || (areItems && isMarked(line))) parts.push([line])
    else parts.at(-1)?.push(line)
  }
  return parts
}

const partedLinesMin = 3
const marksMin = 2
/** Points. */
const sameLeft = 2
/** A share of the height between most lines, and of the size: what stands further away is elsewhere on the page. */
const partedMin = 1.6
const partedMax = 5
