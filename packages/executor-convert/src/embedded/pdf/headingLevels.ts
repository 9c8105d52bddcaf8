import type { TextBlock } from "./Blocks.ts"

export const levelMax = 6

/** Of a heading in the type of the text. */
export const headingLinesMax = 3

/** How much larger than the text a heading is at least. */
export const headingSizeMin = 1.15

export const rounded = (size: number): number => Math.round(size * 2) / 2

/** "1. Introduction" is a heading with a number, not an item of a list. */
export const markedText = ({ item, mark = `${item}.` }: TextBlock, text: string): string =>
  typeof item === "number" ? `${mark} ${text}` : text

/** The levels of numbered headings of which the document does not tell, by the depth of the last one of which it does. */
export const levelsBesideTold = (headings: ReadonlyArray<TextBlock>): ReadonlyMap<TextBlock, number> => {
  const found = new Map<TextBlock, number>()
  let last: { readonly depth: number; readonly level: number } | undefined
  for (const heading of headings) {
    const { level = 0 } = heading
    const depth = depthOf(heading)
    if (depth === 0) continue
    if (level > 0) last = { depth, level }
    else if (last !== undefined) found.set(heading, Math.max(1, last.level + depth - last.depth))
  }
  return found
}

/** The levels of headings of which the document does not tell, by those of the same looks of which it does. */
export const levelsByLook = (told: ReadonlyArray<TextBlock>): ReadonlyMap<string, number> => {
  const byLook = Map.groupBy(told, lookOf)
  return new Map(
    [...byLook].map(([look, alike]) => {
      const counts = [...Map.groupBy(alike, ({ level = 0 }) => level)].map(
        ([level, some]) => [level, some.length] as const,
      )
      const [most] = counts.toSorted(([a, one], [b, other]) => other - one || a - b)
      return [look, most?.[0] ?? levelMax]
    }),
  )
}

/** The levels of headings by their sizes and looks; those alike by their numbers, where they have some of several depths. */
export const levelsBySize = (headings: ReadonlyArray<TextBlock>): ((heading: TextBlock) => number) => {
  const ranks = new Map<string, { readonly above: number; readonly depths: ReadonlyArray<number> }>()
  let above = 0
  for (const rank of ranksOf(headings)) {
    const depths = [...rank.depths].toSorted((a, b) => a - b)
    for (const look of rank.looks) ranks.set(look, { above, depths })
    above += levelsOf(rank)
  }
  // What has no number stands as high as the first of those that have one.
  const bySize = (heading: TextBlock): number => {
    const { above, depths } = ranks.get(lookOf(heading)) ?? { above: levelMax, depths: [] }
    return above + Math.max(0, depths.indexOf(depthOf(heading))) + 1
  }
  const byNumber = levelsByNumber(headings, bySize)
  return (heading) => byNumber.get(depthOf(heading)) ?? bySize(heading)
}

/** Headings that are as important as one another. */
interface Rank {
  /** From the largest to the smallest. */
  readonly sizes: ReadonlyArray<number>
  readonly looks: ReadonlyArray<string>
  /** How many parts their numbers have. */
  readonly depths: ReadonlySet<number>
  readonly pages: ReadonlySet<number>
}

const levelsOf = ({ depths }: Rank): number => Math.max(1, depths.size)

export const lookOf = ({ size, bold, italic, underlined = false }: TextBlock): string =>
  [rounded(size), bold ? "bold" : "", italic ? "italic" : "", underlined ? "underlined" : ""].join(" ")

/**
 * One rank for each size and look, from the largest to the smallest. Where these are more than there are levels, sizes
 * that are close to one another are one rank, and first those that stand on one page alone, as the lines of a cover do.
 */
const ranksOf = (headings: ReadonlyArray<TextBlock>): ReadonlyArray<Rank> => {
  const ranks = [...Map.groupBy(headings, ({ size }) => rounded(size))]
    .toSorted(([a], [b]) => b - a)
    .flatMap(([size, alike]) => looksIn(alike).map((some) => rankOf(size, some)))
  let levels = ranks.reduce((sum, rank) => sum + levelsOf(rank), 0)
  while (levels > levelMax && ranks.length > 1 && ranks.length <= ranksMax) {
    const at = closestOf(ranks)
    const [upper, lower] = ranks.slice(at, at + 2)
    if (upper === undefined || lower === undefined) break
    const joined = together(upper, lower)
    levels += levelsOf(joined) - levelsOf(upper) - levelsOf(lower)
    ranks.splice(at, 2, joined)
  }
  return ranks
}

const rankOf = (size: number, alike: ReadonlyArray<TextBlock>): Rank => ({
  sizes: [size],
  looks: [...new Set(alike.map(lookOf))],
  depths: new Set(alike.map(depthOf).filter((depth) => depth > 0)),
  pages: new Set(alike.map(({ page = 0 }) => page)),
})

/**
 * The headings of one size by their looks, those that are bold, or plain where none is, above others, and else those that
 * come first; together where their numbers tell their levels. What only a few have is none of its own, nor is plain type
 * beside bold.
 */
const looksIn = (alike: ReadonlyArray<TextBlock>): ReadonlyArray<ReadonlyArray<TextBlock>> => {
  const byLook = [...Map.groupBy(alike, lookOf).values()]
  const hasBold = alike.some(({ bold }) => bold)
  const isUsual = (some: ReadonlyArray<TextBlock>): boolean =>
    some.length >= Math.max(lookMin, lookShareMin * alike.length) && !(hasBold && some.every(isPlain))
  const isUpper = ([first]: ReadonlyArray<TextBlock>): boolean =>
    first !== undefined && (hasBold ? first.bold : isPlain(first))
  const [first, ...rest] = byLook.filter(isUsual).toSorted((a, b) => Number(isUpper(b)) - Number(isUpper(a)))
  if (first === undefined || rest.length === 0 || alike.some((heading) => depthOf(heading) > 0))
    return [alike]
  return [[...first, ...byLook.filter((some) => !isUsual(some)).flat()], ...rest]
}

const isPlain = ({ bold, italic, underlined = false }: TextBlock): boolean => !bold && !italic && !underlined

const lookMin = 2
const lookShareMin = 0.1

/** A document with more sizes of headings says nothing by them. */
const ranksMax = 64

const together = (upper: Rank, lower: Rank): Rank => ({
  sizes: [...upper.sizes, ...lower.sizes],
  looks: [...upper.looks, ...lower.looks],
  depths: new Set([...upper.depths, ...lower.depths]),
  pages: new Set([...upper.pages, ...lower.pages]),
})

/** Where the rank stands that is most like the next one. */
const closestOf = (ranks: ReadonlyArray<Rank>): number => {
  const distances = ranks.slice(1).map((lower, index) => {
    const upper = ranks[index] ?? lower
    const ratio = Math.log((upper.sizes.at(-1) ?? 1) / (lower.sizes[0] ?? 1))
    return upper.pages.size === 1 ? ratio : ratio * onPagesWeight
  })
  return distances.indexOf(Math.min(...distances))
}

/** What comes back on other pages counts as so much further from what is smaller. */
const onPagesWeight = 4

/**
 * The levels of numbered headings by their depths, where nearly all of their numbers go up from the first to the last: they are
 * one outline, though their sizes may differ. Empty for any others.
 */
const levelsByNumber = (
  headings: ReadonlyArray<TextBlock>,
  levelOf: (heading: TextBlock) => number,
): ReadonlyMap<number, number> => {
  const counted = headings.filter((heading) => depthOf(heading) > 0)
  const numbers = counted.map(numberOf)
  const isOutline =
    counted.length >= outlineMin &&
    numbers.filter((number, at) => at > 0 && !isAfter(number, numbers[at - 1] ?? [])).length * 20 <=
      counted.length
  const depths = [...new Set(counted.map(depthOf))].toSorted((a, b) => a - b)
  const [first] = depths
  if (!isOutline || first === undefined) return new Map()
  const levels = Map.groupBy(
    counted.filter((heading) => depthOf(heading) === first),
    levelOf,
  )
  const [highest] = [...levels].toSorted(([a, some], [b, others]) => others.length - some.length || a - b)
  // All of them have a level of their own, if there is one for each.
  const begin = Math.max(1, Math.min(highest?.[0] ?? 1, levelMax - depths.length + 1))
  return new Map(depths.map((depth, index) => [depth, begin + index]))
}

const outlineMin = 3

const isAfter = (number: ReadonlyArray<number>, before: ReadonlyArray<number>): boolean => {
  for (const [index, part] of number.entries()) {
    const other = before[index]
    if (other === undefined || part !== other) return other === undefined || part > other
  }
  return false
}

/** 3 and 1 for `3.1 Scope`; more than any number for the letter of an annex, as in `A.1`; nothing without such a number. */
const numberOf = (block: TextBlock): ReadonlyArray<number> => {
  const [number = ""] = markedText(block, block.text).split(" ", 1)
  if (!/^(?:\d{1,3}|[A-Z](?=\.\d))(?:\.\d{1,3})*\.?$/.test(number)) return []
  return number.split(".").flatMap((part) => {
    if (part === "") return []
    return [/\d/.test(part) ? Number(part) : annexMin + part.charCodeAt(0)]
  })
}

const annexMin = 1_000

const depthOf = (block: TextBlock): number => numberOf(block).length
