import { beginsAtRight, isFromTheRight } from "./mirrored.ts"
import { hasRightToLeft } from "./rightToLeft.ts"
import { keepOnly, type Word } from "./Word.ts"

/** Shares of the size. */
const sameLine = 0.1
const touchingMax = 0.12
const overlapMax = 0.3

const endsInSign = /[^\p{L}\p{M}\p{N}]$/u
const beginsWithSign = /^[^\p{L}\p{M}\p{N}]/u
/** A vowel or another mark by itself, over a letter of another word. */
const onlyMarks = /^\p{M}+$/u
const brackets: ReadonlyMap<string, string> = new Map(
  ["()", "[]", "{}", "«»", "‹›"].flatMap(([open = "", close = ""]) => [
    [open, close],
    [close, open],
  ]),
)
const opens = /^[([{«‹]/u
const closes = /[)\]}»›]$/u
const beginsClosed = /^[)\]}»›]/u
const endsOpen = /[([{«‹]$/u
/** A sign behind a number, which stands before it where the number is read from left to right. */
const signBefore = /^([،؛:.؟!]+)(\p{N}[\p{N}.,/]*)$/u
/** A comma at the right side of a name in other letters, which is read behind it. */
const commaBefore = /^([،؛]+)([\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}\p{P}]*)$/u
/** From a number to another one, as of years: behind Arabic letters, programs set the first one at the right. */
const range = /^\p{N}+[-–]\p{N}+(?=[.،؛:)]?$)/u
/** A letter is stretched by it, as lines are justified; at the end of a word it is a part of an abbreviation. */
const stretch = /(?<=\p{Script=Arabic}\p{M}*)\u0640+(?=\p{Script=Arabic})/gu

/**
 * Puts the words of lines from right to left in order, of which some signs come by themselves: these stand at the words
 * that they touch. PDFium turns all brackets in such lines, also those that the file says as they are read, as most
 * programs do; they are turned back where that leaves fewer that open at the end of a word. Marks that stand over a
 * letter of another word, as some programs draw vowels, are left out: no word needs them.
 */
export const joinFromTheRight = (words: Array<Word>): void => {
  if (!words.some(({ text }) => hasRightToLeft(text))) return
  const isOfPage = isFromTheRight(words)
  const kept: Array<Word> = []
  const turned: Array<Word> = []
  for (let at = 0; at < words.length; ) {
    const end = endOfLine(words, at)
    const line = words.slice(at, end)
    if (isOfPage ? isFromTheRight(line) || goesLeft(line) : isOnlyFromTheRight(line)) {
      const joined = withSigns(withNames(line))
      for (const word of joined) {
        kept.push(word)
        turned.push(word)
      }
    } else for (const word of line) kept.push(word)
    at = end
  }
  if (countOf(turned, isWrong) > countOf(turned, isRight)) {
    for (const word of turned) word.text = [...word.text].map((sign) => brackets.get(sign) ?? sign).join("")
  }
  for (const word of turned) {
    word.text = word.text.replace(commaBefore, "$2$1")
    if (!hasRightToLeft(word.text))
      word.text = word.text.replace(enclosed, "($1)$2").replace(signInside, ")$1").replace(slashBefore, "$1/")
  }
  keepOnly(words, kept)
}

/** A name in other letters, such as `PR`, between brackets of which PDFium turns the one or the other. */
const enclosed = /^[()]([^\p{P}]+)[()]([.,:;]?)$/u
/** The end of an address, which stands at its left side. */
const slashBefore = /^\/(https?:\/\/.+)$/u
/** No text ends with these. */
const signInside = /([,:;])\)$/u

const countOf = (words: ReadonlyArray<Word>, is: (text: string) => boolean): number =>
  words.reduce((count, { text }) => count + (is(text) ? 1 : 0), 0)

const isWrong = (text: string): boolean => beginsClosed.test(text) || endsOpen.test(text)
const isRight = (text: string): boolean => opens.test(text) || closes.test(text)

/** The index behind the words that are written after one another on a line. */
const endOfLine = (words: ReadonlyArray<Word>, from: number): number => {
  const baseline = words[from]?.baseline ?? 0
  let end = from + 1
  for (; end < words.length; end++) {
    const next = words[end]
    if (next === undefined || Math.abs(next.baseline - baseline) > sameLine * next.size) break
  }
  return end
}

/** Most of it is of other scripts, and comes from right to left all the same. */
const goesLeft = (line: ReadonlyArray<Word>): boolean => {
  if (!line.some(beginsAtRight)) return false
  const steps = line.slice(1).filter(({ left }, index) => left < (line[index]?.left ?? 0)).length
  return 2 * steps > line.length - 1
}

/** On a page of other text. */
const isOnlyFromTheRight = (line: ReadonlyArray<Word>): boolean => {
  const lettered = line.filter(({ text }) => /\p{L}/u.test(text))
  return lettered.length > 0 && lettered.every(beginsAtRight)
}

const withSigns = (line: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const joined: Array<Word> = []
  let isArabic = false
  for (const word of line) {
    if (onlyMarks.test(word.text)) continue
    word.text = word.text.replace(signBefore, "$2$1").replace(stretch, "")
    if (isArabic)
      word.text = word.text.replace(range, (text) =>
        text
          .split(/([-–])/)
          .toReversed()
          .join(""),
      )
    if (/\p{L}/u.test(word.text)) isArabic = /\p{Script=Arabic}/u.test(word.text)
    const last = joined.at(-1)
    if (last === undefined || !isJoined(last, word)) {
      joined.push(word)
      continue
    }
    last.text += word.text
    last.left = Math.min(last.left, word.left)
    last.right = Math.max(last.right, word.right)
    last.hyphenated = word.hyphenated
  }
  return joined
}

/**
 * Names in other letters with signs within, as `CODE_OF_CONDUCT`, whose parts come from right to left: each part touches the
 * sign at its left side, and that the next part.
 */
const withNames = (line: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const joined: Array<Word> = []
  for (let at = 0; at < line.length; at++) {
    const [word, last, after] = [line[at], joined.at(-1), line[at + 1]]
    if (word === undefined) break
    if (!/^[-_/&+'’.]$/u.test(word.text)) {
      joined.push(word)
      continue
    }
    // What the sentence has behind the name stands at the left side, too.
    const [, name = "", sign = ""] = /^(.+?)([.,:;!?،؛؟]?)$/su.exec(after?.text ?? "") ?? []
    const next = after === undefined ? undefined : { ...after, text: name }
    if (
      isPartOfName(last, word) &&
      isPartOfName(next, word) &&
      isLeftOf(word, last) &&
      isLeftOf(next, word)
    ) {
      last.text = next.text + word.text + last.text + sign
      last.left = next.left
      at++
    } else joined.push(word)
  }
  return joined
}

const isPartOfName = (word: Word | undefined, { baseline }: Word): word is Word =>
  word !== undefined &&
  word.text.length < wordCharactersMax &&
  !hasRightToLeft(word.text) &&
  /^[\p{L}\p{N}].*[\p{L}\p{N}]$|^[\p{L}\p{N}]$/u.test(word.text) &&
  Math.abs(word.baseline - baseline) <= sameLine * word.size

/** What is longer is no word: all of it is looked at for each part that is added. */
const wordCharactersMax = 2_000

/** It touches the other word at the left side of that. */
const isLeftOf = (word: Word, { left, size, mono }: Word): boolean => {
  const gap = left - word.right
  const over = mono && word.mono ? monoOverMax : touchingMax
  return gap < touchingMax * size && gap > -over * size && word.left < left
}

/** Browsers say that letters of such fonts are as wide as their size. */
const monoOverMax = 0.5

/**
 * The word touches the one before it at its left side, with a sign that is neither a letter nor a figure. How far
 * letters go to the right is not known where their shapes are narrower than the ones that they have by themselves.
 */
const isJoined = (last: Word, word: Word): boolean => {
  const isSign = beginsWithSign.test(word.text) || (endsInSign.test(last.text) && !hasRightToLeft(word.text))
  if (!isSign || last.text.length >= wordCharactersMax) return false
  const gap = last.left - word.right
  return gap < touchingMax * last.size && gap > -overlapMax * last.size && word.left < last.left
}
