import { areCentredTitle, centredLinesMax } from "./centredTitles.ts"
import { beginsEntry, isIndex } from "./indexEntries.ts"
import { beginsIdeographic, endsIdeographic } from "./joinWords.ts"
import { isEntry } from "./Leaders.ts"
import { beginsParagraph } from "./ListMark.ts"
import { isBackwards, mirrored } from "./mirrored.ts"
import type { Area } from "./Ruling.ts"
import { runInWords } from "./runInWords.ts"
import { ideographs } from "./scripts.ts"
import { sentenceEnd } from "./sentences.ts"
import { type Line, leadingMax } from "./TextLine.ts"
import { areMono, type Word } from "./Word.ts"

/** How far to the sides the lines of a text may go. */
export interface Bounds {
  readonly left: number
  readonly right: number
  readonly wide?: { readonly leading: number; readonly size: number }
  readonly pictures?: ReadonlyArray<Area>
}

/** Lines in the other direction than their page stand together as their mirror images do. */
export const stacksIn = (lines: ReadonlyArray<Line>, column: Bounds): ReadonlyArray<ReadonlyArray<Line>> => {
  const backwards = lines.filter(areBackwards)
  if (2 * backwards.length <= lines.length) return stacksOf(lines, column)
  const images = new Map(lines.map((line) => [mirroredLine(line), line]))
  return stacksOf([...images.keys()], { ...column, left: -column.right, right: -column.left }).map((stack) =>
    stack.flatMap((image) => images.get(image) ?? []),
  )
}

const areBackwards = ({ words }: Line): boolean => 2 * words.filter(isBackwards).length > words.length

const mirroredLine = (line: Line): Line => ({
  ...mirrored(line),
  textLeft: -line.right,
  words: line.words.map(mirrored<Word>).reverse(),
  segments: line.segments.map((segment) => mirrored(segment)).reverse(),
})

/**
 * Lines that stand together. Entries whose first lines hang out stand apart, also those of one line: that they do is
 * believed where the last line of one was ended on purpose, since a paragraph's first line may be indented, too.
 */
const stacksOf = (lines: ReadonlyArray<Line>, column: Bounds): ReadonlyArray<ReadonlyArray<Line>> => {
  const stacks: Array<Array<Line>> = []
  const ownLeading = wideLeadingOf(lines)
  const indent = indentOf(lines, column)
  const isHanging = haveHangingIndents(lines, column)
  const areEntries = isIndex(lines)
  let outer: number | undefined
  for (const [index, line] of lines.entries()) {
    const stack = stacks.at(-1)
    const last = stack?.at(-1)
    const isOutdented = (first: Line): boolean => {
      if (last === undefined || first.left - line.left > itemIndentMax * line.size) return false
      const isOut = (at: Line): boolean => at.left < first.left - outdentMin * at.size
      const second = stack?.[1]
      if (second === undefined && isOut(line) && goesOnInLower(last, line) && !isEnded(last, line, column))
        return true
      if (second !== undefined && isOut(second) && Math.abs(line.left - second.left) < sameLeft) return true
      if (Math.abs(line.left - column.left) >= sameLeft || isEnded(last, line, column)) return false
      return (indent !== undefined && Math.abs(first.left - indent) < sameLeft) || beginsInTitle(first)
    }
    // That of other lines of the page, where this one fills its column.
    const { wide } = column
    const isWide =
      wide !== undefined &&
      last !== undefined &&
      line.size > (1 - sameSize) * wide.size &&
      isLong(last) &&
      !/^\(?\w{1,3}[.)]/.test(line.words[0]?.text ?? "") &&
      !isEnded(last, line, column)
    if (areEntries && stack !== undefined && last !== undefined) {
      const isFar = line.bold !== last.bold || isApart(last, line)
      if (isFar || beginsEntry(last, line)) stacks.push([line])
      else stack.push(line)
      continue
    }
    const leading = isWide ? Math.max(ownLeading, wideFor(line, wide)) : ownLeading
    if (stack === undefined || last === undefined || !goesOn(stack, line, column, leading, isOutdented)) {
      outer = undefined
      stacks.push([line])
      continue
    }
    if (
      indent !== undefined &&
      stack.length === 1 &&
      areFirstLines([last, line, lines[index + 1]], indent, column)
    ) {
      stacks.push([line])
      continue
    }
    if (isHanging) {
      const isOut = Math.abs(line.left - column.left) < sameLeft
      // A single line before it may be the first of a paragraph, unless this one begins an entry.
      const isBehind = stack.length > 1 && last.left - line.left > paragraphIndentMin * line.size
      const isFirst = isSentenceOver(last) && isInner(lines[index + 1], column)
      if (isOut && (isBehind || isFirst || !isHalf(last, column))) stacks.push([line])
      else stack.push(line)
      continue
    }
    const [{ left = 0, mark } = {}] = stack
    const isBehind = last.left - line.left > indentMin * line.size
    const isEndedBefore = isEnded(last, line, column)
    if (isBehind && isEndedBefore && mark === undefined) outer = left
    const isOuter =
      outer !== undefined && (Math.abs(line.left - outer) < sameLeft || isLongerLabel(line, outer))
    if (isOuter && (isBehind || isEndedBefore)) stacks.push([line])
    else stack.push(line)
  }
  return stacks
}

/**
 * The second of these lines begins where the first ones of paragraphs do, and the next one at the side of the column: the
 * line before them is a paragraph of its own where it begins so, too, and its sentence is over, or it says where a
 * quotation is from, or where it is a title: in capitals in the middle of the column, or in italics at its side.
 */
const areFirstLines = (
  [one, other, next]: readonly [Line, Line, Line | undefined],
  indent: number,
  column: Bounds,
): boolean => {
  if (next === undefined || Math.abs(other.left - indent) >= sameLeft) return false
  if (Math.abs(next.left - column.left) >= sameLeft) return false
  if (next.baseline - other.baseline > leadingMax * other.size) return false
  const [first] = other.words
  if (first === undefined || /^\p{Ll}/u.test(first.text)) return false
  if (isInMiddle(one, column) && isInCapitals(one)) return true
  if (Math.abs(one.left - column.left) < sameLeft) return one.italic && !first.italic
  if (Math.abs(one.left - indent) >= sameLeft) return false
  return /^[—–]/.test(one.words[0]?.text ?? "")
    ? isHalf(other, column)
    : one.mark === undefined && isSentenceOver(one)
}

/** It leaves as much room at both sides of the column. */
const isInMiddle = (line: Line, { left, right }: Bounds): boolean =>
  line.left - left > middleMin && Math.abs(line.left - left - (right - line.right)) < exactly

const isInCapitals = ({ words }: Line): boolean =>
  words.every(({ text }) => !/\p{Ll}/u.test(text)) && words.some(({ text }) => /\p{Lu}{2}/u.test(text))

/** Points. */
const middleMin = 4
const exactly = 0.5

/** A title of its own look stands in its line, before the text: no item of a list. */
const beginsInTitle = (line: Line): boolean => runInWords([line]) > 0

/** Titles are set as wide as the text, in shares of their size. */
const wideFor = ({ size }: Line, wide: { readonly leading: number; readonly size: number }): number =>
  wide.leading * Math.max(1, size / wide.size)

/**
 * Lines further in go on with entries whose first lines stand at the side of the column, as those of a bibliography do:
 * nearly all follow a full line, where the first lines of paragraphs follow one that was ended.
 */
const haveHangingIndents = (lines: ReadonlyArray<Line>, { left, right }: Bounds): boolean => {
  const placed = lines.map((line) => {
    if (Math.abs(line.left - left) < sameLeft) return "outer"
    return isInner(line, { left }) ? "inner" : "other"
  })
  const inner = { full: 0, ended: 0 }
  const outer = { full: 0, ended: 0 }
  let begun = 0
  for (const [index, line] of lines.entries()) {
    const [last, place] = [lines[index - 1], placed[index]]
    // A title stands by itself.
    if (place === "other" && isApart(last, line) && isApart(line, lines[index + 1])) continue
    if (place === "other" || line.mark !== undefined || label.test(line.words[0]?.text ?? "")) return false
    if (last === undefined || isApart(last, line)) continue
    const counts = place === "inner" ? inner : outer
    counts[isEnded(last, line, { left, right }) ? "ended" : "full"]++
    if (place === "inner" && placed[index - 1] === "outer") begun++
  }
  return (
    inner.full >= hangingMin &&
    inner.full > hangingShareMin * inner.ended &&
    outer.ended > outer.full &&
    2 * begun > outer.full + outer.ended
  )
}

const isInner = (line: Line | undefined, { left }: Pick<Bounds, "left">): boolean =>
  line !== undefined &&
  line.left - left > paragraphIndentMin * line.size &&
  line.left - left < paragraphIndentMax * line.size

const isSentenceOver = ({ words }: Line): boolean => sentenceEnd.test(words.at(-1)?.text ?? "")

const isApart = (above: Line | undefined, line: Line | undefined): boolean =>
  above === undefined ||
  line === undefined ||
  line.baseline - above.baseline > leadingMax * Math.min(above.size, line.size)

/** Points. */
export const sameLeft = 2

/** Such entries stand apart by their labels. */
const label = /^\[\w+\]/

const hangingMin = 4
const hangingShareMin = 4

/** Labels such as `[10]` stand further left than `[9]`, where their right sides are below one another. */
const isLongerLabel = ({ left, size, words }: Line, outer: number): boolean =>
  left < outer && outer - left < labelMax * size && /^[[(]?\d+[\])]?\.?$/.test(words[0]?.text ?? "")

/** A share of the size. */
const labelMax = 0.8

/** Where paragraphs of the column begin, if their first lines are indented: items of such a text may go on at its side. */
const indentOf = (lines: ReadonlyArray<Line>, { left }: Bounds): number | undefined => {
  const indented = lines.filter((line, index) => {
    const next = lines[index + 1]
    const indent = line.left - left
    return (
      next !== undefined &&
      line.mark === undefined &&
      Math.abs(next.left - left) < sameLeft &&
      indent > paragraphIndentMin * line.size &&
      indent < paragraphIndentMax * line.size &&
      next.baseline - line.baseline <= leadingMax * line.size + roundedMax
    )
  })
  const [first] = indented
  const alike = indented.filter((line) => Math.abs(line.left - (first?.left ?? 0)) < sameLeft)
  return alike.length >= indentedMin && alike.length === indented.length ? first?.left : undefined
}

const paragraphIndentMin = 0.5
const indentedMin = 2

type PlacedLine = Pick<Line, "baseline" | "size" | "segments">

/**
 * The height between lines that are set wide, such as those of a manuscript or a brief: nearly all that follow one
 * another have it. 0 if there is none.
 */
const wideLeadingOf = (lines: ReadonlyArray<PlacedLine>): number => {
  const wide = wideLeadingsOf(lines, wideLeadingMax).filter((leading) => leading > 0)
  if (wide.length < wideLinesMin || wide.length < wideShareMin * (lines.length - 1)) return 0
  const middle = wide.toSorted((a, b) => a - b)[wide.length >> 1] ?? 0
  const same = wide.filter((leading) => Math.abs(leading - middle) <= sameLeading * middle)
  return same.length >= wideShareMin * wide.length ? (1 + sameLeading) * middle : 0
}

/** The same on a whole page, or that of some lines of a text beside notes and quotations that are set close. */
export const wideLeadingOfPage = (lines: ReadonlyArray<PlacedLine>): number => {
  const whole = wideLeadingOf(lines)
  return whole > 0 ? whole : wideTextOf(lines)
}

/** How far each line is from the one before it, if that is far, and else 0. */
const wideLeadingsOf = (lines: ReadonlyArray<PlacedLine>, most: number): ReadonlyArray<number> =>
  lines.map((line, index) => {
    const leading = line.baseline - (lines[index - 1]?.baseline ?? line.baseline)
    return leading > leadingMax * line.size && leading < most * line.size ? leading : 0
  })

/**
 * The height between the lines of a text, or of several short ones of a column, that are as far from one another: most of
 * them, but for the last of each text, end at its side. 0 if there is none.
 */
const wideTextOf = (lines: ReadonlyArray<PlacedLine>): number => {
  const columns = Map.groupBy(wideRunsOf(lines), (run) => {
    const [first, second, last] = [run[0], run[1], run.at(-1)]
    return `${Math.round((second?.baseline ?? 0) - (first?.baseline ?? 0))} ${Math.round(last?.segments[0]?.left ?? 0)}`
  })
  const close = lines.filter((line, index) => isClose(lines[index - 1], line)).length
  let widest: ReadonlyArray<ReadonlyArray<PlacedLine>> = []
  for (const runs of columns.values()) if (areFull(runs, close) && runs.length > widest.length) widest = runs
  const [first, second] = widest[0] ?? []
  return first === undefined || second === undefined
    ? 0
    : (1 + sameLeading) * (second.baseline - first.baseline)
}

/** Lines of one size that follow one another, far from one another, but as far as the first two. */
const wideRunsOf = (lines: ReadonlyArray<PlacedLine>): ReadonlyArray<ReadonlyArray<PlacedLine>> => {
  const leadings = wideLeadingsOf(lines, wideTextLeadingMax)
  const runs: Array<ReadonlyArray<PlacedLine>> = []
  let begin = 0
  for (let index = 1; index <= lines.length; index++) {
    const [leading = 0, first = 0] = [leadings[index], leadings[begin + 1]]
    const isSame =
      leading > 0 &&
      lines[index]?.size === lines[begin]?.size &&
      Math.abs(leading - first) <= sameLeading * first
    if (index > begin + 1 && !isSame) {
      runs.push(lines.slice(begin, index))
      begin = index - 1
    }
    if (leading === 0) begin = index
  }
  return runs
}

const isClose = (above: PlacedLine | undefined, line: PlacedLine): boolean =>
  above !== undefined &&
  above.size === line.size &&
  line.baseline > above.baseline &&
  line.baseline - above.baseline <= leadingMax * line.size

/** `close` is how many lines of the page are set close. */
const areFull = (runs: ReadonlyArray<ReadonlyArray<PlacedLine>>, close: number): boolean => {
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { segments } of runs.flat()) {
    left = Math.min(left, segments[0]?.left ?? left)
    right = Math.max(right, segments.at(-1)?.right ?? right)
  }
  const before = runs.flatMap((run) => run.slice(0, -1))
  const full = before.filter(
    ({ segments }) => right - (segments.at(-1)?.right ?? 0) < raggedMax * (right - left),
  )
  const areMost = full.length === before.length && before.length > close
  const least = areMost ? fullLinesMin : wideLinesMin
  return before.length >= least && full.length >= fullShareMin * before.length
}

/** Where all of them end at the side, and they are most of the page. */
const fullLinesMin = 3

/** Shares of the width, and of the lines. */
const raggedMax = 0.15
const fullShareMin = 0.7

/** As shares of the size, the lines that follow one another, and that height. */
export const wideLeadingMax = 2.6
/** The same of a text whose lines end at its side, as some fonts are high. */
const wideTextLeadingMax = 2.8
const wideLinesMin = 5
const wideShareMin = 0.6
export const sameLeading = 0.05
const sameSize = 0.05

/** Of text, that is no label and no row of numbers: Chinese and Japanese have few spaces. */
const isLong = ({ words }: Line): boolean =>
  words.filter(({ text }) => /\p{L}/u.test(text)).length >= longWordsMin ||
  words.some(({ text }) => text.length >= ideographsMin && ideograph.test(text))

const longWordsMin = 4
const ideographsMin = 12

export const boundsOf = (lines: ReadonlyArray<Line>): Bounds => ({
  left: lines.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY),
  right: lines.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY),
})

/** Points: programs round the heights of lines. */
const roundedMax = 0.1
/** Shares of the size: how much the height between lines of a paragraph may grow, and an indent. */
const leadingGrowthMax = 1.25
const sentenceGrowthMax = 1.4
/** No function of a formula. */
const wholeWord = /^\p{Ll}{2,}[\p{Ll}'’-]*[,.;:)”"]*$/u
/** A share of the size: that of a text which is set wide on a page of other text, from a full line to one in lower case. */
const sentenceLeadingMax = 1.95
const indentMin = 0.9
const sizeShareMin = 0.85
const codeShareMin = 0.75

/** The sentence is not over, and goes on in lower case. */
export const goesOnInLower = (line: Line, next: Line): boolean =>
  /^["“„«‘(]?\p{Ll}/u.test(next.words[0]?.text ?? "") && !isSentenceOver(line)

/** In lower case, with a word and no variable of a formula. */
export const beginsInWord = ({ words }: Line): boolean => /^\p{Ll}{2}/u.test(words[0]?.text ?? "")

/** A line stands together with those before it, by its place and its look. */
const goesOn = (
  stack: ReadonlyArray<Line>,
  line: Line,
  column: Bounds,
  wideLeading: number,
  isOutdented: (first: Line) => boolean,
): boolean => {
  const [before, last] = [stack.at(-2), stack.at(-1)]
  if (last === undefined || line.mark !== undefined) return false
  if (beginsParagraph(line.words) || (stack[0] !== undefined && areLabelled(stack[0], line))) return false
  const isWithinText = last.bold && stack[0]?.bold === false && !isEnded(last, line, column)
  if (line.bold !== last.bold && !isWithinText && !isBoldOn(last, line, column)) return false
  const size = Math.max(last.size, line.size)
  const isCode = isAllCode(line) || isAllCode(last)
  if (Math.min(last.size, line.size) < (isCode ? codeShareMin : sizeShareMin) * size) return false
  if (isOtherFont(last, line) && !isCode) return false
  const leading = line.baseline - last.baseline
  const isWithinSentence = goesOnInLower(last, line) && !isEnded(last, line, column)
  const isWide = isWithinSentence && isLong(last) && wholeWord.test(line.words[0]?.text ?? "")
  const most = Math.max((isWide ? sentenceLeadingMax : leadingMax) * size, wideLeading)
  if (leading > most + roundedMax) return false
  // A power or a mark may set its line further down.
  const growthMax = isWithinSentence ? sentenceGrowthMax : leadingGrowthMax
  if (before !== undefined && leading > growthMax * (last.baseline - before.baseline)) return false
  if (endsByItself(last) || endsByItself(line) || isEntry(last.words)) return false
  if (isOfTwoSides(last) || (isOfTwoSides(line) && !endsBesideSource(last, line, column))) return false
  const [first] = stack
  const isItem = first?.mark !== undefined && !isOutdented(first)
  if (isItem && !isInItem(first, before === undefined ? undefined : last, line)) return false
  if (isItem && before === undefined && beginsBelow(first, line, column)) return false
  const further = line.left - last.left
  if (stack.length === 1 || further <= indentMin * size) return true
  if (areCentred(last, line) && beginsInWord(line) && goesOnInLower(last, line)) return true
  if (isCentredTitle(stack, line, column)) return true
  if (!isHalf(last, column)) return false
  if (areFlushRight(before, last, line)) return true
  // Beside a picture with a shape of its own, lines begin further and further in.
  const isFull = Math.abs(last.right - line.right) < sameLeft
  return isFull && further < paragraphIndentMax * size && goesOnInLower(last, line)
}

/** A line of a text that has nothing but code, which is often smaller. */
const isAllCode = ({ words }: Line): boolean => areMono(words)

const isHalf = (line: Line, { left, right }: Bounds): boolean => 2 * (line.right - line.left) > right - left

/** What is bold ends, or begins, within a sentence or a line. */
const isBoldOn = (last: Line, line: Line, column: Bounds): boolean => {
  const isSame = last.words.at(-1)?.bold === line.words[0]?.bold
  if (isEnded(last, line, column)) return isSame && goesOnInLower(last, line)
  if (goesOnInLower(last, line)) return isSame || last.bold || isHalf(line, column)
  if (goesOnInIdeographs(last, line, column)) return true
  return isSame && last.bold && !isSentenceOver(last)
}

/** A line of Chinese or Japanese is full, and the next one begins so: no word ends there. */
const goesOnInIdeographs = (last: Line, line: Line, { right }: Bounds): boolean =>
  endsIdeographic.test(last.words.at(-1)?.text ?? "") &&
  beginsIdeographic.test(line.words[0]?.text ?? "") &&
  right - last.right < last.size &&
  !isSentenceOver(last)

/** Text stands at both sides of the column, such as a name and a date: a line by itself. */
const isOfTwoSides = ({ segments, size }: Line): boolean =>
  segments.some(({ left }, index) => left - (segments[index - 1]?.right ?? left) > sidesGapMin * size)

/** A quotation ends beside its source, or a proof beside its sign, which goes as far to the side as its lines. */
const endsBesideSource = (last: Line, line: Line, column: Bounds): boolean =>
  line.segments.length === 2 &&
  last.words.length >= sentenceWordsMin &&
  Math.abs(last.right - line.right) < sameLeft &&
  isHalf(last, column) &&
  beginsInWord(line) &&
  goesOnInLower(last, line) &&
  !isEnded(last, line, column)

const sidesGapMin = 3

/** Both are in one font each, but for a few words, of another name and another size. */
const isOtherFont = (last: Line, line: Line): boolean =>
  last.family !== line.family &&
  last.family !== "" &&
  line.family !== "" &&
  Math.abs(last.size - line.size) >= otherSizeMin &&
  !endsInTypeOf(last, line)

/** The text behind a title in the line goes on in its type. */
const endsInTypeOf = ({ words: last }: Line, { words: [first] }: Line): boolean => {
  const end = last.at(-1)
  return end !== undefined && end.font === first?.font && end.size === first.size
}

/** Points. */
const otherSizeMin = 0.5

/** The line goes on in the item that `first` begins: not further out than its mark, nor than the line before it. */
const isInItem = (first: Line, last: Line | undefined, line: Line): boolean => {
  const outdent = outdentMin * line.size
  if (line.left < first.left - outdent) return false
  return last === undefined || last.left < first.textLeft - outdent || line.left > first.textLeft - outdent
}

/** A text of its own, below an item whose only line was ended: it begins further out than that of the item. */
const beginsBelow = (item: Line, line: Line, column: Bounds): boolean =>
  line.left < item.textLeft - outdentMin * line.size &&
  /^\p{Lu}/u.test(line.words[0]?.text ?? "") &&
  isEnded(item, line, column)

/** Both begin with a label of a bibliography, such as `[12]`, at the same place. */
const areLabelled = (first: Line, line: Line): boolean =>
  Math.abs(first.left - line.left) < sameLeft &&
  [first, line].every(({ words }) => /^\[\w*\d\w*\]$/.test(words[0]?.text ?? ""))

/** Below a line of some words, as names below one another on a cover are in the middle, too. */
const areCentred = (last: Line, line: Line): boolean =>
  last.words.length >= centredWordsMin &&
  Math.abs(last.left + last.right - line.left - line.right) < 2 * sameLeft

const centredWordsMin = 6

/** A title in bold, whose lines are in the middle of their column, goes on where its last one has no room for more, or in one type. */
const isCentredTitle = (stack: ReadonlyArray<Line>, line: Line, column: Bounds): boolean => {
  const [first, last] = [stack[0], stack.at(-1)]
  if (first === undefined || last === undefined) return false
  const isInMiddle = ({ left, right, bold, size }: Line): boolean =>
    bold &&
    Math.abs(left + right - column.left - column.right) < Math.max(2 * sameLeft, size) &&
    Math.abs(left + right - first.left - first.right) < 2 * sameLeft
  if ([first, last, line].every(isInMiddle) && !isEnded(last, line, column)) return true
  return stack.length < centredLinesMax && areCentredTitle([...stack, line])
}

/** Three lines of a text that is set flush right: they end at one place, and each begins elsewhere; names below one another do not go on. */
const areFlushRight = (before: Line | undefined, last: Line, line: Line): boolean =>
  before !== undefined &&
  (goesOnInLower(last, line) || goesOnInLower(before, last)) &&
  [before, line].every(({ right }) => Math.abs(right - last.right) < sameLeft) &&
  [before.left - last.left, last.left - line.left, before.left - line.left].every(
    (apart) => Math.abs(apart) > sameLeft,
  )

/** A share of the size. */
const outdentMin = 0.5

/** Rules made of characters, and entries of a table of contents with their dots. */
const endsByItself = ({ words: all }: Line): boolean => {
  const words = all.length > 1 && all.at(-1)?.text === "..." ? all.slice(0, -1) : all
  const isDrawn = ({ text }: Word): boolean => text.endsWith("....") || /^([-=_*~–—]{3,}|[._]+)$/.test(text)
  const leastDrawn = words.length > 4 ? 4 : 1
  if (words.every(isDrawn)) return true
  let [points, drawn] = [0, 0]
  for (const word of words) {
    points = word.text === "." ? points + 1 : 0
    if (points > ellipsisMax) drawn += points === ellipsisMax + 1 ? points : 1
    else if (points === 0 && isDrawn(word)) drawn++
  }
  return drawn >= leastDrawn
}

/** Points of an ellipsis that are set apart, with that of the sentence. */
const ellipsisMax = 4

/** The next line's first word and a space would have had room, at the side or, where lines are centred, at both. */
export const isEnded = (line: Line, next: Line | undefined, { left, right }: Bounds): boolean => {
  const first = next?.words[0]
  if (next === undefined || first === undefined) return false
  const [before, after] = [line.left - left, right - line.right]
  const isIndented =
    Math.abs(next.left - left) < sameLeft && before > 0 && before < paragraphIndentMax * line.size
  const isCentred =
    line.mark === undefined &&
    !isIndented &&
    Math.abs(line.left - next.left) > 0.5 * line.size &&
    Math.abs(before - after) < line.size
  const unbroken = Math.min(unbrokenRight(line, next) - first.left, breakableOf(line, first, right - left))
  return (isCentred ? before + after : after) > unbroken + 0.5 * next.size
}

/** Of the first word of the next line: within a sentence, a number is not parted from the word that it counts. */
const unbrokenRight = (line: Line, { words: [first, second] }: Line): number => {
  const right = first?.right ?? 0
  const isCount = /^[\d.,]*\d$/.test(first?.text ?? "") && /^\p{Ll}/u.test(second?.text ?? "")
  const isWithin = line.words.length >= sentenceWordsMin && !isSentenceOver(line)
  return isCount && isWithin ? (second?.right ?? right) : right
}

/**
 * Chinese and Japanese have no spaces, and break nearly anywhere, but within a word in katakana: how much of the first word
 * of the next line, as wide as that may be, needs to have room.
 */
const breakableOf = (line: Line, first: Word, width: number): number => {
  const last = line.words.at(-1)?.text ?? ""
  if (!ideograph.test(first.text) || (katakana.test(last.slice(-1)) && katakana.test(first.text)))
    return Number.POSITIVE_INFINITY
  return Math.max(ideographsUnbroken * first.size, width / 3)
}

const ideograph = new RegExp(`^[${ideographs}]`, "u")
const katakana = /^[\p{Script=Katakana}ー]/u
/** A share of the size. */
const ideographsUnbroken = 6

const sentenceWordsMin = 5

/** Shares of the size: of a paragraph's first line, and of that of an item whose text goes on further out. */
const paragraphIndentMax = 4
const itemIndentMax = 8
