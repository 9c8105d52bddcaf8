/**
 * Collects a table's cells. Of merged cells the first holds the text and the others are empty, so that every
 * row has its columns.
 */
export class Table {
  readonly rows: Array<Array<string>> = []
  #columns = 0
  #row: Array<string> = []
  #cell = ""
  /** Cells that the merged cell before still covers. */
  #covered = 0
  #merged = false
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
    this.rows.push(this.#row)
  }

  /**
   * @param span columns of the cell
   * @param left the cell is a part of the one to its left
   * @param above the cell is a part of the one above
   */
  startCell(span: number, left: boolean, above: boolean): void {
    if (!left) this.#cover()
    this.#covered = Math.max(0, left ? this.#covered - 1 : span - 1)
    this.#merged = left || above
    this.#cell = ""
  }

  /** A paragraph of the cell with text, as Markdown. */
  line(markdown: string): void {
    if (!this.#merged) this.#cell += this.#cell === "" ? markdown : `\n${markdown}`
  }

  endCell(): void {
    this.#addCell()
    this.#row.push(this.#cell)
  }

  endRow(): void {
    this.#cover()
  }

  get isEmpty(): boolean {
    return this.rows.every((row) => row.every((cell) => cell === ""))
  }

  /** Some writers leave out the cells that a merged one covers; the grid bounds how many there can be. */
  #cover(): void {
    for (; this.#covered > 0 && this.#row.length < this.#columns; this.#covered--) {
      this.#addCell()
      this.#row.push("")
    }
  }
}
