import type { PageWords } from "./furnitureLines.ts"
import type { Word } from "./Word.ts"

/** A number that may count pages, and what it exceeds the index of its page by. */
interface Place {
  readonly word: Word
  readonly page: number
  readonly digest: string
  readonly offset: number
}

/** A share of the height of a page, above and below. */
const zone = 0.16
/** So many other pages have their number at the same place. */
const othersMin = 3
const knownMax = 8
/** On a page with more of one number, none is that of the page. */
const sameMax = 4
/** Points. A small number may be set on the line of the text beside it. */
const samePlace = 1.5
const sameHeight = 2.5
/** Shares of the size. */
const sameLine = 0.35
const nearMax = 1
const sameSize = 0.05

/**
 * Finds the numbers of pages that stand in a line of the text, as on slides whose text is longer than its box: at one
 * place of many pages, counting with them, and no part of what is written beside them.
 */
export class NumbersInPlace {
  /** Those of earlier pages. */
  readonly #known = new Map<number, Array<Place>>()

  find(pages: ReadonlyArray<PageWords>, first: number): ReadonlyArray<Word> {
    const places = pages.flatMap((page, index) => placesOf(page, first + index))
    const byOffset = Map.groupBy(places, ({ offset }) => offset)
    return [...byOffset].flatMap(([offset, own]) => {
      const all = [...(this.#known.get(offset) ?? []), ...own]
      const found = own.filter((place) => {
        const others = new Set(all.filter((other) => isSamePlace(place, other)).map(({ digest }) => digest))
        others.delete(place.digest)
        return others.size >= othersMin
      })
      this.#known.set(offset, all.slice(-knownMax))
      return found.map(({ word }) => word)
    })
  }
}

const placesOf = ({ words, tagged, top, bottom, digest }: PageWords, page: number): ReadonlyArray<Place> => {
  const height = zone * (bottom - top)
  const numbers = words.filter(
    (word) =>
      /^\d{1,4}$/.test(word.text) &&
      !tagged.has(word) &&
      (word.baseline < top + height || word.baseline > bottom - height),
  )
  const byText = Map.groupBy(numbers, ({ text }) => text)
  const rare = numbers.filter(({ text }) => (byText.get(text)?.length ?? 0) <= sameMax)
  if (rare.length === 0) return []
  const byOrder = new Map(words.map((word) => [word.order, word]))
  return rare
    .filter((word) => ![-1, 1].some((step) => isBeside(word, byOrder.get(word.order + step))))
    .map((word) => ({ word, page, digest, offset: Number(word.text) - page }))
}

/** The words are written one after the other, in one size and without a gap. */
const isBeside = (word: Word, other: Word | undefined): boolean =>
  other !== undefined &&
  Math.abs(other.size - word.size) < sameSize * word.size &&
  Math.abs(other.baseline - word.baseline) < sameLine * word.size &&
  Math.max(other.left - word.right, word.left - other.right) < nearMax * word.size

/** Where it is drawn, though it stands on the line of another word. */
const heightOf = ({ baseline, drawn = baseline }: Word): number => drawn

const isSamePlace = ({ word, page }: Place, other: Place): boolean => {
  const { left, right } = other.word
  return (
    page !== other.page &&
    Math.abs(heightOf(word) - heightOf(other.word)) < sameHeight &&
    Math.abs(word.size - other.word.size) < sameSize * word.size &&
    [word.left - left, word.right - right, (word.left + word.right - left - right) / 2].some(
      (distance) => Math.abs(distance) < samePlace,
    )
  )
}
