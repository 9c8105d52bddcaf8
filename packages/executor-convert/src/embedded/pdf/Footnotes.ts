import type { Row, Segment } from "./Lines.ts"
import type { Rule } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** As shares of the size of the text: how large a footnote is at most, and what is raised. */
const noteSizeMax = 0.95
const markSizeMax = 0.85
const riseMin = 0.12
const linesMax = 30

const mark = /^(?:\d{1,3}|[a-z]|[*∗⁎†‡§¶‖#]{1,3})$/u
const attachedMark = /^(?:\d{1,3}|[*∗⁎†‡§¶‖#]{1,3})[\p{L}"“(]/u

/**
 * The size of the text of a page, the references to footnotes in it, what may be one (`marks`), and the lines across
 * that are drawn on it.
 */
export interface NotesOf {
  readonly size: number
  readonly references: ReadonlySet<string>
  readonly marks: ReadonlySet<string>
  readonly rules: ReadonlyArray<Rule>
}

/** Rows of a column, with those of each of its footnotes apart. */
export interface NotedRows {
  readonly rows: ReadonlyArray<Row>
  readonly notes: ReadonlyArray<ReadonlyArray<Row>>
}

/**
 * The footnotes at the end of a column: small lines, of which the first has a raised mark, or one that the text refers to; the number of the page may
 * stand below them.
 */
export const withoutFootnotes = (all: ReadonlyArray<Row>, notesOf: NotesOf | undefined): NotedRows => {
  if (notesOf === undefined) return { rows: all, notes: [] }
  const { size, references } = notesOf
  const isReferredTo = ({ segments }: Row): boolean => {
    const mark = segments[0]?.words[0]?.text ?? ""
    return bracketed.test(mark) && references.has(mark)
  }
  let end = all.length
  while (end > 0 && isNumber(all[end - 1] ?? empty)) end--
  const ruled = belowRule(all.slice(0, end), notesOf)
  if (ruled !== undefined) {
    const count = ruled.reduce((sum, { length }) => sum + length, 0)
    return { rows: [...all.slice(0, end - count), ...all.slice(end)], notes: ruled }
  }
  let first = end
  while (first > 0 && end - first < linesMax && isSmall(all[first - 1] ?? empty, size)) first--
  const notes: Array<Array<Row>> = []
  const rows = all.slice(0, first)
  for (const row of all.slice(first, end)) {
    if (beginsNote(row) || isReferredTo(row)) notes.push([row])
    else (notes.at(-1) ?? rows).push(row)
  }
  return { rows: [...rows, ...all.slice(end)], notes }
}

/** Points: of the short line above footnotes. */
const ruleLengthMax = 220
/** Shares of the size of the text: how far that line is from them, and from their side. */
const ruleDistanceMax = 3
const ruleIndentMax = 2
/** A number, also with a full stop or bracket, or a sign. */
const counted = /^(\d{1,2})[.)]?$|^([*∗†‡§¶])$/u

/**
 * The footnotes below a short line at the side of the column, which may be as large as the text: they are counted, and
 * the first number or sign stands behind a word of the page.
 */
const belowRule = (
  rows: ReadonlyArray<Row>,
  { size, marks, rules }: NotesOf,
): ReadonlyArray<ReadonlyArray<Row>> | undefined => {
  const last = rows.at(-1)
  if (rules.length === 0 || last === undefined) return undefined
  const left = rows.reduce(
    (least, { segments: [first] }) => Math.min(least, first?.left ?? least),
    Number.POSITIVE_INFINITY,
  )
  const rule = rules.findLast(
    ({ at, from, to, isHidden }) =>
      isHidden !== true &&
      at < last.baseline - last.size &&
      to - from < ruleLengthMax &&
      Math.abs(from - left) < ruleIndentMax * size,
  )
  const below = rule === undefined ? [] : rows.filter(({ baseline }) => baseline > rule.at)
  const [first] = below
  if (rule === undefined || first === undefined || below.length > linesMax) return undefined
  let next = markIn(first)
  if (next === undefined || !marks.has(next) || first.baseline - rule.at > ruleDistanceMax * size)
    return undefined
  if (!below.every((row) => isLine(row, size))) return undefined
  const notes: Array<Array<Row>> = []
  for (const row of below) {
    const isNext = markIn(row) === next
    if (isNext || beginsNote(row)) notes.push([row])
    else notes.at(-1)?.push(row)
    if (isNext) {
      next = /\d/.test(next) ? `${Number(next) + 1}` : next
    }
  }
  return notes
}

const isLine = ({ segments, size: own }: Row, size: number): boolean =>
  segments.length === 1 && segments[0]?.table === undefined && own < size + sameSize

/** Points. */
const sameSize = 0.6

const markIn = ({ segments: [first] }: Row): string | undefined => {
  const [, digits, sign] = counted.exec(first?.words[0]?.text ?? "") ?? []
  return first?.words[1] === undefined ? undefined : (digits ?? sign)
}

/** Numbers and signs right behind words, or behind what ends a part of a sentence. */
export const marksBehind = (words: ReadonlyArray<Word>): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { text } of words) {
    const [, mark] =
      /(?:\p{Ll}{2}|[.,;:!?\p{Pe}\p{Pf}"'])(\d{1,2}|[*∗†‡§¶])$/u.exec(text.slice(-endMax)) ?? []
    if (mark !== undefined) found.add(mark)
  }
  return found
}

/** Characters of a word that are looked at. */
const endMax = 6

const bracketed = /^\d{1,3}\)$/

/** Numbers with a bracket that words of a text end with, as "word1)": they refer to footnotes. */
export const referencesIn = (words: ReadonlyArray<Word>): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const [index, { text, size, left, baseline }] of words.entries()) {
    if (!text.includes(")") || text.includes("(")) continue
    const [, attached] = /[^\d.,](\d{1,3}\))/.exec(text) ?? []
    if (attached !== undefined) found.add(attached)
    const [own] = /^\d{1,3}\)/.exec(text) ?? []
    const before = words[index - 1]
    if (own === undefined || before === undefined || size >= markSizeMax * before.size) continue
    if (Math.abs(baseline - before.baseline) < before.size && Math.abs(left - before.right) < size)
      found.add(own)
  }
  return found
}

const isNumber = ({ segments }: Row): boolean =>
  segments.length === 1 && segments[0]?.words.length === 1 && /^\d+$/.test(segments[0].words[0]?.text ?? "")

const isSmall = ({ segments, size: own }: Row, size: number): boolean =>
  segments[0]?.table === undefined && own <= noteSizeMax * size

const empty: Row = { segments: [], baseline: 0, size: Number.POSITIVE_INFINITY }

/** The rows, with a raised mark that stands before its line, or behind words of it, as a part of that line. */
export const withRaisedMarks = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.flatMap((row, index) => {
    if (isMarkOf(row, rows[index + 1])) return []
    const before = rows[index - 1]
    if (before === undefined || !isMarkOf(before, row)) return [row]
    const [sign] = before.segments
    const at =
      sign === undefined ? -1 : row.segments.findIndex((segment) => standsAt(sign, segment, row.size))
    const segment = row.segments[at]
    if (sign === undefined || segment === undefined) return [row]
    const joined =
      sign.right < segment.right
        ? { ...segment, words: [...apart(sign.words, segment), ...segment.words], left: sign.left }
        : { ...segment, words: [...segment.words, ...sign.words], right: sign.right }
    return [{ ...row, segments: row.segments.with(at, joined) }]
  })

/** The mark stands before the segment, or right behind it. */
const standsAt = (sign: Segment, { left, right, table }: Segment, size: number): boolean => {
  if (table !== undefined) return false
  const [before, behind] = [left - sign.right, sign.left - right]
  const beforeMax = enclosed.test(sign.words[0]?.text ?? "") ? hangingMax : 1
  return (before > -1 && before < beforeMax * size) || (behind > -1 && behind < behindMax * size)
}

/** Shares of the size: how far the text of a note may be from its number in brackets, as it hangs. */
const hangingMax = 3
const behindMax = 0.4
const enclosed = /^\(\d{1,2}\)$/

/** The mark and the word that stands at it without a space, on the line that it begins. */
const apart = ([word]: ReadonlyArray<Word>, { baseline, size }: Segment): ReadonlyArray<Word> => {
  if (word === undefined || !attachedMark.test(word.text)) return word === undefined ? [] : [word]
  const text = word.text.replace(/^(?:\d+|[*∗⁎†‡§¶‖#]+)/u, "")
  return [
    { ...word, text: word.text.slice(0, -text.length), hyphenated: false },
    { ...word, text, baseline, size },
  ]
}

const isMarkOf = ({ segments, baseline, size }: Row, next: Row | undefined): boolean => {
  const [sign, other] = segments
  if (next === undefined || sign === undefined || other !== undefined) return false
  const text = sign.words[0]?.text ?? ""
  return (
    sign.words.length === 1 &&
    [mark, attachedMark, enclosed].some((form) => form.test(text)) &&
    size < (attachedMark.test(text) ? attachedSizeMax : markSizeMax) * next.size &&
    next.baseline - baseline < riseMax * next.size &&
    next.segments.some((segment) => standsAt(sign, segment, next.size))
  )
}

const riseMax = 0.6
/** One that stands at the first word of its line is a mark by that alone. */
const attachedSizeMax = 0.95

const beginsNote = ({ segments, size }: Row): boolean => {
  const [first, second]: ReadonlyArray<Word | undefined> = segments.flatMap(({ words }) => words)
  if (first === undefined || second === undefined) return false
  if (mark.test(first.text)) {
    return first.size < markSizeMax * size || first.baseline < second.baseline - riseMin * size
  }
  return attachedMark.test(first.text) && first.size < markSizeMax * size
}
