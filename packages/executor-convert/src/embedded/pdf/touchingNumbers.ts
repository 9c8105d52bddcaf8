import { type Gap, partsAt } from "./NarrowGaps.ts"
import type { Rule } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** Points: how far a line may be from where two numbers touch. */
const lineApart = 1.5
/** A share of the size above the baseline: there the line passes through the word. */
const middle = 0.3
/** Numbers whose digits are written one by one have more text objects. */
const charactersPerJointMin = 2
const numbers = /^[\d.,%()+-]{4,}$/
/** Each joint looks at the lines beside it. */
const linesBesideMax = 50

/**
 * Adds to a word where a number begins behind another one as a text object of its own: those of two columns that are as
 * wide as their cells touch.
 */
export const addJoint = (word: Word, left: number, text: string): void => {
  if (!/^[\d+(-]/.test(text) || !/[\d.,%)]$/.test(word.text.slice(-1))) return
  word.joints ??= []
  word.joints.push({ at: word.text.length, right: word.right, left })
}

/** The words, with numbers as words of their own between which a line stands. */
export const withNumbersApart = (
  words: ReadonlyArray<Word>,
  vertical: ReadonlyArray<Rule>,
): ReadonlyArray<Word> => {
  if (vertical.length === 0 || words.every(({ joints }) => joints === undefined)) return words
  const byPlace = Map.groupBy(vertical, ({ at }) => Math.round(at))
  const isParted = ({ baseline, size }: Word, { left, right }: Gap): boolean => {
    const place = (left + right) / 2
    const height = baseline - middle * size
    const around = Array.from({ length: 5 }, (_, index) => byPlace.get(Math.round(place) + index - 2) ?? [])
    return around
      .filter((lines) => lines.length <= linesBesideMax)
      .flat()
      .some(({ at, from, to }) => Math.abs(at - place) <= lineApart && from < height && to > height)
  }
  const parts = words.flatMap((word) => {
    const { joints = [], text } = word
    const isNumbers = numbers.test(text) && joints.length * charactersPerJointMin <= text.length
    if (!isNumbers || word.isMirrored === true) return [word]
    return partsAt(
      word,
      joints.filter((joint) => joint.at < text.length && isParted(word, joint)),
    )
  })
  return parts.length === words.length ? words : parts.map((word, order) => ({ ...word, order }))
}
