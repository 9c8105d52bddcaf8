import { byReading, median } from "./Cells.ts"
import { romanOf } from "./ListMark.ts"
import { leadingMax } from "./TextLine.ts"
import { areMono, type Word } from "./Word.ts"

/** What is looked at of a page. */
export interface PageWords {
  /** Its words that stand upright and in no table. */
  readonly words: ReadonlyArray<Word>
  /** Its words in other directions, each of these by itself. */
  readonly aside: ReadonlyArray<ReadonlyArray<Word>>
  /** The size of most of its words, also in tables. */
  readonly size: number
  /** Words that the document itself calls a heading or puts in a table. */
  readonly tagged: ReadonlySet<Word>
  /** Of all that it says: of copies of one page nothing is furniture because they agree. */
  readonly digest: string
  /** Its upper and lower side, as heights that grow downwards. */
  readonly top: number
  readonly bottom: number
  /** Its document has no other page. */
  readonly isOnly: boolean
}

/** A line that may be furniture. */
export interface EndLine {
  /** The index of its page, and the digest of all that this says. */
  readonly page: number
  readonly pageDigest: string
  readonly words: ReadonlyArray<Word>
  readonly side: "top" | "bottom" | "aside"
  readonly baseline: number
  readonly text: string
  /** Its text with `#` for each number. */
  readonly key: string
  readonly numbers: ReadonlyArray<number>
  /**
   * How much higher than its page's index a number is that begins or ends the outermost line, apart from its words, or
   * that is all of a line.
   */
  readonly endNumber: number | undefined
  /** It is the first word of the line. */
  readonly isNumberFirst: boolean
  /** It is the number of the only page of its document: nothing else, centred and apart below all. */
  readonly isNumberOfOnly: boolean
  /** Larger than the text of its page, as a title is; on a slide, which has little else, if only by a little. */
  readonly isLarge: boolean
  /** In a font of equal widths, as the next line inwards close to it, on a page of other text: code. */
  readonly isCode: boolean
  /** It begins with the raised number of a note, which is the same on pages that name one source. */
  readonly isNote: boolean
  /** In bold, above a line that is not, as a title is. */
  readonly isBoldTitle: boolean
  /** The document itself says that it is none. */
  readonly isTagged: boolean
  /** From the edge of its page, in points. */
  readonly margin: number
  /** To the next line inwards, as a share of its size. */
  readonly gap: number
}

/**
 * At most so many lines at each end of a page, within this share of its height, and more that go on with the text of the
 * last of them; below a header, within a larger one.
 */
const linesMax = 4
const textLinesMax = 8
/** With more lines in another direction, these are a turned page or table. */
const asideLinesMax = 8
/** Other directions of a page that are looked at: names on a map may stand in any. */
const directionsMax = 16
const zone = 0.16
const headZone = 0.2
/** Points: of a small page, such as that of a reader in the hand, the ends are a larger share. */
const zoneMin = 60
const smallShare = 0.33
const largeMin = 1.2
/** The size of the text of a slide, as a share of its height. */
const slideSizeMin = 0.024
const keyCharactersMax = 200

/** Points: what people write stands further inside. */
export const marginMax = 28

/** The key of a line that is nothing but a number. */
export const onlyNumber = "#"

/** The outermost lines of a page, from outside, above and below; and all of a direction with few of them. */
export const endLinesOf = (
  { words, aside, size: sizeOfAll, tagged, digest: pageDigest, top, bottom, isOnly }: PageWords,
  page: number,
): ReadonlyArray<ReadonlyArray<EndLine>> => {
  const height = bottom - top
  const size = Math.max(median(words.map((word) => word.size)), sizeOfAll)
  const isSlide = size > slideSizeMin * height
  const largestOfPage = words.reduce((most, word) => Math.max(most, word.size), 0)
  const isMono = 2 * words.filter(({ mono }) => mono).length > words.length
  const endLine = (
    line: ReadonlyArray<Word>,
    side: EndLine["side"],
    next: ReadonlyArray<Word> | undefined,
    isOutermost: boolean,
  ): EndLine => {
    const text = line.map((word) => word.text).join(" ")
    const largest = line.reduce((most, word) => Math.max(most, word.size), 0)
    const baseline = line[0]?.baseline ?? 0
    const margin = side === "bottom" ? bottom - baseline : baseline - top
    const gap = Math.abs((next?.[0]?.baseline ?? Number.POSITIVE_INFINITY) - baseline) / largest
    const isEnd = isOutermost || line.length === 1
    const endNumber = isEnd && !isSlide ? endNumberOf(line, page) : undefined
    const isInCode = areMono([...line, ...(next ?? [])])
    return {
      page,
      pageDigest,
      words: line,
      side,
      baseline,
      text,
      ...numbered(text.slice(0, keyCharactersMax)),
      endNumber,
      isNumberFirst: endNumber !== undefined && line[0]?.text === String(endNumber + page),
      isNumberOfOnly:
        isOnly &&
        side === "bottom" &&
        isOutermost &&
        isNumberAlone(line) &&
        !yearAlone.test(text) &&
        gap > apartBelowMin &&
        isCentredBelow(line, words),
      isLarge:
        side !== "aside" &&
        (largest > largeMin * size || (isSlide && largest > size && largest === largestOfPage)),
      isCode: !isMono && isInCode && gap < leadingMax && margin > marginMax,
      isNote: side === "bottom" && isNote(line, words),
      isBoldTitle:
        side === "top" && line.every(({ bold }) => bold) && next?.some(({ bold }) => !bold) === true,
      isTagged: line.some((word) => tagged.has(word)),
      margin,
      gap,
    }
  }
  const all = byReading(words)
  const isStamp = ([word]: ReadonlyArray<Word> = [], side: "top" | "bottom"): boolean =>
    word !== undefined && (side === "top" ? word.baseline - top : bottom - word.baseline) <= marginMax
  const end = (side: "top" | "bottom"): ReadonlyArray<EndLine> => {
    const lines = side === "top" ? titleLines(all) : all.toReversed()
    const isWithin = (line: ReadonlyArray<Word> | undefined, share: number): boolean => {
      const baseline = line?.[0]?.baseline ?? 0
      const depth = Math.max(share * height, Math.min(zoneMin, smallShare * height))
      return side === "top" ? baseline < top + depth : baseline > bottom - depth
    }
    const share = side === "top" && isWithin(lines[0], zone) ? headZone : zone
    // What was stamped on the page stands outside of its own lines.
    const outermost = isStamp(lines[0], side) ? 1 : 0
    return lines
      .slice(0, countOf(lines))
      .flatMap((line, index) =>
        isWithin(line, share) ||
        (side === "top"
          ? isWithin(lines[0], share) && isOfTitle(lines, index)
          : index + 1 < lines.length && mayStandBelow(line, index))
          ? [endLine(line, side, lines[index + 1], index <= outermost)]
          : [],
      )
  }
  const few = aside
    .map(byReading)
    .filter(({ length }) => length <= asideLinesMax)
    .slice(0, directionsMax)
  return [
    end("top"),
    end("bottom"),
    ...few.map((lines) => lines.map((line) => endLine(line, "aside", undefined, false))),
  ]
}

/** How many lines are looked at. */
const countOf = (lines: ReadonlyArray<ReadonlyArray<Word>>): number => {
  let count = Math.min(linesMax, lines.length)
  while (count < Math.min(textLinesMax, lines.length) && goesOn(lines[count], lines[count - 1])) count++
  return count
}

/** The lines, without what stands over those that go on with the first one: a title that is drawn behind the text. */
const titleLines = (lines: ReadonlyArray<ReadonlyArray<Word>>): ReadonlyArray<ReadonlyArray<Word>> => {
  const [first] = lines
  if (first === undefined || !areAlike(first, first)) return lines
  const titles = lines.slice(1, linesMax).map((line) => {
    if (line.length > titleWordsMax) return line
    const own = line.filter((word) => areAlike([word], first))
    const others = line.filter((word) => !areAlike([word], first))
    return overlaps(own, others) ? own : line
  })
  return [first, ...titles, ...lines.slice(linesMax)]
}

/** Whether a word stands over another one, by a part of its width. */
const overlaps = (own: ReadonlyArray<Word>, others: ReadonlyArray<Word>): boolean =>
  own.some((word) =>
    others.some(
      (other) => Math.min(word.right, other.right) - Math.max(word.left, other.left) > overlapMin * word.size,
    ),
  )

const titleWordsMax = 60
/** A share of the size. */
const overlapMin = 0.3

/** All words are in the type of the first one of others. */
const areAlike = (words: ReadonlyArray<Word>, [first]: ReadonlyArray<Word>): boolean =>
  words.every(
    ({ font, size, colour }) => font === first?.font && size === first.size && colour === first.colour,
  )

/** The line goes on with the first one, close to the one before and in one type with both. */
const isOfTitle = (lines: ReadonlyArray<ReadonlyArray<Word>>, index: number): boolean =>
  index > 0 &&
  lines.slice(0, index + 1).every((line, at) => {
    const [word] = line
    const above = lines[at - 1]?.[0]?.baseline ?? word?.baseline ?? 0
    return (
      word !== undefined && word.baseline - above < leadingMax * word.size && areAlike(line, lines[0] ?? [])
    )
  })

/** The lines are of one text. */
const goesOn = ([word]: ReadonlyArray<Word> = [], [beside]: ReadonlyArray<Word> = []): boolean =>
  word !== undefined &&
  beside !== undefined &&
  Math.abs(word.left - beside.left) < sameLeft &&
  Math.abs(word.size - beside.size) < sameSize &&
  Math.abs(word.baseline - beside.baseline) < leadingMax * word.size

/** Points. */
const sameLeft = 1
const sameSize = 0.1

/** What has the number of its page stands below its text, which may end anywhere in a page that was printed by a browser. */
const mayStandBelow = (line: ReadonlyArray<Word>, index: number): boolean =>
  isNumberAlone(line) ||
  (index === 0 &&
    line.length <= footWordsMax &&
    [line[0], line.at(-1)].some((word) => /^\d{1,4}$/.test(word?.text ?? "")))

const footWordsMax = 8

/** A line is nothing but a number. */
export const isNumberAlone = ([first, ...others]: ReadonlyArray<Word>): boolean =>
  first !== undefined && others.length === 0 && /^\d{1,5}$/.test(first.text)

const yearAlone = /^(?:19|20)\d\d$/
/** Shares of the size: to the text above, and of all the width of the page's text, from its middle. */
const apartBelowMin = 2
const offCentreMax = 0.03

const isCentredBelow = ([number]: ReadonlyArray<Word>, words: ReadonlyArray<Word>): boolean => {
  if (number === undefined) return false
  const left = words.reduce((least, word) => Math.min(least, word.left), number.left)
  const right = words.reduce((most, word) => Math.max(most, word.right), number.right)
  return Math.abs(number.left + number.right - left - right) < 2 * offCentreMax * (right - left)
}

const isNote = ([first, second]: ReadonlyArray<Word>, words: ReadonlyArray<Word>): boolean => {
  if (first === undefined || second === undefined) return false
  const before = words.find(({ order }) => order === first.order - 1)
  return isNumberOf(first, second) || isNumberOf(before, first)
}

const isNumberOf = (number: Word | undefined, text: Word): boolean =>
  number !== undefined &&
  /^\d{1,2}$/.test(number.text) &&
  number.size < noteSizeMax * text.size &&
  text.left - number.right < text.size &&
  text.left > number.left

/** A share of the size. */
const noteSizeMax = 0.85

const endNumberOf = (line: ReadonlyArray<Word>, page: number): number | undefined => {
  if (isNumberAlone(line)) return Number(line[0]?.text) - page
  const number = (word: Word | undefined, beside: Word | undefined): ReadonlyArray<number> => {
    if (word === undefined || beside === undefined || !/^\d{1,5}$/.test(word.text)) return []
    const gap = word.left > beside.left ? word.left - beside.right : beside.left - word.right
    const isApart = gap > apartInLineMin * word.size || parting.test(beside.text)
    return isApart ? [Number(word.text) - page] : []
  }
  const [last] = number(line.at(-1), line.at(-2))
  const [first] = number(line[0], line[1])
  return last ?? first
}

/** Shares of the size. */
export const apartInLineMin = 2
/** A sign between the number of a page and the title of its section. */
const parting = /^[|¦•·●∙–—]$/u

/** "Page ii of iii": the pages before those that Arabic numbers count. */
const romanPageOfPages = /(?<=(?<!\p{L})(?:[Pp]age|[Ss]eite|[Pp]ágina) )[ivxlc]+ (?:of|von|de|\/) [ivxlc]+$/u

const numbered = (written: string): Pick<EndLine, "key" | "numbers"> => {
  const roman = romanOf(written.trim())
  if (roman !== undefined) return { key: onlyNumber, numbers: [roman] }
  const text = written.replace(romanPageOfPages, (found) =>
    found.replace(/[ivxlc]+/g, (digits) => String(romanOf(digits) ?? digits)),
  )
  const numbers: Array<number> = []
  const key = text.replace(/\d{1,9}/g, (digits) => {
    numbers.push(Number(digits))
    return "#"
  })
  // Marks around a page number, as in "– 7 –", are none of the text.
  return { key: /^[^\p{L}#]*#[^\p{L}#]*$/u.test(key) ? onlyNumber : key, numbers }
}
