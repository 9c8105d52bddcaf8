import type { Block, RunIn, TextBlock } from "./Blocks.ts"
import { joinSpans, textOf } from "./joinWords.ts"
import { sentenceEnd } from "./TextLine.ts"

const linesMax = 3

/** The text in two, the title without the sign that parts it from the rest. */
export const apartFrom = (
  { page, beginsColumn }: TextBlock,
  { title, rest }: RunIn,
): ReadonlyArray<TextBlock> => {
  const spans = title.spans.map((span, index) =>
    index < title.spans.length - 1 ? span : { ...span, text: span.text.replace(/[.:]$/, "") },
  )
  const own = page === undefined ? {} : { page }
  const begins = beginsColumn === true ? { beginsColumn } : {}
  return [
    { ...title, ...own, ...begins, spans, text: textOf(spans) },
    { ...rest, ...own },
  ]
}

/**
 * The blocks, those that begin with a title in two, where its number says that it is a section within the one that was
 * titled before, such as `2.1.3 Methods.`, or is in italics as the title is, and that of an item is not: `1) Methods: `.
 */
export const withRunInTitles = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const sections = new Set<string>()
  return blocks.flatMap((block): ReadonlyArray<Block> => {
    if (block.kind !== "text") return [block]
    const runIn = block.runIn
    const number = numberOf(runIn?.title ?? block)
    const parent = number.replace(/\.?\d+$/, "")
    const isWithin = parent !== "" && sections.has(parent)
    const isSection = runIn !== undefined && (isWithin || isCounted(runIn)) && isTitle(runIn)
    if (number !== "" && (isSection || isShort(block))) sections.add(number)
    return isSection ? apartFrom(block, { ...runIn, title: withMark(runIn.title) }) : [block]
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

const isShort = ({ text, lines }: TextBlock): boolean => lines <= linesMax && !/[.,;:]$/.test(text)

/** `2.1.3` of a text that begins so, empty for none. */
const numberOf = ({ item, mark, text }: TextBlock): string =>
  /^(\d{1,3}(?:\.\d{1,3})*)\.?(?= |$)/.exec(typeof item === "number" ? `${mark ?? item} ` : text)?.[1] ?? ""

/** A name that ends, and a sentence behind it: no term that its sentence explains. */
const isTitle = ({ title, rest }: RunIn): boolean =>
  /[\p{L}\p{N})][.:?!]?$/u.test(title.text) &&
  /^["“‘(¿¡]?[\p{Lu}\p{Lo}\d]/u.test(rest.text) &&
  (rest.lines > 1 || sentenceEnd.test(rest.text))
