import { byReading } from "./Cells.ts"
import type { Word } from "./Word.ts"

/** What fonts draw as bullets, and people type for such: by itself each may be a part of a sentence. */
const sign = /^[!−>»›~§¤¨¾Ø]$/u
const itemsMin = 3
/** Points. */
const samePlace = 1.5
/** Shares of the size: wider than a space. */
const gapMin = 0.7
const gapMax = 4
const roomMin = 2

/**
 * The words, with signs as bullets that stand below one another at the beginning of lines, the same three times or more,
 * each apart from a text that begins below those of the others.
 */
export const withSignBullets = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  if (words.filter(({ text }) => sign.test(text)).length < itemsMin) return words
  const groups: Array<Array<Item>> = []
  for (const item of byReading(words).flatMap(itemsIn)) {
    const group = groups.find(([first]) => first !== undefined && isAlike(first, item))
    if (group !== undefined) group.push(item)
    else if (groups.length < groupsMax) groups.push([item])
  }
  const bullets = new Set(
    groups.flatMap((group) => (group.length < itemsMin ? [] : group.map(({ mark }) => mark))),
  )
  return bullets.size === 0 ? words : words.map((word) => (bullets.has(word) ? { ...word, text: "•" } : word))
}

/** Each item looks at all. */
const groupsMax = 50

interface Item {
  readonly mark: Word
  readonly text: Word
}

const itemsIn = (line: ReadonlyArray<Word>): ReadonlyArray<Item> =>
  line.flatMap((mark, index) => {
    const [before, text] = [line[index - 1], line[index + 1]]
    if (text === undefined || !sign.test(mark.text) || !/^["“‘(]?\p{L}/u.test(text.text)) return []
    const gap = text.left - mark.right
    const isApart = gap > gapMin * text.size && gap < gapMax * text.size
    const isFirst = before === undefined || mark.left - before.right > roomMin * mark.size
    return isApart && isFirst ? [{ mark, text }] : []
  })

const isAlike = (one: Item, other: Item): boolean =>
  one.mark.text === other.mark.text &&
  Math.abs(one.mark.left - other.mark.left) < samePlace &&
  Math.abs(one.text.left - other.text.left) < samePlace
