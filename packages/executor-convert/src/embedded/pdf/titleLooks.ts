import type { Block, TextBlock } from "./Blocks.ts"
import type { Body } from "./bodyType.ts"
import { headingLinesMax, headingSizeMin, lookOf, rounded } from "./headingLevels.ts"
import { sameTitlesMax } from "./notTitles.ts"

const slantedMin = 2

/** A title in the size of the text is short. */
export const slantedCharactersMax = 80

/**
 * Lines in italics that stand alone above an upright paragraph, if there are some: titles of the lowest kind. Then those in
 * the same type are some, too, that are questions or stand above other things.
 */
export const slantedIn = (blocks: ReadonlyArray<Block>, body: Body): ReadonlySet<Block> => {
  const sure = new Set<TextBlock>()
  const others = new Set<TextBlock>()
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1]
    if (block.kind !== "text" || next === undefined || !block.italic || block.lines > 1) continue
    if (next.kind === "text" && next.italic) continue
    if (!mayBeTitle(block, body) || /(?!\?)[\p{Po}\p{Pe}\p{Pf}]$/u.test(block.text)) continue
    if (block.text.length > slantedCharactersMax) continue
    if (isBelow(next) && !block.text.endsWith("?")) sure.add(block)
    else others.add(block)
  }
  if (sure.size < slantedMin) return new Set()
  const looks = new Set([...sure].map(lookOf))
  return new Set([...sure, ...[...others].filter((block) => looks.has(lookOf(block)))])
}

/** It is as large as the text, begins as a name does, and stands in one piece. */
const mayBeTitle = ({ text, item, isParted, isNote, size }: TextBlock, body: Body): boolean =>
  (item === undefined || item === "levels") &&
  !isParted &&
  isNote !== true &&
  rounded(size) >= body.size &&
  /^[\p{Lu}\d]/u.test(text)

const underlinedMin = 2
const underlinedShareMax = 0.2

/** Underlined lines that stand alone above other text, if there are some and not much else is. Links are underlined, too. */
export const underlinedIn = (blocks: ReadonlyArray<Block>, body: Body): ReadonlySet<Block> => {
  const found = new Map<TextBlock, Block>()
  let [letters, all] = [0, 0]
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== "text") continue
    all += block.text.length
    const next = blocks[index + 1]
    if (block.underlined !== true || next === undefined) continue
    if (next.kind === "text" && next.underlined === true && next.item === undefined) continue
    if (!mayBeTitle(block, body) || block.lines > headingLinesMax || /[.,;]$|@|:\/\//.test(block.text))
      continue
    if (block.spans.some(({ link }) => link !== "")) continue
    letters += block.text.length
    found.set(block, next)
  }
  if (letters > underlinedShareMax * all) return new Set()
  // What is said again and again leads somewhere, unless there is a paragraph below each.
  const alike = Map.groupBy(found, ([{ text }]) => text)
  const titles = [...alike.values()].flatMap((own) =>
    own.length <= sameTitlesMax || own.every(([, next]) => isBelow(next)) ? own.map(([title]) => title) : [],
  )
  return new Set(titles.length >= underlinedMin ? titles : [])
}

/** The text that stands below a title: a paragraph, that does not go on from before. */
const isBelow = (block: Block | undefined): block is TextBlock =>
  block?.kind === "text" && block.item === undefined && block.lines > 1 && /^\P{Ll}/u.test(block.text)

const otherFontShareMax = 0.2

/**
 * Lines in another font than the text that stand alone above its paragraphs, if there are some in that font, and not
 * much else: scripts without a bold type have titles so.
 */
export const otherFontsIn = (blocks: ReadonlyArray<Block>, body: Body): ReadonlyArray<Block> => {
  const found = new Map<string, Set<TextBlock>>()
  const letters = new Map<string, number>()
  let all = 0
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== "text") continue
    all += block.text.length
    letters.set(block.family, (letters.get(block.family) ?? 0) + block.text.length)
    const next = blocks[index + 1]
    const isTitle =
      block.family !== "" &&
      block.family !== body.family &&
      block.item !== "bullet" &&
      block.lines === 1 &&
      rounded(block.size) >= body.size
    if (!isTitle || !isBelow(next) || next.family !== body.family) continue
    if (block.text.length > slantedCharactersMax || /[\p{Po}\p{Pf}]$/u.test(block.text)) continue
    const titles = found.get(block.family)
    if (titles === undefined) found.set(block.family, new Set([block]))
    else titles.add(block)
  }
  const sizesOf = (titles: ReadonlySet<TextBlock>): ReadonlySet<number> =>
    new Set([...titles].map(({ size }) => rounded(size)))
  const kinds = new Map(
    [...found]
      .filter(
        ([family, titles]) =>
          titles.size >= slantedMin && (letters.get(family) ?? 0) <= otherFontShareMax * all,
      )
      .map(([family, titles]) => [family, { titles, sizes: sizesOf(titles) }]),
  )
  return blocks.filter((block, index) => {
    const kind = block.kind === "text" ? kinds.get(block.family) : undefined
    if (block.kind !== "text" || kind === undefined) return false
    const isLike = kind.sizes.has(rounded(block.size)) && isTitleOver(block, blocks[index + 1], body)
    return isLike || kind.titles.has(block)
  })
}

/** A line like other titles stands above a text of a single line, which may go on in the next column. */
const isTitleOver = (block: TextBlock, next: Block | undefined, body: Body): boolean =>
  block.lines === 1 &&
  block.item !== "bullet" &&
  block.isNote !== true &&
  block.text.length <= slantedCharactersMax &&
  !/[\p{Po}\p{Pf}]$/u.test(block.text) &&
  next?.kind === "text" &&
  next.item === undefined &&
  next.family === body.family &&
  /^\P{Ll}/u.test(next.text)

/**
 * Bold lines above text that is smaller, where all of it is smaller than most of the document: in a box, for example;
 * and others of that look.
 */
export const smallIn = (blocks: ReadonlyArray<Block>, body: Body): ReadonlyArray<Block> => {
  const above = (block: Block, next: Block | undefined): block is TextBlock =>
    block.kind === "text" &&
    block.bold &&
    block.lines === 1 &&
    rounded(block.size) < body.size &&
    next?.kind === "text" &&
    next.item === undefined &&
    !next.bold &&
    next.size * headingSizeMin <= block.size &&
    !/[.,:;]$/.test(block.text)
  const typeOf = ({ family, size }: TextBlock): string => `${family} ${rounded(size)}`
  const looks = new Set<string>()
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1]
    if (isBelow(next) && above(block, next)) looks.add(typeOf(block))
  }
  return blocks.filter((block, index) => above(block, blocks[index + 1]) && looks.has(typeOf(block)))
}
