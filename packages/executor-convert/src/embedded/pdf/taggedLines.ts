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
