import type { Budget } from "@atelier/executor/flow"
import { repeatedCharactersMax, repeatedText } from "@atelier/executor/parsing"
import type { Blocks, KeptBlocks } from "./Blocks.ts"

/** The size of an empty cell of a pipe table, in bytes. */
const cellBytesMin = 3

interface Entry {
  readonly blocks: KeptBlocks
  /** It is merged with another one, whose text it repeats. */
  readonly isRepeated: boolean
}

type Row = Array<Entry | undefined>

/** A cell that reaches over others, and the row in which it does no more. */
interface Reach {
  readonly blocks: KeptBlocks
  readonly until: number
}

/** Collects a table, cell by cell. Cells that are merged with one before or above repeat its text. */
class Table {
  readonly #rows: Array<Row> = []
  readonly #budget: Budget
  #skipped = 0
  /** Of its columns, in twentieths of a point; empty where the document does not say. */
  readonly #widths: Array<number> = []
  /** By column. */
  readonly #reaches: Array<Reach> = []

  /** `budget` counts what is not text: cells, and text that is repeated. */
  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** The next column is so wide, in twentieths of a point. */
  column(width: number): void {
    if (this.#widths.length < widthsMax) this.#widths.push(width)
  }

  row(): void {
    this.#rows.push([])
    this.#skipped = 0
  }

  /** Adds a cell; those that it covers are told by `covered`. */
  cell(blocks: KeptBlocks, columns = 1, rows = 1): void {
    this.empty(this.#skipped)
    this.#skipped = 0
    this.#budget.spend(cellBytesMin)
    const row = this.#rows.at(-1)
    const first = row?.length ?? 0
    row?.push({ blocks, isRepeated: false })
    if (columns === 1 && rows === 1) return
    const until = this.#rows.length + rows
    for (let column = first; column < first + columns; column++) this.#reaches[column] = { blocks, until }
  }

  /** Adds cells that are covered by one before or above. */
  covered(count: number): void {
    const row = this.#rows.at(-1)
    for (let left = count; left > 0; left--) {
      const reach = this.#reaches[(row?.length ?? 0) + this.#skipped]
      if (reach === undefined || reach.until <= this.#rows.length) {
        this.#skipped += left
        return
      }
      this.empty(this.#skipped)
      this.#skipped = 0
      this.#repeat(reach.blocks)
    }
  }

  /** Adds cells that go on with those above them. */
  continued(count: number): void {
    const row = this.#rows.at(-1)
    const above = this.#rows.at(-2)
    for (let index = 0; index < count; index++) {
      const blocks = above?.[row?.length ?? 0]?.blocks
      if (blocks === undefined) this.empty(1)
      else this.#repeat(blocks)
    }
  }

  #repeat(blocks: KeptBlocks): void {
    this.#budget.spend(cellBytesMin + Math.min(blocks.size, repeatedCharactersMax))
    this.#rows.at(-1)?.push({ blocks, isRepeated: true })
  }

  empty(count: number): void {
    this.#budget.spend(count * cellBytesMin)
    const row = this.#rows.at(-1)
    for (let index = 0; index < count; index++) row?.push(undefined)
  }

  /** Adds empty cells, if another one follows them in the row: they may fill it by the million. */
  skip(count: number): void {
    this.#skipped += count
  }

  /** Adds the last row again. */
  repeatRow(): void {
    const row = this.#rows.at(-1)
    if (row === undefined) return
    for (const cell of row) this.#budget.spend(cellBytesMin + (cell?.blocks.size ?? 0))
    this.#rows.push(row)
  }

  get isRowEmpty(): boolean {
    return (
      this.#rows.at(-1)?.every((cell) => cell === undefined || cell.isRepeated || cell.blocks.isEmpty) ?? true
    )
  }

  /** Removes the last row. */
  removeRow(): void {
    this.#rows.pop()
  }

  /** A table of one cell is a frame around its content, and one that lays out a text is that text. */
  writeTo(blocks: Blocks): void {
    const rows = withoutShared(
      withoutHalves(
        withoutSlivers(
          this.#rows.filter((row) => row.length > 0),
          this.#widths,
        ),
      ),
    )
    if (isLayout(rows)) {
      for (const cell of rows.flat()) if (cell !== undefined && isOwn(cell)) cell.blocks.writeTo(blocks)
    } else if (rows.length > 0) blocks.table(textsOf(rows))
  }
}

/** Columns that are narrower, in twentieths of a point, come from borders that were dragged: Word's margins alone are wider. */
const columnWidthMin = 144
/** As many columns as a table of Word may have: all rows are looked at for each of them. */
const widthsMax = 63

/** The rows with each column that no text fits in as a part of the one before it, or else after it. */
const withoutSlivers = (rows: ReadonlyArray<Row>, widths: ReadonlyArray<number>): ReadonlyArray<Row> => {
  const slivers = [...widths.keys()].filter((column) => (widths[column] ?? 0) < columnWidthMin)
  if (slivers.length === 0 || slivers.length * 2 > widths.length) return rows
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const joined = rows.map((row) => [...row])
  const left = new Set<number>()
  for (const column of slivers.toReversed()) {
    if (column >= width) continue
    let other = column === 0 ? 1 : column - 1
    while (left.has(other)) other++
    const reaching = joined.filter(({ length }) => length > Math.min(column, other))
    if (reaching.some((row) => isOwn(row[column]) && isOwn(row[other]))) continue
    for (const row of reaching) if (isOwn(row[column]) || row[other] === undefined) row[other] = row[column]
    left.add(column)
  }
  return left.size === 0 ? rows : joined.map((row) => row.filter((_, column) => !left.has(column)))
}

/** The rows without each column that is a part of the one before it in some rows, and empty as that is in all others. */
const withoutHalves = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const isHalf: Array<boolean> = []
  for (const row of rows) {
    // Beyond its end a row is empty.
    for (let column = 1; column < Math.min(width, row.length + 1); column++) {
      if (isHalf[column] === false) continue
      const [before, cell] = [row[column - 1], row[column]]
      const isPart = cell?.isRepeated === true && cell.blocks === before?.blocks
      if (isPart) isHalf[column] = true
      else if (!isEmpty(cell) || !isEmpty(before)) isHalf[column] = false
    }
  }
  if (!isHalf.includes(true)) return rows
  return rows.map((row) => row.filter((_, column) => isHalf[column] !== true))
}

/** The rows without each column that no row has a cell of its own in: it is merged with the one before it or after it. */
const withoutShared = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  if (width > widthsMax) return rows
  let found = rows
  for (let column = width - 1; column > 0; column--) {
    const isShared = (row: Row): boolean => isMerged(row, column - 1) || isMerged(row, column)
    const hasBoth =
      found.some((row) => !isMerged(row, column - 1)) && found.some((row) => !isMerged(row, column))
    if (!hasBoth || !found.every(isShared)) continue
    found = found.map((row) => [
      ...row.slice(0, column),
      ...(isMerged(row, column - 1) ? [] : [row[column]]),
      ...row.slice(column + (isMerged(row, column - 1) ? 1 : 2)),
    ])
  }
  return found
}

/** The cell goes on in the next column. */
const isMerged = (row: Row, column: number): boolean => {
  const [cell, next] = [row[column], row[column + 1]]
  return cell !== undefined && next?.isRepeated === true && next.blocks === cell.blocks
}

const isEmpty = (cell: Entry | undefined): boolean => cell === undefined || cell.blocks.isEmpty

/** More blocks or characters than a cell has, other than one that holds a text. */
const cellBlocksMax = 8
const cellCharactersMax = 600

/** A table of a few rows with a cell of more blocks lays out a page. */
const layoutRowsMax = 3
const layoutBlocksMin = 20

/**
 * One column, of which a cell holds a text or code, or half of the cells hold nothing; several columns, with one cell in
 * each row and a text in some; or a few rows with a long text.
 */
const isLayout = (rows: ReadonlyArray<Row>): boolean => {
  if (rows.length === 0) return false
  const isText = (cell: Entry | undefined): boolean =>
    cell !== undefined && (cell.blocks.count > cellBlocksMax || cell.blocks.size > cellCharactersMax)
  if (rows.some((row) => row.length > 1)) {
    const isLong = (cell: Entry | undefined): boolean => (cell?.blocks.count ?? 0) > layoutBlocksMin
    if (rows.length <= layoutRowsMax && rows.some((row) => row.some(isLong))) return true
    return rows.every((row) => row.filter(isOwn).length < 2) && rows.some((row) => row.some(isText))
  }
  const empty = rows.filter(([cell]) => !isOwn(cell)).length
  const holdsText = rows.some(([cell]) => isText(cell) || cell?.blocks.holdsCode === true)
  return rows.length === 1 || empty * 2 >= rows.length || holdsText
}

const isOwn = (cell: Entry | undefined): boolean =>
  cell !== undefined && !cell.isRepeated && !cell.blocks.isEmpty

/** Text is repeated in columns that have text of their own, and in those between them. */
const textsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<string>> => {
  const used: Array<boolean> = []
  for (const row of rows) for (const [column, cell] of row.entries()) if (isOwn(cell)) used[column] = true
  return rows.map((row) => {
    const texts: Array<string> = []
    let shown: KeptBlocks | undefined
    for (let column = row.length - 1; column >= 0; column--) {
      const cell = row[column]
      const isShown = cell?.isRepeated !== true || used[column] === true || cell.blocks === shown
      shown = isShown ? cell?.blocks : undefined
      texts[column] = isShown ? textOf(cell) : ""
    }
    return texts
  })
}

const textOf = (cell: Entry | undefined): string => {
  if (cell === undefined) return ""
  if (!cell.isRepeated) return cell.blocks.text
  return cell.blocks.size > repeatedCharactersMax ? "" : repeatedText(cell.blocks.text)
}

/** The tables inside one another that are being read. */
export class Tables {
  readonly #budget: Budget
  #current: Table | undefined

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** The innermost one, undefined outside of tables. */
  get current(): Table | undefined {
    return this.#current
  }

  /** Reads the content of a table, and writes it. */
  read(content: () => void, to: Blocks): void {
    const outer = this.#current
    const table = new Table(this.#budget)
    this.#current = table
    content()
    this.#current = outer
    table.writeTo(to)
  }
}
