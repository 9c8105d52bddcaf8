import type { Word } from "./Word.ts"

/** Words of one column beside one another: a line of a cell. */
export interface Piece {
  readonly words: ReadonlyArray<Word>
  readonly column: number
  readonly baseline: number
  readonly size: number
}

/** Signs that stand apart before and behind their numbers. */
export const signBefore = /^(?:\p{Sc}|US\$)$/u
export const signBehind = /^(?:%|\)|%\)|\)%)$/

export const isNumberSign = ({ text }: Word): boolean => signBefore.test(text) || signBehind.test(text)

export const isNumber = ({ text }: Word): boolean => /^[\p{Sc}(+-]*\d[\d.,:/%)-]*$/u.test(text)

/** A number, its sign, or a sign in the place of one. One that ends in a hyphen goes on in the next line. */
export const isFigure = (word: Word): boolean =>
  (isNumber(word) && !word.text.endsWith("-")) || /^(?:[–—−-]|n\/?a)$/iu.test(word.text) || isNumberSign(word)

export const areFigures = ({ words }: Pick<Piece, "words">): boolean => words.every(isFigure)
