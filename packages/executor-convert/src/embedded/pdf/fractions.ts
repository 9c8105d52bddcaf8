import { loweredIn, markedOf, withoutMarks } from "./lowered.ts"
import type { Rule, Ruling } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** As shares of the size: how far the baselines above and below the line of a fraction, and below that of a root, are from it. */
const distances = { above: [0.05, 1], below: [0.45, 1.4], root: [0.45, 2.2] } as const
/** How far below the line the baseline of its formula is, and how far it goes on beside it. */
const axisMin = 0.1
const axisMax = 0.45
const besideMax = 1.5
/** What is raised or lowered in a part of it is on its line. */
const lineMax = 0.5
const sameLine = 0.3
/** How far the longer part may go beyond the line, or leave it free, and how far from the middle both may stand. */
const overMax = 0.25
const asideMax = 0.4
/** How much a part keeps free beside it. */
const partApart = 0.5
const rootApart = -0.1
/** How far from its sign the line of a root begins, and from where a sign in a word is believed to end. */
const rootMax = 0.05
const rootInWordMax = 0.3

/** Points. */
const touching = 2
/** Points: how far away the words may be that a line is looked at with. */
const reach = 24
const bandHeight = 16
/** A page with more lines, or more words at the height of one, is no text. */
const rulesMax = 500
const wordsMax = 400

/**
 * The words, with those above and below the line of a fraction as one line with the words beside them: `(a + b)/2`.
 * The line of a fraction is at the middle of these words, and as long as the longer of its parts, which stand at its
 * middle. The lines of fractions are no part of the ruling that is left.
 */
export const withFractions = <Lines extends Pick<Ruling, "horizontal" | "vertical">>(
  words: ReadonlyArray<Word>,
  ruling: Lines,
): { readonly words: ReadonlyArray<Word>; readonly ruling: Lines } => {
  // Those within another one come first.
  const rules = ruling.horizontal
    .filter(({ isHidden }) => isHidden !== true)
    .toSorted((a, b) => a.to - a.from - (b.to - b.from))
  if (rules.length === 0 || rules.length > rulesMax) return { words, ruling }
  const free = rules.filter((rule) => !ruling.vertical.some((other) => meet(rule, other)))
  const formulas = new Formulas(words)
  const found = new Set(free.filter((rule) => formulas.addRoot(rule) || formulas.addFraction(rule)))
  // Beside one fraction another one may be all that tells its line.
  for (const rule of free)
    if (found.size > 0 && !found.has(rule) && formulas.addFraction(rule)) found.add(rule)
  if (found.size === 0) return { words, ruling }
  const horizontal = ruling.horizontal.filter((rule) => !found.has(rule))
  return { words: formulas.words(), ruling: { ...ruling, horizontal } }
}

/** The rule ends at another one, or crosses it, as the borders of cells do. */
const meet = ({ at, from, to }: Rule, other: Rule): boolean =>
  other.at > from - touching &&
  other.at < to + touching &&
  other.from < at + touching &&
  other.to > at - touching

class Formulas {
  readonly #words: ReadonlyArray<Word>
  /** Words by their heights. */
  readonly #bands = new Map<number, Set<Word>>()
  /** Words that are written in another place, and what is written before and behind a word. */
  readonly #moved = new Set<Word>()
  readonly #before = new Map<Word, ReadonlyArray<Word>>()
  readonly #behind = new Map<Word, ReadonlyArray<Word>>()

  constructor(words: ReadonlyArray<Word>) {
    this.#words = words
    for (const word of words) this.#place(word)
  }

  /** The words in their new order. */
  words(): ReadonlyArray<Word> {
    const written: Array<Word> = []
    const write = (word: Word): void => {
      for (const each of this.#before.get(word) ?? []) write(each)
      if (!this.#moved.has(word)) written.push({ ...word, order: written.length })
      for (const each of this.#behind.get(word) ?? []) write(each)
    }
    for (const word of this.#words) write(word)
    return written
  }

  /** Puts a root and what stands below its line onto one line; false if the rule is no line of one. */
  addRoot(rule: Rule): boolean {
    const near = this.#near(rule)
    const sign = near.find((word) => isRootOf(word, rule))
    if (sign === undefined) return false
    const others = near.filter((word) => word !== sign)
    const marked = markedOf(sign)
    const end = marked.indexOf(root) + 1
    const rest = marked.slice(end)
    const below = partOf(others, rule, "root", rootApart).filter(
      (word) => rest === "" || isOnLine(sign, word),
    )
    const under = rest === "" ? below : [{ ...sign, text: withoutMarks(rest), marked: rest }, ...below]
    const [first, ...next] = inBrackets(under, factor)
    const isWhole = Math.abs(extentOf(under).right - rule.to) < overMax * sign.size
    if (first === undefined || !isWhole) return false
    const line = [{ ...between(marked.slice(0, end), first, ""), left: sign.left }, ...next]
    for (const word of [sign, ...below]) this.#move(word)
    for (const word of line) this.#place(word)
    this.#behind.set(sign, [...line, ...(this.#behind.get(sign) ?? [])])
    return true
  }

  /** Puts the parts of a fraction onto the line of its formula; false if the rule is no line of one. */
  addFraction(rule: Rule): boolean {
    const near = this.#near(rule)
    const above = partOf(near, rule, "above", partApart)
    const below = partOf(near, rule, "below", partApart)
    if (above.length === 0 || below.length === 0 || !areOver(above, below, rule)) return false
    const beside = besideOf(near, rule, Math.max(...[...above, ...below].map(({ size }) => size)))
    if (beside === undefined) return false
    const line = lineOf(above, below, rule, beside.baseline)
    for (const word of [...above, ...below]) this.#move(word)
    for (const word of line) this.#place(word)
    const others = beside.left < rule.from ? this.#behind : this.#before
    const own = others.get(beside) ?? []
    others.set(beside, others === this.#behind ? [...line, ...own] : [...own, ...line])
    return true
  }

  #near({ at }: Rule): ReadonlyArray<Word> {
    const near: Array<Word> = []
    for (let band = bandOf(at - reach); band <= bandOf(at + reach); band++) {
      const words = this.#bands.get(band) ?? []
      if (near.length + (this.#bands.get(band)?.size ?? 0) > wordsMax) return []
      near.push(...words)
    }
    return near
  }

  #place(word: Word): void {
    const band = bandOf(heightOf(word))
    const words = this.#bands.get(band)
    if (words === undefined) this.#bands.set(band, new Set([word]))
    else words.add(word)
  }

  #move(word: Word): void {
    this.#moved.add(word)
    this.#bands.get(bandOf(heightOf(word)))?.delete(word)
  }
}

const heightOf = ({ baseline, drawn = baseline }: Word): number => drawn

const bandOf = (height: number): number => Math.floor(height / bandHeight)

/** The words of the line next to the rule, above or below it; none where they go on beyond it, nearer than `apart`. */
const partOf = (
  near: ReadonlyArray<Word>,
  { at, from, to }: Rule,
  side: keyof typeof distances,
  apart: number,
): ReadonlyArray<Word> => {
  const [least, most] = distances[side]
  const distanceOf = (word: Word): number => (side === "above" ? at - heightOf(word) : heightOf(word) - at)
  const inside = near
    .filter((word) => {
      const middle = (word.left + word.right) / 2
      return middle > from && middle < to && distanceOf(word) > 0
    })
    .toSorted((a, b) => distanceOf(a) - distanceOf(b))
  const first = inside.find((word) => {
    const distance = distanceOf(word)
    return distance > least * word.size && distance < most * word.size
  })
  if (first === undefined) return []
  const part = inside.filter((word) => isOnLine(first, word)).toSorted((a, b) => a.left - b.left)
  const size = Math.max(...part.map((word) => word.size))
  const free = apart * size
  const isCrossed = near.some(
    (word) =>
      Math.abs(heightOf(word) - heightOf(first)) < sameLine * Math.min(first.size, word.size) &&
      word.right > from - free &&
      word.left < to + free &&
      (word.left < from - overMax * size || word.right > to + overMax * size),
  )
  return isCrossed ? [] : part
}

const isOnLine = (first: Word, word: Word): boolean =>
  Math.abs(heightOf(word) - heightOf(first)) < lineMax * Math.max(first.size, word.size)

/** The longer part is as long as the rule, and both stand at its middle. */
const areOver = (above: ReadonlyArray<Word>, below: ReadonlyArray<Word>, { from, to }: Rule): boolean => {
  const [some, others] = [extentOf(above), extentOf(below)]
  const longer = some.right - some.left > others.right - others.left ? some : others
  const free = longer.left - from + to - longer.right
  return (
    Math.abs(free) < 2 * overMax * longer.size &&
    [some, others].every(({ left, right, size }) => Math.abs(left + right - from - to) / 2 < asideMax * size)
  )
}

const extentOf = (words: ReadonlyArray<Word>): { left: number; right: number; size: number } => ({
  left: Math.min(...words.map(({ left }) => left)),
  right: Math.max(...words.map(({ right }) => right)),
  size: Math.max(...words.map(({ size }) => size)),
})

/** The word beside the line of a fraction, whose middle is at its height: what comes before it, or else behind it. */
const besideOf = (near: ReadonlyArray<Word>, { at, from, to }: Rule, size: number): Word | undefined => {
  const level = near.filter((word) => {
    const down = (heightOf(word) - at) / word.size
    return down > axisMin && down < axisMax && word.size > 0.9 * size
  })
  const before = level
    .filter(({ right }) => right < from + 1 && from - right < besideMax * size)
    .toSorted((a, b) => b.right - a.right)[0]
  return (
    before ??
    level
      .filter(({ left }) => left > to - 1 && left - to < besideMax * size)
      .toSorted((a, b) => a.left - b.left)[0]
  )
}

const root = "√"

/** The line begins where the sign of a root ends. */
const isRootOf = (word: Word, { at, from }: Rule): boolean => {
  const { text, left, right, size } = word
  const sign = text.indexOf(root)
  if (sign < 0 || Math.abs(heightOf(word) - at) > distances.root[1] * size) return false
  if (sign === text.length - 1) return Math.abs(right - from) < rootMax * size
  const end = left + ((right - left) * (sign + 1)) / text.length
  return Math.abs(end - from) < rootInWordMax * size
}

/** Both parts one after the other, in the place of the rule. */
const lineOf = (
  above: ReadonlyArray<Word>,
  below: ReadonlyArray<Word>,
  { from, to }: Rule,
  baseline: number,
): ReadonlyArray<Word> => {
  const half = (to - from) / 2
  const placed = (words: ReadonlyArray<Word>, shift: number): ReadonlyArray<Word> =>
    words.map((word) => ({
      ...word,
      baseline,
      drawn: baseline,
      left: from + shift + (word.left - from) / 2,
      right: from + shift + (word.right - from) / 2,
    }))
  const [first, second] = [placed(inBrackets(above, single), 0), placed(inBrackets(below, factor), half)]
  const [last, next] = [first.at(-1), second[0]]
  if (last === undefined || next === undefined) return []
  const middle = { ...between("", last, `/${markedOf(next)}`), right: next.right }
  const line = [...first.slice(0, -1), middle, ...second.slice(1)]
  return line.map((word, index) => ({
    ...word,
    left: index === 0 ? from : word.left,
    right: index === line.length - 1 ? to : word.right,
  }))
}

/** The words in brackets, unless they are what needs none. The stop of a sentence stands behind them. */
const inBrackets = (words: ReadonlyArray<Word>, bare: RegExp): ReadonlyArray<Word> => {
  const inner = words.map(unlowered).join(" ")
  if (bare.test(inner) || bare.test(inner.replace(stop, ""))) return words
  return words.map((word, index) => {
    const begun = between(index === 0 ? "(" : "", word, "")
    if (index < words.length - 1) return begun
    const marked = markedOf(begun)
    const end = stop.exec(marked)?.[0] ?? ""
    const text = marked.slice(0, marked.length - end.length)
    return between("", { ...begun, text: withoutMarks(text), marked: text }, `)${end}`)
  })
}

const stop = /[.,;:]$/

/** The word with text before it and behind it. */
const between = (before: string, word: Word, behind: string): Word => {
  const marked = before + markedOf(word) + behind
  return { ...word, text: withoutMarks(marked), marked }
}

/** Without what is lowered. */
const unlowered = (word: Word): string =>
  loweredIn(markedOf(word))
    .map(({ text, isLowered }) => (isLowered ? "" : text))
    .join("")

/** A product without signs, and a number or a variable with its power, each of which may be that of a root. */
const single = /^√?(?:[\p{L}\p{M}\p{N}.,∆∂∇′]+|\([^()]*\))$/u
const factor = /^√?(?:[\d.,]+|[\p{L}∆∂∇]\p{M}*′*[⁰¹²³⁴-⁹⁺⁻ⁿ]*|\([^()]*\))$/u
