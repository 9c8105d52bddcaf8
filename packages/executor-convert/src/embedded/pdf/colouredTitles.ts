import type { Block, TextBlock } from "./Blocks.ts"
import { beginsCaption } from "./captions.ts"
import { rounded } from "./headingLevels.ts"

const titlesMin = 2
const linesMax = 2
const charactersMax = 100
/** With a larger share of the letters, a colour is no mark of titles. */
const shareMax = 0.2
/** A link or a name that comes back is often in a colour, too. */
const sameMax = 2
/** Of 255, in one of the channels. */
const distanceMin = 48

/**
 * Lines in a colour of their own that stand above text in that of the document, where there are some, and little else is
 * so: the titles of lower levels are often told by that alone.
 */
export const colouredIn = (blocks: ReadonlyArray<Block>, textSize: number): ReadonlySet<Block> => {
  const texts = blocks.filter((block): block is TextBlock => block.kind === "text")
  const letters = lettersByColour(texts)
  const all = [...letters.values()].reduce((sum, count) => sum + count, 0)
  const [usual] = [...letters].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0] as const)
  const isOther = ({ colour }: TextBlock): boolean =>
    colour !== undefined &&
    distanceOf(colour, usual) >= distanceMin &&
    (letters.get(colour) ?? 0) <= shareMax * all
  const found = new Map<number, Array<Placed>>()
  const aboveTables: Array<TextBlock> = []
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== "text" || block.colour === undefined || !isOther(block)) continue
    if (!mayBeTitle(block, textSize)) continue
    const next = blocks[index + 1]
    if (next?.kind === "table" && !beginsCaption(`${block.text} `)) aboveTables.push(block)
    if (!isBelow(next, block.colour)) continue
    const titles = found.get(block.colour)
    if (titles === undefined) found.set(block.colour, [{ block, index }])
    else titles.push({ block, index })
  }
  // One in a colour of its own, beside others that are titles by theirs, is of another level.
  const kinds = [...found.values()].filter((titles) => areNoNames(titles, blocks))
  if (!kinds.some(({ length }) => length >= titlesMin)) return new Set()
  const titles = kinds.flat().map(({ block }) => block)
  const looks = new Set(titles.map(lookOf))
  return new Set([...titles, ...aboveTables.filter((block) => looks.has(lookOf(block)))])
}

interface Placed {
  readonly block: TextBlock
  readonly index: number
}

const lookOf = ({ colour, size, bold, italic }: TextBlock): string =>
  `${colour} ${rounded(size)} ${bold} ${italic}`

const lettersByColour = (texts: ReadonlyArray<TextBlock>): ReadonlyMap<number, number> => {
  const letters = new Map<number, number>()
  for (const { colour, text } of texts)
    if (colour !== undefined) letters.set(colour, (letters.get(colour) ?? 0) + text.length)
  return letters
}

export const channelsOf = (colour: number): ReadonlyArray<number> => [
  colour >> 16,
  (colour >> 8) & 0xff,
  colour & 0xff,
]

const distanceOf = (one: number, other: number): number => {
  const channels = channelsOf(other)
  return channelsOf(one).reduce(
    (most, each, index) => Math.max(most, Math.abs(each - (channels[index] ?? 0))),
    0,
  )
}

const mayBeTitle = (
  { text, spans, lines, item, isParted, isNote, size }: TextBlock,
  textSize: number,
): boolean =>
  (item === undefined || item === "levels") &&
  !isParted &&
  isNote !== true &&
  lines <= linesMax &&
  rounded(size) >= textSize &&
  text.length <= charactersMax &&
  /^[\p{Lu}\p{Lo}\d“"¿¡]/u.test(text) &&
  /\p{L}{3}|\p{Lo}{2}/u.test(text) &&
  !/[.,;:…]$|@|:\/\//u.test(text) &&
  spans.every(({ link }) => link === "")

/** A text of some length in another colour, or a list. */
const isBelow = (block: Block | undefined, colour: number): boolean =>
  block?.kind === "text" &&
  block.colour !== colour &&
  (block.item !== undefined || block.lines > 1 || /\p{L}[.!?:…。]$/u.test(block.text)) &&
  /^\P{Ll}/u.test(block.text)

/** What comes back stands below another title each time, as the parts of chapters do, and no names of who speaks. */
const areNoNames = (titles: ReadonlyArray<Placed>, blocks: ReadonlyArray<Block>): boolean => {
  const sizes = titlesAbove(titles, blocks)
  return [...Map.groupBy(titles, ({ block }) => block.text).values()].every(
    (same) => same.length <= sameMax || same.slice(1).every((title) => sizes.has(title)),
  )
}

/** The titles with a larger line between them and the last one of the same text. */
const titlesAbove = (titles: ReadonlyArray<Placed>, blocks: ReadonlyArray<Block>): ReadonlySet<Placed> => {
  const byIndex = new Map(titles.map((title) => [title.index, title]))
  const found = new Set<Placed>()
  const lastOfText = new Map<string, number>()
  /** Lines, each larger than all that follow it. */
  const larger: Array<{ readonly size: number; readonly index: number }> = []
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== "text" || block.lines > linesMax) continue
    const size = rounded(block.size)
    while ((larger.at(-1)?.size ?? Number.POSITIVE_INFINITY) <= size) larger.pop()
    const title = byIndex.get(index)
    if (title !== undefined) {
      const [before, above] = [lastOfText.get(block.text), larger.at(-1)]
      if (before !== undefined && above !== undefined && above.index > before) found.add(title)
      lastOfText.set(block.text, index)
    }
    larger.push({ size, index })
  }
  return found
}
