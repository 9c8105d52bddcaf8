import type { Block, TextBlock } from "./Blocks.ts"
import { headingLinesMax, rounded } from "./headingLevels.ts"
import { textOf } from "./joinWords.ts"

/** The type of most of a document. */
export interface Body {
  readonly size: number
  /** Not rounded: of most that is as large as that. */
  readonly exactSize: number
  readonly bold: boolean
  /** Empty for several. */
  readonly family: string
}

/** With fewer letters than this share of the titles' ones, what is smaller is no text of theirs. */
const smallerMin = 0.25

/** The look of most of the text; where that is nothing but titles, of what is smaller, also in tables and code. */
export const bodyOf = (blocks: ReadonlyArray<Block>): Body => {
  const texts = blocks.filter((block): block is TextBlock => block.kind === "text")
  const letters = new Map<number, number>()
  const add = (size: number, count: number): void => {
    letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + count)
  }
  for (const { text, size } of texts) add(size, text.length)
  const most = mostOf(letters)
  const isSentence = ({ text, lines }: TextBlock): boolean =>
    lines > headingLinesMax || /[.!?;。]$/.test(text)
  const own = texts.filter((block) => rounded(block.size) === most.size)
  const isTitles =
    !own.some(isSentence) && (isBold(own) || texts.every((block) => rounded(block.size) <= most.size))
  let { size } = most
  if (isTitles) {
    const all = [...letters.values()].reduce((sum, count) => sum + count, 0)
    for (const block of blocks) {
      if (block.kind !== "table") continue
      for (const cell of block.rows.flat()) add(block.size, textOf(cell).length)
    }
    const inTables = [...letters.values()].reduce((sum, count) => sum + count, 0) - all
    // Nothing but titles of tables: these hold the text.
    if (inTables > all && isBold(own)) return { size, exactSize: size, bold: false, family: "" }
    for (const each of [...letters.keys()]) if (each >= most.size) letters.delete(each)
    const smaller = mostOf(letters)
    if (smaller.letters > smallerMin * most.letters) size = smaller.size
  }
  const main = texts.filter((block) => rounded(block.size) === size)
  const exactSize =
    main.reduce((sum, block) => sum + block.size * block.text.length, 0) / Math.max(1, lettersOf(main))
  return { size, exactSize, bold: isBold(main), family: familyOf(main) }
}

/** The font of most of these texts. */
const familyOf = (texts: ReadonlyArray<TextBlock>): string => {
  const letters = new Map<string, number>()
  for (const { family, text } of texts) letters.set(family, (letters.get(family) ?? 0) + text.length)
  return [...letters].reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0] as const)[0]
}

const isBold = (texts: ReadonlyArray<TextBlock>): boolean => {
  return 2 * lettersOf(texts.filter(({ bold }) => bold)) > lettersOf(texts)
}

/** The size of most letters. */
const mostOf = (
  letters: ReadonlyMap<number, number>,
): { readonly size: number; readonly letters: number } => {
  let main = { size: 0, letters: 0 }
  for (const [size, count] of letters) if (count > main.letters) main = { size, letters: count }
  return main
}

/** How many letters the texts have together. */
export const lettersOf = (blocks: ReadonlyArray<TextBlock>): number =>
  blocks.reduce((sum, { text }) => sum + text.length, 0)
