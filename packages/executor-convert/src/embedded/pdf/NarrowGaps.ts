/** In other scripts, gaps alone part no words. */
const letter = "[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}]"
const endsInLetter = new RegExp(`${letter}[.,;:)’”]*$`, "u")
const endsInLetters = new RegExp(`${letter}{2}$`, "u")
const begins = new RegExp(`${letter}|[“(]`, "u")
const figures = /\d$/
const isKorean = (code: number): boolean => code >= 0xac00 && code <= 0xd7a3

/** What is looked at of a word. */
interface Parted {
  readonly text: string
  /** Some of it is lowered. */
  readonly marked?: string
  readonly left: number
  readonly right: number
  readonly size: number
  readonly mono: boolean
  readonly order: number
  readonly hyphenated: boolean
  readonly spaced: boolean
  readonly letterGaps?: ReadonlyArray<number> | undefined
}

/** A gap within what passed for one word. */
export interface Gap {
  /** Where it stands in the text of the word. */
  readonly at: number
  /** Where the character before it ends, and the one after it begins. */
  readonly right: number
  readonly left: number
}

/** Shares of the size: letters of one word are nearer, and those of two words further apart. */
const nearMax = 0.04
const gapMin = 0.085
/** Pages with fewer letters tell too little. */
const nearCountMin = 300
/**
 * What makes the gaps those of words, each by itself: the share of spaces that are written at most, how many letters
 * touch for each gap, and how many stand in between for each gap at most.
 */
const evidence = [
  { written: 0.05, near: 20, between: 1 },
  { written: 0.05, near: 5, between: 0.1 },
  { written: 0.6, near: 40, between: 0.25 },
] as const
/**
 * Where letters are put on a grid, as in small print of web pages, some of them stand apart, too: at least a share of
 * those that touch, but hardly any by more than that and less than the gaps of words.
 */
const onGrid = { written: 0.05, near: 20, between: 0.05, valley: 0.15, gapMin: 0.095 } as const
/** With fewer spaces than one for so many letters, words have no other gaps. */
const nearPerSpaceMin = 15
/**
 * Where spaces are written, one is lacking between two text objects that stand apart by these shares of the size, if as
 * many letters touch for each gap, and for each that stands nearer.
 */
const objectGapMin = 0.1
const objectGapMax = 0.25
const nearPerGapMin = 100
/** What is longer is no word that lacks a space. */
const knownCharactersMax = 100
/**
 * Korean in condensed type: letters of a word overlap, by a share of the size, those of two words stand apart, and hardly
 * any are in between.
 */
const overlapMin = 0.03
const koreanGapsMin = 10
const betweenMax = 0.1
/** Letters of a word for each gap in it. */
const lettersPerGapMin = 3
/** Characters beside a gap. */
const lookedAt = 8

/**
 * The gaps between letters of a page on which spaces are not written, and words may stand close together: where nearly all
 * letters touch one another, those that do not are of two words.
 */
export class NarrowGaps<Word extends Parted> {
  #written = 0
  #spaces = 0
  readonly #gaps = new Map<Word, Array<Gap>>()
  /** Those of them that part text objects. */
  readonly #objectGaps = new Map<Word, Array<Gap>>()
  #count = 0
  #near = 0
  #between = 0
  /** Gaps that are narrower than those of words on a grid. */
  #valley = 0
  /** The gaps beside figures, which are those of words on a grid. */
  readonly #figureGaps = new Map<Word, Array<Gap>>()
  readonly #koreanGaps = new Map<Word, Array<Gap>>()
  readonly #korean = { count: 0, overlapping: 0, between: 0 }

  /** A space, written or not. */
  addSpace(isWritten: boolean): void {
    this.#spaces++
    if (isWritten) this.#written++
  }

  /** A character that goes on with a word. */
  add(
    word: Word,
    { left }: { readonly left: number },
    { size }: { readonly size: number },
    code: number,
    isOfNewObject: boolean,
  ): void {
    const gap = (left - word.right) / size
    this.#addKorean(word, left, gap, code)
    if (gap <= nearMax) this.#near++
    else if (gap < gapMin) this.#between++
    else {
      this.#count++
      if (gap < onGrid.gapMin) this.#valley++
      if (word.size !== size || word.mono) return
      const next = String.fromCodePoint(code)
      // A letter before a bracket is the name of a function.
      const end = word.text.slice(-lookedAt)
      if (figures.test(next) ? endsInLetters.test(end) : figures.test(end) && begins.test(next))
        addTo(this.#figureGaps, word, left)
      if (!(next === "(" ? endsInLetters : endsInLetter).test(end) || !begins.test(next)) return
      addTo(this.#gaps, word, left)
      const isSpace = isOfNewObject && gap >= objectGapMin && gap <= objectGapMax
      if (isSpace && alphabetic.test(next)) addTo(this.#objectGaps, word, left)
    }
  }

  #addKorean(word: Word, left: number, gap: number, code: number): void {
    if (!isKorean(code) && !isKorean(word.text.charCodeAt(word.text.length - 1))) return
    if (gap < -overlapMin) this.#korean.overlapping++
    else if (gap < gapMin) this.#korean.between++
    else {
      this.#korean.count++
      addTo(this.#koreanGaps, word, left)
    }
  }

  /** Makes several words of those that have such gaps. */
  split(layers: ReadonlyArray<{ readonly words: Array<Word> }>): void {
    const isTight = ({ near, between }: { readonly near: number; readonly between: number }): boolean =>
      this.#near >= near * this.#count && this.#between <= between * this.#count
    const isSure =
      this.#near >= nearCountMin &&
      (evidence.some((each) => this.#written <= each.written * this.#spaces && isTight(each)) ||
        (this.#spaces * nearPerSpaceMin < this.#near && isTight({ near: 2, between: 0.1 })))
    const isGrid =
      this.#near >= nearCountMin &&
      this.#written <= onGrid.written * this.#spaces &&
      this.#between >= onGrid.between * this.#near &&
      this.#near + this.#between >= onGrid.near * this.#count &&
      this.#valley <= onGrid.valley * this.#count
    const areRare = this.#near >= nearPerGapMin * this.#count && this.#near >= nearPerGapMin * this.#between
    const { count, overlapping, between } = this.#korean
    const isCondensed =
      count >= koreanGapsMin && overlapping >= count && between <= betweenMax * (count + overlapping)
    if (isCondensed) partAll(layers, (word) => partsAt(word, this.#koreanGaps.get(word) ?? []))
    else if (isSure && this.#gaps.size > 0)
      partAll(layers, (word) => partsOf(word, this.#gaps.get(word) ?? []))
    else if (isGrid && this.#count > 0)
      partAll(layers, (word) =>
        partsAt(
          word,
          wideIn(word, [
            ...(this.#gaps.get(word) ?? []).filter((gap) => areWords(word, gap)),
            ...(this.#figureGaps.get(word) ?? []),
          ]),
        ),
      )
    else if (this.#objectGaps.size > 0 && this.#near >= nearCountMin && areRare) {
      const known = wordsIn(layers, this.#objectGaps)
      partAll(layers, (word) =>
        partsOf(
          word,
          (this.#objectGaps.get(word) ?? []).filter((gap, _, { length }) =>
            isBetweenKnown(word, gap, known, length === 1 && this.#gaps.get(word)?.length === 1),
          ),
        ),
      )
    }
  }
}

/** The gaps of words on a grid, in their order; none where they are too many. */
const wideIn = (word: Parted, found: ReadonlyArray<Gap>): ReadonlyArray<Gap> => {
  if (word.marked !== undefined) return []
  const gaps = found.filter(
    ({ at, left, right }) => left - right >= onGrid.gapMin * word.size && !areCapitals(word.text, at),
  )
  return gaps.length * lettersPerGapMin > word.text.length ? [] : gaps.toSorted((a, b) => a.at - b.at)
}

/** Scripts whose words are parted by spaces. */
const alphabetic = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u

const addTo = <Word extends Parted>(gaps: Map<Word, Array<Gap>>, word: Word, left: number): void => {
  const own = gaps.get(word) ?? []
  own.push({ at: word.text.length, right: word.right, left })
  gaps.set(word, own)
}

const partAll = <Word extends Parted>(
  layers: ReadonlyArray<{ readonly words: Array<Word> }>,
  partsIn: (word: Word) => ReadonlyArray<Word>,
): void => {
  for (const { words } of layers) {
    const parts = words.flatMap(partsIn)
    words.length = 0
    for (const [order, part] of parts.entries()) words.push({ ...part, order })
  }
}

/** The letters of all words but some. */
const wordsIn = <Word extends Parted>(
  layers: ReadonlyArray<{ readonly words: ReadonlyArray<Word> }>,
  without: ReadonlyMap<Word, unknown>,
): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { words } of layers)
    for (const word of words)
      if (!without.has(word) && word.text.length <= knownCharactersMax) found.add(lettersOf(word.text))
  return found
}

const lettersOf = (text: string): string => text.replace(/^\P{L}+|\P{L}+$/gu, "").toLowerCase()

/** A shorter word has too few gaps to tell. */
const capitalsMin = 4

/** Capitals on both sides of a gap may be set wide. */
const areCapitals = (text: string, at: number): boolean => /^\p{Lu}{2}$/u.test(text.slice(at - 1, at + 1))

/**
 * One of the words at the gap stands elsewhere by itself, and both of them as one do not; they are no formula or capitals
 * set wide, which have more gaps than one (`isOnly`).
 */
const isBetweenKnown = (
  { text, marked }: Parted,
  { at }: Gap,
  known: ReadonlySet<string>,
  isOnly: boolean,
): boolean => {
  if (marked !== undefined || text.length > knownCharactersMax) return false
  if (areCapitals(text, at) && !(isOnly && text.length >= capitalsMin)) return false
  const [before, after] = [lettersOf(text.slice(0, at)), lettersOf(text.slice(at))]
  return (known.has(before) || known.has(after)) && !known.has(before + after)
}

/** Single letters beside one another may be a formula. */
const areWords = ({ text }: Parted, { at }: Gap): boolean => {
  const [before = ""] = /\p{L}+[.,;:)’”]*$/u.exec(text.slice(Math.max(0, at - lookedAt), at)) ?? []
  const [after = ""] = /^[“(]?\p{L}+/u.exec(text.slice(at, at + lookedAt)) ?? []
  const [least, most] = [before.length, after.length].toSorted((a, b) => a - b)
  return (least ?? 0) > 1 || (most ?? 0) > 2
}

const partsOf = <Word extends Parted>(word: Word, found: ReadonlyArray<Gap>): ReadonlyArray<Word> => {
  const gaps = found.filter((gap) => areWords(word, gap))
  return gaps.length * lettersPerGapMin > word.text.length ? [word] : partsAt(word, gaps)
}

export const partsAt = <Word extends Parted>(word: Word, gaps: ReadonlyArray<Gap>): ReadonlyArray<Word> => {
  if (gaps.length === 0) return [word]
  const ends = [...gaps, { at: word.text.length, right: word.right, left: 0 }]
  return ends.map(({ at, right }, index) => {
    const before = gaps[index - 1]
    return {
      ...word,
      text: word.text.slice(before?.at ?? 0, at),
      left: before?.left ?? word.left,
      right,
      hyphenated: index === gaps.length && word.hyphenated,
      spaced: index === gaps.length && word.spaced,
      letterGaps: undefined,
    }
  })
}
