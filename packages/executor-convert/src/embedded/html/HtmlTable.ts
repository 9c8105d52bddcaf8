import { Refusal } from "@atelier/intake/bytes"
import type { Blocks } from "./Blocks.ts"
import { type Cell, type CellContent, textOf, writeContent } from "./Cell.ts"

/** HTML's own bounds. */
const columnsSpannedMax = 1_000
const rowsSpannedMax = 65_534

/** A bar and a space, the minimum size of a cell in a Markdown table. */
const cellBytesMin = 2

/** How many columns and rows a cell reaches over. */
export interface Span {
  readonly columns: number
  readonly rows: number
}

/** Collects a table, cell by cell. A cell that reaches over several rows and columns stands in the first of them. */
export class HtmlTable {
  private readonly bytesMax: number
  /** It says itself that it is there for the layout. */
  private readonly isPresentation: boolean
  private readonly captions: Array<CellContent> = []
  /** The cells in which something stands: what, and in which column; for each row the number of its first one. */
  private readonly contents: Array<CellContent> = []
  private readonly columns: Array<number> = []
  private readonly rows: Array<number> = []
  private row = 0
  private column = 0
  private isRowEmpty = true
  /** For each column the first row that no cell from above reaches into. */
  private readonly freeFrom: Array<number> = []
  private readonly isUsed: Array<boolean> = []
  /** Cells, with those that others reach over. */
  private cells = 0
  private hasHead = false
  private hasStructure = false

  constructor(bytesMax: number, isPresentation: boolean) {
    this.bytesMax = bytesMax
    this.isPresentation = isPresentation
  }

  startRow(): void {
    this.row++
    this.column = 0
    this.isRowEmpty = true
  }

  /** Adds a cell that is complete. Throws a `Refusal` (`result_too_large`). */
  cell(cell: Cell, isHead: boolean, span: Span): void {
    const start = this.column
    while ((this.freeFrom[this.column] ?? 0) > this.row) this.column++
    const first = this.column
    this.column += clamp(span.columns, columnsSpannedMax)
    this.count(this.column - start)
    const free = this.row + clamp(span.rows, rowsSpannedMax)
    for (let column = first; column < this.column; column++) this.freeFrom[column] = free
    this.hasHead ||= isHead
    this.hasStructure ||= cell.hasStructure
    const { content } = cell
    if (content === "") return
    if (this.isRowEmpty) this.rows.push(this.contents.length)
    this.isRowEmpty = false
    this.contents.push(content)
    this.columns.push(first)
    this.isUsed[first] = true
  }

  caption(cell: Cell): void {
    this.captions.push(cell.content)
  }

  /**
   * A table that only arranges what is more than text, and one of a single cell, is no table: its cells are
   * written one after the other. Throws a `Refusal` (`result_too_large`).
   */
  writeTo(to: Blocks): void {
    for (const caption of this.captions) writeContent(caption, to)
    const isArrangement = this.hasStructure && !this.hasHead && this.captions.length === 0
    if (this.isPresentation || isArrangement || this.contents.length === 1) {
      for (const content of this.contents) writeContent(content, to)
      return
    }
    const places = new Int32Array(this.isUsed.length)
    let width = 0
    for (const column of places.keys()) {
      places[column] = width
      if (this.isUsed[column] === true) width++
    }
    this.count(this.rows.length * width - this.cells)
    to.table(this.texts(places, width), width)
  }

  /**
   * The rows in which something stands.
   *
   * @param places where the cells of a column go: columns in which nothing stands are left out
   */
  private *texts(places: Int32Array, width: number): Iterable<ReadonlyArray<string>> {
    for (const [index, start] of this.rows.entries()) {
      const row = new Array<string>(width).fill("")
      const end = this.rows[index + 1] ?? this.contents.length
      for (let at = start; at < end; at++) {
        row[places[this.columns[at] ?? 0] ?? 0] = textOf(this.contents[at] ?? "")
      }
      yield row
    }
  }

  private count(cells: number): void {
    this.cells += cells
    if (this.cells * cellBytesMin <= this.bytesMax) return
    throw new Refusal(
      "result_too_large",
      `A table has ${this.cells} cells or more; as Markdown it would have more than the ${this.bytesMax} bytes that are allowed.`,
    )
  }
}

/** 1 for what is no number. */
const clamp = (count: number, max: number): number => (count >= 1 ? Math.min(Math.trunc(count), max) : 1)
