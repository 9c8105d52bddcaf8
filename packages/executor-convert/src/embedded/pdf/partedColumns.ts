import { byReading, edgesOf, piecesOf, stretchesOf } from "./Cells.ts"
import { isFigure, isNumber } from "./figures.ts"
import type { Word } from "./Word.ts"

/** A text of the line goes over one of the places, which are those between columns. */
export const goesOver = (line: ReadonlyArray<Word>, edges: ReadonlyArray<number>): boolean =>
  stretchesOf(line, wordGapMax).some(({ left, right }) =>
    edges.some((edge) => left < edge && right > edge),
  ) && !line.every(isNumber)

const wordGapMax = 0.8

/** The places between numbers that stand below one another, as many in nearly every line. */
export const numberEdges = (words: ReadonlyArray<Word>, columnsMax: number): ReadonlyArray<number> => {
  const lines = byReading(words).filter((line) => line.every((word) => isNumber(word) && !isInBrackets(word)))
  const count = lines[0]?.length ?? 0
  const rows = lines.filter(({ length }) => length === count)
  if (count === 2 && rows.every(isMoment)) return []
  if (count < 2 || rows.length < numberRowsMin || rows.length < numberRowsShare * lines.length)
    return valueEdges(words, columnsMax)
  const edges: Array<number> = []
  for (let index = 0; index + 1 < count; index++) {
    let [least, right, left] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (const line of rows) {
      const end = line[index]?.right ?? 0
      least = Math.min(least, end)
      right = Math.max(right, end)
      left = Math.min(left, line[index + 1]?.left ?? 0)
    }
    if (right - least >= alignedMax || left <= right) return []
    edges.push((left + right) / 2)
  }
  return edges
}

/**
 * These places between columns of numbers, as far to the sides as the heads above them need that are wider: a line in a row
 * of its own that has one for each column, none of which reaches another's numbers.
 */
export const besideHeads = (
  edges: ReadonlyArray<number>,
  words: ReadonlyArray<Word>,
  rowOf: (word: Word) => number | undefined,
): ReadonlyArray<number> => {
  const lines = byReading(words)
  const numbers = lines.filter((line) => line.every(isFigure)).flat()
  const rooms = edges.map((edge) => {
    const room = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
    for (const { left, right } of numbers) {
      if (left < edge) room.from = Math.max(room.from, right)
      else room.to = Math.min(room.to, left)
    }
    return room
  })
  const ofNumbers = new Set(numbers.map(rowOf))
  for (const line of lines) {
    const isOfHeads = line.every((word) => !ofNumbers.has(rowOf(word)))
    const heads = isOfHeads ? stretchesOf(line, wordGapMax) : []
    if (heads.length !== edges.length + 1) continue
    const fitted = rooms.map(({ from, to }, index) => {
      const [left, right] = [heads[index]?.right ?? from, heads[index + 1]?.left ?? to]
      return [Math.max(from, left), Math.min(to, right)] as const
    })
    if (fitted.every(([from, to]) => from < to)) return fitted.map(([from, to]) => (from + to) / 2)
  }
  return edges
}

/** A day and a time, with a word space between. */
const isMoment = ([day, time]: ReadonlyArray<Word>): boolean =>
  day !== undefined &&
  time !== undefined &&
  !clock.test(day.text) &&
  clock.test(time.text) &&
  time.left - day.right < wordGapMax * time.size

const clock = /^\d{1,2}:\d\d/

/**
 * The places between values below one another, where some stand in every column of nearly every line, and none across:
 * tables of variants write those alone that differ.
 */
const valueEdges = (words: ReadonlyArray<Word>, columnsMax: number): ReadonlyArray<number> => {
  const lines = byReading(words)
  const rows = lines.filter((line) => line.every(isValue))
  if (rows.length < valueRowsMin || rows.length < valueRowsShare * lines.length) return []
  const edges = edgesOf(rows.map((line) => line.filter((word) => !isInBrackets(word))))
  // Every line is looked at with every one of the edges.
  if (edges.length >= columnsMax || rows.some((line) => goesOver(line, edges))) return []
  const columns = rows.map((line) => new Set(piecesOf(line, edges).map(({ column }) => column)))
  const counts = [...edges, 0].map((_, column) => columns.filter((own) => own.has(column)).length)
  return counts.filter((count) => count > 1).length > 1 && columns.some(({ size }) => size > 1) ? edges : []
}

/** A number, which may have a letter behind it, as in 100K. */
const isValue = (word: Word): boolean => isFigure(word) || /^[\d.,]+\p{L}$/u.test(word.text)

const valueRowsMin = 6
const valueRowsShare = 0.75

/** The places between texts that stand below one another, as many in nearly every line, with wide gaps between. */
export const textEdges = (words: ReadonlyArray<Word>, rowsMin: number): ReadonlyArray<number> => {
  const lines = byReading(words)
  const parts = lines.map((line) => stretchesOf(line, textGapMin))
  const count = parts[0]?.length ?? 0
  const alike = parts.filter(({ length }) => length === count)
  if (count < 2 || alike.length < rowsMin || alike.length < numberRowsShare * lines.length) return []
  const edges: Array<number> = []
  for (let index = 0; index + 1 < count; index++) {
    const right = alike.reduce(
      (most, some) => Math.max(most, some[index]?.right ?? 0),
      Number.NEGATIVE_INFINITY,
    )
    const left = alike.reduce(
      (least, some) => Math.min(least, some[index + 1]?.left ?? 0),
      Number.POSITIVE_INFINITY,
    )
    if (left <= right) return []
    edges.push((left + right) / 2)
  }
  return edges
}

/** A share of the size. */
const textGapMin = 1

/** It belongs to the number before it, as a share does. */
const isInBrackets = ({ text }: Word): boolean => /^[([]/.test(text)

const numberRowsMin = 4
const numberRowsShare = 0.8
/** Points that the ends of numbers in one column differ by. */
const alignedMax = 6
