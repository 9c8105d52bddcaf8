import type { ListLabel } from "../flow/writeParagraph.ts"
import { type ListStyles, printedNumber } from "./ListStyles.ts"

/** Counts the headings of a document, which are numbered all together. */
export class Headings {
  readonly #styles: ListStyles
  readonly #counts: Array<number | undefined> = []

  constructor(styles: ListStyles) {
    this.#styles = styles
  }

  /** The label of the next heading; `level` counts from 0, `start` is its own number, if it has one. */
  next(level: number, start: number | undefined): ListLabel {
    const levelAt = (at: number) => this.#styles.outlineLevel(at)
    const number = start ?? (this.#counts[level] ?? levelAt(level).start - 1) + 1
    this.#counts.length = Math.min(this.#counts.length, level + 1)
    this.#counts[level] = number
    return { level, number, text: printedNumber(this.#counts, level, levelAt) }
  }
}
