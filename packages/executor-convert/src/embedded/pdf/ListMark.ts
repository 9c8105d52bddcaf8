import type { Word } from "./Word.ts"

/** What stands before the text of a list item. */
export interface ListMark {
  /** A number of several levels, as "2.1", a letter or a number in brackets is a part of the text. */
  readonly item: number | "bullet" | "levels"
  /** Words that are no part of the text. */
  readonly words: number
}

/** Symbol fonts have their bullets in the private use area. */
const bullet = /^(?:[–—*∗·⁃∙・-]|[•‣◦▪▫●○■□◆◇❍❏❑❒❖▶►➔➢➤✓✔✗✘➣]|\p{Co})$/u
/** Signs that are nothing but marks of items, wherever they stand. */
const sign = /^(?:[•‣◦▪▫●○■□◆◇❍❏❑❒❖▶►➢➤➣]|\p{Co})$/u
/** Boxes that are ticked or not: they are a part of the text of their item. */
const box = /^[☐☑☒]$/
/** What a reader chooses by, in a row of such. */
const choice = /^[☐☑☒□■❏❐❑❒√✓✔✗✘]/u
const number = /^(\d{1,3})[.)]$/
const letters = /^\(?(?:([a-z])|([A-Z])|([ivxl]{2,6})|([IVXL]{2,6}))[.)]$/
const enclosed = /^\((\d{1,2})\)$/
/** The letter that word processors draw a hollow bullet with. */
const hollow = "o"
const hollowGapMin = 0.7
const levels = /^(?:[1-9]\d{0,2}|[A-Z])(?:\.[1-9]\d{0,2}){1,5}\.?$/

/** Bullets, numbers, and letters that may be the numbers of a list. */
export const mayBeMark = (text: string): boolean =>
  bullet.test(text) || box.test(text) || number.test(text) || letters.test(text) || enclosed.test(text)

/** It begins in lower case, and is no mark of an item. */
export const isLower = ({ text }: Word): boolean => /^\p{Ll}/u.test(text) && !mayBeMark(text)

/** What is a mark only where nothing but a text stands behind it, which begins so: in a table it is a cell. */
export const mayBeMarkOf = (text: string, next: string): boolean =>
  (text === hollow || levels.test(text) || isParagraphNumber(text)) && /^[\p{L}("“]/u.test(next)

/** Marks that stand at their text without a space: signs, also that between Japanese words, which no line begins with, and numbers and letters before a word. */
const attached = [
  /^([•‣◦▪▫●○■□➢➤✓✔✗❖・\uf0b7\uf0a7\uf0d8\uf0fc])(\S.*)$/u,
  /^(\d{1,3}[.)]|\(?[A-Za-z]\)|\(\d{1,2}\))(\p{L}\p{L}.*|\p{Lu}\..*)$/u,
  /^([1-9]\d{0,2}(?:\.[1-9]\d{0,2}){1,5}\.?)(\p{Lu}\p{Ll}.*)$/u,
]

/** The words of a line, with the mark that its first word begins with apart. */
export const withMarkApart = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const [first, ...rest] = words
  if (first === undefined) return words
  for (const form of attached) {
    const [, mark, text] = form.exec(first.text) ?? []
    if (mark !== undefined && text !== undefined)
      return [{ ...first, text: mark, hyphenated: false }, { ...first, text }, ...rest]
  }
  return words
}

/** The words are a mark and its text as `withMarkApart` has parted them. */
export const isAttached = (mark: Word, text: Word): boolean =>
  mark.order === text.order && mark.left === text.left

/** The number of a paragraph, as patents have it: a part of the text, which it may stand far from. */
const isParagraphNumber = (text: string): boolean => /^\[0\d{3}\]$/.test(text)

/** Shares of the size: how far a paragraph sign and its number stand from the text at least. */
const signGapMin = 1

/** A line begins with the number of a paragraph: of a patent, or behind a paragraph sign in the margin of an opinion. */
export const beginsParagraph = (words: ReadonlyArray<Word>): boolean => {
  const [first, second, third] = words
  if (first === undefined || second === undefined) return false
  if (isParagraphNumber(first.text)) return true
  const [number, text] = first.text === "¶" && third !== undefined ? [second, third] : [first, second]
  return (
    isParagraphSign(words.slice(0, number === second ? 2 : 1)) &&
    text.left - number.right > signGapMin * text.size
  )
}

/** A paragraph sign with a number. */
export const isParagraphSign = (words: ReadonlyArray<Word>): boolean =>
  words.length < 3 && /^¶ ?\d{1,4}$/.test(words.map(({ text }) => text).join(" "))

export const isSign = (text: string): boolean => sign.test(text)

/** The mark at the beginning of a line: a bullet, a number, or a number after a bullet. */
export const markOf = (words: ReadonlyArray<Word>): ListMark | undefined => {
  const [first, second, third] = words
  if (first === undefined || second === undefined) return undefined
  if (bullet.test(first.text) || box.test(first.text)) {
    // A sign that comes back in its line separates, or explains a drawing.
    const again = words.findIndex(({ text }, index) => index > 0 && text === first.text)
    if (again > 0 && !(isDashWithin(words, again) && words.length > again + 1)) return undefined
    // So does a box beside one that is ticked.
    if (choice.test(first.text) && words.some(({ text }, index) => index > 0 && choice.test(text)))
      return undefined
    if (box.test(first.text)) return { item: "bullet", words: 0 }
    const inner = third === undefined ? undefined : number.exec(second.text)
    return inner ? { item: Number(inner[1]), words: 2 } : { item: "bullet", words: 1 }
  }
  if (first.text === hollow && second.left - first.right > hollowGapMin * second.size)
    return { item: "bullet", words: 1 }
  const counted = number.exec(first.text)
  return counted === null ? undefined : { item: Number(counted[1]), words: 1 }
}

/** A dash before a text may have another one within it, as between two hours, or before what is added. */
const isDashWithin = (words: ReadonlyArray<Word>, at: number): boolean =>
  /^[–—-]$/.test(words[at]?.text ?? "") &&
  words.slice(1, at).filter(({ text }) => /[\p{L}\d]/u.test(text)).length >= dashWordsMin &&
  !words.slice(at + 1).some(({ text }) => text === words[at]?.text)

const dashWordsMin = 3

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
  const known = new Set(
    found.flatMap(({ lettered: { form, values } }) => values.map((value) => form + value)),
  )
  const marks = new Map<number, ListMark>()
  for (const { index, lettered } of found) {
    const { form, values } = lettered
    const isCounted = values.some((each) => known.has(form + (each - 1)) || known.has(form + (each + 1)))
    if (isCounted) marks.set(index, { item: "levels", words: 0 })
  }
  return marks
}

/** The second begins with the letter or the Roman number behind that of the first, in the same form. */
export const areNextMarks = (first: string, second: string): boolean => {
  const [before, mark] = [first, second].map((text) => letteredOf(text.split(" ", 1)[0] ?? ""))
  return (
    before !== undefined &&
    mark?.form === before.form &&
    mark.values.some((value) => before.values.includes(value - 1))
  )
}

const counted = /^[1-9]\d{0,2}(?:\.[1-9]\d{0,2})*[.)]?$/

/**
 * The items among lines that begin with a number of several levels, by the index of their line: the number before or
 * after it is there, too, or the one that it is below. A line of text may begin with the number of a figure.
 */
export const levelledMarks = (
  lines: ReadonlyArray<{ readonly words: ReadonlyArray<Word> }>,
): ReadonlyMap<number, ListMark> => {
  const numbers = lines.map(({ words: [first, second] }) => {
    const isOne =
      first !== undefined && second !== undefined && counted.test(first.text) && /^\P{Ll}/u.test(second.text)
    return isOne ? first.text.replace(/[.)]$/, "") : ""
  })
  const known = new Set(numbers)
  const marks = new Map<number, ListMark>()
  for (const [index, text] of numbers.entries()) {
    const at = text.lastIndexOf(".")
    if (at < 0) continue
    const [above, value] = [text.slice(0, at), Number(text.slice(at + 1))]
    const isCounted = [value - 1, value + 1].some((other) => known.has(`${above}.${other}`))
    if (isCounted || (value === 1 && known.has(above))) marks.set(index, { item: "levels", words: 0 })
  }
  return marks
}

/** A sign of a font that is not known for its signs stands before so many lines, at one place. */
const repeatedMin = 3

/** The items among lines that begin with the same letter, in lower case before a capital, by the index of their line. */
export const repeatedMarks = (lines: ReadonlyArray<MarkedLine>): ReadonlyMap<number, ListMark> => {
  const places = new Map<string, Array<{ readonly index: number; readonly left: number }>>()
  for (const [index, { words, left }] of lines.entries()) {
    const [first, second] = words
    if (!/^\p{Ll}$/u.test(first?.text ?? "") || !/^\p{Lu}/u.test(second?.text ?? "")) continue
    const key = first?.text ?? ""
    const found = places.get(key)
    if (found === undefined) places.set(key, [{ index, left }])
    else found.push({ index, left })
  }
  const marks = new Map<number, ListMark>()
  for (const found of places.values()) {
    const at = found[0]?.left ?? 0
    if (found.length < repeatedMin || found.some(({ left }) => Math.abs(left - at) > 2)) continue
    for (const { index } of found) marks.set(index, { item: "bullet", words: 1 })
  }
  return marks
}

/** What is looked at of a line. */
interface MarkedLine {
  readonly words: ReadonlyArray<Word>
  readonly left: number
  readonly size: number
}

/**
 * Items with a bare number, by the index of their line: the lines after it begin where its text does, and a number
 * before or after it stands at the same place.
 */
export const hangingNumbers = (lines: ReadonlyArray<MarkedLine>): ReadonlyMap<number, ListMark> => {
  const found = lines.flatMap(({ words: [first, second], left, size }, index) => {
    if (first === undefined || second === undefined || !/^\d{1,2}$/.test(first.text)) return []
    const next = lines[index + 1]
    const hangs =
      next !== undefined &&
      Math.abs(next.left - second.left) < 0.5 * size &&
      second.left - left > 0.8 * size &&
      next.words[0]?.text !== String(Number(first.text) + 1)
    return [{ index, left, value: Number(first.text), hangs }]
  })
  const marks = new Map<number, ListMark>()
  if (found.length > hangingMax) return marks
  for (const { index, left, value, hangs } of found) {
    const beside = found.find(
      (other) =>
        Math.abs(other.value - value) === 1 && Math.abs(other.left - left) < 2 && (hangs || other.hangs),
    )
    if (beside !== undefined) marks.set(index, { item: value, words: 1 })
  }
  return marks
}

/**
 * Items with a number behind a point, as in the sections of a specification (`.1`), by the index of their line: it stands
 * apart from the text, and the next line begins where that does, or the number before or after it is there, too.
 */
export const pointedNumbers = (lines: ReadonlyArray<MarkedLine>): ReadonlyMap<number, ListMark> => {
  const found = lines.flatMap(({ words: [first, second], left, size }, index) => {
    const value = Number(/^\.([1-9]\d?)$/.exec(first?.text ?? "")?.[1] ?? 0)
    if (value === 0 || first === undefined || second === undefined) return []
    const hangs = Math.abs((lines[index + 1]?.left ?? left) - second.left) < 0.5 * size
    return second.left - first.right > 0.8 * size ? [{ index, left, value, hangs }] : []
  })
  const known = new Set(found.map(({ left, value }) => keyOf(left, value)))
  return new Map(
    found
      .filter(
        ({ left, value, hangs }) =>
          hangs || [value - 1, value + 1].some((beside) => known.has(keyOf(left, beside))),
      )
      .map(({ index }) => [index, { item: "levels", words: 0 }]),
  )
}

/** Of a number at a place. */
const keyOf = (left: number, value: number): string => `${Math.round(left)} ${value}`

/** A column with more numbers at the beginning of its lines has no such items. */
const hangingMax = 1_000

/** What the label of a list's item says: a number, a text that no list of Markdown can say, or nothing of a bullet. */
export const labelOf = (label: string): { readonly number?: number; readonly text: string } => {
  const text = label.trim()
  const digits = /^(\d{1,9})[.):]?$/.exec(text)
  if (digits !== null) return { number: Number(digits[1]), text: "" }
  const isText = letters.test(text) || /^\(?(?:\p{L}{1,6}|(?:\d{1,3}\.)*\d{1,9})[.):]?$/u.test(text)
  return { text: isText && /[\p{L}\d][.):]|[(.]/u.test(text) ? text : "" }
}
