import { codeAmong, markCode } from "./codeWords.ts"
import { isSign } from "./ListMark.ts"
import { markedOf, withoutMarks } from "./lowered.ts"
import { beginsAtRight } from "./mirrored.ts"
import { ideographs, spacedBySentence } from "./scripts.ts"
import { unknownShape } from "./shapes.ts"
import { markStruck } from "./struck.ts"
import type { Word } from "./Word.ts"

/** A part of a text that leads to one address; `link` is empty for none. */
export interface Span {
  readonly text: string
  readonly link: string
}

/** Text in parts, without two in a row that have the same link. */
export type Spans = ReadonlyArray<Span>

/** Stands where the end of a line took a word apart, until `Hyphens` knows whether its hyphen is its own. */
export const lineEndHyphen = "\u00ad"

/** Stands where a line of Korean ends, or one that a cell has no more room in, until `Hyphens` knows whether a word does. */
export const lineEndWrap = "\u200b"

/** Without the signs around what is lowered. */
export const textOf = (spans: Spans): string => withoutMarks(spans.map(({ text }) => text).join(""))

/** A longer text does not go on in another column or element: all of it is copied where it does. */
export const joinedCharactersMax = 20_000

/** Of a text's last character, with the hyphen behind it: a search for them would look at all of the text. */
const endOf = (text = ""): string => text.slice(-3)

/** Texts one after the other, with a space between. */
export const joinSpans = (first: Spans, second: Spans): Spans => {
  if (first.length === 0 || second.length === 0) return first.length === 0 ? second : first
  const joined = [...first]
  const isIdeographic =
    endsIdeographic.test(endOf(first.at(-1)?.text)) && beginsIdeographic.test(second[0]?.text ?? "")
  if (!isIdeographic) append(joined, " ", "")
  for (const { text, link } of second) append(joined, text, link)
  return joined
}

/** A text that goes on after the end of its column or page: its last word may have been taken apart. */
export const continued = (first: Spans, second: Spans): Spans => {
  const last = first.at(-1)
  const next = second[0]?.text ?? ""
  if (last === undefined || !endsApart(last) || !/^\p{L}/u.test(next)) return joinSpans(first, second)
  // Before a capital the hyphen is a part of the word.
  const text = /^\p{Ll}/u.test(next) ? last.text.slice(0, -1) + lineEndHyphen : last.text
  const joined: Array<Span> = [...first.slice(0, -1), { ...last, text }]
  for (const { text, link } of second) append(joined, text, link)
  return joined
}

interface JoinedLine {
  readonly words: ReadonlyArray<Word>
  /** Nothing but a word that may fill the width of its cell. */
  readonly isFilled?: boolean
}

/**
 * The words of lines as one text. Where a word that the end of a line took apart goes on in lower case, or may
 * be a name with a capital within, a `lineEndHyphen` stands; any other hyphen is kept, and no space put after one at the
 * end of a line.
 */
export const joinWords = (lines: ReadonlyArray<JoinedLine>): Spans => {
  const spans = spansOf(lines)
  return lines.some(({ words }) => words.some(beginsAtRight)) ? withBrackets(spans) : spans
}

/**
 * The brackets of a text from right to left, which open and close in turn where they do not match: PDFium turns those
 * beside words of other scripts or not, whatever they are.
 */
const withBrackets = (spans: Spans): Spans => {
  let [depth, count, isWrong] = [0, 0, false]
  for (const { text } of spans) {
    for (const [bracket] of text.matchAll(/[()]/g)) {
      count++
      depth += bracket === "(" ? 1 : -1
      if (depth < 0) isWrong = true
    }
  }
  if (count % 2 === 1 || (!isWrong && depth === 0)) return spans
  let at = 0
  return spans.map(({ text, link }) => ({
    text: text.replace(/[()]/g, () => (at++ % 2 === 0 ? "(" : ")")),
    link,
  }))
}

const spansOf = (lines: ReadonlyArray<JoinedLine>): Spans => {
  const spans: Array<Span> = []
  const code = codeAmong(lines)
  const haveOptions = lines.some(({ words }) => words.some(({ text }) => /^--?\p{L}/u.test(text)))
  const written = (text: string, word: Word, before: Word | undefined, after: Word | undefined): string =>
    markCode(markStruck(text, word, before, after), word, before, after, code)
  let before: Word | undefined
  let last: Word | undefined
  for (const [at, line] of lines.entries()) {
    const isBehindFilled = lines[at - 1]?.isFilled === true
    for (const [index, word] of asRead(line.words).entries()) {
      if (last !== undefined) {
        const link = last.link === word.link ? word.link : ""
        const goesOn = /^\p{Ll}/u.test(word.text) || isWithinName(last, word)
        const isNextLine = index === 0
        const text = writtenOf(last)
        const isApart = isNextLine && goesOn && endsApart(last)
        const isBroken = isNextLine && isBrokenName(last, word)
        const whole = isApart ? text.slice(0, -1) + lineEndHyphen : isBroken ? text.slice(0, -1) : text
        const hyphen = goesOn ? lineEndHyphen : "-"
        append(spans, written(last.hyphenated ? text + hyphen : whole, last, before, word), last.link)
        if (!last.hyphenated && !isApart && !isBroken) {
          const isInWord = isNextLine && (endsInHyphen(last) || (haveOptions && isOption(last, word)))
          const mayGoOn = isNextLine && isBehindFilled && areParts(last, word)
          if (mayGoOn) append(spans, lineEndWrap, link)
          else if (!isInWord || isSuspended(last, word))
            append(spans, separatorOf(last, word, isNextLine), link)
        }
      }
      before = last
      last = word
    }
  }
  if (last !== undefined) {
    const text = writtenOf(last) + (last.hyphenated ? "-" : "")
    append(spans, written(text, last, before, undefined), last.link)
  }
  return spans
}

/**
 * The words of a line as they are read. Where most of those with letters are written from right to left, and all on a
 * page from left to right, it is read from its right end, and words and numbers of other scripts in it from left to
 * right; else the other way round.
 */
const asRead = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const isMirrored = words[0]?.isMirrored === true
  if (!isMirrored && !words.some(beginsAtRight)) return words
  const lettered = words.filter(({ text }) => /\p{L}/u.test(text))
  const turned = lettered.filter(beginsAtRight).length
  const isFromTheRight = isMirrored ? turnedShare * turned >= lettered.length : turned === lettered.length
  if (!isMirrored && !isFromTheRight) return withRunsTurned(words, beginsAtRight, false)
  const fromTheLeft = words.toSorted((a, b) => (isMirrored ? b.left - a.left : a.left - b.left))
  if (turned === 0) return isMirrored ? withEndsTurned(fromTheLeft) : fromTheLeft
  if (!isFromTheRight) return withRunsTurned(fromTheLeft, beginsAtRight, true)
  const isOther = (word: Word): boolean => !beginsAtRight(word) && /[\p{L}\p{N}]/u.test(word.text)
  return withRunsTurned(fromTheLeft.toReversed(), isOther, true)
}

/** On a page from right to left, a line with a name in other letters is read from the right where a third of it is not. */
const turnedShare = 3

/**
 * A line without a word from right to left, on a page of such: what no line begins or ends with, as a full stop at its left
 * side, stands at its other end.
 */
const withEndsTurned = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const end = words.findLastIndex(({ text }) => /[\p{L}\p{N}]/u.test(text))
  const [first, last] = [words[0], words[end]]
  if (first === undefined || last === undefined) return words
  const opening = words.slice(end + 1)
  const tail = /(?<=.)[@#([“«]+$/u.exec(last.text)?.[0] ?? ""
  const isTurned = tail !== "" || opening.length > 0 || /^[.,:;!?)\]]/.test(first.text)
  if (!isTurned) return words
  const head = /^[.,:;!?)\]"”»]+(?=.)/u.exec(first.text)?.[0] ?? ""
  const inner = words.slice(0, end + 1).map((word) => {
    const text = word === first ? word.text.slice(head.length) : word.text
    return word === last
      ? { ...word, text: text.slice(0, text.length - tail.length) + head }
      : { ...word, text }
  })
  const [begin, ...rest] = inner
  const turned = begin === undefined ? [] : [{ ...begin, text: tail + begin.text }, ...rest]
  return [...opening.toReversed(), ...turned]
}

/** Words that are read in the other direction than their line; `isPlaced`: the words come as they stand in that. */
const withRunsTurned = (
  words: ReadonlyArray<Word>,
  isOther: (word: Word) => boolean,
  isPlaced: boolean,
): ReadonlyArray<Word> => {
  const found: Array<Word> = []
  for (let begin = 0; begin < words.length; ) {
    let end = begin + 1
    for (let next = begin; next < words.length; next++) {
      const word = words[next]
      const isWithin = word !== undefined && isPlaced && next > begin && !/[\p{L}\p{N}]/u.test(word.text)
      if (word === undefined || !(isOther(word) || isWithin)) break
      if (isOther(word)) end = next + 1
    }
    const run = withOuterSigns(words.slice(begin, end), isPlaced)
    const goesRight = run.every(({ left }, at) => left > (run[at - 1]?.left ?? Number.NEGATIVE_INFINITY))
    for (const word of isPlaced || goesRight ? run.toReversed() : run) found.push(word)
    begin = end
  }
  return found
}

/**
 * Words that are read in the other direction than their line, where signs at their ends are read in that of the line: each
 * stands at the word at the other end.
 */
const withOuterSigns = (run: ReadonlyArray<Word>, isPlaced: boolean): ReadonlyArray<Word> => {
  const [first, last] = [run[0], run.at(-1)]
  if (!isPlaced || first === undefined || last === undefined || first === last) return run
  const isWhole = areBalanced(run)
  const before = isWhole ? "" : (/^[()[\]"“”«»]+(?=.)/u.exec(first.text)?.[0] ?? "")
  const signs = isWhole ? /(?<=.)[.,:;!?،؛؟]+$/u : /(?<=.)[()[\]"“”«».,:;!?،؛؟]+$/u
  const behind = signs.exec(last.text)?.[0] ?? ""
  if (before === "" && behind === "") return run
  return [
    { ...first, text: first.text.slice(before.length) + behind },
    ...run.slice(1, -1),
    { ...last, text: before + last.text.slice(0, last.text.length - behind.length) },
  ]
}

/** What opens in them is closed in them, and nothing else. */
const areBalanced = (run: ReadonlyArray<Word>): boolean => {
  let depth = 0
  for (const { text } of run) {
    for (const sign of text.match(/[()]/g) ?? []) {
      depth += sign === "(" ? 1 : -1
      if (depth < 0) return false
    }
  }
  return depth === 0 && run.some(({ text }) => text.includes("("))
}

const writtenOf = (word: Word): string =>
  markedOf(word).toWellFormed().replace(strokeBefore, "$1\u0338").normalize("NFC")

/** TeX draws the stroke of ≠ before its sign. */
const strokeBefore = /\u0338([=<>∈≡∼])/g

/** Characters that are written without spaces between them, with their punctuation. */
const ideographic = `[${ideographs}\\u3001-\\u3003\\u3005-\\u3017\\u30fb\\u30fc\\uff01-\\uff0f\\uff1a-\\uff1f]`
export const beginsIdeographic = new RegExp(`^${ideographic}`, "u")
export const endsIdeographic = new RegExp(`${ideographic}$`, "u")
const areIdeographic = new RegExp(`^${ideographic}+$`, "u")
const beginsSpacedBySentence = new RegExp(`^[${spacedBySentence}]`, "u")
const endsSpacedBySentence = new RegExp(`[${spacedBySentence}]$`, "u")
/** Punctuation that has room of its own. */
const endsWide = /[、。，：；！？）]$/
const beginsWide = /^[、。，：；！？（]/

/**
 * Whether a space was written between characters that need none: it is wide, or wider than what stands between those of
 * the two words. Some room belongs to commas and brackets.
 */
const isSpaceOfIdeographs = (last: Word, word: Word): boolean => {
  const gap = Math.abs(word.left - last.right) / Math.max(last.size, word.size)
  const pitches = [pitchOf(last), pitchOf(word)]
  if (gap > ideographicGapMax) return true
  if (last.text.length + word.text.length < charactersMin) return false
  const isEven = pitches.every((pitch) => pitch >= pitchMin) && !hasRoomBehind.test(last.text)
  return isEven && !beginsWide.test(word.text) && gap > Math.max(...pitches) - 1 + writtenGapMin
}

/** Shares of the size. */
const ideographicGapMax = 0.8
const writtenGapMin = 0.18
/** Fewer may be set wide. */
const charactersMin = 4
/** In text from top to bottom it is less. */
const pitchMin = 0.9
const hasRoomBehind = /[、，（「『《【]$/

/** How far apart the characters of a word stand, as a share of its size; nothing is known of a single one. */
const pitchOf = ({ text, left, right, size }: Word): number =>
  text.length > 1 && areIdeographic.test(text) ? (right - left) / (text.length * size) : 1

const separatorOf = (last: Word, word: Word, isNextLine: boolean): string => {
  if (isNextLine && goesOnInAddress(last, word)) return ""
  if (last.spaced) return " "
  if (!isNextLine && word.isUnspaced === true && word.order === last.order + 1) return ""
  if (!isNextLine && (isPrintedInto(last, word) || isAtUnknown(last, word))) return ""
  if (endsIdeographic.test(last.text) && beginsIdeographic.test(word.text)) {
    return !isNextLine && isSpaceOfIdeographs(last, word) ? " " : ""
  }
  const isBySentence = endsSpacedBySentence.test(endOf(last.text)) && beginsSpacedBySentence.test(word.text)
  if (isNextLine && isBySentence) return ""
  if (!isNextLine && (isBesideHangul(last, word) || isBehindPrefix(last, word) || isCommaBehind(last, word)))
    return ""
  if (isNextLine && (endsWide.test(last.text) || beginsWide.test(word.text))) return ""
  const isKorean = /\p{Script=Hangul}$/u.test(last.text) && /^\p{Script=Hangul}/u.test(word.text)
  return isNextLine && isKorean ? lineEndWrap : " "
}

/** Letters of one alphabet, which may be parts of one word. */
const areParts = (last: Word, word: Word): boolean =>
  /^\p{Script=Latin}+$/u.test(last.text) && /^\p{Script=Latin}/u.test(word.text)

/** Programs leave a little room between Korean and the letters or figures before its endings, where no space is written. */
const isBesideHangul = (last: Word, word: Word): boolean =>
  word.isTight === true && /[A-Za-z\d)]$/.test(last.text.slice(-1)) && /^\p{Script=Hangul}/u.test(word.text)

/** A comma of Arabic within names in other letters, which stands at the right side of one. */
const isCommaBehind = (last: Word, word: Word): boolean => /^[،؛]$/.test(word.text) && areTouching(last, word)

/** From right to left, what is written at a name in other letters, as an article, touches it. */
const isBehindPrefix = (last: Word, word: Word): boolean =>
  beginsAtRight(last) &&
  !beginsAtRight(word) &&
  /[\p{L}\u0640]$/u.test(endOf(last.text)) &&
  /^\p{L}/u.test(word.text) &&
  areTouching(last, word)

/** The one stands at either side of the other: a page from right to left may be seen in the mirror. */
const areTouching = (one: Word, other: Word): boolean =>
  Math.min(Math.abs(one.left - other.right), Math.abs(other.left - one.right)) < touchMax * one.size

/** An address or a path that goes on in the next line: of the same link, or broken behind a sign within it. */
const goesOnInAddress = (last: Word, word: Word): boolean => {
  const isSameLink = last.link !== "" && last.link === word.link
  if (isSameLink && last.link.includes(last.text + word.text.replace(/[.,;:)]{1,3}$/, ""))) return true
  // A path, within code.
  if (last.mono && word.mono && /[^/]\/$/.test(last.text) && !last.text.includes("//"))
    return /^[\p{Ll}\d_.]/u.test(word.text)
  if (/^https?:$/.test(last.text)) return word.text.startsWith("//")
  return /[/=&?_]$/.test(last.text) && /\/\/.|www\../.test(last.text) && /^\p{Ll}/u.test(word.text)
}

/** The words touch and were not written one after the other: letters were printed into the places that others left free. */
const isPrintedInto = (last: Word, { order, left, text }: Word): boolean =>
  order !== last.order + 1 &&
  Math.abs(left - last.right) < touchMax * last.size &&
  !isSign(last.text) &&
  /[\p{L}\p{N}\p{P}]$/u.test(endOf(last.text)) &&
  /^[\p{L}\p{N}\p{P}]/u.test(text)

/**
 * A sign that is not known stands at a letter without a gap, as a ligature does within its word. What is as narrow as a
 * space may be one.
 */
const isAtUnknown = (last: Word, word: Word): boolean =>
  Math.abs(word.left - last.right) < touchMax * last.size &&
  ((isWideUnknown(last) && /^\p{L}/u.test(word.text)) ||
    (isWideUnknown(word) && /\p{L}$/u.test(endOf(last.text))))

const isWideUnknown = ({ text, left, right, size }: Word): boolean =>
  text === unknown && right - left > ligatureWidthMin * size

/** Shares of the size. */
const touchMax = 0.1
const ligatureWidthMin = 0.38
const unknown = String.fromCodePoint(unknownShape)

const append = (spans: Array<Span>, text: string, link: string): void => {
  const last = spans.at(-1)
  if (text === "") return
  if (last !== undefined && last.link === link) spans[spans.length - 1] = { text: last.text + text, link }
  else spans.push({ text, link })
}

/** The hyphen at the end was set because the line ends, perhaps. */
const endsApart = ({ text }: Span): boolean => /\p{L}-$/u.test(endOf(text))

/** A name such as that of a program, which has a capital within, may end its line there. */
const isWithinName = (last: Span, { text }: Span): boolean =>
  /\p{Ll}-?$/u.test(endOf(last.text)) && /^\p{Lu}\p{Ll}/u.test(text)

/** A hyphen was set because the line ends behind a low line of a name in code. */
const isBrokenName = (last: Span, { text }: Span): boolean =>
  /[\p{L}\p{N}]_-$/u.test(last.text) && /^[\p{L}\p{N}]/u.test(text)

/** Behind a number, the end of a word is left out that the next one has, too, as in "10- and 20-year". */
const isSuspended = (last: Word, { text }: Word): boolean =>
  /\p{N}-$/u.test(last.text) && /^(?:and|or|to|und|oder|bis)$/.test(text)

/** The end of a line stands behind the hyphens of an option, in a text with others. */
const isOption = (last: Word, word: Word): boolean => /^--?$/.test(last.text) && /^\p{L}/u.test(word.text)

/** No space was written behind it: a dash stands at its word, and an address goes on. */
const endsInHyphen = ({ text }: Word): boolean => /[\p{L}\p{N}][-–—]$|\/\/$/u.test(endOf(text))
