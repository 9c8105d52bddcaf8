import { type CodeEvidence, codeEvidence, hasShortLines, type Inline } from "@atelier/executor/flow"
import { escapeMarkdown } from "@atelier/executor/parsing"
import type { ItemPlace, ListNesting } from "./ListNesting.ts"
import type { CodeStyle } from "./styleNames.ts"

/** What stands before a paragraph of a list. */
export interface ListLabel extends ItemPlace {
  /** Undefined for a bullet. */
  readonly number: number | undefined
  /** As it is printed, "2.1" or "Article 5"; of a bullet only a box to tick. */
  readonly text: string
  /** Nothing is printed for it: the paragraph goes on in an item. */
  readonly isBlank?: boolean
}

/** What its style says of a paragraph being code, or else its font; undefined for none. */
const evidenceOf = (inline: Inline, { code, isFixedWidth }: ParagraphKind): CodeEvidence | undefined => {
  if (code === "code") return { mayBeCode: true, isCode: true }
  if (code === "preformatted")
    return { mayBeCode: hasShortLines(inline.text) && inline.isPlain, isCode: true }
  return isFixedWidth ? codeEvidence(inline) : undefined
}

/** What a paragraph is, by the document. */
export interface ParagraphKind {
  /** 1 to 6, 0 for none. */
  readonly heading: number
  readonly label: ListLabel | undefined
  /** Where its leftmost line begins, in twentieths of a point. */
  readonly left: number
  readonly code: CodeStyle | undefined
  /** The level, from 0, of an entry in a list of contents; undefined for other text. */
  readonly contentsLevel: number | undefined
  /** Its font has equal widths, and that of the document's own text does not. */
  readonly isFixedWidth: boolean
  readonly isQuotation: boolean
  readonly isInCell: boolean
}

/**
 * Writes a paragraph as what it is. A heading carries its number as text, and so
 * does an item whose label no list of Markdown can say: a letter, a Roman number, one of several parts. If there are
 * words in it, the paragraph is none of a list.
 */
export const writeParagraph = (blocks: ListNesting, inline: Inline, kind: ParagraphKind): void => {
  const { label: own, left, contentsLevel, isQuotation, isInCell } = kind
  const heading = kind.heading > 0 && inline.text.length > headingCharactersMax ? 0 : kind.heading
  if (contentsLevel !== undefined && own === undefined && !isInCell) {
    const entry = inline.toMarkdown(false).replace(leader, " ").replace(/ {2,}/g, " ")
    blocks.item({ level: contentsLevel, list: leader }, entry.trim())
    return
  }
  const label = own ?? (heading > 0 || inline.isEmpty ? undefined : furtherOf(blocks.itemAt(left)))
  const isText = heading === 0 && (label === undefined || label.isBlank === true)
  const evidence = isText ? evidenceOf(inline, kind) : undefined
  if (evidence !== undefined) {
    blocks.codeParagraph({ text: inline.text, inline: inline.toMarkdown(), ...evidence }, label)
    return
  }
  if (inline.isEmpty) {
    blocks.endCode()
    // Rows are numbered so.
    if (isInCell && own?.number !== undefined) blocks.paragraph(escapeMarkdown(own.text))
    return
  }
  const text = inline.toMarkdown(heading === 0)
  const mayBeTyped = own === undefined && heading === 0 && !isQuotation && !isInCell
  const [mark] = mayBeTyped ? (typedBullet.exec(text) ?? []) : []
  if (mark !== undefined) {
    blocks.item({ level: 0, list: typedBullet, indent: left }, text.slice(mark.length))
    return
  }
  if (heading > 0) blocks.heading(heading, labelled(label, text))
  else if (label === undefined) isQuotation ? blocks.quote(text) : blocks.paragraph(text)
  else if (label.isBlank === true) blocks.paragraphOfItem(label, text)
  else if (hasWords.test(label.text.replace(numerals, ""))) blocks.paragraph(labelled(label, text))
  else if (label.number === undefined || !isPlain.test(label.text))
    blocks.item(label, labelled(label, text), undefined)
  else blocks.item(label, text, label.number)
}

/** Longer ones are the clauses of a contract, or text in a style that looks right. */
const headingCharactersMax = 200

/** What leads from an entry to its number or its page. */
const leader = /\t|(?:[.…·] ?){4,}/g

/** A bullet that was typed, as in texts that were pasted. In a cell such a sign may be a value. */
const typedBullet = /^(?:•\s*|[▪●◦‣]\s+)(?=\S)/u

const furtherOf = (item: ItemPlace | undefined): ListLabel | undefined =>
  item === undefined ? undefined : { ...item, number: undefined, text: "", isBlank: true }

/** What Markdown itself shows for a number. */
const isPlain = /^\P{L}?\d*[^\p{L}\d]{0,2}$/u

const labelled = (label: ListLabel | undefined, text: string): string =>
  label === undefined || label.text === "" ? text : `${escapeMarkdown(label.text)} ${text}`

/** Letters that count: "b", "iv", "AA". */
const numerals = /(?<!\p{L})(?:[ivxlcdm]+|[IVXLCDM]+|([a-zA-Z])\1*)(?!\p{L})/gu
const hasWords = /[\p{L}§]/u
