import { areCode, type CodeLine } from "@atelier/executor/flow"
import type { Blocks } from "./Blocks.ts"

/** Where an item stands, by the document. */
export interface ItemPlace {
  /** Level in its list, from 0. */
  readonly level: number
  /** Items of two lists cannot be told by their levels, which both may begin at 0. */
  readonly list?: unknown
  /** Where it begins, in twentieths of a point. */
  readonly indent?: number
  /** Where the lines of its text begin. */
  readonly textIndent?: number
}

/** A paragraph that may be code: as code and as any other. */
export interface CodeParagraph extends CodeLine {
  readonly inline: string
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
  /** Lines of code that are not written yet: more may follow. */
  #code: Array<CodeParagraph> = []
  #codeLevel: number | undefined
  /** Where the last text outside of lists began. */
  #left = 0

  constructor(to: Blocks) {
    this.#to = to
  }

  heading(level: number, inline: string): void {
    this.#interrupt(inline)
    this.#to.heading(level, inline)
  }

  paragraph(inline: string, itemLevel?: number): void {
    this.#interrupt(inline, itemLevel)
    this.#to.paragraph(inline, itemLevel)
  }

  quote(inline: string): void {
    this.#interrupt(inline)
    this.#to.quote(inline)
  }

  block(markdown: string, text: string): void {
    this.#interrupt(markdown)
    this.#to.block(markdown, text)
  }

  listItem(level: number, inline: string, ordered?: number, list?: unknown): void {
    this.item({ level, list }, inline, ordered)
  }

  item(place: ItemPlace, inline: string, ordered?: number): void {
    if (inline.trim() === "") return
    this.endCode()
    while (this.#open.length > 0 && !isInside(place, this.#open.at(-1))) this.#open.pop()
    this.#open.push(place)
    this.#to.listItem(this.#open.length - 1, inline, ordered, place.list)
  }

  /**
   * The item before it that a paragraph without a label goes on in: the nearest whose text begins no further right, and
   * further right than other text does.
   */
  itemAt(left: number): ItemPlace | undefined {
    const item = this.#open.findLast(
      ({ textIndent = 0 }) => textIndent >= this.#left + indentMin && left >= textIndent - indentMin / 2,
    )
    if (item === undefined) this.#left = left
    return item
  }

  /** A paragraph of the nearest item before it whose level is no deeper; one by itself where no list is open. */
  paragraphOfItem(place: ItemPlace, inline: string): void {
    if (inline.trim() === "") return
    this.endCode()
    this.#to.paragraph(inline, this.#levelOf(place))
  }

  table(rows: ReadonlyArray<ReadonlyArray<string>>): void {
    this.endCode()
    this.#open.length = 0
    this.#to.table(rows)
  }

  code(text: string, language?: string, itemLevel?: number): void {
    this.#interrupt(text, itemLevel)
    this.#to.code(text, language, itemLevel)
  }

  /**
   * A paragraph that may be code: with those directly before it, of the same item or of none, it makes one block, or
   * they are paragraphs if one of them may not be code, or none is. `place` as in `paragraphOfItem`; absent: it is of no
   * item. The last are written by `endCode`.
   */
  codeParagraph(paragraph: CodeParagraph, place?: ItemPlace): void {
    const isEmpty = paragraph.text.trim() === ""
    // An empty line has no place of its own, and before code it is none of it.
    if (!isEmpty) {
      const level = place === undefined ? undefined : this.#levelOf(place)
      if (level !== this.#codeLevel) this.endCode()
      if (level === undefined) this.#open.length = 0
      this.#codeLevel = level
    }
    if (!isEmpty || this.#code.length > 0) this.#code.push(paragraph)
  }

  /** What follows is no part of the code before it. */
  endCode(): void {
    const paragraphs = this.#code
    if (paragraphs.length === 0) return
    this.#code = []
    const text = paragraphs.map((each) => each.text).join("\n")
    if (areCode(paragraphs)) this.#to.code(text.trimEnd(), "", this.#codeLevel)
    else for (const { inline } of paragraphs) this.#to.paragraph(inline, this.#codeLevel)
  }

  /** The level, in Markdown, of the item to which something belongs; the items inside of it are over. */
  #levelOf({ level, list }: ItemPlace): number | undefined {
    const same = this.#open.findLastIndex((item) => item.level === level && item.list === list)
    const at = same < 0 ? this.#open.findLastIndex((item) => item.level <= level) : same
    this.#open.length = at + 1
    return at < 0 ? undefined : at
  }

  /** Text that is of the last item of a level, in Markdown, or of none. */
  #interrupt(text: string, itemLevel = -1): void {
    if (text.trim() === "") return
    this.endCode()
    this.#open.length = Math.min(this.#open.length, itemLevel + 1)
  }
}

const isInside = (place: ItemPlace, outer: ItemPlace | undefined): boolean => {
  if (outer === undefined) return true
  if (place.list === outer.list || place.indent === undefined || outer.indent === undefined) {
    return place.level > outer.level
  }
  return place.indent - outer.indent >= indentMin
}
