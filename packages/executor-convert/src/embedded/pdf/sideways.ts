import { byReading } from "./Cells.ts"
import type { PlacedTable } from "./Grid.ts"
import { joinWords, textOf } from "./joinWords.ts"
import type { Area } from "./Ruling.ts"
import type { Layer, Word } from "./Word.ts"

/** Words that stand sideways in the cells of tables, each cell's as one upright word in their place. */
export interface Sideways {
  readonly words: ReadonlyArray<Word>
  readonly taken: ReadonlySet<Word>
}

interface Cell extends Area {
  readonly lines: Array<ReadonlyArray<Word>>
  readonly column: number
  readonly table: PlacedTable
}

/** What of a layer stands in these tables, which are upright: the head of narrow columns, often. `order` is that of the first word. */
export const sidewaysIn = (layer: Layer, tables: ReadonlyArray<PlacedTable>, order: number): Sideways => {
  const cells: Array<Mutable<Cell>> = []
  for (const line of byReading(layer.words)) {
    const area = areaOf(line, layer)
    const x = (area.left + area.right) / 2
    const table = tables.find(
      ({ left, right, top, bottom }) =>
        x > left && x < right && area.top > top - touch && area.bottom < bottom + touch,
    )
    if (table === undefined) continue
    const column = table.sides.findIndex((side) => side > x)
    const cell = cells.find(
      (each) =>
        each.table === table && each.column === column && each.top < area.bottom && each.bottom > area.top,
    )
    if (cell === undefined && cells.length === cellsMax) return { words: [], taken: new Set() }
    if (cell === undefined) cells.push({ ...area, lines: [line], column, table })
    else {
      cell.lines.push(line)
      cell.left = Math.min(cell.left, area.left)
      cell.right = Math.max(cell.right, area.right)
      cell.top = Math.min(cell.top, area.top)
      cell.bottom = Math.max(cell.bottom, area.bottom)
    }
  }
  const words = cells.flatMap(({ lines, left, right, top, bottom }, index): ReadonlyArray<Word> => {
    const [first] = lines[0] ?? []
    if (first === undefined) return []
    const text = textOf(joinWords(lines.map((line) => ({ words: line }))))
    const baseline = (top + bottom) / 2 + middleHeight * first.size
    return [{ ...first, text, left, right, baseline, order: order + index, hyphenated: false, spaced: false }]
  })
  return { words, taken: new Set(cells.flatMap(({ lines }) => lines.flat())) }
}

/** A page with more of them is no page with a table. */
const cellsMax = 500

type Mutable<A> = { -readonly [Key in keyof A]: A[Key] }

/** Points. */
const touch = 2.5
const middleHeight = 0.3

/** Where the line stands on the upright page. */
const areaOf = (line: ReadonlyArray<Word>, { cos, sin }: Layer): Area => {
  const mostOf = (list: ReadonlyArray<number>): number =>
    list.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY)
  const left = line.reduce((least, word) => Math.min(least, word.left), Number.POSITIVE_INFINITY)
  const right = mostOf(line.map((word) => word.right))
  const bottom = mostOf(line.map(({ baseline }) => baseline))
  const top = bottom - mostOf(line.map(({ size }) => size))
  const xs = [left, right].flatMap((along) => [top, bottom].map((down) => along * cos + down * sin))
  const ys = [left, right].flatMap((along) => [top, bottom].map((down) => down * cos - along * sin))
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}
