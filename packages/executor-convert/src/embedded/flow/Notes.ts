import type { Blocks } from "./Blocks.ts"

/** Footnotes and endnotes, numbered together in the order in which the text refers to them. */
export class Notes {
  readonly #texts: Array<string> = []

  /** Adds a note of inline Markdown; its reference in the text is `[^n]` with the number that comes back. */
  add(text: string): number {
    return this.#texts.push(text.trim())
  }

  writeTo(blocks: Blocks): void {
    for (const [index, text] of this.#texts.entries()) blocks.paragraph(`[^${index + 1}]: ${text}`)
  }
}
