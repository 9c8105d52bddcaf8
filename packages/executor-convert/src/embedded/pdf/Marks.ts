import { byReading } from "./Cells.ts"
import type { Area } from "./Ruling.ts"
import type { Word } from "./Words.ts"

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
      const at = line.findIndex(({ left }) => left >= mark.right - 0.5)
      const [last, next] = [line[at - 1], line[at]]
      if (next === undefined || before.has(next)) continue
      const { size, baseline, left } = next
      const side = Math.max(mark.right - mark.left, mark.bottom - mark.top)
      const middle = (mark.top + mark.bottom) / 2
      const isBeside =
        left - mark.right <= gapMax * size && middle < baseline && middle > baseline - 0.75 * size
      const isFree = last === undefined || last.right < mark.left - freeBefore * size
      if (!isBeside || !isFree || side < markMin * size || side > markMax * size) continue
      const { left: from, right: to } = mark
      before.set(next, {
        ...next,
        text: "•",
        left: from,
        right: to,
        order: next.order - 0.5,
        hyphenated: false,
        spaced: false,
        link: "",
      })
    }
  }
  if (before.size === 0) return words
  return words.flatMap((word) => {
    const mark = before.get(word)
    return mark === undefined ? [word] : [mark, word]
  })
}

/** Lines that may stand at the height of a mark. */
const linesAt = (
  lines: ReadonlyArray<ReadonlyArray<Word>>,
  { bottom }: Area,
): ReadonlyArray<ReadonlyArray<Word>> => {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.[0]?.baseline ?? 0) < bottom - 1) low = middle + 1
    else high = middle
  }
  return lines.slice(low, low + 3)
}
