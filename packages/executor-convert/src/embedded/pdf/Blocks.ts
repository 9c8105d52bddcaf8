import { rightsBeside } from "./besidePictures.ts"
import type { Region } from "./Columns.ts"
import { areCentredTitle } from "./centredTitles.ts"
import { isCode, listingHeightMax } from "./codeHeights.ts"
import { codeLines } from "./codeLines.ts"
import { withEntries } from "./contentsEntries.ts"
import { isDrawn } from "./drawnGrid.ts"
import { type NotesOf, withoutFootnotes, withRaisedMarks } from "./Footnotes.ts"
import type { PlacedTable } from "./Grid.ts"
import { goesOnInColumns } from "./goesOnInColumns.ts"
import { headAbove, headsOfNumbers, labelsBetween, type WordsInColumns } from "./headsAbove.ts"
import { withItemMarks } from "./itemMarks.ts"
import { joinWords, type Spans, textOf } from "./joinWords.ts"
import { withoutLeader } from "./Leaders.ts"
import { type Row, rowsOf, type Segment, segmentsOf } from "./Lines.ts"
import { type ListMark, markOf, withMarkApart } from "./ListMark.ts"
import { rightsOfSizes } from "./rightsOfSizes.ts"
import { runInTitle } from "./runInWords.ts"
import { sentenceEnd } from "./sentences.ts"
import { areShort } from "./shortLines.ts"
import { type Bounds, beginsInWord, boundsOf, goesOnInLower, isEnded, sameLeft, stacksIn } from "./stacks.ts"
import { tablesIn } from "./Tables.ts"
import { type Line, leadingMax } from "./TextLine.ts"
import type { Word } from "./Word.ts"

export interface TextBlock {
  readonly kind: "text"
  /** The same as `spans`. */
  readonly text: string
  readonly spans: Spans
  readonly size: number
  readonly left: number
  readonly bold: boolean
  readonly italic: boolean
  readonly underlined?: boolean
  /** Of all of its words, if it is known. */
  readonly colour?: number
  /** Of the font of nearly all of its letters, empty for several. */
  readonly family: string
  readonly lines: number
  /** It has a gap, as between columns. */
  readonly isParted: boolean
  /** It is written and not shown, as what a program recognised in the picture of a page. */
  readonly isUnseen?: boolean
  /** Of a single line, what stands between such gaps. */
  readonly parts: ReadonlyArray<Part>
  /** The mark of a list item, which is not part of the text: a number, or nothing for a bullet. */
  readonly item?: ListMark["item"]
  /** That mark as it is written. */
  readonly mark?: string
  /** The level of a heading, 0 for none, where the document says it. */
  readonly level?: number
  /** How many lists an item is inside of, where the document says it; else its place tells. */
  readonly depth?: number
  /** An entry of a table of contents. */
  readonly isEntry?: boolean
  /** Nothing stands above it in its column. */
  readonly beginsColumn?: boolean
  /** A footnote, which stands after the text of its page, or what is written in a figure, which stands behind its caption. */
  readonly isNote?: boolean
  /** The level of the item that it is a part of. */
  readonly itemLevel?: number
  readonly place?: Place
  /** Where its first words may be its title. */
  readonly runIn?: RunIn
  /** Where it begins; absent while a page is read. */
  readonly page?: number
}

/** What may be the title of a text, which begins with it. */
export interface RunIn {
  readonly title: TextBlock
  /** The number or letter before the title is set as it is. */
  readonly isMarkAlike: boolean
  /** The text stands as far from the title as the size of its letters. */
  readonly isSetOff: boolean
}

/** How a text stands in its column: what tells whether it goes on in the next one. */
export interface Place {
  /** Of its first line, and of what stands behind the mark of an item, from the side of the column. */
  readonly indent: number
  readonly textIndent: number
  /** All of its lines begin below one another. */
  readonly isFlush: boolean
  /** What its last line leaves free. */
  readonly room: number
  /** Of its first word. */
  readonly wordWidth: number
  readonly beginsBold: boolean
}

export interface Part {
  readonly left: number
  readonly right: number
  readonly spans: Spans
}

export interface TableBlock {
  readonly kind: "table"
  /** Where its columns begin and end, from left to right. */
  readonly sides: ReadonlyArray<number>
  /** Those of the next column or page are added where the table goes on there. */
  readonly rows: Array<ReadonlyArray<Spans>>
  /** Of most of its text. */
  readonly size: number
  /** The document itself says that it is a table, and whether its first row is its head. */
  readonly isTagged?: boolean
  readonly hasHead?: boolean
  readonly page?: number
  /** Pages that it goes on over, and the first row of each. */
  readonly turns?: ReadonlyArray<{ readonly row: number; readonly page: number }>
}

/** Lines in a font of equal widths, as they are. */
export interface CodeBlock {
  readonly kind: "code"
  /** Those of the next column or page are added where the code goes on there. */
  readonly lines: Array<string>
  /** Of a character, in points. */
  readonly width: number
  readonly bold: boolean
  /** Where it begins, from the side of the column; absent where the document says what it belongs to. */
  readonly indent?: number
  /** A single line as a text. */
  readonly line?: TextBlock
  /** As of a text. */
  readonly itemLevel?: number
  readonly page?: number
}

export type Block = TextBlock | TableBlock | CodeBlock

/**
 * The blocks of one column, from top to bottom. `hasCode`: lines in a font of equal widths are code, as they are not
 * where all of the document has one. `notesOf`: footnotes may end it.
 */
export const blocksOf = (
  region: Region,
  hasCode: boolean,
  notesOf: NotesOf | undefined,
): ReadonlyArray<Block> => {
  const { rows, notes } = withoutFootnotes(withRaisedMarks(rowsOf(region.segments)), notesOf)
  const blocks: Array<Block> = []
  let waiting: Array<Row> = []
  let last: { readonly block: TableBlock; readonly found: WordsInColumns } | undefined
  const endText = () => {
    for (const block of textBlocks(waiting.map(lineOf), region)) blocks.push(block)
    waiting = []
  }
  const tableAt = tablesIn(rows)
  const listingHeight = hasCode ? listingHeightMax(rows) : 0
  for (let index = 0; index < rows.length; ) {
    const row = rows[index]
    if (row === undefined) break
    const placed = row.segments[0]?.table
    if (placed !== undefined) {
      const heads = isDrawn(placed.cells)
        ? undefined
        : (headAbove(waiting, placed) ?? headsOfNumbers(waiting, placed))
      waiting.splice(waiting.length - (heads?.lines ?? 0))
      endText()
      for (const block of placedBlocks({ ...placed, cells: [...(heads?.cells ?? []), ...placed.cells] }))
        blocks.push(block)
      index++
      continue
    }
    const isOfTable = goesOnInColumns(rows[index - 1], row)
    const code = hasCode && !isOfTable ? codeAt(rows, index, listingHeight) : undefined
    const table = code === undefined ? tableAt(index) : undefined
    if (code !== undefined) {
      endText()
      blocks.push(codeBlock(rows.slice(index, code), region))
    } else if (table !== undefined && !table.isLines) {
      const words = rows
        .slice(index, table.end)
        .flatMap(({ segments }) => segments.flatMap((each) => each.words))
      const found = { sides: table.sides, words }
      const ruled = isOfTable ? blocks.at(-1) : undefined
      if (ruled?.kind === "table" && ruled.sides.length === table.sides.length) {
        for (const each of table.cells) ruled.rows.push(each)
        index = table.end
        continue
      }
      const heads = headsOfNumbers(waiting, found)
      const above = heads === undefined && blocks.at(-1) === last?.block ? last : undefined
      const labels = above && labelsBetween(waiting, above.found, found)
      if (above !== undefined && labels !== undefined) {
        waiting = []
        for (const each of [...labels, ...table.cells]) above.block.rows.push(each)
        last = { ...above, found }
      } else {
        waiting.splice(waiting.length - (heads?.lines ?? 0))
        endText()
        const block = tableBlock({ ...table, cells: [...(heads?.cells ?? []), ...table.cells] }, row.size)
        blocks.push(block)
        last = { block, found }
      }
    } else {
      const own = rows.slice(index, table?.end ?? index + 1)
      for (const each of own) for (const part of bySize(each)) waiting.push(part)
    }
    index = code ?? table?.end ?? index + 1
  }
  endText()
  for (const note of notes) {
    const lines = note.map(lineOf)
    blocks.push({ ...blockOfLines(lines.map((line) => ({ ...line, mark: undefined }))), isNote: true })
  }
  return blocks
}

/** The block of a table that its lines show, or what stands in those of a drawing. */
export const placedBlocks = (table: PlacedTable): ReadonlyArray<Block> => {
  const words = [...table.words]
  const { code } = table
  if (code !== undefined)
    return [{ kind: "code", lines: [...code], width: codeWidth * mainSize(words), bold: false }]
  return isDrawn(table.cells)
    ? rowsOf(segmentsOf(words)).map((row) => blockOfLines([lineOf(row)]))
    : [tableBlock(table, mainSize(words))]
}

/** A share of the size. */
const codeWidth = 0.5

const tableBlock = ({ sides, cells }: Pick<PlacedTable, "sides" | "cells">, size: number): TableBlock => ({
  kind: "table",
  sides,
  rows: [...cells],
  size,
})

/** The block of lines in a font of equal widths. */
export const codeBlock = (rows: ReadonlyArray<Row>, bounds?: Bounds): CodeBlock => {
  const lines = rows.map(lineOf)
  const [line] = lines
  return {
    kind: "code",
    ...codeLines(rows),
    bold: lines.every(({ bold }) => bold),
    ...(bounds === undefined ? {} : { indent: boundsOf(lines).left - bounds.left }),
    ...(line === undefined || lines.length > 1 ? {} : { line: blockOfLines([line]) }),
  }
}

/** Lines that stand together in a font of equal widths; the index of the row after them. */
const codeAt = (rows: ReadonlyArray<Row>, begin: number, listingHeight: number): number | undefined => {
  let end = begin
  if (endsText(rows, begin)) return undefined
  for (let last = rows[begin]; end < rows.length; end++) {
    const row = rows[end]
    if (row === undefined || last === undefined || !isCode(row)) break
    // A title may be in such a font, too.
    const most = isBold(row) === isBold(last) ? listingHeight : leadingMax
    if (row.baseline - last.baseline > most * row.size) break
    last = row
  }
  return end > begin + 1 || (end > begin && isCodeAlone(rows[begin], rows[begin - 1])) ? end : undefined
}

/** A line of nothing but code is the last one of the sentence above it, and further from the code below it. */
const endsText = (rows: ReadonlyArray<Row>, index: number): boolean => {
  const [above, row, below] = [rows[index - 1], rows[index], rows[index + 1]]
  if (above === undefined || row === undefined || below === undefined || isCode(above)) return false
  const before = above.segments.at(-1)?.words.at(-1)
  const apart = row.baseline - above.baseline
  return (
    before?.mono === false &&
    !sentenceEnd.test(before.text) &&
    apart <= leadingMax * above.size &&
    below.baseline - row.baseline > furtherMin * apart &&
    endsInPoint.test(row.segments.at(-1)?.words.at(-1)?.text ?? "")
  )
}

const furtherMin = 1.3
/** As a sentence, or a part of one, does, with the number of a note. */
const endsInPoint = /[.,]\d{0,2}$/

/**
 * A single line is a row of cells where it has gaps, a part of a sentence where that goes on from the line above or ends
 * as one does, and an address where it is nothing else, but for the number of a note.
 */
const isCodeAlone = (row: Row | undefined, above: Row | undefined): boolean => {
  if (row === undefined || row.segments.length > 1) return false
  const words = row.segments.flatMap((segment) => segment.words)
  const [, ...afterMark] = words
  const own = /^\d{1,3}$/.test(words[0]?.text ?? "") ? afterMark : words
  if (/@[\w-]+(\.[\w-]+)+$/.test(words.at(-1)?.text ?? "") || /^https?:\/\//.test(own[0]?.text ?? ""))
    return false
  if (above === undefined || isCode(above) || row.baseline - above.baseline > leadingMax * row.size)
    return true
  const before = above.segments.at(-1)?.words.at(-1)
  const [text = "", left = 0] = [words.at(-1)?.text, words[0]?.left]
  const { left: side, textLeft } = lineOf(above)
  const endsSentence =
    /[\p{Ll},]$/u.test(before?.text ?? "") &&
    endsInPoint.test(text) &&
    [side, textLeft].some((begin) => Math.abs(left - begin) < sameLeft)
  return before?.mono !== true && !endsSentence
}

/** A title and what is set small at the other side of the page are two texts. */
const bySize = (row: Row): ReadonlyArray<Row> => {
  const parts: Array<Array<Segment>> = []
  for (const segment of row.segments) {
    const last = parts.at(-1)?.at(-1)
    const [small, large] = [Math.min(segment.size, last?.size ?? 0), Math.max(segment.size, last?.size ?? 0)]
    const isApart = last !== undefined && large > sizesApart * small && segment.left - last.right > large
    if (last === undefined || isApart) parts.push([segment])
    else parts.at(-1)?.push(segment)
  }
  if (parts.length < 2) return [row]
  return parts.map((segments) => ({
    segments,
    baseline: segments[0]?.baseline ?? row.baseline,
    size: segments.reduce((most, { size }) => Math.max(most, size), 0),
  }))
}

const sizesApart = 1.4

const isBold = ({ segments }: Row): boolean => segments.every(({ words }) => words.every(({ bold }) => bold))

/** Paragraphs, items and headings of lines that follow one another. */
const textBlocks = (lines: ReadonlyArray<Line>, bounds: Bounds): ReadonlyArray<TextBlock> => {
  return withEntries(
    paragraphsOf(withItemMarks(lines), bounds).map((paragraph) => ({
      ...blockOfLines(paragraph),
      place: placeOf(paragraph, bounds),
      ...withRunIn(paragraph),
    })),
  )
}

const withRunIn = (paragraph: ReadonlyArray<Line>): Pick<TextBlock, "runIn"> => {
  const found = runInTitle(paragraph)
  if (found === undefined) return {}
  const { bold, italic, isMarkAlike, isSetOff } = found
  const title = blockOfLines(found.title.map((words) => lineOfWords(words)))
  return { runIn: { title: { ...title, bold, italic }, isMarkAlike, isSetOff } }
}

const placeOf = (lines: ReadonlyArray<Line>, { left, right }: Bounds): Place => {
  const [first, last] = [lines[0], lines.at(-1)]
  const [word] = first?.words ?? []
  // Code may stand on a ground of its own, which begins at the side.
  const toleranceOf = ({ words, size }: Line): number =>
    words[0]?.mono === true ? Math.max(sameLeft, groundMax * size) : sameLeft
  const indent = (first?.left ?? 0) - left
  return {
    indent: first !== undefined && Math.abs(indent) < toleranceOf(first) ? 0 : indent,
    textIndent: (first?.textLeft ?? 0) - left,
    isFlush: lines.every((line) => Math.abs(line.left - (first?.left ?? 0)) < toleranceOf(line)),
    room: Math.max(right, boundsOf(lines).right) - (last?.right ?? right),
    wordWidth: (word?.right ?? 0) - (word?.left ?? 0),
    beginsBold: word?.bold === true,
  }
}

/** A share of the size. */
const groundMax = 0.5

const boldShare = 0.8

const lineOf = ({ segments, baseline }: Row): Line => ({
  ...lineOfWords(
    segments.flatMap((segment) => segment.words),
    baseline,
  ),
  segments,
})

/** A line of these words, from left to right. */
export const lineOfWords = (found: ReadonlyArray<Word>, baseline: number = found[0]?.baseline ?? 0): Line => {
  const words = withMarkApart(found)
  const title = wordsOfTitle(words.slice(sectionWords(words)))
  const titleLetters = title.reduce((sum, { text }) => sum + text.length, 0)
  const isNearlyAll = (is: (word: Word) => boolean | undefined): boolean =>
    title.reduce((sum, word) => sum + (is(word) === true ? word.text.length : 0), 0) >=
    boldShare * titleLetters
  const mark = markOf(words)
  const left = words[0]?.left ?? 0
  return {
    words,
    baseline,
    left,
    right: words.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY),
    size: textSize(words),
    // A paragraph may begin with its title in bold, which fills most of its first line.
    bold: isNearlyAll(({ bold }) => bold) && title.at(-1)?.bold === true,
    italic: isNearlyAll(({ italic }) => italic),
    underlined: isNearlyAll(({ isUnderlined }) => isUnderlined),
    family: familyOf(words),
    segments: [],
    mark,
    textLeft: words[mark?.words ?? 0]?.left ?? left,
  }
}

/** The words, without code among them, which may be set as it is elsewhere within a title of some words. */
const wordsOfTitle = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const others = words.filter(({ mono }) => !mono)
  const lettered = others.filter(({ text }) => /\p{L}/u.test(text))
  return lettered.length >= titleWordsMin ? others : words
}

const titleWordsMin = 2

/** The number of a section of a law or statute, `§ 3`, may stand before a bold title in the type of the text: how many words it has. */
const sectionWords = ([sign, number, next]: ReadonlyArray<Word>): number =>
  sign?.text === "§" && /^\d/.test(number?.text ?? "") && next !== undefined ? 2 : 0

const familyOf = (words: ReadonlyArray<Word>): string => {
  const letters = new Map<string, number>()
  for (const { font, text } of words) letters.set(font.family, (letters.get(font.family) ?? 0) + text.length)
  const all = words.reduce((sum, { text }) => sum + text.length, 0)
  return [...letters].find(([, count]) => count >= boldShare * all)?.[0] ?? ""
}

/** The size of most letters; code within a text is often smaller. */
const textSize = (words: ReadonlyArray<Word>): number => {
  const text = words.filter(({ mono }) => !mono)
  return mainSize(text.length === 0 ? words : text)
}

/** The size of most letters. */
export const mainSize = (words: ReadonlyArray<Word>): number => {
  const letters = new Map<number, number>()
  for (const { size, text } of words) letters.set(size, (letters.get(size) ?? 0) + text.length)
  let main = { size: 0, letters: 0 }
  for (const [size, count] of letters) if (count > main.letters) main = { size, letters: count }
  return main.size
}

/**
 * Lines that stand together are one paragraph, unless a line was ended on purpose: the next one's first word
 * would have had room. How much room there is the column says, or the lines themselves, where they all fill it.
 */
const paragraphsOf = (lines: ReadonlyArray<Line>, column: Bounds): ReadonlyArray<ReadonlyArray<Line>> => {
  const size = mainSize(lines.flatMap(({ words }) => words))
  const rights = rightsBeside(lines, column)
  const stacks = stacksIn(lines, column)
  const rightOfSize = rightsOfSizes(stacks, column)
  return stacks.flatMap((stack) => {
    // One that ends within a sentence may stand by itself, far above the text of its page.
    if (isLargeTitle(stack, endsWithin(stack) ? Math.min(size, column.wide?.size ?? size) : size))
      return [stack]
    if (areCentredTitle(stack)) return [stack]
    if (areShort(stack)) return stack.map((line) => [line])
    const own = boundsOf(stack)
    const [first, second] = stack
    const isWide = first !== undefined && (second?.baseline ?? 0) - first.baseline > leadingMax * first.size
    const fills = !isWide && stack.length > 2 && stack.every((line, at) => !isEnded(line, stack[at + 1], own))
    if (fills) return [stack]
    return splitAfter(
      stack,
      (line, next) =>
        isEnded(line, next, { ...column, right: rights.get(line) ?? rightOfSize(line) ?? column.right }) &&
        !goesOnWithin(line, next, { stack, own, isWide }),
    )
  })
}

interface Stack {
  readonly stack: ReadonlyArray<Line>
  /** How far its own lines go. */
  readonly own: Bounds
  readonly isWide: boolean
}

/**
 * The sentence of the line goes on in lower case, and the line is as long as others of its paragraph. Lines that are set
 * wide, or the first of which begins so, too, may be labels, and those of a poem: such a text has long lines.
 */
const goesOnWithin = (line: Line, next: Line, { stack, own, isWide }: Stack): boolean => {
  if (!goesOnInLower(line, next)) return false
  const isFull = !isEnded(line, next, own)
  if (isWide) return isFull && line.words.length >= raggedWordsMin
  const isRest = /^\p{Ll}/u.test(stack[0]?.words[0]?.text ?? "")
  if (!isRest) return isFull || isRagged(line, own)
  const isLong = line.words.length >= restWordsMin && isWiderThan(restWidthMin, line, own)
  return isLong && stack.length >= restLinesMin && beginsInWord(next)
}

const restLinesMin = 3
const restWordsMin = 8
/** A share of the width of its paragraph. */
const restWidthMin = 0.85

/** Two or three lines, close together, in the same type that is much larger than that of the text: each ends where it looks well. */
const isLargeTitle = (stack: ReadonlyArray<Line>, size: number): boolean => {
  const [first] = stack
  return (
    first !== undefined &&
    stack.length > 1 &&
    stack.length <= titleLinesMax &&
    first.size > titleSizeMin * size &&
    stack.every((line, at) => {
      const last = stack[at - 1]
      const isClose = last === undefined || line.baseline - last.baseline < titleLeadingMax * line.size
      const isBetween = at < stack.length - 1
      return (
        isClose &&
        /^[\p{L}“"(]/u.test(line.words[0]?.text ?? "") &&
        line.words.some(({ text }) => /\p{L}{2}/u.test(text)) &&
        line.size === first.size &&
        line.family === first.family &&
        line.segments.length < 2 &&
        !(isBetween && sentenceEnd.test(line.words.at(-1)?.text ?? ""))
      )
    })
  )
}

/** The only comma of a title, with words in lower case, is at the end of a line: it is no list of names. */
const endsWithin = (stack: ReadonlyArray<Line>): boolean => {
  const words = stack.flatMap((line) => line.words.map(({ text }) => text))
  return (
    words.some((text) => /^\p{Ll}/u.test(text)) &&
    words.filter((text) => text.includes(",")).length === 1 &&
    stack.slice(0, -1).some((line) => line.words.at(-1)?.text.endsWith(",") === true)
  )
}

const titleLinesMax = 3
/** As a share of the size of the text, and of its own. */
const titleSizeMin = 1.3
const titleLeadingMax = 1.35

/** A line of a text that is not justified ends before its last word would have had to. */
const isRagged = (line: Line, own: Bounds): boolean =>
  line.words.length >= raggedWordsMin && isWiderThan(raggedWidthMin, line, own)

const isWiderThan = (share: number, { left, right }: Line, own: Bounds): boolean =>
  right - left > share * (own.right - own.left)

const raggedWordsMin = 5
/** A share of the width of its paragraph. */
const raggedWidthMin = 0.6

const splitAfter = <A>(list: ReadonlyArray<A>, ends: (item: A, next: A) => boolean): Array<Array<A>> => {
  const parts: Array<Array<A>> = []
  for (const item of list) {
    const part = parts.at(-1)
    const last = part?.at(-1)
    if (part === undefined || last === undefined || ends(last, item)) parts.push([item])
    else part.push(item)
  }
  return parts
}

/** "1. First, 2. second": what is counted goes on within the text. */
const countsWithin = (lines: ReadonlyArray<Line>, mark: ListMark | undefined): boolean =>
  mark?.item === 1 &&
  lines.some(({ words }) =>
    words.some(({ text }, index) => text === "2." && /[.;,]$/.test(words[index - 1]?.text ?? "")),
  )

const partsOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Part> =>
  segments.map(({ left, right, words }) => ({ left, right, spans: joinWords([{ words }]) }))

/** Code within a text may have a colour of its own. */
const colourOf = (lines: ReadonlyArray<Line>): Pick<TextBlock, "colour"> => {
  const words = lines.flatMap((line) => line.words)
  const first = words.find(({ mono }) => !mono) ?? words[0]
  const colour = first?.colour
  const isOne = words.every((word) => word.colour === colour || word.mono !== first?.mono)
  return isOne && colour !== undefined ? { colour } : {}
}

/** The block that lines make, which is an item where the first has a mark. */
export const blockOfLines = (paragraph: ReadonlyArray<Line>): TextBlock => {
  const [first, ...rest] = paragraph
  const mark = first !== undefined && countsWithin(paragraph, first.mark) ? undefined : first?.mark
  const joined = joinWords(
    mark === undefined ? paragraph : [{ words: first?.words.slice(mark.words) ?? [] }, ...rest],
  )
  const entry = withoutLeader(joined)
  const spans = entry ?? joined
  return {
    kind: "text",
    text: textOf(spans),
    spans,
    size: paragraph.reduce((most, { size }) => Math.max(most, size), 0),
    left: first?.left ?? 0,
    bold: paragraph.every(({ bold }) => bold),
    italic: paragraph.every(({ italic }) => italic),
    ...(paragraph.every(({ underlined }) => underlined) ? { underlined: true } : {}),
    ...colourOf(paragraph),
    family: paragraph.every(({ family }) => family === first?.family) ? (first?.family ?? "") : "",
    lines: paragraph.length,
    isParted: paragraph.some(({ segments }) => segments.length > 1),
    ...(paragraph.every(({ words }) => words[0]?.isUnseen === true) ? { isUnseen: true } : {}),
    parts: rest.length > 0 || mark !== undefined ? [] : partsOf(first?.segments ?? []),
    ...(mark === undefined
      ? {}
      : { item: mark.item, mark: textOf(joinWords([{ words: first?.words.slice(0, mark.words) ?? [] }])) }),
    ...(entry === undefined ? {} : { isEntry: true }),
  }
}
