import type { Block, CodeBlock, TableBlock, TextBlock } from "./Blocks.ts"
import { beginsCaption } from "./captions.ts"
import { spacesMax } from "./codeLines.ts"
import { continued, joinedCharactersMax, joinSpans, textOf } from "./joinWords.ts"
import { isLeader } from "./Leaders.ts"
import { areNextMarks } from "./ListMark.ts"
import { hasSecondHead } from "./secondHead.ts"
import { sentenceEnd } from "./sentences.ts"

/**
 * Adds blocks of the next column or page; a text, or a table, that the end of the last one took apart is joined. What
 * stands further below in the same column (`isBelow`) is no row of a table above it.
 */
export const addBlocks = (blocks: Array<Block>, next: ReadonlyArray<Block>, isBelow = false): void => {
  let isJoining = true
  const end = blocks.findLastIndex((block) => !isNote(block))
  const found = next.filter((block) => block.kind !== "text" || !isLeader(block.text))
  const texts = withNextItem(blocks[end], found.slice(saysContinued(blocks[end], found) ? 1 : 0))
  for (const [index, block] of texts.entries()) {
    const last: Block | undefined = isJoining ? blocks[end] : undefined
    const joined: Block | undefined = last === undefined ? undefined : joinedOf(last, block, isBelow)
    if (joined === undefined)
      blocks.push(index === 0 && block.kind === "text" ? { ...block, beginsColumn: true } : block)
    else blocks[end] = joined
    // Rows may follow one another, and a text may fill a column and go on in the next.
    const following = texts[index + 1]
    isJoining =
      joined?.kind === "table" ||
      (joined !== undefined && following?.kind === "text" && following.beginsColumn === true)
  }
}

/** The first block is an item where its letter follows that of the last one. */
const withNextItem = (last: Block | undefined, blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const [first, ...others] = blocks
  const isNext =
    last?.kind === "text" &&
    last.item === "levels" &&
    first?.kind === "text" &&
    first.item === undefined &&
    areNextMarks(last.text, first.text)
  return isNext ? [{ ...first, item: "levels" }, ...others] : blocks
}

/** What goes on on the next page goes on before the footnotes between. */
export const isNote = (block: Block): boolean => block.kind === "text" && block.isNote === true

/** The title of a table is repeated where it goes on, and says so. */
const saysContinued = (last: Block | undefined, [title, table]: ReadonlyArray<Block>): boolean =>
  last?.kind === "table" &&
  title?.kind === "text" &&
  table?.kind === "table" &&
  /(?:\(|[—–-] ?)(?:cont(?:inued|inues|d|’d|'d)?|fortsetzung|suite|continuación)\b[.)…]*$/i.test(
    title.text.slice(-endCharactersMax),
  ) &&
  aligned(last, table) !== undefined

const joinedOf = (last: Block, first: Block, isBelow: boolean): Block | undefined => {
  if (last.kind === "table" && first.kind === "table") {
    const parts = hasSecondHead(last, first) ? undefined : aligned(last, first)
    return parts && joinedTable(...parts)
  }
  if (last.kind === "table" && first.kind === "text")
    return isBelow ? undefined : (withRow(last, first) ?? withRest(last, first))
  if (last.kind === "text" && first.kind === "text" && goesOn(last, first)) return joinedText(last, first)
  if (last.kind === "code" && first.kind === "code" && !isBelow && isSameCode(last, first))
    return joinedCode(last, first)
  return undefined
}

/** The blocks, with the large letter that a paragraph begins with as a part of it. */
export const withInitials = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  blocks.flatMap((block, index) => {
    const next = blocks[index + 1]
    if (isInitial(block, next)) return []
    const before = blocks[index - 1]
    if (block.kind !== "text" || before?.kind !== "text" || !isInitial(before, block)) return [block]
    const [first, ...rest] = block.spans
    const spans = first === undefined ? [] : [{ ...first, text: before.text + first.text }, ...rest]
    return [{ ...block, spans, text: textOf(spans) }]
  })

const initialSizeMin = 1.8

const isInitial = (block: Block, next: Block | undefined): boolean =>
  block.kind === "text" &&
  next?.kind === "text" &&
  /^\p{Lu}$/u.test(block.text) &&
  /^\p{Ll}/u.test(next.text) &&
  block.size > initialSizeMin * next.size

/** Points: texts are of one size, and begin at one place. */
export const sameSize = 0.6
export const sameIndent = 2

/**
 * The text goes on, in the same type: in lower case, where the last one ended within a sentence, or within an item. A
 * caption may end without a full stop: its last line is full, too.
 */
const goesOn = (last: TextBlock, first: TextBlock): boolean =>
  first.item === undefined &&
  last.bold === first.bold &&
  Math.abs(last.size - first.size) < sameSize &&
  last.text.length <= joinedCharactersMax &&
  ((/^[\p{Ll}(]/u.test(first.text) && !isSentenceOver(last.text)) ||
    goesOnInItem(last, first) ||
    isCutSentence(last, first)) &&
  !(beginsCaption(last.text) && !isFullBefore(last, first.place))

/**
 * A sentence goes on with a name or a number: both texts are paragraphs of several lines, or the second is the end of the
 * sentence, the last line of the first is full and ends with a word in lower case or a comma, and the second begins at the
 * side of its column, with no title in bold.
 */
const isCutSentence = (last: TextBlock, first: TextBlock): boolean =>
  last.lines >= cutLinesMin &&
  (first.lines >= cutLinesMin || (isSentenceOver(first.text) && / \p{Ll}/u.test(first.text))) &&
  last.text.length >= cutLineCharactersMin * last.lines &&
  (last.family === first.family || last.family === "" || first.family === "") &&
  last.level === first.level &&
  isOpen(last.text) &&
  /^[\p{Lu}\d]/u.test(first.text) &&
  !beginsCaption(first.text) &&
  first.place?.isFlush === true &&
  !(first.place.beginsBold && !first.bold) &&
  Math.abs(first.place.indent) < sameIndent &&
  isFullBefore(last, first.place)

const isOpen = (text: string): boolean => /(?:,|\s[\p{L}’'-]*\p{Ll})$/u.test(text.slice(-endCharactersMax))

const cutLinesMin = 2
const cutLineCharactersMin = 30

export const isSentenceOver = (text: string): boolean => sentenceEnd.test(text.slice(-endCharactersMax))

/** Of the end of a text, with brackets and quotation marks. */
const endCharactersMax = 20

/** Code that goes on in the next column or on the next page, not further out. */
const isSameCode = (last: CodeBlock, first: CodeBlock): boolean =>
  last.bold === first.bold &&
  last.itemLevel === first.itemLevel &&
  Math.abs(last.width - first.width) < sameWidth * last.width &&
  (first.indent ?? 0) - (last.indent ?? 0) > -sameIndent

/** A share of the width: signs of another font are a little wider or narrower. */
const sameWidth = 0.15

const joinedCode = (last: CodeBlock, first: CodeBlock): CodeBlock => {
  const further = Math.round(((first.indent ?? 0) - (last.indent ?? 0)) / last.width)
  const before = " ".repeat(Math.max(0, Math.min(spacesMax, further)))
  for (const line of first.lines) last.lines.push(line === "" ? "" : before + line)
  return last
}

/** The last line of the item is full, and what comes next begins where the text of the item does, not at the side. */
const goesOnInItem = ({ item, place, size }: TextBlock, { place: next }: TextBlock): boolean =>
  item !== undefined &&
  place !== undefined &&
  next?.isFlush === true &&
  next.indent > indentMin * size &&
  Math.abs(next.indent - place.textIndent) < sameIndent &&
  isFullBefore({ place, size }, next)

/** The last line of a text leaves no room for a space and the first word of the next one. */
export const isFullBefore = (
  { place, size }: Pick<TextBlock, "place" | "size">,
  next: TextBlock["place"],
): boolean => place !== undefined && (next?.wordWidth ?? 0) + spaceWidth * size > place.room

/** Shares of the size. */
const spaceWidth = 0.25
const indentMin = 0.7

export const joinedText = (last: TextBlock, first: TextBlock): TextBlock => {
  const spans = continued(last.spans, first.spans)
  const place = last.place && first.place && { ...last.place, room: first.place.room }
  return { ...last, spans, text: textOf(spans), lines: last.lines + first.lines, ...(place && { place }) }
}

/** Points. */
const sameSide = 12

/** The two with the same columns, where they are parts of one table. */
const aligned = (last: TableBlock, first: TableBlock): readonly [TableBlock, TableBlock] | undefined => {
  if (agree(last, first)) return [last, first]
  if (last.sides.length < first.sides.length) {
    const wider = widened(last, first)
    return wider && [wider, first]
  }
  const wider = widened(first, last)
  return wider && [last, wider]
}

/** Points: lines that are drawn at the same places. */
const sameLine = 3
const sharedColumnsMin = 4

/** The table with all columns of the other, where it has them but for one, which is empty on its page. */
const widened = (table: TableBlock, { sides, rows, isTagged, page }: TableBlock): TableBlock | undefined => {
  const [own, all] = [table.sides.length - 1, sides.length - 1]
  if (table.isTagged === true || isTagged === true || page === table.page) return undefined
  if (own < sharedColumnsMin || own !== all - 1) return undefined
  if (table.rows[0]?.length !== own || rows[0]?.length !== all) return undefined
  const places = table.sides.map((side) => sides.findIndex((other) => Math.abs(other - side) <= sameLine))
  const isPart =
    places[0] === 0 && places.at(-1) === all && places.every((at, index) => at > (places[index - 1] ?? -1))
  if (!isPart) return undefined
  return {
    ...table,
    sides,
    rows: table.rows.map((row) => sides.slice(1).map((_, column) => row[places.indexOf(column)] ?? [])),
  }
}

/** The columns of two tables stand at the same places, or the document says that the second has no head of its own. */
const agree = (last: TableBlock, first: TableBlock): boolean =>
  last.rows[0]?.length === first.rows[0]?.length &&
  (last.isTagged === true && first.isTagged === true
    ? goesOnAsTagged(last, first)
    : standAlike(last, first) || hasSameHead(last, first))

/** The head of the table is repeated on the next page or in the next column, though its columns may seem to be as wide as what stands in them there. */
const hasSameHead = (last: TableBlock, first: TableBlock): boolean => {
  const heads = [last, first].map(({ rows: [head = []] }) => head.map(textOf))
  const [above = [], own = []] = heads
  const isElsewhere =
    last.page !== first.page || Math.abs((last.sides[0] ?? 0) - (first.sides[0] ?? 0)) > sameSide
  const named = above.filter((text) => /\p{L}/u.test(text))
  return isElsewhere && 2 * named.length > above.length && above.every((text, column) => text === own[column])
}

const goesOnAsTagged = (last: TableBlock, first: TableBlock): boolean => {
  const texts = ({ rows }: TableBlock): string => (rows[0] ?? []).map(textOf).join("\n")
  const isBeside = (last.sides.at(-1) ?? 0) > (first.sides[0] ?? 0)
  return isBeside && (first.hasHead !== true || texts(first) === texts(last))
}

/** The columns stand at the same places, or are as wide in another column of the text. */
const standAlike = (last: TableBlock, first: TableBlock): boolean => {
  const isShifted = (shift: number): boolean =>
    last.sides.every((side, index) => Math.abs(side - shift - (first.sides[index] ?? 0)) <= sameSide)
  const shift = (last.sides[0] ?? 0) - (first.sides[0] ?? 0)
  return last.sides.length === first.sides.length && (isShifted(0) || isShifted(shift))
}

/** A table that goes on, with its head left out where it is repeated; a row that was taken apart is joined. */
const joinedTable = (last: TableBlock, first: TableBlock): TableBlock => {
  const [begin, ...rest] = first.rows.slice(repeatedRows(last, first))
  const end = last.rows.at(-1)
  const turns = turnsOf(last, first)
  if (begin === undefined) return { ...last, ...turns }
  if (end !== undefined && (isRest(begin) || goesOnIn(end, begin)))
    last.rows[last.rows.length - 1] = end.map((cell, index) => joinSpans(cell, begin[index] ?? []))
  else last.rows.push(begin)
  for (const row of rest) last.rows.push(row)
  return { ...last, ...turns }
}

/**
 * How many rows at the beginning of the second table are those of the first: its head, which goes on in a row without
 * numbers below cells that go over several columns.
 */
const repeatedRows = (last: TableBlock, first: TableBlock): number => {
  const textsAt = ({ rows }: TableBlock, index: number): ReadonlyArray<string> =>
    (rows[index] ?? []).map(textOf)
  let count = 0
  for (; count < Math.min(headRowsMax, first.rows.length); count++) {
    const [own, above] = [textsAt(first, count), textsAt(first, count - 1)]
    const goesOn =
      above.some((text, column) => text === "" || text === above[column + 1]) &&
      !own.some((text) => /\d/.test(text))
    if (own.join("\n") !== textsAt(last, count).join("\n") || (count > 0 && !goesOn)) break
  }
  return count === first.rows.length ? Math.min(count, 1) : count
}

const headRowsMax = 4

/** A row that the end of a page took apart is of the page where it begins. */
const turnsOf = ({ rows, page, turns = [] }: TableBlock, next: Block): Pick<TableBlock, "turns"> =>
  next.page === undefined || next.page === (turns.at(-1)?.page ?? page)
    ? {}
    : { turns: [...turns, { row: rows.length, page: next.page }] }

/** What the row has goes on in lower case; it has no first cell, or a text of some words. */
const isRest = (row: TableBlock["rows"][number]): boolean => {
  const texts = row.map(textOf)
  const isText = (text: string): boolean => text.split(" ").length > restWordsMin
  return (
    (texts[0] === "" || texts.some(isText)) && texts.every((text) => text === "" || /^\p{Ll}/u.test(text))
  )
}

const restWordsMin = 3

/**
 * The row has the rests of the cells of the one above, which the end of the page took apart: texts of some words, some of
 * which go on in lower case, no more than half of them below the end of a sentence. The label of both, in their first column, stands in one of them.
 */
const goesOnIn = (above: TableBlock["rows"][number], row: TableBlock["rows"][number]): boolean => {
  const [upper, lower] = [above.map(textOf), row.map(textOf)]
  if (upper[0] !== "" && lower[0] !== "") return false
  const rests = lower.flatMap((text, column) =>
    column === 0 || text === "" ? [] : [{ text, cell: upper[column] ?? "" }],
  )
  const open = rests.filter(({ cell }) => cell !== "" && !isSentenceOver(cell))
  return (
    rests.every(({ text, cell }) => cell !== "" && cell !== text) &&
    open.some(({ text, cell }) => /^\p{Ll}/u.test(text) && cell.split(" ").length > restWordsMin) &&
    2 * open.length >= rests.length
  )
}

/**
 * The table with a row that the end of the page took apart from it: a line with something in several of its columns, no
 * larger than they are, as a title with its number beside it is.
 */
const withRow = (last: TableBlock, next: TextBlock): TableBlock | undefined => {
  const { parts } = next
  if (parts.length < 2 || next.size > last.size + sameSize || beginsCaption(next.text)) return undefined
  const row: Array<TableBlock["rows"][number][number]> = (last.rows[0] ?? []).map(() => [])
  for (const { left, right, spans } of parts) {
    const column = last.sides.findIndex((side, index) => index > 0 && side > (left + right) / 2) - 1
    const [begin, end] = [last.sides[column] ?? 0, last.sides[column + 1] ?? 0]
    const isInside = column >= 0 && left > begin - sameSide && right < end + sameSide
    if (!isInside || row[column]?.length !== 0) return undefined
    row[column] = spans
  }
  const turns = turnsOf(last, next)
  last.rows.push(row)
  return { ...last, ...turns }
}

/**
 * The table with a text that goes on, in lower case, in one of its cells: the last one of its column, whose sentence is
 * not over. In the first column it would not be told from a paragraph that the table stands within.
 */
const withRest = (last: TableBlock, next: TextBlock): TableBlock | undefined => {
  const [begin = 0, end = 0] = [last.sides[0], last.sides.at(-1)]
  const row = last.rows.at(-1)
  if (row === undefined || next.item !== undefined || !/^\p{Ll}/u.test(next.text)) return undefined
  // In another column of the text the table stands as far from the side.
  const left = next.left > begin && next.left < end ? next.left : begin + (next.place?.indent ?? 0)
  const column = last.sides.findIndex((side) => side > left) - 1
  const cell = row[column] ?? []
  const text = textOf(cell)
  const isOpen = text !== "" && text.length <= joinedCharactersMax && !isSentenceOver(text)
  if (column < 1 || !isOpen || Math.abs(last.size - next.size) >= sameSize) return undefined
  last.rows[last.rows.length - 1] = row.with(column, continued(cell, next.spans))
  return last
}
