import { sentenceEnd } from "./sentences.ts"
import { type Bounds, beginsInWord, goesOnInLower, isEnded, sameLeft } from "./stacks.ts"
import type { Line } from "./TextLine.ts"

/** Of a size, how far its lines go to the right, and how many that go on are within that, or end before it. */
interface Width {
  right: number
  within: number
  over: number
}

/**
 * How far a line goes to the right within its sentence, where what shows the width of the column is of another size, as
 * the foot of a slide is: several lines of its own size go on in lower case, and would have had room in the column.
 */
export const rightsOfSizes = (
  stacks: ReadonlyArray<ReadonlyArray<Line>>,
  column: Bounds,
): ((line: Line) => number | undefined) => {
  const widths = new Map<number, Width>()
  for (const { size, right } of stacks.flat()) {
    const width = widths.get(size)
    if (width === undefined) widths.set(size, { right, within: 0, over: 0 })
    else width.right = Math.max(width.right, right)
  }
  for (const stack of stacks) {
    for (const [at, line] of stack.entries()) {
      const [next, width] = [stack[at + 1], widths.get(line.size)]
      if (next?.size !== line.size || width === undefined || width.right > column.right - sameLeft) continue
      if (line.words.length < wordsMin || !beginsInWord(next) || !goesOnInLower(line, next)) continue
      if (!isEnded(line, next, column)) continue
      if (isEnded(line, next, { ...column, right: width.right })) width.over++
      else width.within++
    }
  }
  return (line) => {
    const { right, within, over } = widths.get(line.size) ?? { right: 0, within: 0, over: 0 }
    return isOfSentence(line) && within >= withinMin && within > overMax * over ? right : undefined
  }
}

/** The line is no name, label or address, and its sentence is not over. */
const isOfSentence = ({ words }: Line): boolean =>
  words.length >= sentenceWordsMin && !sentenceEnd.test(words.at(-1)?.text ?? "")

const wordsMin = 3
const sentenceWordsMin = 4
const withinMin = 2
/** So many times as many as end before the side of their own lines. */
const overMax = 4
