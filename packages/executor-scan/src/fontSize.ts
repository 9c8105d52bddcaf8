import type { RecognizedLine } from "./Recognizer.ts"

/** Heights of letters as shares of the size of a font, over those that are used most for text. */
const high = 0.71
const low = 0.51

const highLetters = /^[\p{Lu}\p{N}bdfhklß]$/u
const lowLetters = /^[acemnorsuvwxz]$/u

/** The size of a line's font in pixels, by the heights of its letters; by the height of the line where it has none. */
export const fontSize = ({ bbox, words }: RecognizedLine): number => {
  const sizes: Array<number> = []
  for (const { symbols = [] } of words) {
    for (const { bbox: box, text } of symbols) {
      const share = highLetters.test(text) ? high : lowLetters.test(text) ? low : undefined
      if (share !== undefined) sizes.push((box.y1 - box.y0) / share)
    }
  }
  return sizes.length > 0 ? medianOf(sizes) : bbox.y1 - bbox.y0
}

const medianOf = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Sizes that differ by less than this are one: what is measured of letters is never exact. */
const sameSize = 1.14

/**
 * Which of a few sizes each measured size is: that of most letters, and others further away from it and from one
 * another. `letters` counts the letters of each measured size.
 */
export const fewSizes = (letters: ReadonlyMap<number, number>): ((size: number) => number) => {
  const kept: Array<number> = []
  for (const [size] of [...letters].sort(([, one], [, other]) => other - one)) {
    if (!kept.some((other) => isSame(size, other))) kept.push(size)
  }
  return (size) => kept.find((other) => isSame(size, other)) ?? size
}

const isSame = (one: number, other: number): boolean =>
  Math.max(one, other) <= sameSize * Math.min(one, other)
