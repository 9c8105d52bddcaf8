import { areaOf } from "./areaOf.ts"
import { byReading } from "./Cells.ts"
import { isNumberAlone, type PageWords } from "./furnitureLines.ts"
import { runsOf } from "./runs.ts"
import type { Word } from "./Word.ts"
import { gapMax } from "./wordGaps.ts"

/** Words of a line beside the text of its page. */
interface SideText {
  readonly words: ReadonlyArray<Word>
  readonly page: number
  readonly digest: string
  readonly left: number
  readonly right: number
  readonly baseline: number
}

/** A share of the height of a page, from above. */
const zone = 0.3
/** So many other pages have the same at the same place, among those near to it: facing pages have two titles. */
const othersMin = 2
const nearMax = 8
const knownMax = 8
const textsMax = 12
/** Lines with so many words are the text of a page, which has so many of them. */
const wordsMin = 6
const linesMin = 8
/** Shares of the size: a gap that parts the words of a line, and how far the text is. */
const partMin = 3 * gapMax
const apartMin = 1
/** Points. */
const samePlace = 2

/** Finds the running titles of journals that stand beside the text, in the outer margin, with the number of the page. */
export class SideTitles {
  readonly #known = new Map<string, Array<SideText>>()

  /** The words of each of them. */
  find(pages: ReadonlyArray<PageWords>, first: number): ReadonlyArray<ReadonlyArray<Word>> {
    const texts = pages.flatMap((page, index) => sideTextsOf(page, first + index))
    const found = [...Map.groupBy(texts, keyOf)].flatMap(([key, own]) => {
      const all = [...(this.#known.get(key) ?? []), ...own]
      this.#known.set(key, all.slice(-knownMax))
      return own.filter((text) => othersOf(text, all) >= othersMin)
    })
    const numbered = new Set(found.flatMap((text) => (numberOf(text) === undefined ? [] : [text.page])))
    return found.filter(({ page }) => numbered.has(page)).map(({ words }) => words)
  }
}

/** Numbers that count with the pages are one text. */
const keyOf = (text: SideText): string => {
  const number = numberOf(text)
  return number === undefined ? text.words.map((word) => word.text).join(" ") : `# ${number - text.page}`
}

const numberOf = ({ words }: SideText): number | undefined =>
  isNumberAlone(words) ? Number(words[0]?.text) : undefined

const othersOf = (text: SideText, all: ReadonlyArray<SideText>): number => {
  const others = all.filter(
    ({ page, left, right, baseline }) =>
      page !== text.page &&
      Math.abs(page - text.page) <= nearMax &&
      Math.abs(baseline - text.baseline) < samePlace &&
      (Math.abs(left - text.left) < samePlace || Math.abs(right - text.right) < samePlace),
  )
  const digests = new Set(others.map(({ digest }) => digest))
  digests.delete(text.digest)
  return digests.size
}

const sideTextsOf = (
  { words, tagged, top, bottom, digest }: PageWords,
  page: number,
): ReadonlyArray<SideText> => {
  const rows = byReading(words).map((line) => runsOf(line, goesOn))
  const lines = rows.flat().filter(isText)
  if (lines.length < linesMin) return []
  const { left, right } = areaOf(lines.flat())
  // Beside other short texts it is one of a table.
  const alone = rows.flatMap((row) => {
    const short = row.filter((part) => !isText(part))
    return short.length === 0 ? row : short.length === 1 ? short : []
  })
  const beside = alone.flatMap((part) => {
    const [begin, end] = [part[0], part.at(-1)]
    if (begin === undefined || end === undefined) return []
    const apart = apartMin * begin.size
    const isBeside = begin.left > right + apart || end.right < left - apart
    return isBeside &&
      part.some(({ text }) => /[\p{L}\d]/u.test(text)) &&
      !part.some((word) => tagged.has(word))
      ? [{ words: part, page, digest, left: begin.left, right: end.right, baseline: begin.baseline }]
      : []
  })
  // What goes on further down is a column.
  return beside.length > textsMax
    ? []
    : beside.filter(({ baseline }) => baseline <= top + zone * (bottom - top))
}

const isText = (part: ReadonlyArray<Word>): boolean => part.length >= wordsMin

const goesOn = (run: ReadonlyArray<Word>, word: Word): boolean =>
  word.left - (run.at(-1)?.right ?? 0) < partMin * word.size
