import { Inline } from "@atelier/executor/flow"
import { escapeMarkdown } from "@atelier/executor/parsing"

/** Text of a cell, or the Markdown of one that has stretches above or below the line, or struck. */
export type CellText = string | { readonly markdown: string }

/** Puts the text of a cell together from stretches of one look. */
export class CellTextBuilder {
  #plain = ""
  #inline: Inline | undefined

  /** `format` is a sum of bits (`raised`, `lowered`, `strike`). */
  add(text: string, format: number): void {
    if (this.#inline === undefined && format === 0) this.#plain += text
    else {
      if (this.#inline === undefined) {
        this.#inline = new Inline()
        this.#inline.add(this.#plain, 0, "")
      }
      this.#inline.add(text, format, "")
    }
  }

  get text(): CellText {
    return this.#inline === undefined ? this.#plain : { markdown: this.#inline.toMarkdown() }
  }
}

/** A cell's Markdown where its style strikes it out. Stretches that are struck by themselves tell which parts are. */
export const struckMarkdown = (inline: string): string =>
  inline.includes("~~") ? inline : inline.split("\n").map(struckLine).join("\n")

const struckLine = (line: string): string => {
  const text = line.trim()
  return text === "" ? line : `~~${text}~~`
}

export const cellMarkdown = (text: CellText): string =>
  typeof text === "string" ? escapeMarkdown(text) : text.markdown
