import { convertLimits } from "../../Limits.ts"
import type { Box } from "./Box.ts"
import { boundsBytes, boundsOf } from "./objectBounds.ts"
import type { Pdfium } from "./Pdfium.ts"
import { isRightToLeft } from "./rightToLeft.ts"

/** Scripts of India and South-East Asia, whose letters are drawn together with signs before, above, below and behind them. */
export const isIndic = (code: number): boolean =>
  (code >= 0x900 && code <= 0x109f) || (code >= 0x1780 && code <= 0x17ff)

/** Characters of which several may be drawn as one cluster. */
export const mayBeInCluster = (code: number): boolean => isIndic(code) || isRightToLeft(code)

const textObject = 1

/** Clusters of a page that are drawn as several text objects. */
export interface Clusters {
  /** Where each stands, by the first of its objects. */
  readonly extents: ReadonlyMap<number, Box>
  /** Further objects of theirs, for which PDFium repeats all of the characters. */
  readonly repeated: ReadonlySet<number>
  /** The first objects of those of which a part is hidden, as of a line that the end of a page cuts off. */
  readonly hidden: ReadonlySet<number>
  /** The number of the word that an object is written in, where spaces are objects of their own. */
  readonly wordOf: ReadonlyMap<number, number>
  /** What is written between two objects that is not seen, and keeps letters apart or together, by `betweenOf`. */
  readonly joiners: ReadonlyMap<string, string>
  /** Objects of nothing but signs above or below a letter, with the object that this letter ends. */
  readonly signsOf: ReadonlyMap<number, number>
}

/** Two objects, whichever of them is written first: from right to left, the one at the left is. */
const betweenOf = (one: number, other: number): string =>
  one < other ? `${one} ${other}` : `${other} ${one}`

/** Whether two objects are of one word, undefined where that is not known, and what is written between them there. */
export const besideOf = (
  { wordOf, joiners }: Clusters,
  one: number,
  other: number,
): { readonly joiner: string | undefined; readonly isOneWord: boolean | undefined } => {
  const joiner = joiners.size === 0 ? undefined : joiners.get(betweenOf(one, other))
  if (joiner !== undefined) return { joiner, isOneWord: true }
  const [first, second] = [wordOf.get(one), wordOf.get(other)]
  return { joiner, isOneWord: first === undefined || second === undefined ? undefined : first === second }
}

export const noClusters: Clusters = {
  extents: new Map(),
  repeated: new Set(),
  hidden: new Set(),
  wordOf: new Map(),
  joiners: new Map(),
  signsOf: new Map(),
}

/**
 * Clusters whose characters a program says once for all of their objects: PDFium gives them to the first one, with the
 * width that each has by itself, and again to one that begins behind the next letter. Objects within forms are not looked
 * at.
 */
export const clustersOf = (
  pdfium: Pdfium,
  page: number,
  textPage: number,
  isHidden: (object: number) => boolean,
): Clusters => {
  const count = pdfium.FPDFPage_CountObjects(page)
  if (count > convertLimits.pdf_page_characters_max) return noClusters
  const extents = new Map<number, Box>()
  const repeated = new Set<number>()
  const hidden = new Set<number>()
  const wordOf = new Map<number, number>()
  const joiners = new Map<string, string>()
  let spaces = 0
  const signsOf = new Map<number, number>()
  let joiner: string | undefined
  let last = 0
  let cluster: Cluster | undefined
  let areTold = false
  const { texts, signs, haveGaps, areIndic } = objectsWithText(pdfium, textPage)
  const scratch = pdfium.malloc(scratchBytes)
  Buffer.from(pdfium.view().buffer).write(actualText, scratch + keyOffset, "latin1")
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    if (pdfium.FPDFPageObj_GetType(object) !== textObject) continue
    const hasText = texts.has(object)
    const { mark, told } = toldOf(pdfium, object, scratch)
    if (mark !== 0) areTold = true
    const box = boundsOf(pdfium, object, scratch)
    if (!hasText && isEmpty(box)) {
      if (mark === 0) spaces++
      joiner = joinersByBytes.get(told)
    }
    wordOf.set(object, spaces)
    if (hasText) {
      if (joiner !== undefined) joiners.set(betweenOf(last, object), joiner)
      joiner = undefined
      if (signs.has(object) && last !== 0) signsOf.set(object, last)
      else last = object
    }
    if (mark === 0 || mark !== cluster?.mark) {
      cluster = { mark, box, first: hasText ? object : 0 }
      continue
    }
    if (!isEmpty(box)) cluster.box = union(cluster.box, box)
    if (cluster.first === 0) cluster.first = hasText ? object : 0
    else if (hasText) repeated.add(object)
    if (cluster.first === 0) continue
    extents.set(cluster.first, cluster.box)
    if (isHidden(object)) hidden.add(cluster.first)
  }
  pdfium.free(scratch)
  if (extents.size === 0 && joiners.size === 0 && !(areTold && areIndic)) return noClusters
  return {
    extents,
    repeated,
    hidden,
    wordOf: spaces === 0 || haveGaps ? noClusters.wordOf : wordOf,
    joiners,
    signsOf,
  }
}

/** Objects that one text is told of. */
interface Cluster {
  readonly mark: number
  box: Box
  /** The first of them that PDFium gives the text to; 0 for none yet. */
  first: number
}

/** What in a content stream tells the text of an object, 0 for nothing, and its bytes as far as it may be a single sign. */
const toldOf = (
  pdfium: Pdfium,
  object: number,
  scratch: number,
): { readonly mark: number; readonly told: string } => {
  const count = Math.min(marksMax, pdfium.FPDFPageObj_CountMarks(object))
  const [key, text, length] = [scratch + keyOffset, scratch + textOffset, scratch + boundsBytes]
  for (let index = count - 1; index >= 0; index--) {
    const mark = pdfium.FPDFPageObj_GetMark(object, index)
    const isTold =
      mark !== 0 && pdfium.FPDFPageObjMark_GetParamBlobValue(mark, key, text, textBytesMax, length) !== 0
    if (!isTold) continue
    const own = pdfium.view().getUint32(length, true)
    // A longer one is not written.
    const bytes = own > textBytesMax ? 0 : own
    return { mark, told: Buffer.from(pdfium.view().buffer, text, bytes).toString("hex") }
  }
  return { mark: 0, told: "" }
}

const actualText = "ActualText\0"
const marksMax = 8
/** In the scratch: the bounds of an object and a length, the key, and a text. */
const keyOffset = boundsBytes + 4
const textOffset = keyOffset + 12
const textBytesMax = 16
const scratchBytes = textOffset + textBytesMax
/** In UTF-16, as texts of a PDF are. */
const joinersByBytes: ReadonlyMap<string, string> = new Map([
  ["feff200c", "\u200c"],
  ["feff200d", "\u200d"],
])

/** Nothing is drawn of a space, which PDFium leaves out where it is an object of its own. */
const isEmpty = ({ left, right, bottom, top }: Box): boolean => left === right && bottom === top

const union = (one: Box, other: Box): Box => ({
  left: Math.min(one.left, other.left),
  right: Math.max(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
  top: Math.max(one.top, other.top),
})

/** Signs of Thai, Lao and Khmer: in other scripts they are drawn in clusters, or stand before their letters. */
const overLetter = /^[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u17b4-\u17d3]$/u
export const isOverLetter = (code: number): boolean =>
  code >= 0xe31 && code <= 0x17d3 && overLetter.test(String.fromCharCode(code))

/**
 * The objects that PDFium gives characters, those with nothing but signs of a letter, and whether it sees spaces within
 * some: then these are none of their own.
 */
const objectsWithText = (
  pdfium: Pdfium,
  textPage: number,
): {
  readonly texts: ReadonlySet<number>
  readonly signs: ReadonlySet<number>
  readonly haveGaps: boolean
  readonly areIndic: boolean
} => {
  const [texts, signs] = [new Set<number>(), new Set<number>()]
  let [haveGaps, areIndic] = [false, false]
  const count = pdfium.FPDFText_CountChars(textPage)
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFText_GetTextObject(textPage, index)
    if (object === 0) continue
    if (pdfium.FPDFText_IsGenerated(textPage, index) === 1) {
      haveGaps = true
      continue
    }
    const code = pdfium.FPDFText_GetUnicode(textPage, index)
    areIndic ||= isIndic(code)
    if (!isOverLetter(code)) signs.delete(object)
    else if (!texts.has(object)) signs.add(object)
    texts.add(object)
  }
  return { texts, signs, haveGaps, areIndic }
}

const kept = 16
/** All of a word is copied for each sign. */
const wordCharactersMax = 2_000

/** Where the last objects begin in the words that they are written in. */
export class ObjectsOfWords<Word extends { text: string }> {
  readonly #begins: Array<{ readonly object: number; readonly word: Word; at: number }> = []

  begin(object: number, word: Word, at: number): void {
    this.#begins.push({ object, word, at })
    if (this.#begins.length > kept) this.#begins.shift()
  }

  /** Puts a sign at the end of an object; false where that is not known any more. */
  addTo(object: number, sign: string): boolean {
    const index = this.#begins.findLastIndex((each) => each.object === object)
    const word = this.#begins[index]?.word
    if (word === undefined || word.text.length >= wordCharactersMax) return false
    const behind = this.#begins.slice(index + 1).filter((each) => each.word === word)
    const at = behind[0]?.at ?? word.text.length
    word.text = word.text.slice(0, at) + sign + word.text.slice(at)
    for (const each of behind) each.at += sign.length
    return true
  }
}
