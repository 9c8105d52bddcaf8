import type { ListLabel } from "../flow/writeParagraph.ts"
import { type ListStyles, levelMax, printedNumber } from "./ListStyles.ts"

/** A list that is being read. */
interface OpenList {
  readonly style: string
  readonly level: number
  /** Of each level; shared with the lists that continue this one. */
  readonly counts: Array<number | undefined>
  /** The first paragraph of the item is still to come. */
  isAtItem: boolean
  hasItem: boolean
}

export interface ListStart {
  readonly style: string | undefined
  readonly id: string | undefined
  /** Numbering goes on from the last list of the same style. */
  readonly continues: boolean
  /** Numbering goes on from this list. */
  readonly continued: string | undefined
}

/** The lists that are open where the reader is, and how far each has counted. */
export class Lists {
  readonly #styles: ListStyles
  readonly #byId = new Map<string, Array<number | undefined>>()
  readonly #byStyle = new Map<string, Array<number | undefined>>()
  #open: Array<OpenList> = []

  constructor(styles: ListStyles) {
    this.#styles = styles
  }

  begin({ style: ownStyle, id, continues, continued }: ListStart): void {
    const outer = this.#open.at(-1)
    const style = ownStyle ?? outer?.style ?? ""
    const level = Math.min(levelMax, outer === undefined ? 0 : outer.level + 1)
    const earlier = continued === undefined ? this.#byStyle.get(style) : this.#byId.get(continued)
    let counts = outer?.counts ?? []
    if (outer === undefined && (continues || continued !== undefined)) counts = earlier ?? []
    if (id !== undefined) this.#byId.set(id, counts)
    if (outer === undefined) this.#byStyle.set(style, counts)
    this.#open.push({ style, level, counts, isAtItem: false, hasItem: false })
  }

  end(): void {
    this.#open.pop()
  }

  /** `start` is the item's own number, if it has one. */
  beginItem(start: number | undefined): void {
    const list = this.#open.at(-1)
    if (list === undefined) return
    list.isAtItem = true
    list.hasItem = true
    if (start !== undefined) list.counts[list.level] = start - 1
  }

  /** A list may have paragraphs before its items. */
  beginHeader(): void {
    const list = this.#open.at(-1)
    if (list === undefined) return
    list.isAtItem = false
    list.hasItem = false
  }

  /**
   * The label of a paragraph: one that begins an item counts, a further one of an item has a blank label. Undefined for
   * any other.
   */
  label(): ListLabel | undefined {
    const list = this.#open.at(-1)
    if (list === undefined || !list.hasItem) return undefined
    const { level, counts, style } = list
    const blank: ListLabel = { level, list: counts, number: undefined, text: "", isBlank: true }
    if (!list.isAtItem) return blank
    list.isAtItem = false
    const levelAt = (at: number) => this.#styles.level(style, at)
    const { format, start, textIndent = 0 } = levelAt(level)
    const number = (counts[level] ?? start - 1) + 1
    counts.length = Math.min(counts.length, level + 1)
    counts[level] = number
    if (format === "none") return undefined
    if (format === "blank") return blank
    const place = { level, list: counts, textIndent }
    if (format === "bullet") return { ...place, number: undefined, text: "" }
    return { ...place, number, text: printedNumber(counts, level, levelAt) }
  }

  /** Lists do not go on in what stands inside of their items but apart: cells, text boxes, notes. Returns how to go back. */
  apart(): () => void {
    const open = this.#open
    this.#open = []
    return () => {
      this.#open = open
    }
  }
}
