import { Refusal } from "@atelier/intake/bytes"
import { repeatedText } from "../repeatedText.ts"
import type { Blocks } from "./Blocks.ts"
import { type Cell, type CellContent, textOf, writeContent } from "./Cell.ts"
import { columnsOfSigns, mayBeSign, type PlacedCell, withSign } from "./signColumns.ts"

/** HTML's own bounds. */
const columnsSpannedMax = 1_000
const rowsSpannedMax = 65_534

/** A bar and a space, the minimum size of a cell in a Markdown table. */
const cellBytesMin = 2

/** Cells with more text than this are parts of a page rather than of a table. */
const gridTextCharactersMax = 200

/** How many columns and rows a cell reaches over. */
export interface Span {
  readonly columns: number
  readonly rows: number
}

/**
 * Collects a table, cell by cell. A cell that reaches over several rows and columns is repeated in all of them; signs of
 * currencies in columns of their own stand with their numbers.
 */
export class HtmlTable {
  private readonly bytesMax: number
  /** It says itself that it is there for the layout. */
  private readonly isPresentation: boolean
  private readonly captions: Array<CellContent> = []
  /** The cells in which something stands: what, from which column on, and how far those reach that do. */
  private readonly contents: Array<CellContent> = []
  private readonly columns: Array<number> = []
  private readonly reaches = new Map<number, { readonly column: number; readonly row: number }>()
  /** The rows in which something stands, and the number of the first cell of each. */
  private readonly rows: Array<number> = []
  private readonly rowNumbers: Array<number> = []
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
  private hasSigns = false
  /** Characters of the longest text. */
  private longest = 0

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
    this.longest = Math.max(this.longest, textOf(content).length)
    this.hasSigns ||= mayBeSign(textOf(content))
    if (this.isRowEmpty) {
      this.rows.push(this.contents.length)
      this.rowNumbers.push(this.row)
    }
    this.isRowEmpty = false
    if (this.column > first + 1 || free > this.row + 1) {
      this.reaches.set(this.contents.length, { column: this.column, row: free })
    }
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
    const isArrangement = this.hasStructure && !this.hasHead && this.captions.length === 0 && !this.isGrid
    if (this.isPresentation || isArrangement || this.contents.length === 1) {
      for (const content of this.contents) writeContent(content, to)
      return
    }
    const places = new Int32Array(this.isUsed.length)
    const joined = this.hasSigns ? columnsOfSigns(this.placed()) : none
    let width = 0
    for (const column of places.keys()) {
      const isWithSign = width > 0 && joined.has(column)
      places[column] = isWithSign ? width - 1 : width
      if (this.isUsed[column] === true && !isWithSign) width++
    }
    this.count(this.rows.length * width - this.cells)
    to.table(this.texts(places, width), width)
  }

  private *placed(): Iterable<ReadonlyArray<PlacedCell>> {
    for (const [index, start] of this.rows.entries()) {
      const end = this.rows[index + 1] ?? this.contents.length
      const row: Array<PlacedCell> = []
      for (let at = start; at < end; at++) {
        const first = this.columns[at] ?? 0
        const text = textOf(this.contents[at] ?? "")
        row.push({ text, first, end: this.reaches.get(at)?.column ?? first + 1 })
      }
      yield row
    }
  }

  /** Short texts in several rows and columns, also if some are headings, are no arrangement of a page. */
  private get isGrid(): boolean {
    if (this.rows.length < 2 || this.longest > gridTextCharactersMax) return false
    return this.rows.every((start, index) => {
      const count = (this.rows[index + 1] ?? this.contents.length) - start
      return count > 1 || this.reaches.has(start)
    })
  }

  /**
   * The rows in which something stands.
   *
   * @param places where the cells of a column go: columns in which nothing stands are left out
   */
  private *texts(places: Int32Array, width: number): Iterable<ReadonlyArray<string>> {
    /** For each column what reaches into it from above, and the first row into which it does not. */
    const above = new Array<Above | undefined>(width).fill(undefined)
    for (const [index, start] of this.rows.entries()) {
      const number = this.rowNumbers[index] ?? 0
      const row = above.map((reach) => (reach !== undefined && reach.row > number ? reach.text : ""))
      const end = this.rows[index + 1] ?? this.contents.length
      let last = -1
      for (let at = start; at < end; at++) {
        const first = this.columns[at] ?? 0
        const text = textOf(this.contents[at] ?? "")
        const reach = this.reaches.get(at)
        const place = places[first] ?? 0
        const sign = last === place ? row[place] : undefined
        if (reach !== undefined) this.repeat(row, above, { text, first, reach, places })
        row[place] = sign === undefined ? text : withSign(sign, text)
        last = place
      }
      yield row
    }
  }

  private repeat(
    row: Array<string>,
    above: Array<Above | undefined>,
    { text, first, reach, places }: Repeated,
  ): void {
    const repeated = repeatedText(text)
    for (let column = first; column < reach.column; column++) {
      if (this.isUsed[column] !== true) continue
      const place = places[column] ?? 0
      row[place] = repeated
      above[place] = { text: repeated, row: reach.row }
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

const none: ReadonlySet<number> = new Set()

interface Above {
  readonly text: string
  readonly row: number
}

interface Repeated {
  readonly text: string
  readonly first: number
  readonly reach: { readonly column: number; readonly row: number }
  readonly places: Int32Array
}

/** 1 for what is no number. */
const clamp = (count: number, max: number): number => (count >= 1 ? Math.min(Math.trunc(count), max) : 1)
