import type { Layer, Word } from "./Word.ts"
import { endsWithoutSpaces } from "./wordGaps.ts"

/** What is heavier than the rest of its page is bold: as most of the letters that count, it is its text. */
export const markBold = (
  heavy: ReadonlyArray<Word>,
  layers: ReadonlyArray<Layer>,
  isCounted: (word: Word) => boolean = () => true,
): void => {
  const counted = heavy.filter(isCounted)
  if (counted.length === 0) return
  const lettersOf = (words: ReadonlyArray<Word>): number =>
    words.reduce((sum, word) => sum + (isCounted(word) ? word.text.length : 0), 0)
  const letters = layers.reduce((sum, { words }) => sum + lettersOf(words), 0)
  if (lettersOf(counted) > heavyShareMax * letters) return
  for (const word of counted) word.bold = true
}

/** A face that is drawn is told from those of the same script, without code, which has a face of its own. */
export const markDrawn = (drawn: ReadonlyArray<Word>, layers: ReadonlyArray<Layer>): void => {
  for (const isUnspaced of [false, true])
    markBold(drawn, layers, ({ text, mono }) => !mono && endsWithoutSpaces(text) === isUnspaced)
}

const heavyShareMax = 0.5
