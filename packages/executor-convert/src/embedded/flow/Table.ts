import type { Blocks, KeptBlocks } from "./Blocks.ts"
import type { Budget } from "./Budget.ts"

/** The size of an empty cell of a pipe table, in bytes. */
const cellBytesMin = 3

type Row = Array<KeptBlocks | undefined>

/** Collects a table, cell by cell. Cells that are merged with one before or above are empty. */
class Table {
  readonly #rows: Array<Row> = []
  readonly #budget: Budget
  #skipped = 0

  /** `budget` counts what is not text: cells, and rows that are repeated. */
  constructor(budget: Budget) {
    this.#budget = budget
  }

  row(): void {
    this.#rows.push([])
    this.#skipped = 0
  }

  /** Adds a cell, and `span - 1` that are merged with it. */
  cell(blocks: KeptBlocks, span = 1): void {
    this.empty(this.#skipped)
    this.#skipped = 0
    this.#budget.spend(cellBytesMin)
    this.#rows.at(-1)?.push(blocks)
    this.empty(span - 1)
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
    for (const cell of row) this.#budget.spend(cellBytesMin + (cell?.size ?? 0))
    this.#rows.push(row)
  }

  get isRowEmpty(): boolean {
    return this.#rows.at(-1)?.every((cell) => cell === undefined || cell.isEmpty) ?? true
  }

  /** Removes the last row. */
  removeRow(): void {
    this.#rows.pop()
  }

  /** A table of one cell is a frame around its content. */
  writeTo(blocks: Blocks): void {
    const rows = this.#rows.filter((row) => row.length > 0)
    const [only] = rows.length === 1 && rows[0]?.length === 1 ? rows[0] : []
    if (only !== undefined) only.writeTo(blocks)
    else if (rows.length > 0) blocks.table(rows.map((row) => row.map((cell) => cell?.text ?? "")))
  }
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
