import { repeatedText } from "@atelier/executor/parsing"

/**
 * Collects a table's cells. Of merged cells the first holds the text, and the others repeat it where their
 * column holds text of its own.
 */
export class Table {
  readonly #rows: Array<Array<string>> = []
  readonly #usedColumns: Array<boolean> = []
  #columns = 0
  #row: Array<string> = []
  #cell = ""
  /** Cells that the merged cell before still covers. */
  #covered = 0
  #isLeft = false
  #isAbove = false
  readonly #addCell: () => void

  /** @param addCell is called before each cell, and throws where there are too many */
  constructor(addCell: () => void) {
    this.#addCell = addCell
  }

  /** One `a:gridCol`. */
  column(): void {
    this.#columns += 1
  }

  startRow(): void {
    this.#row = []
    this.#covered = 0
    this.#rows.push(this.#row)
  }

  /**
   * @param span columns of the cell
   * @param left the cell is a part of the one to its left
   * @param above the cell is a part of the one above
   */
  startCell(span: number, left: boolean, above: boolean): void {
    if (!left) this.#cover()
    this.#covered = Math.max(0, left ? this.#covered - 1 : span - 1)
    this.#isLeft = left
    this.#isAbove = above
    this.#cell = ""
  }

  /** A paragraph of the cell with text, as Markdown. */
  line(markdown: string): void {
    if (this.#isLeft || this.#isAbove) return
    // Tabs within a cell only place its words.
    const text = markdown.replace(/[ \t]+/g, (run) => (run.includes("\t") ? " " : run))
    this.#cell += this.#cell === "" ? text : `\n${text}`
  }

  endCell(): void {
    this.#addCell()
    if (this.#isLeft) this.#row.push(repeatedText(this.#row.at(-1) ?? ""))
    else if (this.#isAbove) this.#row.push(repeatedText(this.#rows.at(-2)?.[this.#row.length] ?? ""))
    else {
      if (this.#cell !== "") this.#usedColumns[this.#row.length] = true
      this.#row.push(this.#cell)
    }
  }

  endRow(): void {
    this.#cover()
  }

  get isEmpty(): boolean {
    return this.#usedColumns.length === 0
  }

  get rows(): ReadonlyArray<ReadonlyArray<string>> {
    return this.#rows.map((row) =>
      row.map((cell, column) => (this.#usedColumns[column] === true ? cell : "")),
    )
  }

  /** Some writers leave out the cells that a merged one covers; the grid bounds how many there can be. */
  #cover(): void {
    for (; this.#covered > 0 && this.#row.length < this.#columns; this.#covered--) {
      this.#addCell()
      this.#row.push(repeatedText(this.#row.at(-1) ?? ""))
    }
  }
}
