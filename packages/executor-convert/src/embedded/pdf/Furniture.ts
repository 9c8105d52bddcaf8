import { byReading, median } from "./Cells.ts"
import { romanOf } from "./ListMark.ts"
import type { Word } from "./Words.ts"

/** What is looked at of a page. */
export interface PageWords {
  /** Its words that stand upright and in no table. */
  readonly words: ReadonlyArray<Word>
  /** Its words in other directions, each of these by itself. */
  readonly aside: ReadonlyArray<ReadonlyArray<Word>>
  /** Its upper and lower side, as heights that grow downwards. */
  readonly top: number
  readonly bottom: number
}

interface Candidate {
  readonly page: number
  readonly words: ReadonlyArray<Word>
  readonly side: "top" | "bottom" | "aside"
  readonly baseline: number
  /** Its text with `#` for each number. */
  readonly key: string
  readonly numbers: ReadonlyArray<number>
  /** Larger than the text of its page, as a title is. */
  readonly isLarge: boolean
  /** From the edge of its page, in points. */
  readonly margin: number
}

/** At most so many lines at each end of a page, within this share of its height. */
const linesMax = 4
/** With more lines in another direction, these are a turned page or table. */
const asideLinesMax = 8
/** Other directions of a page that are looked at: names on a map may stand in any. */
const directionsMax = 16
const zone = 0.16
const heightMax = 4
const largeMin = 1.2
const keyCharactersMax = 200
/** A line that stands on fewer pages than this, of a longer document, may be a coincidence. */
const pagesMin = 3

/**
 * Finds running headers, footers and page numbers: lines at the ends of pages that come back from page to page, and those
 * along their sides that do.
 */
export class Furniture {
  /** What was found on earlier pages. */
  readonly #known = new Map<string, Array<number>>()

  /** The words of these pages that are furniture, and the count of lines. `first` is the index of the first page. */
  find(
    pages: ReadonlyArray<PageWords>,
    first: number,
  ): { readonly words: ReadonlySet<Word>; readonly lines: number } {
    const ends = pages.map((page, index) => candidatesOf(page, first + index))
    const all = new Map<string, Array<Candidate>>()
    for (const candidate of ends.flat(2)) {
      const key = keyOf(candidate)
      const list = all.get(key)
      if (list === undefined) all.set(key, [candidate])
      else list.push(candidate)
    }
    const words = new Set<Word>()
    let lines = 0
    for (const sides of ends) {
      const counted = sides.flat().find((line) => isPageOfPages(line) && line.margin <= marginMax)
      for (const side of sides) {
        for (const line of side) {
          if (
            !isPrintedWith(counted, line) &&
            !this.#isFurniture(line, all.get(keyOf(line)) ?? [], pages.length + first)
          ) {
            if (line.side === "aside") continue
            break
          }
          for (const word of line.words) words.add(word)
          lines++
          this.#known.set(keyOf(line), [...(this.#known.get(keyOf(line)) ?? []), line.baseline].slice(-8))
        }
      }
    }
    return { words, lines }
  }

  #isFurniture(line: Candidate, same: ReadonlyArray<Candidate>, pageCount: number): boolean {
    const isNear = (baseline: number): boolean => Math.abs(baseline - line.baseline) <= heightMax
    if (this.#known.get(keyOf(line))?.some(isNear) === true) return true
    const others = same.filter(({ page, baseline }) => page !== line.page && isNear(baseline))
    if (line.key === onlyNumber || line.numbers.length > 0) {
      return (
        others.some((other) => counts(line, other)) ||
        isPageOfPages(line) ||
        (line.key !== onlyNumber && !line.isLarge && goesUp([line, ...others]))
      )
    }
    if (line.isLarge) return others.length + 1 >= Math.max(pagesMin, pageCount / 2)
    return others.length + 1 >= Math.min(pagesMin, pageCount) && others.length > 0
  }
}

const keyOf = ({ side, key }: Candidate): string => `${side} ${key}`

const onlyNumber = "#"

/** "Page 3 of 7" says what it is on a single page. */
const isPageOfPages = ({ key }: Candidate): boolean =>
  /^(?:page|seite|página) # (?:of|von|de|\/) ?#$/i.test(key)

/**
 * In the margin at the other end of a page from "Page 3 of 7", and in the type of that: both were added when the document
 * was printed.
 */
const isPrintedWith = (counted: Candidate | undefined, line: Candidate): boolean =>
  counted !== undefined &&
  line.side !== "aside" &&
  line.side !== counted.side &&
  line.margin <= marginMax &&
  line.words.every(({ size, font }) => size === counted.words[0]?.size && font === counted.words[0].font)

/** Points: what people write stands further inside. */
const marginMax = 28

/** The numbers are the same, but for one that goes with the pages; at least one does, or the text is the same. */
const counts = (line: Candidate, other: Candidate): boolean => {
  if (line.numbers.length !== other.numbers.length) return false
  return line.numbers.every((number, index) => {
    const difference = number - (other.numbers[index] ?? 0)
    return (line.key !== onlyNumber && difference === 0) || difference === line.page - other.page
  })
}

/** Of pages that were taken out of a longer document, the numbers go up with the pages, and not slower. */
const goesUp = (lines: ReadonlyArray<Candidate>): boolean => {
  const inOrder = lines.toSorted((a, b) => a.page - b.page)
  return (
    lines.length >= pagesMin &&
    inOrder.every(({ page, numbers }, index) => {
      const before = inOrder[index - 1]
      if (before === undefined) return true
      const differences = numbers.map((number, at) => number - (before.numbers[at] ?? 0))
      const moved = differences.filter((difference) => difference !== 0)
      return moved.length === 1 && (moved[0] ?? 0) >= page - before.page
    })
  )
}

/** The outermost lines of a page, from outside, above and below; and all of a direction with few of them. */
const candidatesOf = (
  { words, aside, top, bottom }: PageWords,
  page: number,
): ReadonlyArray<ReadonlyArray<Candidate>> => {
  const height = bottom - top
  const size = median(words.map((word) => word.size))
  const candidate = (line: ReadonlyArray<Word>, side: Candidate["side"]): Candidate => {
    const text = line.map((word) => word.text).join(" ")
    const { key, numbers } = numbered(text.slice(0, keyCharactersMax))
    const largest = line.reduce((most, word) => Math.max(most, word.size), 0)
    const isLarge = side !== "aside" && largest > largeMin * size
    const baseline = line[0]?.baseline ?? 0
    const margin = side === "bottom" ? bottom - baseline : baseline - top
    return { page, words: line, side, baseline, key, numbers, isLarge, margin }
  }
  const end = (side: "top" | "bottom"): ReadonlyArray<Candidate> => {
    const isIn = ({ baseline }: Word): boolean =>
      side === "top" ? baseline < top + zone * height : baseline > bottom - zone * height
    const lines = [...byReading(words.filter(isIn))]
    if (side === "bottom") lines.reverse()
    return lines.slice(0, linesMax).map((line) => candidate(line, side))
  }
  const few = aside
    .map(byReading)
    .filter(({ length }) => length <= asideLinesMax)
    .slice(0, directionsMax)
  return [end("top"), end("bottom"), ...few.map((lines) => lines.map((line) => candidate(line, "aside")))]
}

const numbered = (text: string): { readonly key: string; readonly numbers: ReadonlyArray<number> } => {
  const roman = romanOf(text.trim())
  if (roman !== undefined) return { key: onlyNumber, numbers: [roman] }
  const numbers: Array<number> = []
  const key = text.replace(/\d{1,9}/g, (digits) => {
    numbers.push(Number(digits))
    return "#"
  })
  // Marks around a page number, as in "– 7 –", are none of the text.
  return { key: /^[^\p{L}#]*#[^\p{L}#]*$/u.test(key) ? onlyNumber : key, numbers }
}
