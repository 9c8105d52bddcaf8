import type { Inline } from "@atelier/executor/flow"
import { escapeMarkdown } from "@atelier/executor/parsing"
import type { ItemPlace, ListNesting } from "./ListNesting.ts"

/** What stands before a paragraph of a list. */
export interface ListLabel extends ItemPlace {
  /** Undefined for a bullet. */
  readonly number: number | undefined
  /** As it is printed, "2.1" or "Article 5"; empty for a bullet. */
  readonly text: string
  /** Nothing is printed for it: the paragraph goes on in an item. */
  readonly isBlank?: boolean
}

/**
 * Writes a paragraph as what it is: `heading` is its level, 0 for none. A heading carries its number as text, and so
 * does an item whose label no list of Markdown can say: a letter, a Roman number, one of several parts. If there are
 * words in it, the paragraph is none of a list.
 */
export const writeParagraph = (
  blocks: ListNesting,
  inline: Inline,
  heading: number,
  label: ListLabel | undefined,
): void => {
  if (inline.isEmpty) return
  const text = inline.toMarkdown(heading === 0)
  if (heading > 0) blocks.heading(heading, labelled(label, text))
  else if (label === undefined) blocks.paragraph(text)
  else if (label.isBlank === true) blocks.paragraphOfItem(label, text)
  else if (hasWords.test(label.text.replace(numerals, ""))) blocks.paragraph(labelled(label, text))
  else if (label.number === undefined || isPlain.test(label.text)) blocks.item(label, text, label.number)
  else blocks.item(label, labelled(label, text), undefined)
}

/** What Markdown itself shows for a number. */
const isPlain = /^\P{L}?\d*[^\p{L}\d]{0,2}$/u

const labelled = (label: ListLabel | undefined, text: string): string =>
  label === undefined || label.text === "" ? text : `${escapeMarkdown(label.text)} ${text}`

/** Letters that count: "b", "iv", "AA". */
const numerals = /(?<!\p{L})(?:[ivxlcdm]+|[IVXLCDM]+|([a-zA-Z])\1*)(?!\p{L})/gu
const hasWords = /[\p{L}§]/u
