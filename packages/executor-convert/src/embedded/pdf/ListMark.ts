import type { Word } from "./Words.ts"

/** What stands before the text of a list item. */
export interface ListMark {
  readonly item: number | "bullet"
  /** Words that are no part of the text. */
  readonly words: number
}

/** Symbol fonts have their bullets in the private use area. */
const bullet = /^[•‣◦▪▫●○■□➢➤✓✔✗❖–—*·⁃∙\uf0b7\uf0a7\uf0d8\uf0fc-]$/
const number = /^(\d{1,3})[.)]$/
const letters = /^\(?(?:([a-z])|([A-Z])|([ivxl]{2,6})|([IVXL]{2,6}))[.)]$/
const enclosed = /^\((\d{1,2})\)$/

/** Bullets, numbers, and letters that may be the numbers of a list. */
export const mayBeMark = (text: string): boolean =>
  bullet.test(text) || number.test(text) || letters.test(text) || enclosed.test(text)

/** The mark at the beginning of a line: a bullet, a number, or a number after a bullet. */
export const markOf = (words: ReadonlyArray<Word>): ListMark | undefined => {
  const [first, second, third] = words
  if (first === undefined || second === undefined) return undefined
  if (bullet.test(first.text)) {
    // A sign that comes back in its line separates, or explains a drawing.
    if (words.some(({ text }, index) => index > 0 && text === first.text)) return undefined
    const inner = third === undefined ? undefined : number.exec(second.text)
    return inner ? { item: Number(inner[1]), words: 2 } : { item: "bullet", words: 1 }
  }
  const counted = number.exec(first.text)
  return counted === null ? undefined : { item: Number(counted[1]), words: 1 }
}

/** A mark with a letter, a Roman number or a number in brackets: all that it may count. */
interface Lettered {
  readonly form: string
  readonly values: ReadonlyArray<number>
}

const letteredOf = (text: string): Lettered | undefined => {
  const counted = enclosed.exec(text)
  if (counted !== null) return { form: "(1)", values: [Number(counted[1])] }
  const found = letters.exec(text)
  if (found === null) return undefined
  const [, small, large, smallRoman, largeRoman] = found
  const characters = small ?? large ?? smallRoman ?? largeRoman ?? ""
  const isLarge = characters !== characters.toLowerCase()
  const lower = characters.toLowerCase()
  const roman = romanOf(lower)
  const values = [
    ...(lower.length === 1 ? [lower.charCodeAt(0) - 96] : []),
    ...(roman === undefined ? [] : [romanBase + roman]),
  ]
  return { form: `${isLarge}${text.replace(/\p{L}+/u, "")}`, values }
}

/** Keeps Roman numbers apart from letters. */
const romanBase = 1_000

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 }

/** The value of a Roman number in lower case; undefined for anything else. */
export const romanOf = (text: string): number | undefined => {
  if (!/^(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/.test(text)) return undefined
  const values = [...text].map((digit) => romanDigits[digit] ?? 0)
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0)
}

/**
 * The items among lines that begin with a letter, a Roman number or a number in brackets, by the index of their line.
 * They are believed where the one before or after is there, too, in the same form: "A. Smith" is a name.
 */
export const letteredMarks = (
  lines: ReadonlyArray<{ readonly words: ReadonlyArray<Word> }>,
): ReadonlyMap<number, ListMark> => {
  const found = lines.flatMap(({ words: [first, second] }, index) => {
    const lettered = first === undefined || second === undefined ? undefined : letteredOf(first.text)
    return lettered === undefined ? [] : [{ index, lettered }]
  })
  const marks = new Map<number, ListMark>()
  for (const [at, { index, lettered }] of found.entries()) {
    const others = [...found.slice(0, at).reverse(), ...found.slice(at + 1)].filter(
      (other) => other.lettered.form === lettered.form,
    )
    const follows = (value: number, step: 1 | -1): boolean =>
      others.some((other) => other.lettered.values.includes(value + step))
    const value = lettered.values.find((each) => follows(each, -1) || follows(each, 1))
    if (value !== undefined) marks.set(index, { item: value % romanBase, words: 1 })
  }
  return marks
}
