import type { Box } from "./Box.ts"
import { boxOf, isOnGround, whiteMin } from "./Drawing.ts"
import type { Layer, Word } from "./Word.ts"

/** With more of the words, the page has a ground that is not known. */
const shareMax = 0.5
/** Shares of the size: how far a word reaches above its baseline, and below. */
const ascent = 0.8
const descent = 0.25

/**
 * The layers without words that are not seen: in white, with nothing drawn where they stand, such as what programs for
 * typesetting note in the margin, and what is meant for machines alone.
 */
export const withoutWhiteWords = (
  layers: ReadonlyArray<Layer>,
  grounds: ReadonlyArray<Box>,
): ReadonlyArray<Layer> => {
  const hidden = new Set(
    layers.flatMap((layer) =>
      layer.words.filter((word) => isWhite(word) && !isOnGround(placeOf(word, layer), grounds)),
    ),
  )
  const all = layers.reduce((sum, { words }) => sum + words.length, 0)
  if (hidden.size === 0 || hidden.size > shareMax * all) return layers
  return layers.map((layer) => ({ ...layer, words: layer.words.filter((word) => !hidden.has(word)) }))
}

/** Some of the text is said to be white. */
export const hasWhiteWords = (layers: ReadonlyArray<Layer>): boolean =>
  layers.some(({ words }) => words.some(isWhite))

const isWhite = ({ colour }: Word): boolean =>
  colour !== undefined && Math.min(colour >> 16, (colour >> 8) & 0xff, colour & 0xff) >= whiteMin

/** Where it stands on its page, whose heights grow upwards. */
const placeOf = ({ left, right, baseline, size }: Word, { cos, sin }: Layer): Box =>
  boxOf(
    [left, right].flatMap((across) =>
      [baseline - ascent * size, baseline + descent * size].map((down) => ({
        x: across * cos + down * sin,
        y: across * sin - down * cos,
      })),
    ),
  )
