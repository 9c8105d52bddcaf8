import { areaOf } from "./areaOf.ts"
import { withoutCodeMarks } from "./codeWords.ts"
import type { PlacedTable } from "./Grid.ts"
import { joinWords, lineEndHyphen, textOf } from "./joinWords.ts"
import { loweredIn } from "./lowered.ts"
import type { Word } from "./Word.ts"

/** Fewer may be entries of another kind. */
const linesMin = 3
/** Points: the numbers end below one another. */
const sameEnd = 1.5
/** Shares of the size: baselines of one line, the height between two numbers, and the room behind them and between words. */
const sameLineMax = 0.35
const heightMax = 7
const indentMax = 20
const gapMax = 2.5
const commentGapMax = 60
/** A share of the size: how much further in a line begins. */
const indentMin = 0.6
/** Lines that say what an algorithm does. */
const stepsMin = 2
const step =
  /^(?:if|else|elsif|for|foreach|for each|while|repeat|until|return|end|do|loop|break|function|procedure|input|output|require|ensure|initiali[sz]e)\b|[←⟵]|:=/iu
/** What begins a comment, which may stand at the other side. */
const comment = /^(?:\/\/|[▷▹►#])/u
/** Numbers that are looked at on a page, and algorithms: the words beside each are looked through. */
const numbersMax = 2_000
const algorithmsMax = 20
/** Points: how far around a line others are looked for grows with its size. */
const sizeMax = 40

/** A line of an algorithm, which may go on below itself. */
interface Line {
  readonly number: Word
  readonly rows: ReadonlyArray<ReadonlyArray<Word>>
}

/**
 * Algorithms as LaTeX sets them: lines in the type of the text that begin with their numbers and a colon, which go up by
 * one, and say what is done. Each stands in its place as lines of code, with the depths that it is set in.
 */
export const algorithmsIn = (words: ReadonlyArray<Word>): ReadonlyArray<PlacedTable> => {
  const numbers = words.filter(({ text, mono, size }) => !mono && size < sizeMax && /^\d{1,3}:$/.test(text))
  if (numbers.length < linesMin || numbers.length > numbersMax) return []
  const rows = Map.groupBy(words, ({ baseline }) => Math.round(baseline))
  const titles = words.filter(
    ({ text }, index) => titled.test(text) && /^\d/.test(words[index + 1]?.text ?? ""),
  )
  const runs = runsIn(numbers).filter(({ length }) => length >= linesMin)
  if (runs.length > algorithmsMax) return []
  return runs.flatMap((run) => {
    const bound = boundOf(run, rows)
    const lines = run.map((number) => ({ number, rows: [wordsAfter(number, rows, bound)] }))
    const steps = lines.filter(({ rows: [own = []] }) => step.test(own.map(({ text }) => text).join(" ")))
    if (steps.length < stepsMin && !hasTitle(run[0], titles)) return []
    return [placed(withRests(lines, rows, bound))]
  })
}

/** The number of an algorithm stands in its title, shortly above its first line. */
const hasTitle = (first: Word | undefined, titles: ReadonlyArray<Word>): boolean =>
  first !== undefined &&
  titles.some(
    ({ left, baseline }) =>
      baseline < first.baseline &&
      first.baseline - baseline < titleHeightMax * first.size &&
      Math.abs(first.left - left) < titleIndentMax * first.size,
  )

const titled = /^(?:Algorithm|Function|Procedure|Protocol|Specification)$/
/** Shares of the size. */
const titleHeightMax = 6
const titleIndentMax = 5

/** Numbers that go up by one below one another. */
const runsIn = (numbers: ReadonlyArray<Word>): ReadonlyArray<ReadonlyArray<Word>> => {
  const runs: Array<Array<Word>> = []
  for (const number of numbers.toSorted((a, b) => a.baseline - b.baseline)) {
    const run = runs.findLast((each) => {
      const last = each.at(-1)
      return (
        last !== undefined &&
        Number.parseInt(number.text, 10) === Number.parseInt(last.text, 10) + 1 &&
        Math.abs(number.right - last.right) < sameEnd &&
        number.size === last.size &&
        number.baseline > last.baseline + sameLineMax * last.size &&
        number.baseline - last.baseline < heightMax * last.size
      )
    })
    if (run === undefined) runs.push([number])
    else run.push(number)
  }
  return runs
}

/** Where the text of another column begins, to the right of the algorithm: as several of its lines say. */
const boundOf = (run: ReadonlyArray<Word>, rows: ReadonlyMap<number, ReadonlyArray<Word>>): number => {
  const places = new Map<number, number>()
  for (const number of run) {
    const words = lineAfter(number, rows)
    for (const [index, { left, size, text }] of words.entries()) {
      const gap = left - (words[index - 1]?.right ?? left)
      if (gap < columnGapMin * size || comment.test(text)) continue
      places.set(Math.round(left), (places.get(Math.round(left)) ?? 0) + 1)
    }
  }
  let bound = Number.POSITIVE_INFINITY
  for (const [left, count] of places) if (count >= columnLinesMin) bound = Math.min(bound, left)
  return bound - 1
}

/** A share of the size. */
const columnGapMin = 0.8
const columnLinesMin = 3

type Place = Pick<Word, "baseline" | "size" | "right">

/** The words to the right of a place, from left to right. */
const lineAfter = (
  { baseline, size, right }: Place,
  rows: ReadonlyMap<number, ReadonlyArray<Word>>,
): ReadonlyArray<Word> => {
  const reach = Math.ceil(sameLineMax * size)
  return Array.from({ length: 2 * reach + 1 }, (_, at) => rows.get(Math.round(baseline) + at - reach) ?? [])
    .flat()
    .filter((word) => word.left > right - 1 && Math.abs(word.baseline - baseline) < sameLineMax * size)
    .sort((a, b) => a.left - b.left)
}

/** The words of a line to the right of a place, without those of another column. */
const wordsAfter = (
  place: Place,
  rows: ReadonlyMap<number, ReadonlyArray<Word>>,
  bound: number,
): ReadonlyArray<Word> => {
  const found: Array<Word> = []
  let end = place.right
  for (const word of lineAfter(place, rows)) {
    const room = comment.test(word.text) ? commentGapMax : gapMax
    // The numbers may be smaller.
    const size = Math.max(place.size, word.size)
    if (word.left > bound || word.left - end > (found.length === 0 ? indentMax : room) * size) break
    found.push(word)
    end = Math.max(end, word.right)
  }
  return found
}

/** The lines, each with what goes on below its text and above the next number. */
const withRests = (
  lines: ReadonlyArray<Line>,
  rows: ReadonlyMap<number, ReadonlyArray<Word>>,
  bound: number,
): ReadonlyArray<Line> => {
  const side = lines.reduce(
    (least, { rows: [own] }) => Math.min(least, own?.[0]?.left ?? least),
    Number.POSITIVE_INFINITY,
  )
  return lines.map((line, index) => {
    const { number } = line
    const [first] = line.rows[0] ?? []
    const next = lines[index + 1]?.number
    const size = Math.min(sizeMax, Math.max(number.size, first?.size ?? 0))
    const least = next === undefined ? (first?.left ?? side) : side
    const end =
      next === undefined ? number.baseline + restLinesMax * size : next.baseline - sameLineMax * size
    const rests: Array<ReadonlyArray<Word>> = []
    let last = number.baseline
    const taken = new Set(line.rows.flat())
    for (let at = Math.round(number.baseline + sameLineMax * size) + 1; at < end; at++) {
      if (next === undefined && at - last > restLeadingMax * size) break
      const row = rows.get(at) ?? []
      const begins = row.some(({ left }) => left > least - 1 && left - least < indentMax * size)
      // Below the last number, a text that begins further out is none of it.
      const isText = row.some(({ left }) => left < least - 1 && left > number.left - outsideMax * size)
      if (!begins || (next === undefined && isText)) continue
      const rest = wordsAfter({ baseline: at, size, right: least - 1 }, rows, bound)
      const own = rest.filter((word) => !taken.has(word))
      for (const word of own) taken.add(word)
      if (own.length > 0) rests.push(own)
      last = at
    }
    return { number, rows: [...line.rows, ...rests] }
  })
}

/** Shares of the size: of what goes on below the last number. */
const restLinesMax = 5
const restLeadingMax = 1.35
const outsideMax = 3

const placed = (lines: ReadonlyArray<Line>): PlacedTable => {
  const words = new Set(lines.flatMap(({ number, rows }) => [number, ...rows.flat()]))
  const area = areaOf(words)
  const depths = depthsOf(lines.map(({ rows: [own] }) => own?.[0]))
  const width = String(lines.at(-1)?.number.text ?? "").length
  return {
    ...area,
    sides: [area.left, area.right],
    cells: [],
    words,
    code: lines.map(({ number, rows }, index) =>
      `${number.text.padStart(width)} ${"  ".repeat(depths[index] ?? 0)}${writtenOf(rows)}`.trimEnd(),
    ),
  }
}

/** How many of the places that lines begin at are further out. */
const depthsOf = (firsts: ReadonlyArray<Word | undefined>): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (const first of firsts.toSorted((a, b) => (a?.left ?? 0) - (b?.left ?? 0))) {
    const last = places.at(-1)
    if (first !== undefined && (last === undefined || first.left - last > indentMin * first.size))
      places.push(first.left)
  }
  return firsts.map((first) =>
    first === undefined
      ? 0
      : Math.max(
          0,
          places.findLastIndex((place) => place <= first.left + 1),
        ),
  )
}

/** As text, with the sign of TeX before what is lowered, and without hyphens that were set because a line ends. */
const writtenOf = (rows: Line["rows"]): string =>
  loweredIn(
    withoutCodeMarks(textOf(joinWords(rows.map((words) => ({ words }))))).replaceAll(lineEndHyphen, ""),
  )
    .map(({ text, isLowered }) => (isLowered ? `_${text.length > 1 ? `{${text}}` : text}` : text))
    .join("")
