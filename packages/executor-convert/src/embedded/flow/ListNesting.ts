import type { Blocks } from "./Blocks.ts"

/** Where an item stands, by the document. */
export interface ItemPlace {
  /** Level in its list, from 0. */
  readonly level: number
  /** Items of two lists cannot be told by their levels, which both may begin at 0. */
  readonly list?: unknown
  /** Where it begins, in twentieths of a point. */
  readonly indent?: number
}

/** Items that begin nearer to each other than this stand below each other. */
const indentMin = 120

/**
 * Makes places in lists into nesting: an item lies inside the nearest one before it, without another block
 * between, that has a lower level in the same list, or begins further left in another.
 */
export class ListNesting implements Blocks {
  readonly #to: Blocks
  readonly #open: Array<ItemPlace> = []

  constructor(to: Blocks) {
    this.#to = to
  }

  heading(level: number, inline: string): void {
    this.#interrupt(inline)
    this.#to.heading(level, inline)
  }

  paragraph(inline: string): void {
    this.#interrupt(inline)
    this.#to.paragraph(inline)
  }

  listItem(level: number, inline: string, ordered?: number, list?: unknown): void {
    this.item({ level, list }, inline, ordered)
  }

  item(place: ItemPlace, inline: string, ordered?: number): void {
    if (inline.trim() === "") return
    while (this.#open.length > 0 && !isInside(place, this.#open.at(-1))) this.#open.pop()
    this.#open.push(place)
    this.#to.listItem(this.#open.length - 1, inline, ordered, place.list)
  }

  /** A paragraph of the nearest item before it whose level is no deeper; one by itself where no list is open. */
  paragraphOfItem({ level }: ItemPlace, inline: string): void {
    if (inline.trim() === "") return
    const at = this.#open.findLastIndex((item) => item.level <= level)
    this.#open.length = at + 1
    this.#to.paragraph(inline, at < 0 ? undefined : at)
  }

  table(rows: ReadonlyArray<ReadonlyArray<string>>): void {
    this.#open.length = 0
    this.#to.table(rows)
  }

  #interrupt(inline: string): void {
    if (inline.trim() !== "") this.#open.length = 0
  }
}

const isInside = (place: ItemPlace, outer: ItemPlace | undefined): boolean => {
  if (outer === undefined) return true
  if (place.list === outer.list || place.indent === undefined || outer.indent === undefined) {
    return place.level > outer.level
  }
  return place.indent - outer.indent >= indentMin
}
