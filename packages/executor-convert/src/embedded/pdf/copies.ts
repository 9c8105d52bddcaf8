import { keepOnly } from "./Word.ts"

/** Of a word, what tells where it is printed. */
interface Printed {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly size: number
  /** Below 0: it belongs to no tag. */
  readonly content: number
  order: number
}

/** A share of the size that copies stand apart: a shadow, or letters that are made bold by printing them again. */
const apartMax = 0.2
/** Points: words are looked for in strips of a page that are as high. */
const stripHeight = 4
/** With more words at one place, the page is no text. */
const atOnePlaceMax = 20

/**
 * Removes the words that are printed once more at the same place: of two that are the same the one with a tag stays, or
 * the last, and of two where one lacks letters, such as signs that another font has, the other. PDFium leaves out letters
 * of a copy itself.
 */
export const removeCopies = (words: Array<Printed>): void => {
  const copies = new Set<Printed>()
  const strips = new Map<number, Array<Printed>>()
  for (const word of [...words].sort((a, b) => a.left - b.left || a.order - b.order)) {
    const apart = apartMax * word.size
    const strip = Math.floor(word.baseline / stripHeight)
    for (let at = strip - 1; at <= strip + 1; at++) {
      const near = strips.get(at)?.filter((other) => other.right > word.left - apart && !copies.has(other))
      if (near === undefined) continue
      strips.set(at, near)
      for (const other of near) {
        if (copies.has(word)) break
        const copy = copyOf(word, other)
        if (copy !== undefined) copies.add(copy)
      }
    }
    if (copies.has(word)) continue
    const own = strips.get(strip) ?? []
    if (own.length < atOnePlaceMax) own.push(word)
    strips.set(strip, own)
  }
  if (copies.size > 0)
    keepOnly(
      words,
      words.filter((word) => !copies.has(word)),
    )
}

/** Which of the two is printed as a part of the other, if one is. */
const copyOf = (word: Printed, other: Printed): Printed | undefined => {
  const [first, second] = word.order < other.order ? [word, other] : [other, word]
  const isTagLost = first.content >= 0 && second.content < 0
  const [less, more] = isTagLost ? [second, first] : [first, second]
  if (isPartOf(less, more)) return less
  return !isTagLost && isPartOf(more, less) ? more : undefined
}

/** PDFium may say of the dots of a leader that all stand at one place. */
const areDots = /^[.…·]+$/

const isPartOf = (part: Printed, whole: Printed): boolean => {
  const apart = apartMax * whole.size
  return (
    Math.abs(part.baseline - whole.baseline) < apart &&
    Math.abs(part.size - whole.size) < apart &&
    part.left > whole.left - apart &&
    part.right < whole.right + apart &&
    !areDots.test(whole.text) &&
    hasLettersOf(lettersAt(part, whole), part.text)
  )
}

/** The letters of a word where another stands, and some beside it: they differ in their widths. */
const lettersAt = ({ left, right }: Printed, whole: Printed): string => {
  const perLetter = (whole.right - whole.left) / whole.text.length
  const at = (x: number): number => (x - whole.left) / perLetter
  return whole.text.slice(Math.max(0, Math.floor(at(left)) - besideMax), Math.ceil(at(right)) + besideMax)
}

const besideMax = 2

/** All letters of the part, in their order. */
const hasLettersOf = (whole: string, part: string): boolean => {
  let at = 0
  for (let index = 0; index < whole.length && at < part.length; index++) if (whole[index] === part[at]) at++
  return at === part.length
}
