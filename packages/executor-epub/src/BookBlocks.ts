import type { Blocks } from "@atelier/executor/html"
import { escapeMarkdown, type MarkdownWriter } from "@atelier/executor/parsing"
import type { Entry } from "./navigation.ts"

const headingLevelMax = 6

/**
 * Writes the blocks of all documents of a book under the headings of its navigation. A heading that stands where an
 * entry leads takes the level of the entry, those below it follow, and where none stands the entry's label is one.
 */
export class BookBlocks implements Blocks {
  private readonly markdown: MarkdownWriter
  private readonly title: string
  /** Levels above those of the navigation. */
  private readonly above: number
  /** Entries that lead to what is written next, in their order. */
  private pending: ReadonlyArray<Entry> = []
  /** From the level that a document gives a heading to the one that is written. */
  private shift: number
  private isBlank = true
  /** There was more than headings. */
  hasText = false

  /** `title` is empty where the book has none. */
  constructor(markdown: MarkdownWriter, title: string) {
    this.markdown = markdown
    this.title = wordsOf(title)
    this.above = title === "" ? 0 : 1
    this.shift = this.above
    if (title !== "") markdown.heading(1, escapeMarkdown(title))
  }

  begin(entries: ReadonlyArray<Entry>): void {
    this.pending = [...this.pending, ...entries]
  }

  /** What the navigation names in a document without text is there as a heading. */
  endDocument(): void {
    this.writePending()
  }

  heading(level: number, inline: string): void {
    const words = wordsOf(inline)
    if (this.isTitle(words)) return
    if (this.pending.length === 0) {
      this.markdown.heading(this.bounded(level + this.shift), inline)
      return
    }
    const named = this.pending.findIndex(({ label }) => isSame(wordsOf(label), words))
    const at = named < 0 ? this.pending.length - 1 : named
    this.writeEntry(at, inline, level)
  }

  paragraph(inline: string, itemLevel?: number): void {
    if (this.isBlank || this.pending.length > 0) {
      const words = inline.length > longestTitle ? "" : wordsOf(inline)
      if (this.isTitle(words)) return
      const at = words === "" ? -1 : this.pending.findIndex(({ label }) => wordsOf(label) === words)
      if (at >= 0) {
        this.writeEntry(at, inline, 1)
        return
      }
    }
    this.ready().paragraph(inline, itemLevel)
  }

  listItem(level: number, inline: string, ordered?: number, list?: unknown): void {
    this.ready().listItem(level, inline, ordered, list)
  }

  table(rows: Iterable<ReadonlyArray<string>>, width: number): void {
    this.ready().table(rows, width)
  }

  code(text: string, language: string, itemLevel?: number): void {
    this.ready().code(text, language, itemLevel)
  }

  rule(): void {
    this.ready().rule()
  }

  block(markdown: string): void {
    this.ready().block(markdown)
  }

  private ready(): MarkdownWriter {
    this.isBlank = false
    this.hasText = true
    this.writePending()
    return this.markdown
  }

  /** Title pages say again what stands above all. */
  private isTitle(words: string): boolean {
    if (!this.isBlank || words === "" || words !== this.title) return false
    this.pending = this.pending.filter(({ label }) => wordsOf(label) !== words)
    return true
  }

  private writePending(): void {
    const last = this.pending.at(-1)
    if (last !== undefined) this.writeEntry(this.pending.length - 1, escapeMarkdown(last.label), 1)
  }

  /** Writes the entries up to `at`, the last of them as the document has it, at the document's `level`. */
  private writeEntry(at: number, inline: string, level: number): void {
    this.isBlank = false
    for (const [index, entry] of this.pending.slice(0, at + 1).entries()) {
      const written = this.bounded(entry.level + this.above)
      this.markdown.heading(written, index === at ? inline : escapeMarkdown(entry.label))
      this.shift = written - level
    }
    this.pending = this.pending.slice(at + 1)
  }

  private bounded(level: number): number {
    return Math.max(this.above + 1, Math.min(level, headingLevelMax))
  }
}

/** In UTF-16 units; a longer paragraph is no title. */
const longestTitle = 1_000

/** Letters and numbers alone, so that marks, spaces and case make no difference. */
const wordsOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** Navigation and text often differ in "Chapter 1" before the name. */
const isSame = (label: string, heading: string): boolean =>
  heading !== "" && (label.includes(heading) || heading.includes(label))
