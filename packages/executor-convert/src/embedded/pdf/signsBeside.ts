import type { Word } from "./Word.ts"

const sign = /^(?:TIP|NOTE|HINT|CAUTION|WARNING|DANGER|IMPORTANT)[!:]?$/
/** Shares of the size: from the sign to its text, and from a line to the next one. */
const gapMax = 1.5
const sameLine = 0.35
const leadingMax = 1.7
/** Points. */
const sameLeft = 1
/** With more on a page they are cells; a text goes on below its sign after as many lines at most. */
const signsMax = 12
const linesMax = 6

/**
 * The words, with a sign such as TIP, which is drawn in a box beside the lines of a text, before the first of these: the
 * document writes it elsewhere, and it stands at the height of any of them.
 */
export const withSignsBeside = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const signs = words.filter(({ text }) => sign.test(text))
  if (signs.length === 0 || signs.length > signsMax) return words
  const before = new Map<Word, Word>()
  for (const each of signs) {
    const first = firstBeside(each, words)
    if (first !== undefined) before.set(first, { ...each, baseline: first.baseline })
  }
  if (before.size === 0) return words
  const moved = new Set([...before.values()].map(({ order }) => order))
  return words.flatMap((word) => {
    if (moved.has(word.order)) return []
    const own = before.get(word)
    return own === undefined ? [word] : [own, word]
  })
}

/** The first word of the lines that begin at one place behind the sign, which stands beside one of them but the first. */
const firstBeside = (own: Word, words: ReadonlyArray<Word>): Word | undefined => {
  const others = words.filter(({ left, right }) => left < own.right + gapMax * own.size && right > own.left)
  const isLevel = (word: Word, baseline: number): boolean =>
    Math.abs(word.baseline - baseline) < sameLine * word.size
  const begin = others.find(
    (word) => word.left > own.right && isLevel(word, own.baseline) && Math.abs(word.order - own.order) > 1,
  )
  if (begin === undefined) return undefined
  let first = begin
  for (let line = 0; line < linesMax; line++) {
    const above = others.find(
      ({ left, baseline, size }) =>
        Math.abs(left - begin.left) < sameLeft &&
        baseline < first.baseline - sameLine * size &&
        first.baseline - baseline < leadingMax * size,
    )
    if (above === undefined || others.some((word) => word.left < above.left && isLevel(word, above.baseline)))
      break
    first = above
  }
  return first === begin ? undefined : first
}
