import { beginsCaption } from "./captions.ts"
import { type EndLine, endLinesOf, marginMax, onlyNumber, type PageWords } from "./furnitureLines.ts"
import { lineNumbersIn } from "./lineNumbers.ts"
import { NumbersInPlace } from "./numbersInPlace.ts"
import {
  countedIn,
  goesUp,
  hasOtherFigures,
  hasSameNumbers,
  isMereNumber,
  isPageNumber,
  isPageOfPages,
} from "./pageNumbers.ts"
import { SideTitles } from "./sideTitles.ts"
import { leadingMax } from "./TextLine.ts"
import type { Word } from "./Word.ts"

export interface Furnished {
  /** Words that are left out. */
  readonly words: ReadonlySet<Word>
  /** Words that are no part of the text of their page, but of a line that is not left out altogether. */
  readonly aside: ReadonlySet<Word>
  /** How many lines are left out. */
  readonly lines: number
}

/** A line of furniture; `isFirst`: none with this text was found before. */
interface Found {
  readonly line: EndLine
  readonly isFirst: boolean
  readonly isNumbered: boolean
}

/** Points. */
const heightMax = 4
/** Characters, and points: what is long and close to the lower edge. */
const longMin = 40
const footMarginMax = 36
/** A line that stands on fewer pages than this, of a longer document, may be a coincidence. */
const pagesMin = 3
const knownMax = 8

/**
 * Finds running headers, footers and page numbers: lines at the ends of pages that come back from page to page, and those
 * along their sides that do; and the numbers of lines. What may be more than a title, such as an address or an account number, is kept once.
 */
export class Furniture {
  /** What was found on earlier pages. */
  readonly #known = new Map<string, Array<EndLine>>()
  readonly #numbersInPlace = new NumbersInPlace()
  readonly #sideTitles = new SideTitles()

  /** What is furniture of these pages. `first` is the index of the first page. */
  find(all: ReadonlyArray<PageWords>, first: number): Furnished {
    const numbers = lineNumbersIn(all.map(({ words }) => words))
    const found = this.#find(numbers.size === 0 ? all : all.map((page) => without(page, numbers)), first)
    const isLeft = (word: Word): boolean =>
      !found.words.has(word) && !found.aside.has(word) && !numbers.has(word)
    const inPlace = this.#numbersInPlace.find(all, first).filter(isLeft)
    const titles = this.#sideTitles.find(all, first).filter((title) => title.every(isLeft))
    return {
      ...found,
      words: new Set([...found.words, ...numbers, ...inPlace, ...titles.flat()]),
      lines: found.lines + numbers.size + inPlace.length + titles.length,
    }
  }

  #find(pages: ReadonlyArray<PageWords>, first: number): Furnished {
    const ends = pages.map((page, index) => endLinesOf(page, first + index))
    const allLines = ends.flat(2)
    const numbered = allLines.filter(({ endNumber }) => endNumber !== undefined)
    const all = new Map([...Map.groupBy(allLines, keyOf), ...Map.groupBy(numbered, numberedKeyOf)])
    for (const [key, lines] of all) all.set(key, [...(this.#known.get(key) ?? []), ...lines])
    const words = new Set<Word>()
    const once: Array<EndLine> = []
    let lines = 0
    for (const sides of ends) {
      const counted = sides.flat().find((line) => isPageOfPages(line) && line.margin <= marginMax)
      for (const side of sides) {
        const found = this.#foundAt(side, counted, all, pages.length + Math.min(first, knownMax))
        const isKept = isData(found, side[found.length], all)
        for (const { line, isFirst } of found) {
          for (const word of line.words) words.add(word)
          lines++
          if (isKept && isFirst && !isMereNumber(line)) once.push(line)
        }
      }
    }
    const kept = withoutRepeated(once, pages, words)
    const aside = new Set<Word>()
    for (const line of kept) {
      // A letterhead begins the first page; elsewhere the text goes on past what is kept.
      const isHead = line.page === 0 && line.side === "top"
      for (const word of line.words) {
        words.delete(word)
        if (!isHead) aside.add(word)
      }
    }
    return { words, aside, lines: lines - kept.length }
  }

  /** The lines from outside that are furniture; `pageCount` is of these pages and of those before that are known. */
  #foundAt(
    side: ReadonlyArray<EndLine>,
    counted: EndLine | undefined,
    all: ReadonlyMap<string, ReadonlyArray<EndLine>>,
    pageCount: number,
  ): ReadonlyArray<Found> {
    const found: Array<Found> = []
    const texts = side.filter((line) => !isMereNumber(line) && othersOf(line, all).length > 0)
    for (const line of side) {
      const printed = { line, isFirst: false, isNumbered: false }
      const each =
        isPrintedWith(counted, line) || isNumberedHead(line, all) || line.isNumberOfOnly
          ? printed
          : (footOf(line, all) ?? foundAs(line, othersOf(line, all), texts.length <= 1, pageCount))
      if (each === undefined) {
        if (line.side === "aside") continue
        break
      }
      found.push(each)
      for (const key of line.endNumber === undefined ? [keyOf(line)] : [keyOf(line), numberedKeyOf(line)])
        this.#known.set(key, [...(this.#known.get(key) ?? []), line].slice(-knownMax))
    }
    return found
  }
}

const without = (page: PageWords, numbers: ReadonlySet<Word>): PageWords => ({
  ...page,
  words: page.words.filter((word) => !numbers.has(word)),
})

const keyOf = ({ side, key }: EndLine): string => `${side} ${key}`

const numberedKeyOf = ({ side, endNumber }: EndLine): string => `${side} # ${endNumber}`

/** The number of its page stands beside the title of a section, which is another one on other pages. */
const isNumberedHead = (line: EndLine, all: ReadonlyMap<string, ReadonlyArray<EndLine>>): boolean => {
  if (line.endNumber === undefined || line.isTagged || line.isLarge) return false
  const nearOf = (key: string): ReadonlyArray<EndLine> =>
    (all.get(key) ?? []).filter((other) => isNear(line, other) && other.pageDigest !== line.pageDigest)
  const near = nearOf(numberedKeyOf(line))
  if (line.key === onlyNumber) {
    // Below the title of a chapter the number stands at the foot of the page, and elsewhere at its head.
    const atOtherEnd =
      line.side === "bottom" && line.gap > leadingMax ? nearOf(`top # ${line.endNumber}`) : []
    const isNumber = ({ key }: EndLine): boolean => key === onlyNumber
    return near.filter(isNumber).length >= numbersMin || atOtherEnd.length >= numbersMin
  }
  const others = near.filter(
    ({ key, baseline }) => key !== onlyNumber && Math.abs(baseline - line.baseline) <= heightMax,
  )
  return others.length >= pagesMin || others.some((other) => isFacing(line, other))
}

/** A few words and a number that counts pages stand apart below texts of different lengths. */
const footOf = (line: EndLine, all: ReadonlyMap<string, ReadonlyArray<EndLine>>): Found | undefined => {
  if (line.side !== "bottom" || line.key === onlyNumber || line.numbers.length === 0) return undefined
  if (line.isTagged || line.isLarge || beginsCaption(`${line.text} `)) return undefined
  const counted = (all.get(keyOf(line)) ?? []).filter(
    (other) =>
      isNear(line, other) && other.pageDigest !== line.pageDigest && countedIn(line, other).length === 1,
  )
  if (counted.filter(({ gap }) => gap >= footGapMin).length < pagesMin - 1) return undefined
  return { line, isFirst: !counted.some(({ page }) => page < line.page), isNumbered: true }
}

/** A share of the size. */
const footGapMin = 2

/** Other pages whose numbers stand by themselves below texts of other lengths. */
const numbersMin = 4

/** The numbers of two pages that face one another stand at their outer sides. */
const isFacing = (line: EndLine, other: EndLine): boolean =>
  Math.abs(line.page - other.page) === 1 &&
  line.isNumberFirst !== other.isNumberFirst &&
  [line, other].every(({ gap }) => gap > leadingMax)

/** The lines with the same text at the same place of other pages, which are no copies of this one. */
const othersOf = (line: EndLine, all: ReadonlyMap<string, ReadonlyArray<EndLine>>): ReadonlyArray<EndLine> =>
  (all.get(keyOf(line)) ?? []).filter(
    (other) =>
      other.page !== line.page &&
      other.pageDigest !== line.pageDigest &&
      Math.abs(other.baseline - line.baseline) <= apartMaxOf(line, other),
  )

/** How far from one another they may stand: long ones close to the edge say the same by no coincidence. */
const apartMaxOf = ({ text, words: [word], side, margin }: EndLine, other: EndLine): number =>
  side === "bottom" && margin <= footMarginMax && text.length >= longMin && text === other.text
    ? Math.max(heightMax, word?.size ?? 0)
    : heightMax

/** `others` are the lines with the same text, but for their numbers. */
const foundAs = (
  line: EndLine,
  others: ReadonlyArray<EndLine>,
  isAlone: boolean,
  pageCount: number,
): Found | undefined => {
  // The title of a table stands on each page that it goes on over.
  if (line.isTagged || line.isCode || (line.side === "top" && beginsCaption(`${line.text} `)))
    return undefined
  const isBefore = ({ page }: EndLine): boolean => page < line.page
  const counting =
    line.key === onlyNumber || line.numbers.length > 0
      ? [...others.flatMap((other) => countedIn(line, other)), ...goesUpIn(line, others)]
      : []
  if (isPageOfPages(line) || counting.some((index) => isPageNumber(line, index, isAlone)))
    return { line, isFirst: !others.some(isBefore), isNumbered: true }
  if (line.key === onlyNumber || line.isNote) return undefined
  const same = others.filter((other) => hasSameNumbers(line, other) && (line.isLarge || isNear(line, other)))
  return same.length >= timesMin(line, same, pageCount)
    ? { line, isFirst: !same.some(isBefore), isNumbered: false }
    : undefined
}

/** Running lines come back within so many pages, those of a section too; other lines do by chance. */
const isNear = ({ page }: EndLine, other: EndLine): boolean => Math.abs(page - other.page) <= nearMax

const nearMax = 8

const goesUpIn = (line: EndLine, others: ReadonlyArray<EndLine>): ReadonlyArray<number> =>
  line.key === onlyNumber || line.isLarge ? [] : goesUp([line, ...others])

/** How many more times the text of a line stands at its place. */
const timesMin = (
  { isLarge, numbers, page }: EndLine,
  same: ReadonlyArray<EndLine>,
  pageCount: number,
): number => {
  if (isLarge) return Math.max(pagesMin, pageCount / 2) - 1
  // The first page of three may have none.
  const isShort = pageCount === pagesMin && page > 0 && same.every((other) => other.page > 0)
  return numbers.length > 0 || isShort ? 1 : Math.max(2, Math.min(pagesMin, pageCount)) - 1
}

/**
 * In the margin at the other end of a page from "Page 3 of 7", and in the type of that: both were added when the document
 * was printed.
 */
const isPrintedWith = (counted: EndLine | undefined, line: EndLine): boolean =>
  counted !== undefined &&
  !line.isTagged &&
  line.side !== "aside" &&
  line.side !== counted.side &&
  line.margin <= marginMax &&
  line.words.every(({ size, font }) => size === counted.words[0]?.size && font === counted.words[0].font)

/**
 * The furniture at one end of a page is more than a title: it has several lines, figures, or names with their values.
 * `next` is the line after it.
 */
const isData = (
  found: ReadonlyArray<Found>,
  next: EndLine | undefined,
  all: ReadonlyMap<string, ReadonlyArray<EndLine>>,
): boolean => {
  const texts = found.filter(({ line }) => line.side !== "aside" && !isMereNumber(line))
  const isWithNext = next !== undefined && !next.isTagged && othersOf(next, all).length > 0
  // A stamp that stood on the pages before is none of the lines that begin here.
  const count = texts.filter(({ isFirst }) => isFirst).length
  if (count + (isWithNext ? 1 : 0) > 1) return count > 0
  return texts.some(
    ({ line, isNumbered }) =>
      line.margin > marginMax &&
      (line.isLarge || hasOtherFigures(line, isNumbered) || /\p{L}: ?[\p{L}#]/u.test(line.key)),
  )
}

/** The lines whose text stands nowhere else on these pages. `words` are those of furniture. */
const withoutRepeated = (
  lines: ReadonlyArray<EndLine>,
  pages: ReadonlyArray<PageWords>,
  words: ReadonlySet<Word>,
): ReadonlyArray<EndLine> => {
  if (lines.length === 0) return []
  const text = pages
    .flatMap((page) => page.words.filter((word) => !words.has(word)))
    .map((word) => word.text)
    .join(" ")
  return lines.filter((line) => !text.includes(line.text))
}
