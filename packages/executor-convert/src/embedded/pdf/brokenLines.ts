import { firstWhere } from "../firstWhere.ts"
import type { Word } from "./Word.ts"

/** An arrow with a hook, in the fonts of TeX also as the signs that are written for its two parts. */
const hookedArrow = /^(?:↪→?|⤷|,(?:!|→|−→))$/u
/** What stands where a line was broken within a word. */
const brokenWithin = /⌋$/u

/** A share of the size of the arrow, which is smaller than the code. */
const apartMax = 6

/**
 * The words without the marks before what a line of code has no room for and goes on with in the next, as LaTeX sets them;
 * the word behind such a mark says that its line was broken.
 */
export const withBrokenLines = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const arrows = words.filter(({ text, mono }) => !mono && hookedArrow.test(text))
  if (arrows.length === 0) return words
  const lines = Map.groupBy(
    words.filter(({ mono }) => mono).sort((a, b) => a.left - b.left),
    ({ baseline }) => Math.round(baseline),
  )
  const marks = new Set<Word>()
  const begins = new Set<Word>()
  for (const arrow of arrows) {
    const begin = besideOf(arrow, lines)
    if (begin === undefined) continue
    marks.add(arrow)
    begins.add(begin)
  }
  const found: Array<Word> = []
  for (const word of words) {
    if (marks.has(word)) continue
    if (!begins.has(word)) {
      found.push(word)
      continue
    }
    const last = found.at(-1)
    const isWithin = last !== undefined && brokenWithin.test(last.text)
    if (isWithin) {
      const text = last.text.replace(brokenWithin, "")
      found.splice(-1, 1, ...(text === "" ? [] : [{ ...last, text }]))
    }
    found.push({ ...word, brokenLine: isWithin ? "within a word" : "at a space" })
  }
  return found
}

/** The code that stands behind an arrow, on its line. */
const besideOf = (
  { baseline, right, size }: Word,
  lines: ReadonlyMap<number, ReadonlyArray<Word>>,
): Word | undefined =>
  [0, -1, 1]
    .map((step) => {
      const line = lines.get(Math.round(baseline) + step) ?? []
      return line[firstWhere(line.length, (at) => (line[at]?.left ?? 0) >= right)]
    })
    .find((word) => word !== undefined && word.left - right < apartMax * size)
