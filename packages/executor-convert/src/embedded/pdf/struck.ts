import type { Rule, Ruling } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** Stand around text that is struck. No character of a document is one of them. */
const begin = "\ufdd2"
const end = "\ufdd3"

/** Shares of the size below the baseline: where a line goes through the letters of a word, and where it underlines them. */
const through = { top: -0.45, bottom: -0.15 } as const
const below = { top: 0.03, bottom: 0.3 } as const
/** The same: how far a word may go beyond the line, as its comma does, and the line beyond the words, over a space or a hyphen. */
const wordOverMax = 0.35
const lineOverMax = 0.75
/** What is larger is a picture. */
const sizeMax = 100
/** Each word looks at the lines of its heights; more than these are a pattern. */
const atHeightMax = 50
/** A share of the line: the rest are gaps between its words. */
const filledMin = 0.6
const lettersMin = 2
/** More lines are a drawing, as of a circuit or of music. */
const linesMax = 150

interface LinedWords {
  readonly words: ReadonlyArray<Word>
  readonly ruling: Ruling
}

/**
 * The words, with those known through whose letters a line is drawn that begins and ends with them, as word processors
 * strike out text, and those that are underlined so and no links. Lines through words, and those below links, are no rules.
 */
export const withLinedWords = (words: ReadonlyArray<Word>, ruling: Ruling): LinedWords => {
  const lines = ruling.horizontal.filter(({ isHidden, isThick }) => isHidden !== true && isThick !== true)
  if (lines.length === 0 || lines.length > linesMax) return { words, ruling }
  const byHeight = Map.groupBy(lines, ({ at }) => Math.round(at))
  const strikes = withoutPaper(linesOfWords(words, byHeight, through), lines)
  const struck = new Set([...strikes.values()].flat())
  const texts = words.filter(({ link }) => link === "")
  const underlined = new Set([...linesOfWords(texts, byHeight, below).values()].flat())
  const links = linesOfWords(
    words.filter(({ link }) => link !== ""),
    byHeight,
    below,
  )
  if (struck.size + underlined.size + links.size === 0) return { words, ruling }
  return {
    words: words.map((word) => {
      const [isStruck, isUnderlined] = [struck.has(word), underlined.has(word)]
      if (!isStruck && !isUnderlined) return word
      return { ...word, ...(isStruck ? { isStruck } : {}), ...(isUnderlined ? { isUnderlined } : {}) }
    }),
    ruling: {
      ...ruling,
      horizontal: ruling.horizontal.filter((line) => !strikes.has(line) && !links.has(line)),
    },
  }
}

/** The lines through words, without those of a ruled paper behind the text: most of as long ones go through none. */
const withoutPaper = (
  strikes: ReadonlyMap<Rule, ReadonlyArray<Word>>,
  lines: ReadonlyArray<Rule>,
): ReadonlyMap<Rule, ReadonlyArray<Word>> => {
  if (strikes.size === 0) return strikes
  const lengthOf = ({ from, to }: Rule): string => `${Math.round(from)} ${Math.round(to)}`
  const alike = Map.groupBy(lines, lengthOf)
  const isPaper = (own: ReadonlyArray<Rule>): boolean =>
    own.length >= paperLinesMin && 2 * own.filter((line) => strikes.has(line)).length < own.length
  const papers = new Set([...alike].flatMap(([length, own]) => (isPaper(own) ? [length] : [])))
  return new Map([...strikes].filter(([line]) => !papers.has(lengthOf(line))))
}

const paperLinesMin = 6

type LinesByHeight = ReadonlyMap<number, ReadonlyArray<Rule>>

/** Between which heights a line stands, as shares of the size of its words. */
interface Heights {
  readonly top: number
  readonly bottom: number
}

/** The lines at these heights that begin and end with words, with the words. */
const linesOfWords = (
  words: ReadonlyArray<Word>,
  byHeight: LinesByHeight,
  heights: Heights,
): ReadonlyMap<Rule, ReadonlyArray<Word>> => {
  const found = new Map<Rule, Array<Word>>()
  for (const word of words) {
    for (const line of linesAt(word, byHeight, heights)) {
      const own = found.get(line)
      if (own === undefined) found.set(line, [word])
      else own.push(word)
    }
  }
  return new Map([...found].filter(([line, own]) => isAlong(line, own)))
}

const linesAt = (
  { left, right, baseline, drawn = baseline, size }: Word,
  byHeight: LinesByHeight,
  heights: Heights,
): ReadonlyArray<Rule> => {
  const found: Array<Rule> = []
  if (size > sizeMax) return found
  const [top, bottom] = [drawn + heights.top * size, drawn + heights.bottom * size]
  for (let height = Math.round(top); height <= Math.round(bottom); height++) {
    const lines = byHeight.get(height) ?? []
    if (lines.length > atHeightMax) continue
    const touch = Math.min(wordOverMax * size, (right - left) / 2)
    for (const line of lines) {
      const isAcross = line.from < right - touch && line.to > left + touch
      if (isAcross && line.at > top && line.at < bottom) found.push(line)
    }
  }
  return found
}

/** The line covers its words, and hardly more than them. */
const isAlong = ({ from, to }: Rule, words: ReadonlyArray<Word>): boolean => {
  let [left, right, filled, letters] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0]
  for (const word of words) {
    const over = wordOverMax * word.size
    if (word.left < from - over || word.right > to + over) return false
    left = Math.min(left, word.left)
    right = Math.max(right, word.right)
    filled += word.right - word.left
    if (letters < lettersMin) letters += word.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  }
  const over = lineOverMax * (words[0]?.size ?? 0)
  return letters >= lettersMin && from > left - over && to < right + over && filled > filledMin * (to - from)
}

/** The text of a word between signs where it is struck: before the first and behind the last of such words in a row. */
export const markStruck = (
  text: string,
  word: Word,
  before: Word | undefined,
  after: Word | undefined,
): string =>
  word.isStruck === true
    ? `${goesOn(before, word) ? "" : begin}${text}${goesOn(word, after) ? "" : end}`
    : text

const goesOn = (word: Word | undefined, next: Word | undefined): boolean =>
  word?.isStruck === true && next?.isStruck === true && word.link === next.link

/** The parts of a text: what is struck stands apart. */
export const struckIn = (
  text: string,
): ReadonlyArray<{ readonly text: string; readonly isStruck: boolean }> =>
  text
    .replaceAll(`${end} ${begin}`, " ")
    .split(run)
    .map((part, index) => ({ text: part, isStruck: index % 2 === 1 }))

const run = new RegExp(`${begin}([^${begin}${end}]*)${end}`)
