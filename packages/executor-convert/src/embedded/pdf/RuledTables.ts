import { firstWhere } from "../firstWhere.ts"
import { areAxes } from "./axes.ts"
import {
  byReading,
  cellsOf,
  columnAt,
  edgesOf,
  isByColumn,
  isCellByCell,
  isProse,
  median,
  piecesOf,
  rowsOfCells,
  stretchesOf,
  withoutSignColumns,
} from "./Cells.ts"
import { isCaption } from "./captions.ts"
import { withCentredLabels, withLabelsOver } from "./centredLabels.ts"
import { looksMax, withoutCode } from "./codeBoxes.ts"
import { areCode } from "./codeHeights.ts"
import { areEquations } from "./equations.ts"
import { isNumber, isNumberSign, type Piece } from "./figures.ts"
import { sidesOfFills } from "./filledRows.ts"
import type { PlacedTable } from "./Grid.ts"
import { headInColumns } from "./headInColumns.ts"
import { type Column, columnsOf, headRows, linesMax, partedByColumns } from "./headRows.ts"
import { isHeadText } from "./headsAbove.ts"
import { withHeadsJoined } from "./joinedHeads.ts"
import { areContents } from "./Leaders.ts"
import { rowsOf, segmentsOf } from "./Lines.ts"
import { areNumberedTexts } from "./numberedTexts.ts"
import { aloneGap, oneColumnTable, sameEnd } from "./oneColumnTable.ts"
import {
  aloneMin,
  crosses,
  isJustifiedText,
  isOne,
  largerMin,
  middleOf,
  outerRow,
  rowsBelow,
} from "./outerRows.ts"
import { withPairsParted } from "./pairedColumns.ts"
import { type Area, places, type Rule, type Ruling } from "./Ruling.ts"
import { haveTextColumns } from "./textColumns.ts"
import type { Word } from "./Word.ts"

const rulesMax = 1_000
const sidesMax = 2 * rulesMax
/** Points: what is shorter is no line between rows. */
export const widthMin = 40
/** Share of cells that hold something. */
const filledMin = 0.45
const filledInRulesMin = 0.25
const inColumnsMin = 0.5

/** Tables whose rows are parted by lines across, or by every other one having a colour. */
export const ruledTables = (
  words: ReadonlyArray<Word>,
  ruling: Pick<Ruling, "horizontal" | "fills">,
  taken: ReadonlyArray<Area>,
): ReadonlyArray<PlacedTable> => {
  const isFree = ({ at, from, to, isHidden }: Rule): boolean =>
    isHidden !== true &&
    to - from >= widthMin &&
    !taken.some(
      ({ left, right, top, bottom }) =>
        at > top - sameEnd && at < bottom + sameEnd && from > left - sameEnd && to < right + sameEnd,
    )
  const lines = ruling.horizontal.filter(isFree)
  const sides = lines.length > rulesMax ? [] : sidesOfFills(withoutCode(ruling.fills, words)).filter(isFree)
  if (sides.length > sidesMax) return []
  const rules = [...lines, ...sides.filter((side) => !isAlong(side, ruling.horizontal))]
  if (rules.length < 2 || rules.length > rulesMax) return []
  const tables: Array<PlacedTable> = []
  const byOrder = new Map(words.map((word) => [word.order, word]))
  const inTables = new Set<Word>()
  let looks = 0
  for (const stack of stacksOf(rules)) {
    looks += words.length
    if (looks > looksMax) break
    const free = inTables.size === 0 ? words : words.filter((word) => !inTables.has(word))
    const others = rules.filter((rule) => !stack.includes(rule))
    const nextOf = (word: Word, step: 1 | -1): Word | undefined => {
      const next = byOrder.get(word.order + step)
      return next === undefined || inTables.has(next) ? undefined : next
    }
    const found = tablesBetween(stack, others, free, nextOf)
    for (const table of found) tables.push(table)
    for (const table of found) for (const word of table.words) inTables.add(word)
  }
  return tables
}

/** The word before or after another in the order of the document, where it is in no table. */
type NextOf = (word: Word, step: 1 | -1) => Word | undefined

/** A longer line goes along the side: what has a colour there is a part of its table. */
const isAlong = (side: Rule, lines: ReadonlyArray<Rule>): boolean =>
  lines.some(
    ({ at, from, to }) =>
      Math.abs(at - side.at) < sameEnd &&
      from < side.from + sameEnd &&
      to > side.to - sameEnd &&
      to - from > side.to - side.from + 2 * sameEnd,
  )

/** Lines of the same length below one another, two or more. */
const stacksOf = (rules: ReadonlyArray<Rule>): ReadonlyArray<ReadonlyArray<Rule>> => {
  const stacks: Array<Array<Rule>> = []
  for (const rule of [...rules].sort((a, b) => a.at - b.at)) {
    const stack = stacks.find(
      ([first]) =>
        first !== undefined &&
        Math.abs(first.from - rule.from) <= sameEnd &&
        Math.abs(first.to - rule.to) <= sameEnd,
    )
    if (stack === undefined) stacks.push([rule])
    else if (rule.at - (stack.at(-1)?.at ?? 0) > 2) stack.push(rule)
  }
  return stacks.filter(({ length }) => length > 1)
}

/** The tables between these lines: one, or more where text between them goes over the columns. */
const tablesBetween = (
  rules: ReadonlyArray<Rule>,
  others: ReadonlyArray<Rule>,
  words: ReadonlyArray<Word>,
  nextOf: NextOf,
): ReadonlyArray<PlacedTable> => {
  const [first, last] = [rules[0]?.at ?? 0, rules.at(-1)?.at ?? 0]
  const above = besideOf(words, rules).filter(
    (word) => middleOf(word) < last && middleOf(word) > first - headHeightMax,
  )
  const bands = bandsOf(above, rules).map(byReading)
  const hasBlock = isBlock(bands[1] ?? [], bands.slice(2))
  const beyond = textsBeyond(bands, besideOf(words, rules), nextOf)
  if (beyond.size > 0)
    return partsOf(rules, beyond).flatMap((part) => tablesBetween(part, others, words, nextOf))
  const listings = words.every(({ mono }) => mono) ? [] : listingsIn(bands)
  const breaks = new Set([...breaksIn(bands, rules), ...(hasBlock ? [1] : []), ...listings])
  return partsOf(rules, breaks).flatMap((part) => {
    const isBelowBlock = hasBlock && part[0] === rules[1]
    const table = part.length < 2 ? undefined : tableBetween(part, others, words, nextOf, isBelowBlock)
    return table === undefined ? [] : [table]
  })
}

/** The bands that hold nothing but several lines of code: those above and below them are those of a box. */
const listingsIn = (bands: Bands): ReadonlyArray<number> =>
  [...bands.entries()].flatMap(([index, lines]) =>
    index > 0 && lines.length >= listingLinesMin && lines.every(areCode) ? [index] : [],
  )

const listingLinesMin = 3

/** The lines in parts, each but the first from a line at one of these indexes on. */
const partsOf = (
  rules: ReadonlyArray<Rule>,
  breaks: ReadonlySet<number>,
): ReadonlyArray<ReadonlyArray<Rule>> => {
  const parts: Array<Array<Rule>> = [[]]
  for (const [index, rule] of rules.entries()) {
    if (breaks.has(index)) parts.push([])
    parts.at(-1)?.push(rule)
  }
  return parts
}

/** The bands with a text that goes on, as a text does, beyond the lines, such as a title between two tables. */
const textsBeyond = (
  bands: ReadonlyArray<ReadonlyArray<ReadonlyArray<Word>>>,
  words: ReadonlyArray<Word>,
  nextOf: NextOf,
): ReadonlySet<number> => {
  const own = new Set(words)
  const goesOn = (word: Word, step: 1 | -1): boolean => {
    const next = nextOf(word, step)
    if (
      next === undefined ||
      own.has(next) ||
      Math.abs(next.baseline - word.baseline) >= sameBaseline * word.size
    )
      return false
    return (step > 0 ? next.left - word.right : word.left - next.right) < wordGapMax * word.size
  }
  const isBeyond = (line: ReadonlyArray<Word>): boolean => {
    const [first, last] = [line[0], line.at(-1)]
    return isOne(line) && first !== undefined && last !== undefined && (goesOn(first, -1) || goesOn(last, 1))
  }
  return new Set(bands.flatMap((lines, index) => (index > 0 && lines.some(isBeyond) ? [index] : [])))
}

/** Shares of the size. */
const sameBaseline = 0.35
const wordGapMax = 0.6

/** Points above the first line where the head of a table may stand. */
const headHeightMax = 60

const roomMin = 2.6

/** The bands, by the index of the line below them, that part two tables: text stands there that is in no cell. */
const breaksIn = (
  bands: ReadonlyArray<ReadonlyArray<ReadonlyArray<Word>>>,
  rules: ReadonlyArray<Rule>,
): ReadonlySet<number> => {
  const inColumns = bands.flat().filter((line) => !isAlone(line))
  const columns = columnsOf(inColumns.flat(), edgesOf(inColumns))
  const [first] = rules
  const width = (first?.to ?? 0) - (first?.from ?? 0)
  const isAcross = (line: ReadonlyArray<Word>): boolean => {
    const [left, right] = [line[0]?.left ?? 0, line.at(-1)?.right ?? 0]
    const over = columns.filter((column) => column.left < right && column.right > left)
    return isAlone(line) && right - left > aloneMin * width && over.length > 1
  }
  const usualSize =
    inColumns.length === 0 ? Number.POSITIVE_INFINITY : median(inColumns.flat().map(({ size }) => size))
  const breaks = new Set<number>()
  let candidates = 0
  for (const [index, lines] of bands.entries()) {
    if (index === 0) continue
    if (haveOtherJoints(rules[index - 1], rules[index]) || isList(lines)) breaks.add(index)
    const isWide = lines.some(
      (line) => isAlone(line) && (line.at(-1)?.right ?? 0) - (line[0]?.left ?? 0) > aloneMin * width,
    )
    if (isWide && candidates++ < candidatesMax && differ(bands.slice(0, index), bands.slice(index + 1)))
      breaks.add(index)
    // The title of a table below another one.
    if (lines.some((line) => isAlone(line) && line.every((word) => word.size > largerMin * usualSize)))
      breaks.add(index)
    if (!lines.some(isAcross)) continue
    const height = (rules[index]?.at ?? 0) - (rules[index - 1]?.at ?? 0)
    const size = lines[0]?.[0]?.size ?? 0
    if (lines.length > 1 || height > roomMin * size) breaks.add(index)
  }
  return breaks
}

const candidatesMax = 10

/** Numbered items below one another, without a line between them, and no cells beside them. */
const isList = (lines: ReadonlyArray<ReadonlyArray<Word>>): boolean =>
  lines.filter(isItem).length >= itemsMin && lines.every((line) => isItem(line) || isAlone(line))

const isItem = ([first, ...others]: ReadonlyArray<Word>): boolean =>
  /^\d{1,2}[.)]$/.test(first?.text ?? "") && isAlone(others)

const itemsMin = 3

/** Texts beside one another above a table with many more columns, such as the addresses of a bill above its items. */
const isBlock = (lines: ReadonlyArray<ReadonlyArray<Word>>, below: Bands): boolean => {
  if (lines.length < blockLinesMin) return false
  const columns = (bands: Bands): number => edgesOf(bands.flat()).length
  const [both, own] = [columns([lines, ...below]), columns([lines])]
  return own > 1 && own >= both && columns(below) >= Math.max(blockColumnsMin, both + 2)
}

const blockLinesMin = 4
const blockColumnsMin = 4

/**
 * Both lines are drawn cell by cell, and each has cells that end where no cell of the other does. Areas with a colour may
 * be the bars of a chart.
 */
const haveOtherJoints = (above: Rule | undefined, below: Rule | undefined): boolean => {
  const isIn = (joint: number, joints: ReadonlyArray<number> = []): boolean =>
    joints.some((other) => Math.abs(other - joint) < sameEnd)
  return (
    above?.isFill !== true &&
    below?.isFill !== true &&
    above?.joints?.some((joint) => !isIn(joint, below?.joints)) === true &&
    below?.joints?.some((joint) => !isIn(joint, above.joints)) === true
  )
}

/** The line stands in one column. */
const isAlone = (line: ReadonlyArray<Word>): boolean => isOne(line) || isJustifiedText(line)

type Bands = ReadonlyArray<ReadonlyArray<ReadonlyArray<Word>>>

/** Rows above and below have more columns by themselves than they have together. */
const differ = (above: Bands, below: Bands): boolean => {
  const columns = (bands: Bands): number => edgesOf(bands.flat()).length
  const both = columns([...above, ...below])
  return columns(above) > both && columns(below) > both
}

const besideOf = (words: ReadonlyArray<Word>, [first]: ReadonlyArray<Rule>): ReadonlyArray<Word> =>
  words.filter(({ left, right }) => {
    const middle = (left + right) / 2
    return first !== undefined && middle > first.from - sameEnd && middle < first.to + sameEnd
  })

const tableBetween = (
  rules: ReadonlyArray<Rule>,
  others: ReadonlyArray<Rule>,
  words: ReadonlyArray<Word>,
  nextOf: NextOf,
  isBelowBlock: boolean,
): PlacedTable | undefined => {
  const [first, last] = [rules[0], rules.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const beside = besideOf(words, rules)
  const inside = beside.filter((word) => middleOf(word) > first.at && middleOf(word) < last.at)
  if (inside.length < 2 || isPart(inside, goesBeyondOf(inside, nextOf))) return undefined
  if ((rules.length === 2 && isTitle(inside, words)) || areContents(byReading(inside))) return undefined
  const goesBeyond = goesBeyondOf(beside, nextOf)
  const within = others.filter((rule) => isWithin(rule, first, last))
  const bands = bandsOf(inside, rules)
  const leading = Math.max(...rules.slice(1).map(({ at }, index) => at - (rules[index]?.at ?? 0)))
  const joints = jointsOf(rules, byReading(inside))
  const isFill = rules.every((rule) => rule.isFill === true)
  const pitch = isFill ? (rules[1]?.at ?? first.at) - first.at : 0
  const above = isBelowBlock
    ? []
    : (headAbove(beside, rules, [...rules, ...others], inside, joints) ??
      outerRow(beside, first.at, -1, leading, joints, goesBeyond, pitch))
  // Two sides of one row with a colour are a head, and no frame.
  const isHead = rules.length === 2 && (isFill || !rules.every(hasJoints))
  const below =
    !hasJoints(last) && isFarBelow(last, inside)
      ? []
      : isHead
        ? rowsBelow(beside, first.at, last.at, joints)
        : outerRow(beside, last.at, 1, leading, joints, goesBeyond)
  // The item of a list above a box is none of its rows.
  const isBelowItem = byReading(above).some(isItem) && !byReading(inside).some(isItem)
  for (const [head, foot] of [
    [isBelowItem ? [] : above, below],
    [isBelowItem ? [] : above, []],
    [[], below],
    [[], []],
  ] as const) {
    if (foot.length > 0 && joints !== undefined && isClosed(foot, others)) continue
    if (joints === undefined && joinsColumns(head, [...bands, foot].flat())) continue
    const table = tableOf(
      [head, ...bands, foot].filter(({ length }) => length > 0),
      [head, foot],
      rules,
      joints,
      within,
    )
    if (table !== undefined) return table
  }
  return oneColumnTable(rules, bands.slice(1), beside)
}

/** A shorter line between two of the table, such as one below a head over several columns. */
const isWithin = ({ at, from, to }: Rule, first: Rule, last: Rule): boolean =>
  at > first.at &&
  at < last.at &&
  from > first.from - sameEnd &&
  to < first.to + sameEnd &&
  to - from < first.to - first.from - 2 * sameEnd

/** Cells of a row of heads stand so close together that two of the columns below them would be one. */
const joinsColumns = (head: ReadonlyArray<Word>, body: ReadonlyArray<Word>): boolean => {
  const [row, none] = rowsOf(segmentsOf(head))
  if (row === undefined || none !== undefined) return false
  const [lines, edges] = [byReading(body), edgesOf(byReading(body))]
  if (edgesOf([...byReading(head), ...lines]).length >= edges.length) return false
  return headInColumns(row, columnsOf(body, edges)) !== undefined
}

/** The title of a document between two lines: nothing but one text, larger than all else of the page. */
const isTitle = (inside: ReadonlyArray<Word>, words: ReadonlyArray<Word>): boolean => {
  const least = inside.reduce((size, word) => Math.min(size, word.size), Number.POSITIVE_INFINITY)
  const own = new Set(inside)
  return (
    byReading(inside).every(isOne) && words.every((word) => own.has(word) || word.size * largerMin < least)
  )
}

/** What stands below a line that is so far below the last row is another text, such as the foot of the page. */
const isFarBelow = ({ at }: Rule, inside: ReadonlyArray<Word>): boolean =>
  at - lowestOf(inside) > farBelowMin * (inside[0]?.size ?? 0)

const lowestOf = (words: ReadonlyArray<Word>): number =>
  words.reduce((most, { baseline }) => Math.max(most, baseline), Number.NEGATIVE_INFINITY)

/** A share of the size. */
const farBelowMin = 8

/** Above the first line, a head whose cells go over several columns. */
const headAbove = (
  words: ReadonlyArray<Word>,
  [first]: ReadonlyArray<Rule>,
  rules: ReadonlyArray<Rule>,
  body: ReadonlyArray<Word>,
  joints: ReadonlyArray<number> | undefined,
): ReadonlyArray<Word> | undefined => {
  if (first === undefined) return undefined
  const columns = columnsBelow([first], body, joints, edgesOf(byReading(body)))
  const top = rules.reduce(
    (most, { at, from, to }) =>
      at < first.at - 1 && from <= first.from + sameEnd && to >= first.to - sameEnd
        ? Math.max(most, at)
        : most,
    Number.NEGATIVE_INFINITY,
  )
  const near = words.filter(
    (word) => middleOf(word) < first.at && middleOf(word) > Math.max(top, first.at - headRowsMax),
  )
  const zone: Array<ReadonlyArray<Word>> = []
  let last = first.at
  for (const line of byReading(near).toReversed()) {
    const [word] = line
    if (word === undefined || last - word.baseline > roomMin * word.size || zone.length > linesMax) break
    zone.unshift(line)
    last = word.baseline
  }
  for (let from = 0; from + 1 < zone.length; from++) {
    const [above, begin] = [zone[from - 1]?.[0], zone[from]?.[0]]
    const isApart = above === undefined || (begin?.baseline ?? 0) - above.baseline > headGapMin * above.size
    const head = zone.slice(from).flat()
    if (isApart && headRows(head, columns) !== undefined) return head
  }
  return undefined
}

/** The columns by the joints of the lines, or by the words below the head. */
const columnsBelow = (
  [first]: ReadonlyArray<Rule>,
  body: ReadonlyArray<Word>,
  joints: ReadonlyArray<number> | undefined,
  edges: ReadonlyArray<number>,
): ReadonlyArray<Column> => {
  if (joints === undefined) return columnsOf(body, edges)
  const sides = [first?.from ?? 0, ...edges, first?.to ?? 0]
  return sides.slice(1).map((right, index) => ({ left: sides[index] ?? 0, right }))
}

/** Points. */
const headRowsMax = 160
/** A share of the size: what stands further above is no line of the head. */
const headGapMin = 1.75

/** The places between columns that the lines show by themselves, as borders that are drawn cell by cell do. */
const jointsOf = (
  rules: ReadonlyArray<Rule>,
  lines: ReadonlyArray<ReadonlyArray<Word>>,
): ReadonlyArray<number> | undefined => {
  const joints = places(
    rules.flatMap((rule) => rule.joints ?? []),
    sameEnd,
  )
  const crossed = lines.filter((line) => crosses(line, joints))
  if (joints.length === 0 || crossed.length > crossedMax * lines.length) return undefined
  // The cells of a last row, such as a sum, may be merged.
  const jointed = rules.filter(hasJoints).length
  if (2 * jointed < rules.length && edgesOf(lines).length > 2 * joints.length) return undefined
  return rules.every(({ isFill }) => isFill === true) && holdNumbers(joints, lines) ? undefined : joints
}

/**
 * Cells with a number apart from what stands before it, in more than one line: areas of one colour go over the columns that
 * follow one another in it.
 */
const holdNumbers = (joints: ReadonlyArray<number>, lines: ReadonlyArray<ReadonlyArray<Word>>): boolean => {
  const held = lines.filter((line) =>
    piecesOf(line, joints).some(({ words: own }) => {
      const words = own.filter((word) => !isNumberSign(word))
      return words.slice(1).some(isNumber) && stretchesOf(words, aloneGap).length > 1
    }),
  )
  return held.length > 1
}

/** Share of lines, such as titles over several columns. */
const crossedMax = 0.125

const bandsOf = (
  words: ReadonlyArray<Word>,
  rules: ReadonlyArray<Rule>,
): ReadonlyArray<ReadonlyArray<Word>> => {
  const bands = rules.map((): Array<Word> => [])
  for (const word of words) {
    const band = firstWhere(rules.length - 1, (index) => (rules[index]?.at ?? 0) > middleOf(word))
    bands[band]?.push(word)
  }
  return bands
}

/** Rows go on beside the lines: they are of a wider table, only a part of which has lines. */
const isPart = (inside: ReadonlyArray<Word>, goesBeyond: (line: ReadonlyArray<Word>) => boolean): boolean => {
  const lines = byReading(inside)
  return lines.filter(goesBeyond).length * 3 > lines.length
}

/** Tells of lines of these words whether they go on at a side, in words that are not among them. */
const goesBeyondOf = (
  words: ReadonlyArray<Word>,
  nextOf: NextOf,
): ((line: ReadonlyArray<Word>) => boolean) => {
  const own = new Set(words)
  return (line) =>
    line.some((word) =>
      [nextOf(word, -1), nextOf(word, 1)].some(
        (next) =>
          next !== undefined && !own.has(next) && Math.abs(next.baseline - word.baseline) < 0.35 * word.size,
      ),
    )
}

/** A line of another length ends the row: it is of another table. */
const isClosed = (row: ReadonlyArray<Word>, others: ReadonlyArray<Rule>): boolean => {
  const bottom = row.reduce((most, { baseline }) => Math.max(most, baseline), Number.NEGATIVE_INFINITY)
  return others.some(
    ({ at, from, to }) =>
      at > bottom - 1 &&
      at < bottom + closeMax * (row[0]?.size ?? 0) &&
      row.every(({ left, right }) => left > from - sameEnd && right < to + sameEnd),
  )
}

/** A share of the size. */
const closeMax = 1.5

const tableOf = (
  bands: ReadonlyArray<ReadonlyArray<Word>>,
  outer: ReadonlyArray<ReadonlyArray<Word>>,
  rules: ReadonlyArray<Rule>,
  joints: ReadonlyArray<number> | undefined,
  within: ReadonlyArray<Rule>,
): PlacedTable | undefined => {
  const words = bands.flat()
  if (outer.some((band) => isCaption(byReading(band)[0] ?? []))) return undefined
  const edge = new Set(outer.flat())
  const isCode = joints === undefined && words.every((word) => word.mono || edge.has(word))
  if (rules.length < 4 && isCode) return undefined
  const lines = byReading(words)
  const edges =
    joints === undefined
      ? withPairsParted(edgesOf(lines), lines)
      : withoutSignColumns(betweenFilled(joints, words), lines)
  const columns = edges.length + 1
  if (columns < 2 || lines.length < 2) return undefined
  // Columns that are nothing but the wide spaces of a text.
  if (joints === undefined && lines.every(isAlone) && lines.some(isJustifiedText)) return undefined
  if (joints === undefined && columns >= wideColumnsMin && isText(lines, edges)) return undefined
  if (joints === undefined && rules.length < 3 && haveTextColumns(words, edges)) return undefined
  const isParted = rules.length > 3
  const isEvident = isParted || (joints !== undefined && rules.every(hasJoints))
  const pieces = bands.map((band, index) => {
    const own = piecesOf(band, edges)
    return index > 0 ? own : headsApart(own, edges, columnsOf(bands.slice(1).flat(), edges))
  })
  if (outer.some((band) => band.length > 0 && columnsIn(piecesOf(band, edges)) < 2)) return undefined
  if (!isEvident && isProse(pieces.flat())) return undefined
  const byColumn = isByColumn(pieces.flat())
  const isWrapped = isParted && areWrapped(pieces)
  const least = isEvident ? filledInRulesMin : filledMin
  const head = headIn(bands, pieces, within, (count) =>
    columnsBelow(rules, bands.slice(count).flat(), joints, edges),
  )
  const body = pieces.slice(head.bands).flatMap((band, index) => {
    const isOne = isParted || (isEvident && columnsIn(band) > 1)
    if (isWrapped) return [band]
    const own = rowsOfCells(band, byColumn || (isOne && isCellByCell(band)), isOne)
    const isHead = head.bands + index === 0
    return isParted || isHead ? withLabelsOver(own, isHead) : own
  })
  const rows = withHeadsJoined(withCentredLabels([...head.rows, ...body]))
  const filled = rows.reduce((sum, row) => sum + columnsIn(row), 0)
  if (rows.length < 2 || filled < least * rows.length * columns) return undefined
  const beside = rows.filter((row) => columnsIn(row) > 1)
  // Text in a box, with its numbers or marks at the side, has few rows of several cells.
  if (beside.length === 0 || (rules.length < 3 && beside.length < inColumnsMin * rows.length))
    return undefined
  const cells = cellsOf(rows, columns)
  if (areAxes(cells) || areEquations(cells) || areNumberedTexts(cells)) return undefined
  const [first, last] = [rules[0], rules.at(-1)]
  const lowest = lowestOf(words)
  return {
    left: first?.from ?? 0,
    right: first?.to ?? 0,
    top: words.reduce((least, { baseline, size }) => Math.min(least, baseline - size), first?.at ?? 0),
    bottom: last === undefined || isFarBelow(last, words) ? lowest : Math.max(lowest, last.at),
    sides: [first?.from ?? 0, ...edges, first?.to ?? 0],
    cells,
    words: new Set(words),
  }
}

/** The pieces of a head, of which some are no further apart than words and stand over columns of their own. */
const headsApart = (
  pieces: ReadonlyArray<Piece>,
  edges: ReadonlyArray<number>,
  columns: ReadonlyArray<Column>,
): ReadonlyArray<Piece> =>
  pieces.flatMap((piece) => {
    const parts = partedByColumns(piece.words, columns)
    if (parts.length < 2) return [piece]
    return parts.map((words) => {
      const [left, right] = [words[0]?.left ?? 0, words.at(-1)?.right ?? 0]
      return { ...piece, words, column: columnAt(edges, (left + right) / 2) }
    })
  })

/** The rows of heads some of which go over several columns, and the number of the first bands that they stand in. */
const headIn = (
  bands: ReadonlyArray<ReadonlyArray<Word>>,
  pieces: ReadonlyArray<ReadonlyArray<Piece>>,
  within: ReadonlyArray<Rule>,
  columnsAfter: (count: number) => ReadonlyArray<Column>,
): { readonly rows: ReadonlyArray<ReadonlyArray<Piece>>; readonly bands: number } => {
  for (let count = 1; count <= Math.min(headBandsMax, bands.length); count++) {
    if (count > 1 && !pieces[count - 1]?.every(({ words }) => isHeadText(words))) break
    const rows = headRows(bands.slice(0, count).flat(), columnsAfter(count), within)
    if (rows !== undefined) return { rows, bands: count }
  }
  return { rows: [], bands: 0 }
}

/** A line may stand between two rows of a head. */
const headBandsMax = 3

/**
 * Each band is one row, whose cells have lines of their own: its first line holds something in all columns that the band
 * has, and the lines below it do in fewer than half of these.
 */
const areWrapped = (bands: ReadonlyArray<ReadonlyArray<Piece>>): boolean => {
  const several = bands.filter((band) => new Set(band.map(({ baseline }) => Math.round(baseline))).size > 1)
  const wrapped = several.filter((band) => {
    const lines = [...Map.groupBy(band, ({ baseline }) => Math.round(baseline))]
      .toSorted(([one], [other]) => one - other)
      .map(([, line]) => columnsIn(line))
    const [first = 0, ...rest] = lines
    return first >= wrappedColumnsMin && first === columnsIn(band) && rest.every((count) => 2 * count < first)
  })
  return several.length >= wrappedBandsMin && wrapped.length >= wrappedShareMin * several.length
}

const wrappedColumnsMin = 3
const wrappedBandsMin = 3
const wrappedShareMin = 0.8

/** Most lines are texts that go on over most of the columns: the wide spaces of another line part no cells. */
const isText = (lines: ReadonlyArray<ReadonlyArray<Word>>, edges: ReadonlyArray<number>): boolean => {
  const texts = lines.filter((line) => {
    const [left, right] = [line[0]?.left ?? 0, line.at(-1)?.right ?? 0]
    return isOne(line) && edges.filter((edge) => edge > left && edge < right).length * 2 > edges.length
  })
  return texts.length * 2 > lines.length
}

const wideColumnsMin = 5

/** The joints before each column but the first that holds something. */
const betweenFilled = (joints: ReadonlyArray<number>, words: ReadonlyArray<Word>): ReadonlyArray<number> => {
  const filled = new Set(piecesOf(words, joints).map(({ column }) => column))
  const [first = 0] = [...filled].sort((a, b) => a - b)
  return joints.filter((_, index) => index >= first && filled.has(index + 1))
}

const hasJoints = ({ joints = [] }: Rule): boolean => joints.length > 0

const columnsIn = (row: ReadonlyArray<Piece>): number => new Set(row.map(({ column }) => column)).size
