import type { Place, Style } from "./readCharacter.ts"
import type { Word } from "./Word.ts"

/** Stand around lowered characters. No character of a document is one of them. */
const begin = "\ufdd0"
const end = "\ufdd1"

/** Shares of the size of the word that lowered characters stand in: how large they are, and how far they are below. */
const sizeMax = 0.85
const fallMin = 0.08
/** How far away another word is that goes on with them. */
const gapMax = 0.8
/** Heights that differ by less are the same. */
const sameHeight = 0.05

/** Characters are lowered behind a letter, number, sign or closing bracket, but behind no line of a fraction. */
const base = /(?!\u2044)[\p{L}\p{M}\p{N}\p{S}\p{Pe}\p{Pf}*|‖′]$/u
const baseCharactersMax = 2
const unknown = /^\p{C}/u
/** The text of an item may touch its bullet, which is larger and stands higher. */
const bullet = /^[\p{Co}\u2022\u25a0-\u25ff\u2700-\u27bf]/u

/** Lowered characters in a row, at the end of a word. */
interface Run {
  readonly word: Word
  readonly size: number
  readonly baseline: number
}

/** Finds the characters that are lowered while the words of a page are read. */
export class LoweredCharacters {
  #run: Run | undefined
  /** Where runs begin and end in the texts of their words, in turn. */
  readonly #turns = new Map<Word, Array<number>>()

  /** The last character of the word is lowered. */
  endsWord(word: Word): boolean {
    return this.#run?.word === word
  }

  /** Sees a character that goes on with a word, before that has it. */
  add(word: Word, place: Place, style: Style, text: string): void {
    const isBehind = this.endsWord(word)
    const isIn = isLowered(word, isBehind ? this.#run : undefined, place, style, text)
    if (isIn !== isBehind) this.#turn(word, word.text.length)
    if (!isIn) this.#run = undefined
    else if (!isBehind) this.#run = { word, size: style.size, baseline: place.baseline }
  }

  /** Sees the first character of a word. */
  begin(word: Word, last: Place | undefined): void {
    if (this.#run === undefined || last === undefined) return
    const isIn = goesOnIn(this.#run, last, word)
    if (isIn) this.#turn(word, 0)
    this.#run = isIn ? { ...this.#run, word } : undefined
  }

  /** Gives words their text with signs around what is lowered. */
  mark(): void {
    for (const [word, turns] of this.#turns) {
      const pieces = [0, ...turns].map((from, index) => word.text.slice(from, turns[index]))
      const marked = pieces.map((piece, index) => (index % 2 === 0 ? piece : begin + piece + end))
      word.marked = marked.join("")
    }
  }

  #turn(word: Word, at: number): void {
    const turns = this.#turns.get(word)
    if (turns === undefined) this.#turns.set(word, [at])
    else turns.push(at)
  }
}

/** A small character below the baseline of its word, right behind what it belongs to or behind others (`run`). */
const isLowered = (
  word: Word,
  run: Run | undefined,
  { baseline }: Place,
  { size }: Style,
  text: string,
): boolean => {
  const isBelow = size < sizeMax * word.size && baseline - word.baseline > fallMin * word.size
  if (!isBelow && (run === undefined || !isAtHeight(run, baseline, size))) return false
  if (bullet.test(word.text)) return false
  return !unknown.test(text) && (run !== undefined || base.test(word.text.slice(-baseCharactersMax)))
}

/** At the height of the run; or raised or lowered from there, and smaller. */
const isAtHeight = (run: Run, baseline: number, size: number): boolean => {
  const { word } = run
  if (size < sizeMax * run.size) return baseline > word.baseline - sameHeight * word.size
  return size < run.size / sizeMax && Math.abs(baseline - run.baseline) < sameHeight * word.size
}

/** The word goes on with the run that the word before it ends with, as behind the comma between two indices. */
const goesOnIn = (run: Run, last: Place, { left, baseline, size, order }: Word): boolean =>
  order === run.word.order + 1 &&
  size < run.size / sizeMax &&
  Math.abs(baseline - run.baseline) < sameHeight * run.word.size &&
  left > last.left &&
  left - last.right < gapMax * run.word.size

/** The text of a word with its signs; without them where it was changed. */
export const markedOf = ({ text, marked }: Word): string =>
  marked !== undefined && withoutMarks(marked) === text ? marked : text

/** The parts of a text: what is lowered stands apart, also over several words. */
export const loweredIn = (
  text: string,
): ReadonlyArray<{ readonly text: string; readonly isLowered: boolean }> =>
  text.includes(begin)
    ? text
        .replaceAll(`${end} ${begin}`, " ")
        .split(run)
        .map((part, index) => ({ text: withoutMarks(part), isLowered: index % 2 === 1 }))
    : [{ text, isLowered: false }]

const run = new RegExp(`${begin}([^${begin}${end}]*)${end}`)

export const withoutMarks = (text: string): string => text.replace(marks, "")

/** Those around what is struck, and around code, too. */
const marks = /[\ufdd0-\ufdd5]/g
