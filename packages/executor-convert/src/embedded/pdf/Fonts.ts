/** A font of a page, and what its characters there tell of it. */
export interface Font {
  /** Its name without its weight and slope, and without the mark of a subset. */
  readonly family: string
  /** Width of its first character, as a share of the size; 0 before that. */
  width: number
  /** All characters so far are as wide as the first. */
  isEqual: boolean
  hasNarrow: boolean
  hasWide: boolean
  /** How wide its widest narrow letter is, and its narrowest wide one. */
  mostNarrow: number
  leastWide: number
  /** How many of its characters are Chinese or Japanese: such fonts say that all are equally wide. */
  ideographs: number
  /** How many of its characters are known, and of how many only the shape is; the codes of those. */
  known: number
  lost: number
  readonly shapes: Set<number>
  /** Ligatures that are written as other characters were seen. */
  hasLigatures: boolean
}

/** `key` tells fonts apart that have no name. */
export const fontOf = (name: string, fonts: Map<string, Font>, key = name): Font => {
  const known = fonts.get(key)
  if (known !== undefined) return known
  const font = {
    family: familyOf(name),
    width: 0,
    isEqual: true,
    hasNarrow: false,
    hasWide: false,
    mostNarrow: 0,
    leastWide: Number.POSITIVE_INFINITY,
    ideographs: 0,
    known: 0,
    lost: 0,
    shapes: new Set<number>(),
    hasLigatures: false,
  }
  fonts.set(key, font)
  return font
}

const familyOf = (name: string): string =>
  name
    .replace(/^[A-Z]{6}\+/, "")
    .replace(/[-,\0].*$/, "")
    .toLowerCase()

const narrow = charactersOf("fijlrtI.,;:'!")
const wide = charactersOf("mwMWOQ")

function charactersOf(characters: string): ReadonlySet<number> {
  return new Set([...characters].map((character) => character.charCodeAt(0)))
}

/** Widths of one font that differ by more, as a share of the size, are different. */
const sameWidth = 0.01

/** Shares of the size. */
export const haveSameWidth = (one: number, other: number): boolean => Math.abs(one - other) <= sameWidth

/** Takes note of how wide a character is shown, as a share of the size. */
export const measure = (font: Font, code: number, width: number): void => {
  if (font.width === 0) font.width = width
  else if (!haveSameWidth(width, font.width)) font.isEqual = false
  if (narrow.has(code)) {
    font.hasNarrow = true
    font.mostNarrow = Math.max(font.mostNarrow, width)
  }
  if (wide.has(code)) {
    font.hasWide = true
    font.leastWide = Math.min(font.leastWide, width)
  }
  if (code >= ideographsFirst && code <= ideographsLast) font.ideographs++
}

/** Kana, and Chinese characters. */
const ideographsFirst = 0x3040
const ideographsLast = 0x9fff

/** Letters that are narrow and wide in other fonts were seen, and all are equally wide. */
export const isEquallyWide = ({ isEqual, hasNarrow, hasWide }: Font): boolean =>
  isEqual && hasNarrow && hasWide

/** It is called a font of equal widths, and is none of code: its letters are not, or it is one of ideographs. */
export const isOfText = ({ hasNarrow, hasWide, mostNarrow, leastWide, ideographs, known }: Font): boolean =>
  (hasNarrow && hasWide && mostNarrow < proportionalMax * leastWide) || ideographs > ideographsMin * known

/** A share: how wide the narrow letters of other fonts are at most. */
const proportionalMax = 0.8
/** A share of its characters. */
const ideographsMin = 0.3

const garbledMin = 20
const garbledShare = 0.3
/** A font of bullets has fewer. */
const shapesMin = 5

/** So many of its characters are unknown that the others are no text either: its codes were made for this file alone. */
export const isGarbled = ({ known, lost, shapes }: Font): boolean =>
  shapes.size >= shapesMin && known + lost >= garbledMin && lost > garbledShare * (known + lost)
