import type { Block, TextBlock } from "./Blocks.ts"
import { romanOf } from "./ListMark.ts"

const charactersMax = 100
const linesMax = 2
const titlesMin = 3
const lettersMin = 4
/** Share of the letters. */
const capitalsMin = 0.8
/** Points. */
const sameSize = 0.5
/** A share of the size: what is centred in its column begins further in. */
const centredIndentMin = 1.5

/**
 * The titles of sections in the type of the text, in capitals, that count from the first to the last, in Roman numbers or
 * others, with text between them; and titles without a number that are centred as they are, such as that of the references.
 * None where most of them are titles by their look anyhow.
 */
export const countedTitlesIn = (
  blocks: ReadonlyArray<Block>,
  isTitle: (block: TextBlock) => boolean,
): ReadonlySet<Block> => {
  const titles: Array<TextBlock> = []
  let last = 0
  let isParted = true
  let begin = 0
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== "text") continue
    const number = numberOf(block)
    if (isParted && number > last && number <= last + stepMax && (last > 0 || number === 1)) {
      if (titles.length === 0) begin = index
      titles.push(block)
      last = number
      isParted = false
    } else if (block.lines > 1) isParted = true
  }
  const [first] = titles
  if (first === undefined || titles.length < titlesMin) return new Set()
  if (2 * titles.filter(isTitle).length > titles.length) return new Set()
  const others = blocks
    .slice(begin)
    .filter((block) => block.kind === "text" && block.lines === 1 && looksLike(block, first))
  return new Set([...titles, ...others])
}

/** One may be missing, as where it was not found. */
const stepMax = 2

/** 3 for `III METHOD` and `3. METHOD`; 0 for any other text. */
const numberOf = (block: TextBlock): number => {
  const { item, text, lines, isNote, level = 0 } = block
  const isOne = lines <= linesMax && isNote !== true && level === 0 && text.length <= charactersMax
  if (!isOne || /[.,;:]$/.test(text)) return 0
  if (typeof item === "number") return areCapitals(text) ? item : 0
  const [, number = "", title = ""] = /^([IVX]{1,6}\.?|\d{1,2}\.) (.*)$/u.exec(text) ?? []
  if (!areCapitals(title)) return 0
  return /^\d/.test(number)
    ? Number.parseInt(number, 10)
    : (romanOf(number.toLowerCase().replace(".", "")) ?? 0)
}

const areCapitals = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters >= lettersMin && (text.match(/\p{Lu}/gu)?.length ?? 0) >= capitalsMin * letters
}

const looksLike = (block: TextBlock, title: TextBlock): boolean => {
  const isCentred = ({ place, size }: TextBlock): boolean => (place?.indent ?? 0) > centredIndentMin * size
  return (
    isCentred(title) &&
    block.item === undefined &&
    block.isNote !== true &&
    /^\p{Lu}[\p{Lu} ]+$/u.test(block.text) &&
    areCapitals(block.text) &&
    Math.abs(block.size - title.size) < sameSize &&
    block.bold === title.bold &&
    isCentred(block)
  )
}

/**
 * The levels of all headings, where such titles are among them: they are below the title of the document, and others
 * behind the first of them are below them.
 */
export const withCounted = (
  blocks: ReadonlyArray<Block>,
  counted: ReadonlySet<Block>,
  levelOf: (block: TextBlock) => number | undefined,
): ((block: TextBlock) => number | undefined) => {
  if (counted.size === 0) return levelOf
  const begin = blocks.findIndex((block) => counted.has(block))
  const isTold = ({ level = 0 }: TextBlock): boolean => level > 0
  const highestIn = (some: ReadonlyArray<Block>): number =>
    some.reduce(
      (highest, block) =>
        block.kind !== "text" || counted.has(block) || isTold(block)
          ? highest
          : Math.min(highest, levelOf(block) ?? highest),
      none,
    )
  const above = highestIn(blocks.slice(0, begin))
  const section = above === none ? 1 : above + 1
  const shift = Math.max(0, section + 1 - highestIn(blocks.slice(begin)))
  const below = new Set(blocks.slice(begin))
  return (block) => {
    if (counted.has(block)) return section
    const level = levelOf(block)
    return level === undefined || isTold(block) || !below.has(block)
      ? level
      : Math.min(levelMax, level + shift)
  }
}

const levelMax = 6
/** Below all levels. */
const none = levelMax + 1
