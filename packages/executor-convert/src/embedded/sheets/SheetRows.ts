import { markdownLink } from "@atelier/executor/parsing"
import { Refusal } from "@atelier/intake/bytes"
import { besideTables, type Range, titleLinesMax } from "./besideTables.ts"
import { columnsMax } from "./cellReference.ts"
import { cornerTables } from "./cornerTables.ts"
import { isTitle, type MergedRange, withMerged } from "./mergedCells.ts"

interface Row {
  /** From 0. */
  readonly index: number
  /** This many rows from `index` on have the same cells. */
  readonly repeated: number
  /** Where its cells begin and end in the lists of all cells. */
  readonly start: number
  readonly end: number
  /** All that it holds is a cell that is merged over columns, from the first one of the rows beside it on. */
  readonly isAcross?: boolean
}

/** Rows that make one table. */
interface Block {
  readonly rows: Array<Row>
  readonly firstColumn: number
  readonly lastColumn: number
}

/** Cells as a rectangle, from above. */
export interface Table {
  readonly width: number
  readonly height: number
  readonly rows: Iterable<ReadonlyArray<string>>
}

/** A bar and a space, without which no cell of a Markdown table is; one in which something stands has two more. */
const cellBytesMin = 2
const filledCellBytesMin = 4

/**
 * The cells of one sheet that show something, row by row. Only they take memory, wherever they stand: what a
 * sheet says of its own size is not asked.
 */
export class SheetRows {
  private readonly name: string
  private readonly bytesMax: number
  private columns: Array<number> = []
  private texts: Array<string> = []
  private rows: Array<Row> = []
  private isOrdered = true
  private readonly links = new Map<number, string>()
  private readonly merged: Array<MergedRange> = []
  /** 1 for a hidden column; undefined while there is none. */
  private hiddenColumns: Uint8Array | undefined
  private hidden = false

  /** @param bytesMax of the whole result, which bounds what a sheet may hold */
  constructor(name: string, bytesMax: number) {
    this.name = name
    this.bytesMax = bytesMax
  }

  /**
   * Adds a cell, or several that are equal, to the row that is being read; the column counts from 0. Throws a
   * `Refusal` (`result_too_large`).
   */
  cell(column: number, inline: string, repeated = 1): void {
    const cells = this.columns.length + repeated
    if (cells * filledCellBytesMin > this.bytesMax) throw this.tooLarge(`${cells} cells or more`)
    for (let at = column; at < column + repeated; at++) {
      this.columns.push(at)
      this.texts.push(inline)
      if (this.hiddenColumns?.[at] === 1) this.hidden = true
    }
  }

  /** Ends the row that is being read, and those below it that have the same cells. */
  endRow(index: number, row: { readonly repeated: number; readonly isHidden: boolean }): void {
    const above = this.rows.at(-1) ?? emptyRow
    const end = this.columns.length
    if (end === above.end) return
    if (index < endOf(above)) this.isOrdered = false
    this.rows.push({ index, repeated: row.repeated, start: above.end, end })
    if (row.isHidden) this.hidden = true
  }

  /** Tells of hidden columns, before the cells; `end` is the column behind the last. */
  hideColumns(first: number, end: number): void {
    this.hiddenColumns ??= new Uint8Array(columnsMax)
    this.hiddenColumns.fill(1, first, end)
  }

  /** Whether a cell stands in a hidden row or column. */
  get hasHiddenCells(): boolean {
    return this.hidden
  }

  /** Makes the cell a link to a web or mail address, before or after it was added. */
  link(row: number, column: number, target: string): void {
    this.links.set(cellNumber(row, column), target)
  }

  /** Tells of cells that are merged, before or after they were added. */
  merge(range: MergedRange): void {
    const { firstRow, firstColumn, lastRow, lastColumn } = range
    const isRange = lastRow >= firstRow && lastColumn >= firstColumn && lastColumn < columnsMax
    if (isRange) this.merged.push(range)
  }

  /**
   * The tables of the sheet from above, without empty rows and columns around them. An empty row ends a table of
   * one row; a longer one goes on behind it, with an empty row between, where the columns are the same and its head
   * does not come again. Titles above a table and notes below it are tables of one cell. Tables side by side follow
   * one another from the left, and those that touch at a corner from above. Throws a `Refusal` (`result_too_large`) before it makes more cells than a result can
   * hold.
   */
  *tables(): Iterable<Table> {
    if (!this.isOrdered) this.order()
    if (this.merged.length > 0) this.repeatMerged()
    let table: Block | undefined
    for (const rows of this.parts()) {
      const { titles, body, notes } = this.partsOf(rows)
      const goesOn =
        table !== undefined &&
        body.length > 0 &&
        continues(table, this.blockOf([...titles, ...body])) &&
        !this.areSame(table.rows[0], body[0])
      if (table !== undefined && goesOn)
        for (const row of [emptyRow, ...titles, ...body]) table.rows.push(row)
      else {
        if (table !== undefined) yield this.tableOf(table)
        yield* this.lines(titles)
        table = body.length > 0 ? this.blockOf(body) : undefined
      }
      if (notes.length === 0) continue
      if (table !== undefined) yield this.tableOf(table)
      yield* this.lines(notes)
      table = undefined
    }
    if (table !== undefined) yield this.tableOf(table)
  }

  private *lines(rows: ReadonlyArray<Row>): Iterable<Table> {
    for (const row of rows) yield this.tableOf(this.blockOf([row]))
  }

  /**
   * Titles are rows of one text over all columns, and up to four rows at the beginning that have no more than text in
   * the first column, above others with more. Notes are rows of one text over all columns at the end.
   */
  private partsOf(rows: ReadonlyArray<Row>) {
    const count = (row: Row | undefined): number => (row === undefined ? 0 : row.end - row.start)
    let first = 0
    while (first < rows.length && rows[first]?.isAcross === true) first++
    let end = rows.length
    while (end > first && rows[end - 1]?.isAcross === true) end--
    const { firstColumn } = this.blockOf(rows.slice(first, end))
    const isLine = (row: Row): boolean =>
      row.isAcross === true ||
      (count(row) === 1 &&
        row.repeated === 1 &&
        this.columns[row.start] === firstColumn &&
        isTitle(this.texts[row.start] ?? ""))
    const lines = rows.slice(first, end).findIndex((row) => !isLine(row))
    const isHead = lines > 0 && lines <= titleLinesMax && count(rows[first + lines]) > 1
    const begin = isHead ? first + lines : first
    return { titles: rows.slice(0, begin), body: rows.slice(begin, end), notes: rows.slice(end) }
  }

  /** The rows show the same. */
  private areSame(row: Row | undefined, other: Row | undefined): boolean {
    if (row === undefined || other === undefined || row.end - row.start !== other.end - other.start)
      return false
    for (let at = row.start; at < row.end; at++) {
      const beside = other.start + at - row.start
      if (this.columns[at] !== this.columns[beside] || this.texts[at] !== this.texts[beside]) return false
    }
    return true
  }

  private repeatMerged(): void {
    const cells = withMerged(
      { columns: this.columns, texts: this.texts, rows: this.rows },
      this.merged,
      Math.floor(this.bytesMax / filledCellBytesMin),
    )
    if (cells === undefined) throw this.tooLarge("merged cells over too many others")
    this.columns = [...cells.columns]
    this.texts = [...cells.texts]
    this.rows = [...cells.rows]
  }

  /** Some programs write rows in any order, and the cells of one row in several places. */
  private order(): void {
    const { columns, texts } = this
    const rows = this.rows.toSorted((a, b) => a.index - b.index)
    this.columns = []
    this.texts = []
    this.rows = []
    for (const [position, { index, repeated, start, end }] of rows.entries()) {
      for (let at = start; at < end; at++) {
        this.columns.push(columns[at] ?? 0)
        this.texts.push(texts[at] ?? "")
      }
      if (rows[position + 1]?.index !== index) this.endRow(index, { repeated, isHidden: false })
    }
  }

  /** Rows that follow one another, those of tables that touch at a corner, or side by side, one after the other. */
  private *parts(): Iterable<ReadonlyArray<Row>> {
    for (const rows of this.groups()) {
      const first = Math.max(
        rows.findIndex(({ isAcross }) => isAcross !== true),
        0,
      )
      const below = rows.slice(first)
      const ranges = besideTables(this.columns, this.texts, below)
      if (ranges.length === 0) yield rows
      else {
        if (first > 0) yield rows.slice(0, first)
        for (const range of ranges) yield* groupsOf(this.within(below, range))
      }
    }
  }

  private *groups(): Iterable<ReadonlyArray<Row>> {
    for (const rows of groupsOf(this.rows)) {
      const begins = [0, ...cornerTables(this.columns, rows)]
      for (const [at, begin] of begins.entries()) yield rows.slice(begin, begins[at + 1])
    }
  }

  /** The rows with only their cells in these columns; no cell is copied. */
  private within(rows: ReadonlyArray<Row>, { first, last }: Range): ReadonlyArray<Row> {
    return rows.flatMap((row) => {
      this.sortCells(row)
      let { start } = row
      while (start < row.end && (this.columns[start] ?? 0) < first) start++
      let end = start
      while (end < row.end && (this.columns[end] ?? 0) <= last) end++
      return end > start ? [{ ...row, start, end }] : []
    })
  }

  /** From left to right: those that repeat what they are merged with were added behind the others. */
  private sortCells({ start, end }: Row): void {
    const { columns, texts } = this
    let at = start + 1
    while (at < end && (columns[at - 1] ?? 0) <= (columns[at] ?? 0)) at++
    if (at >= end) return
    const cells = columns
      .slice(start, end)
      .map((column, index) => ({ column, text: texts[start + index] ?? "" }))
    for (const [index, cell] of cells.sort((a, b) => a.column - b.column).entries()) {
      columns[start + index] = cell.column
      texts[start + index] = cell.text
    }
  }

  private blockOf(rows: ReadonlyArray<Row>): Block {
    let [firstColumn, lastColumn] = [Number.POSITIVE_INFINITY, 0]
    for (const { start, end } of rows) {
      for (let at = start; at < end; at++) {
        const column = this.columns[at] ?? 0
        if (column < firstColumn) firstColumn = column
        if (column > lastColumn) lastColumn = column
      }
    }
    return { rows: [...rows], firstColumn, lastColumn }
  }

  private tableOf(block: Block): Table {
    const width = block.lastColumn - block.firstColumn + 1
    const height = block.rows.reduce((sum, { repeated }) => sum + repeated, 0)
    if (width * height * cellBytesMin + this.unitsOf(block.rows) > this.bytesMax) {
      throw this.tooLarge(`a table of ${height} rows and ${width} columns`)
    }
    return { width, height, rows: this.cellsOf(block) }
  }

  private *cellsOf({ rows, firstColumn, lastColumn }: Block): Iterable<ReadonlyArray<string>> {
    for (const { index, repeated, start, end } of rows) {
      const cells = new Array<string>(lastColumn - firstColumn + 1).fill("")
      for (let at = start; at < end; at++) {
        const column = this.columns[at] ?? 0
        cells[column - firstColumn] = this.linked(index, column, this.texts[at] ?? "")
      }
      for (let count = 0; count < repeated; count++) yield cells
    }
  }

  private linked(row: number, column: number, inline: string): string {
    const target = this.links.size === 0 ? undefined : this.links.get(cellNumber(row, column))
    return target === undefined ? inline : markdownLink(inline, target)
  }

  /** Length of all texts, which are at least as many bytes. */
  private unitsOf(rows: ReadonlyArray<Row>): number {
    let units = 0
    for (const { start, end, repeated } of rows) {
      for (let at = start; at < end; at++) units += (this.texts[at]?.length ?? 0) * repeated
    }
    return units
  }

  private tooLarge(what: string): Refusal {
    return new Refusal(
      "result_too_large",
      `The sheet ${JSON.stringify(this.name.slice(0, 100))} has ${what}; as Markdown it would have more than the ${this.bytesMax} bytes that are allowed.`,
    )
  }
}

/** Rows that follow one another without an empty one between. */
function* groupsOf(rows: ReadonlyArray<Row>): Iterable<ReadonlyArray<Row>> {
  let group: Array<Row> = []
  let end = 0
  for (const row of rows) {
    if (group.length > 0 && row.index > end) {
      yield group
      group = []
    }
    group.push(row)
    end = endOf(row)
  }
  if (group.length > 0) yield group
}

const cellNumber = (row: number, column: number): number => row * columnsMax + column

const endOf = ({ index, repeated }: Row): number => index + repeated

const emptyRow: Row = { index: -1, repeated: 1, start: 0, end: 0 }

const continues = (table: Block, below: Block): boolean =>
  table.rows.length > 1 && table.firstColumn === below.firstColumn && table.lastColumn === below.lastColumn
