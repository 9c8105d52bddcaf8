import { removeCopies } from "./copies.ts"
import { markEquallyWide } from "./equalWidths.ts"
import { isGarbled } from "./Fonts.ts"
import { joinLetterspaced } from "./letterspacing.ts"
import { textOf } from "./ligatures.ts"
import { joinLowQuotes } from "./lowQuotes.ts"
import { setMarksOnLine, setOnLine } from "./raisedWords.ts"
import { joinFromTheRight } from "./rightToLeftSigns.ts"
import { nameLetterBullets, unknownShape, withBullets } from "./shapes.ts"
import { sizeSmallCapitals } from "./smallCapitals.ts"
import type { Layer, Word } from "./Word.ts"

/** Joins and changes the words of a layer by those beside them, once all of its characters are read. */
export const finishWords = (words: Array<Word>): void => {
  removeCopies(words)
  joinLowQuotes(words)
  joinLetterspaced(words)
  sizeSmallCapitals(words)
  joinFromTheRight(words)
  markEquallyWide(words)
  setOnLine(words)
  setMarksOnLine(words)
  nameRoots(words)
  nameLetterBullets(words)
}

/** In the fonts of some publishers the sign of a root is a letter, and the line behind it is said to be of ligatures. */
const nameRoots = (words: ReadonlyArray<Word>): void => {
  for (const word of words) {
    if (word.text.includes("ffiffi")) word.text = word.text.replace(/[pq]?(?:ffi){2,}/g, "√")
  }
}

/**
 * How many characters are lost, of which `shapes` are known by their shape alone: garbled fonts lose others, too, and
 * shapes that bullets are written for are not lost.
 */
export const lostIn = (layers: Iterable<Layer>, shapes: number): number => {
  let lost = shapes
  for (const { words } of layers) {
    if (lost === 0) break
    lost += garbledIn(words)
    lost -= withBullets(words)
  }
  return lost
}

/** How many characters of garbled fonts pass as known. */
const garbledIn = (words: ReadonlyArray<Word>): number =>
  words.reduce((sum, { font, text }) => {
    const isShape = text === textOf(unknownShape)
    return sum + (!isShape && isGarbled(font) ? text.length : 0)
  }, 0)
