import { columnAt, stretchesOf } from "./Cells.ts"
import type { Word } from "./Word.ts"

/** Lines with a text on both sides, and those of them with numbers. */
const pairsMin = 3
const numberPairsMin = 2
/** Shares of the size: between two texts, between columns, and how far from the middle of both one stands that goes over them. */
const gapMin = 0.8
const roomMin = 0.5
const offMiddleMax = 0.8

interface Stretch {
  readonly left: number
  readonly right: number
}

/**
 * The places between columns, and those within a column of two values, such as those of two languages, where what goes
 * over both stands in their middle: a head, or a value that holds for both.
 */
export const withPairsParted = (
  edges: ReadonlyArray<number>,
  lines: ReadonlyArray<ReadonlyArray<Word>>,
): ReadonlyArray<number> => {
  const inColumns = edges.map((): Array<ReadonlyArray<Word>> => [])
  for (const line of lines) {
    for (const [column, words] of Map.groupBy(line, ({ left, right }) => columnAt(edges, (left + right) / 2)))
      if (column > 0) inColumns[column - 1]?.push(words)
  }
  return edges.flatMap((edge, index) => [edge, ...pairEdge(inColumns[index] ?? [])])
}

/** The place between the two values of most of these lines, if there is one. */
export const pairEdge = (lines: ReadonlyArray<ReadonlyArray<Word>>): ReadonlyArray<number> => {
  const stretches = lines.map((line) => stretchesOf(line, gapMin))
  const pairs = stretches.filter(({ length }) => length === 2)
  if (pairs.length < pairsMin || stretches.some(({ length }) => length > 2)) return []
  const size = lines[0]?.[0]?.size ?? 0
  const [firsts, seconds] = [
    pairs.flatMap(([first]) => first ?? []),
    pairs.flatMap(([, second]) => second ?? []),
  ]
  const [left, right] = [rightOf(firsts), leftOf(seconds)]
  if (right - left < roomMin * size) return []
  const [edge, middle] = [(left + right) / 2, (leftOf(firsts) + rightOf(seconds)) / 2]
  const across = stretches.flatMap(([only, other]) =>
    only !== undefined && other === undefined && only.left < edge && only.right > edge ? [only] : [],
  )
  const [first] = stretches
  const isHeaded = first?.length === 2 || across.some((only) => only === first?.[0])
  if (!isHeaded || 2 * across.length > pairs.length) return []
  if (across.some((only) => Math.abs((only.left + only.right) / 2 - middle) > offMiddleMax * size)) return []
  const ofNumbers = lines.filter((line) => {
    const sides = Map.groupBy(line, (word) => word.right < edge)
    return sides.size === 2 && [...sides.values()].every((words) => words.some(({ text }) => /\d/.test(text)))
  })
  return ofNumbers.length >= numberPairsMin ? [edge] : []
}

const leftOf = (stretches: ReadonlyArray<Stretch>): number =>
  stretches.reduce((least, { left }) => Math.min(least, left), Number.POSITIVE_INFINITY)

const rightOf = (stretches: ReadonlyArray<Stretch>): number =>
  stretches.reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY)
