import { escapeMarkdown } from "@atelier/executor/parsing"
import type { Blocks } from "./Blocks.ts"

/** Footnotes and endnotes, numbered together in the order in which the text refers to them, and comments beside them. */
export class Notes {
  readonly #texts: Array<string> = []
  readonly #comments: Array<string> = []

  /** Adds a note of inline Markdown. Returns its reference in the text, `[^1]`. */
  add(text: string): string {
    return `[^${this.#texts.push(text.trim())}]`
  }

  /** Adds what a reader has written at the margin, as inline Markdown. Returns its reference in the text, `[^c1]`. */
  addComment(author: string, text: string): string {
    const by = author.trim() === "" ? "" : ` by ${escapeMarkdown(author.trim())}`
    return `[^c${this.#comments.push(`Comment${by}: ${text.trim()}`)}]`
  }

  writeTo(blocks: Blocks): void {
    for (const [index, text] of this.#texts.entries()) blocks.paragraph(`[^${index + 1}]: ${text}`)
    for (const [index, text] of this.#comments.entries()) blocks.paragraph(`[^c${index + 1}]: ${text}`)
  }
}
