/** Of a word, what tells where it is printed. */
interface Printed {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly size: number
  order: number
}

/** A share of the size that copies stand apart: a shadow, or letters that are made bold by printing them again. */
const apartMax = 0.2
/** Points: words are looked for in strips of a page that are as high. */
const stripHeight = 4
/** With more words at one place, the page is no text. */
const atOnePlaceMax = 20

/**
 * Removes the words that are printed once more at the same place: of two that are the same the last stays, and of two
 * where one lacks letters, such as signs that another font has, the other. PDFium leaves out letters of a copy itself.
 */
export const removeCopies = (words: Array<Printed>): void => {
  const copies = new Set<Printed>()
  const strips = new Map<number, Array<Printed>>()
  for (const word of [...words].sort((a, b) => a.left - b.left || a.order - b.order)) {
    const apart = apartMax * word.size
    const strip = Math.floor(word.baseline / stripHeight)
    for (let at = strip - 1; at <= strip + 1; at++) {
      const near = strips.get(at)?.filter(({ right }) => right > word.left - apart)
      if (near === undefined) continue
      strips.set(at, near)
      for (const other of near) {
        const [first, second] = word.order < other.order ? [word, other] : [other, word]
        if (isPartOf(first, second)) copies.add(first)
        else if (isPartOf(second, first)) copies.add(second)
      }
    }
    const own = strips.get(strip) ?? []
    if (own.length < atOnePlaceMax) own.push(word)
    strips.set(strip, own)
  }
  if (copies.size === 0) return
  let kept = 0
  for (const word of words) {
    if (copies.has(word)) continue
    word.order = kept
    words[kept++] = word
  }
  words.length = kept
}

const isPartOf = (part: Printed, whole: Printed): boolean => {
  const apart = apartMax * whole.size
  return (
    Math.abs(part.baseline - whole.baseline) < apart &&
    Math.abs(part.size - whole.size) < apart &&
    part.left > whole.left - apart &&
    part.right < whole.right + apart &&
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
