import type { Block, RunIn, TextBlock } from "./Blocks.ts"
import { behind, withoutCodeMarks } from "./codeWords.ts"
import { joinSpans, textOf } from "./joinWords.ts"
import { sentenceEnd } from "./sentences.ts"

const linesMax = 3

/**
 * The text in two, the title without the sign that parts it from the rest, to which belongs also what the text goes on with
 * in the next column or on the next page. None where the text does not begin with the title.
 */
export const apartFrom = (block: TextBlock, title: TextBlock): ReadonlyArray<TextBlock> => {
  const begin = writtenOf(title.spans)
  if (!writtenOf(block.spans).startsWith(begin)) return []
  let left = begin.length
  const spans = block.spans.flatMap(({ text, link }) => {
    const plain = withoutCodeMarks(text)
    const own = left === 0 ? text : behind(text, left)
    left -= Math.min(left, plain.length)
    return own === "" ? [] : [{ text: own, link }]
  })
  const rest = spans.map((span, index) => (index > 0 ? span : { ...span, text: span.text.trimStart() }))
  const named = withMark(title)
  const name = named.spans.map((span, index) =>
    index < named.spans.length - 1 ? span : { ...span, text: span.text.replace(/[.:]$/, "") },
  )
  const { runIn, item, mark, beginsColumn, ...text } = block
  const own = block.page === undefined ? {} : { page: block.page }
  const begins = beginsColumn === true ? { beginsColumn } : {}
  return [
    { ...named, ...own, ...begins, spans: name, text: textOf(name) },
    { ...text, spans: rest, text: textOf(rest) },
  ]
}

const writtenOf = (spans: TextBlock["spans"]): string =>
  withoutCodeMarks(spans.map(({ text }) => text).join(""))

/**
 * The blocks, those that begin with a title in two, where its number says that it is a section within the one that was
 * titled before, such as `2.1.3 Methods.`, or is in italics as the title is, and that of an item is not: `1) Methods: `, or
 * where they are bold and set off as LaTeX does it.
 */
export const withRunInTitles = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const sections = new Set<string>()
  return blocks.flatMap((block): ReadonlyArray<Block> => {
    if (block.kind !== "text") return [block]
    const runIn = block.runIn
    const number = numberOf(runIn?.title ?? block)
    const parent = number.replace(/\.?\d+$/, "")
    const isSetOff = runIn?.isSetOff === true && block.item === undefined && isName(runIn.title)
    const isSection = (parent !== "" && sections.has(parent)) || (runIn !== undefined && isCounted(runIn))
    const [title, rest] = runIn !== undefined && (isSection || isSetOff) ? apartFrom(block, runIn.title) : []
    const isApart = title !== undefined && rest !== undefined && isTitle(title, rest, isSetOff)
    if (number !== "" && (isApart || isShort(block))) sections.add(number)
    return isApart ? [title, rest] : [block]
  })
}

const isCounted = ({ title, isMarkAlike }: RunIn): boolean =>
  isMarkAlike && title.italic && !title.bold && /^\d{1,2}\) .*:$/.test(withMark(title).text)

/** The mark of an item is a part of its title. */
export const withMark = ({ item, mark, ...title }: TextBlock): TextBlock => {
  if (item === undefined || mark === undefined) return title
  const spans = joinSpans([{ text: mark, link: "" }], title.spans)
  return { ...title, spans, text: textOf(spans) }
}

/** Bold, and no label of the text behind it. */
const isName = ({ bold, text }: TextBlock): boolean => bold && !text.endsWith(":")

const isShort = ({ text, lines }: TextBlock): boolean => lines <= linesMax && !/[.,;:]$/.test(text)

/** `2.1.3` of a text that begins so, empty for none. */
const numberOf = ({ item, mark, text }: TextBlock): string =>
  /^(\d{1,3}(?:\.\d{1,3})*)\.?(?= |$)/.exec(typeof item === "number" ? `${mark ?? item} ` : text)?.[1] ?? ""

/** A name that ends, and a sentence behind it, or what is set off from it: no term that its sentence explains. */
const isTitle = (title: TextBlock, rest: TextBlock, isSetOff: boolean): boolean =>
  /[\p{L}\p{N})][?!]?$/u.test(title.text) &&
  (isSetOff ||
    (/^["“‘(¿¡]?[\p{Lu}\p{Lo}\d]/u.test(rest.text) && (rest.lines > 1 || sentenceEnd.test(rest.text))))
