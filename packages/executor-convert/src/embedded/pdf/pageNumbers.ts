import { apartInLineMin, type EndLine, marginMax, onlyNumber } from "./furnitureLines.ts"
import { leadingMax } from "./TextLine.ts"

const pageOfPages = "(?:page|seite|página) # (?:of|von|de|\\/) ?#$"
const onlyPageOfPages = new RegExp(`^${pageOfPages}`, "iu")
const endInPageOfPages = new RegExp(`(?<!\\p{L})${pageOfPages}`, "iu")

/** "Page 3 of 7" says what it is on a single page. */
export const isPageOfPages = ({ key }: EndLine): boolean => onlyPageOfPages.test(key)

/** What is written with the number of a page, as in "Page 3 of 7", "S. 3" or "3/7". */
const pageNumber =
  /(?:(?<!\p{L})(?:pages?|pp?|pg|seite|s|blatt|bl|sheet|folio|página|pág|pagina|pag|strona|sida|side)[ .:]*)?#(?: ?(?:of|von|de|di|sur|van|av|z|\/|\|) ?#)?/giu

/** The text of a line without numbers of pages that say that they are, and whether it has one. */
const withoutPageNumber = (key: string): { readonly rest: string; readonly isSaid: boolean } => {
  let isSaid = false
  const rest = key.replace(pageNumber, (found) => {
    if (found === "#") return found
    isSaid = true
    return " "
  })
  return { rest, isSaid }
}

/** It says how many pages there are, or nothing else. */
export const isMereNumber = ({ key }: EndLine): boolean =>
  key === onlyNumber || !/[\p{L}#]/u.test(withoutPageNumber(key).rest)

/** It has figures besides the number that counts pages. */
export const hasOtherFigures = ({ key }: EndLine, isNumbered: boolean): boolean => {
  const { rest, isSaid } = withoutPageNumber(key)
  return (rest.match(/#/g)?.length ?? 0) > (isNumbered && !isSaid ? 1 : 0)
}

/** Those of the numbers that another line, with the same text, has so much higher as its page comes later. */
export const countedIn = (line: EndLine, other: EndLine): ReadonlyArray<number> => {
  if (line.numbers.length !== other.numbers.length) return []
  const differences = line.numbers.map((number, index) => number - (other.numbers[index] ?? 0))
  const pages = line.page - other.page
  if (!differences.every((difference) => difference === 0 || difference === pages)) return []
  return differences.flatMap((difference, index) => (difference === pages ? [index] : []))
}

export const hasSameNumbers = (line: EndLine, other: EndLine): boolean =>
  line.numbers.every((number, index) => number === other.numbers[index])

/** Lines of a longer document, of which pages were taken out, need to be so many. */
const pagesMin = 3

/** Of pages that were taken out of a longer document, one number goes up with the pages, and not slower. */
export const goesUp = (lines: ReadonlyArray<EndLine>): ReadonlyArray<number> => {
  const inOrder = lines.toSorted((a, b) => a.page - b.page)
  const moved = inOrder.slice(1).map(({ page, numbers }, index) => {
    const before = inOrder[index]
    const changed = numbers.flatMap((number, at) => (number === before?.numbers[at] ? [] : [at]))
    const [at = -1, ...more] = changed
    const isUp = (numbers[at] ?? 0) - (before?.numbers[at] ?? 0) >= page - (before?.page ?? 0)
    return more.length === 0 && isUp ? at : -1
  })
  return lines.length < pagesMin || moved.includes(-1) ? [] : [...new Set(moved)]
}

/** Shares of the size. */
const apartMin = 2

/** Words before a number that is the name of something. */
const label = /(?:(?<!\p{L})\p{L}{1,5}\.|:|#|№|(?<!\p{L})(?:no|nr|number|nummer|num))$/iu

/**
 * The line, whose number at `index` counts pages, is the number of its page, and not that of a chapter, an exercise or an
 * account: it has no other words than a page number has, or it stands apart from them, or from the text. `isAlone`: no other line stands with it.
 */
export const isPageNumber = (line: EndLine, index: number, isAlone: boolean): boolean => {
  if (isMereNumber(line)) return true
  if (line.isLarge)
    return (
      isDated(line, index) ||
      ((line.side === "bottom" || line.margin <= marginMax) && endInPageOfPages.test(line.key))
    )
  if (withoutPageNumber(line.key).isSaid || isApartInLine(line, index)) return true
  if (isDated(line, index) || isOfIssue(line, index)) return true
  if (line.isBoldTitle) return false
  if (line.numbers[index] === line.page + 1) return line.gap > leadingMax
  return isAlone && line.gap > apartMin && !label.test(line.key.split("#")[index]?.trim() ?? "")
}

/** It begins or ends a line of some words, and is too high to count anything but the pages of a volume or book. */
const isOfIssue = (line: EndLine, index: number): boolean =>
  (line.numbers[index] ?? 0) >= issueNumberMin &&
  endsIn(line, index) &&
  line.words.filter(({ text }) => /\p{L}/u.test(text)).length >= issueWordsMin

const issueNumberMin = 100
const issueWordsMin = 4

/** It begins or ends a line with several other numbers, which are the same on other pages: the date and number of an issue. */
const isDated = (line: EndLine, index: number): boolean =>
  line.numbers.length > datedNumbersMin && endsIn(line, index)

const endsIn = ({ words, numbers }: EndLine, index: number): boolean =>
  [words[0]?.text, words.at(-1)?.text].includes(String(numbers[index]))

const datedNumbersMin = 2

/** The number stands by itself at one side of the line or within it, also between two signs as in "– 7 –". */
const isApartInLine = ({ words, numbers }: EndLine, index: number): boolean => {
  const at = words.findIndex(({ text }) => /^\d+$/.test(text) && Number(text) === numbers[index])
  const isBetween = [words[at - 1], words[at + 1]].every((word) => /^[-–—|]$/.test(word?.text ?? ""))
  const [first, last] = isBetween ? [at - 1, at + 1] : [at, at]
  const [before, left, right, after] = [words[first - 1], words[first], words[last], words[last + 1]]
  if (left === undefined || right === undefined || words.length < 2) return false
  const least = apartInLineMin * left.size
  return (
    (before === undefined || left.left - before.right > least) &&
    (after === undefined || after.left - right.right > least)
  )
}
