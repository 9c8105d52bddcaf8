import { DocumentWarnings } from "@atelier/executor/flow"
import { Cell, type HtmlAttributes, HtmlContent, type HtmlHandler, textOf } from "@atelier/executor/html"
import type { Warnings } from "@atelier/executor/parsing"
import type { BookBlocks } from "./BookBlocks.ts"
import type { Entry } from "./navigation.ts"
import type { Mark } from "./notes.ts"

/** Writes one document of a book: its notes apart, and its headings where the navigation leads. */
export class BookContent implements HtmlHandler {
  private readonly blocks: BookBlocks
  private readonly options: BookContentOptions
  private readonly warnings: DocumentWarnings
  /** That of the document, and those of the notes that are open. */
  private readonly contents: Array<{ readonly content: HtmlContent; readonly note?: OpenNote }>
  /** For each open element whether it is left out. */
  private readonly open: Array<boolean> = []
  private element = 0

  constructor(blocks: BookBlocks, options: BookContentOptions) {
    this.blocks = blocks
    this.options = options
    this.warnings = new DocumentWarnings(options.warnings)
    this.contents = [{ content: new HtmlContent(blocks, options.bytesMax, this.warnings, false) }]
  }

  start(name: string, attributes: HtmlAttributes): void {
    const mark = this.options.marks.get(++this.element)
    const isLeftOut = this.open.at(-1) === true
    const isElement = !isLeftOut && (mark === undefined || (typeof mark === "object" && "note" in mark))
    this.open.push(!isElement)
    if (!isLeftOut && typeof mark === "object" && "reference" in mark)
      this.content.markdown(`[^${mark.reference}]`)
    if (isElement && mark !== undefined) this.startNote(mark.note)
    else if (isElement) this.content.start(name, attributes)
    const entries = this.options.entries.get(this.element)
    if (entries !== undefined) this.blocks.begin(entries)
  }

  text(text: string): void {
    if (this.open.at(-1) !== true) this.content.text(text)
  }

  end(): void {
    if (this.contents.at(-1)?.note?.depth === this.open.length) this.endNote()
    else if (this.open.at(-1) === false) this.content.end()
    this.open.pop()
  }

  finish(): void {
    this.content.finish()
    this.blocks.endDocument()
  }

  private get content(): HtmlContent {
    const last = this.contents.at(-1)
    if (last === undefined) throw new Error("The content of the document has ended.")
    return last.content
  }

  private startNote(number: number): void {
    const cell = new Cell(this.options.bytesMax)
    const content = new HtmlContent(cell, this.options.bytesMax, this.warnings, false)
    this.contents.push({ content, note: { cell, number, depth: this.open.length } })
  }

  private endNote(): void {
    const ended = this.contents.pop()
    if (ended?.note === undefined) return
    ended.content.finish()
    const text = textOf(ended.note.cell.content).replace(/\s*\n\s*/g, "\n")
    if (text.trim() !== "") this.options.notes.set(ended.note.number, text.trim())
  }
}

interface OpenNote {
  readonly cell: Cell
  readonly number: number
  /** How many elements are open in it, itself included. */
  readonly depth: number
}

export interface BookContentOptions {
  readonly bytesMax: number
  readonly warnings: Warnings
  /** By element. */
  readonly marks: ReadonlyMap<number, Mark>
  /** Where the navigation leads, by element; those at the start of the document have begun. */
  readonly entries: ReadonlyMap<number, ReadonlyArray<Entry>>
  /** The texts of notes by their numbers. */
  readonly notes: Map<number, string>
}
