import {
  hangingNumbers,
  isAttached,
  isSign,
  type ListMark,
  letteredMarks,
  levelledMarks,
  pointedNumbers,
  repeatedMarks,
} from "./ListMark.ts"
import { sentenceEnd } from "./sentences.ts"
import { sameLeading, wideLeadingMax } from "./stacks.ts"
import { type Line, leadingMax } from "./TextLine.ts"

/** The lines of a text with the marks of those that begin an item, as the lines around them tell. */
export const withItemMarks = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const kept = withoutLoneMarks(lines)
  const pointed = pointedNumbers(kept)
  const lettered = new Map([
    ...repeatedMarks(kept),
    ...hangingLetters(kept),
    ...hangingNumbers(kept),
    ...pointed,
    ...levelledMarks(kept),
  ])
  let above: Line | undefined
  return kept.map((line, index) => {
    const mark = line.mark ?? lettered.get(index) ?? firstBelow(line, above)
    // Behind a point, the number is kept, and the text stands apart from it.
    const words = mark !== undefined && mark === pointed.get(index) ? 1 : mark?.words
    above = mark === undefined ? line : { ...line, mark, textLeft: line.words[words ?? 0]?.left ?? line.left }
    return above
  })
}

/** The only item of a list within an item, which begins at its text or further in: `a.`, `i.` or `A.` */
const firstBelow = (line: Line, above: Line | undefined): ListMark | undefined => {
  const isFirst = line.words.length > 1 && /^(?:\(?[ai]\)|[aAiI]\.)$/.test(line.words[0]?.text ?? "")
  if (!isFirst || above?.mark === undefined) return undefined
  // The initial of a name in a list of them.
  if (/[,;&]$|^and$/.test(above.words.at(-1)?.text ?? "") || /,$/.test(line.words[1]?.text ?? ""))
    return undefined
  const isWithin =
    line.left > above.left + nestedMin * line.size && line.left > above.textLeft - nestedMin * line.size
  return isWithin && line.size === above.size ? { item: "levels", words: 0 } : undefined
}

/** A share of the size. */
const nestedMin = 0.5

/** The lines, without the marks of those that begin with one by accident. */
const withoutLoneMarks = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const marks = lines.map(({ mark, words }) => (mark?.item === "bullet" ? words[0]?.text : mark?.item))
  const count = new Map<string | number | undefined, number>()
  for (const mark of marks) count.set(mark, (count.get(mark) ?? 0) + 1)
  return lines.map((line, index) => {
    const [mark, above] = [marks[index], lines[index - 1]]
    const [first, second, ...rest] = line.words
    if (mark === undefined || first === undefined || second === undefined) return line
    const plain = { ...line, mark: undefined, textLeft: line.left }
    if (noteMarks.has(mark) && count.get(mark) === 1) return plain
    if (above === undefined) return line
    const isNear = isNextLine(lines, index)
    if (isSign(first.text)) return isNear && isLegend(above, first.text) ? plain : line
    const isAlone =
      typeof mark === "number" ? !count.has(mark - 1) && !count.has(mark + 1) : count.get(mark) === 1
    if (!isAlone) return line
    if (isAttached(first, second))
      return { ...plain, words: [{ ...second, text: first.text + second.text }, ...rest] }
    const isFlush = typeof mark === "number" || Math.abs(line.left - above.left) < flushMax * line.size
    const goesOn =
      goesOnIn(above, second.text) || isWithin(lines.slice(Math.max(0, index - 2), index + 3), line)
    return isNear && isFlush && goesOn ? plain : line
  })
}

/** The line stands below the one before it as lines of a text do, also where these are set wide. */
const isNextLine = (lines: ReadonlyArray<Line>, index: number): boolean => {
  const leadingAt = (at: number): number =>
    (lines[at]?.baseline ?? Number.NaN) - (lines[at - 1]?.baseline ?? Number.NaN)
  const leading = leadingAt(index)
  const size = lines[index]?.size ?? 0
  if (leading <= leadingMax * size) return true
  const isSame = (other: number): boolean => Math.abs(other - leading) < sameLeading * leading
  return leading < wideLeadingMax * size && (isSame(leadingAt(index - 1)) || isSame(leadingAt(index + 1)))
}

/** Where it stands once, it is that of a note, such as one below a table. */
const noteMarks: ReadonlySet<unknown> = new Set(["*", "∗"])

/** The entries of a legend, of which the next ones may stand in the next line. */
const isLegend = ({ words, mark }: Line, sign: string): boolean =>
  mark === undefined && words.some(({ text }) => text === sign)

/** The sentence of the line is not over, and goes on in lower case, or behind a short form that a number follows. */
const goesOnIn = ({ words }: Line, text: string): boolean => {
  const last = words.at(-1)?.text ?? ""
  return beforeNumber.test(last) || (/^\p{Ll}/u.test(text) && !sentenceEnd.test(last))
}

/**
 * The line stands within a paragraph: the line above it has no room for its first words and ends no sentence, and those
 * around it begin at the same place. `near` are the lines around it, and itself.
 */
const isWithin = (near: ReadonlyArray<Line>, line: Line): boolean => {
  const at = near.indexOf(line)
  const [above, below] = [near[at - 1], near[at + 1]]
  const begin = (line.words[1]?.right ?? line.left) - line.left
  const right = near.reduce((most, each) => Math.max(most, each.right), Number.NEGATIVE_INFINITY)
  const isFar = ({ baseline }: Line): boolean => Math.abs(baseline - line.baseline) > leadingMax * line.size
  const isFlush = ({ left }: Line): boolean => Math.abs(left - line.left) < sameLeft
  return (
    above !== undefined &&
    above.mark === undefined &&
    (isFlush(above) || isFar(above)) &&
    // The next entry of a bibliography hangs out.
    (below === undefined || below.left < line.left || isFlush(below) || isFar(below)) &&
    above.words.length >= withinWordsMin &&
    above.right > right - begin &&
    (shortForm.test(above.words.at(-1)?.text ?? "") || !sentenceEnd.test(above.words.at(-1)?.text ?? ""))
  )
}

/** Ends with a point that ends no sentence, as "Stat." before the number of a page. */
const shortForm = /^\(?\p{Lu}\p{Ll}{0,3}\.$/u

/** Points. */
const sameLeft = 1.5
const withinWordsMin = 4

const beforeNumber = /^\(?(?:Tab|Fig|Figs|Abb|Sec|Sect|Ch|Chap|Kap|Eq|Eqs|No|Nos|Nr|Vol|Art|Ref|App)\.$/

/** Letters that are marks of items, but of those that begin paragraphs: lines that follow begin below the letter. */
const hangingLetters = (lines: ReadonlyArray<Line>): ReadonlyMap<number, ListMark> => {
  const isBelow = (line: Line | undefined, above: Line | undefined): boolean =>
    line !== undefined &&
    above !== undefined &&
    line.mark === undefined &&
    line.baseline - above.baseline <= leadingMax * line.size &&
    line.left - above.left < flushMax * line.size
  const found = letteredMarks(lines)
  const paragraphs = [...found.keys()].flatMap((index) => {
    const [line, second, third] = lines.slice(index, index + 3)
    const isParagraph =
      !found.has(index + 1) && !found.has(index + 2) && isBelow(second, line) && isBelow(third, second)
    return isParagraph && line !== undefined ? [Math.round(line.left)] : []
  })
  const lefts = new Set(paragraphs.flatMap((left) => [left - 1, left, left + 1]))
  return new Map([...found].filter(([index]) => !lefts.has(Math.round(lines[index]?.left ?? 0))))
}

/** A share of the size. */
const flushMax = 0.5
