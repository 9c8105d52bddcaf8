import type { Ruling } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** Shares of the size: the gap that an underscore fills, how long it is, and how far from the baseline it may be. */
const gapMin = 0.2
const gapMax = 1.2
const lengthMin = 0.2
const lengthMax = 0.9
const heightMax = 0.08
/** How long one of two is. */
const oneMax = 0.45

/** Each pair of words looks at those of its height; of more, as the dots of a leader, none joins words. */
const atHeightMax = 200
const marksMax = 3
/** What goes on for longer is no name. */
const charactersMax = 200

interface Dash {
  readonly at: number
  readonly from: number
  readonly to: number
}

/**
 * The words, with those as one that an underscore joins which is drawn as a line on the baseline, as TeX does: the name of
 * a file or of a variable. The line below a text that is underlined is further down, and longer.
 */
export const withUnderscores = (
  words: ReadonlyArray<Word>,
  { horizontal, dashes }: Pick<Ruling, "horizontal" | "dashes">,
): ReadonlyArray<Word> => {
  const sizeMax = words.reduce((most, { size }) => Math.max(most, size), 0)
  const lines: ReadonlyArray<Dash> = [
    ...dashes.map(({ left, right, top, bottom }) => ({ at: (top + bottom) / 2, from: left, to: right })),
    ...horizontal.filter(({ from, to, isHidden }) => isHidden !== true && to - from < lengthMax * sizeMax),
  ]
  if (lines.length === 0) return words
  const byHeight = Map.groupBy(lines, ({ at }) => Math.round(at))
  const between = (word: Word, next: Word): string => {
    const { size, baseline, right } = word
    const gap = next.left - right
    const isNear =
      next.baseline === baseline && next.size === size && gap > gapMin * size && gap < gapMax * size
    if (!isNear || word.text.length > charactersMax) return ""
    const height = Math.round(baseline)
    const found = [height - 1, height, height + 1].flatMap((at) => {
      const own = byHeight.get(at) ?? []
      if (own.length > atHeightMax) return []
      return own.filter(
        (line) =>
          Math.abs(line.at - baseline) < heightMax * size &&
          line.from > right - heightMax * size &&
          line.to < next.left + heightMax * size &&
          line.to - line.from > lengthMin * size,
      )
    })
    if (found.length > marksMax) return ""
    return found.map((line) => (line.to - line.from > oneMax * size ? "__" : "_")).join("")
  }
  const joined: Array<Word> = []
  for (const word of words) {
    const last = joined.at(-1)
    const mark = last === undefined ? "" : between(last, word)
    if (last === undefined || mark === "") joined.push({ ...word, order: joined.length })
    else
      joined[joined.length - 1] = {
        ...last,
        text: `${last.text}${mark}${word.text}`,
        right: word.right,
        hyphenated: word.hyphenated,
        spaced: word.spaced,
      }
  }
  return joined.length === words.length ? words : joined
}
