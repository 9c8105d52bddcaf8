/** Accents that stand for themselves, as some programs draw them over a letter, and those that Unicode composes. */
const combining: ReadonlyMap<number, string> = new Map([
  [0x60, "\u0300"],
  [0xb4, "\u0301"],
  [0x5e, "\u0302"],
  [0x2c6, "\u0302"],
  [0x7e, "\u0303"],
  [0x2dc, "\u0303"],
  [0xaf, "\u0304"],
  [0x2c9, "\u0304"],
  [0x2d8, "\u0306"],
  [0x2d9, "\u0307"],
  [0xa8, "\u0308"],
  [0x2da, "\u030a"],
  [0x2dd, "\u030b"],
  [0x2c7, "\u030c"],
  [0xb8, "\u0327"],
  [0x2db, "\u0328"],
])

interface Extent {
  readonly left: number
  readonly right: number
  readonly baseline: number
}

/** Middles of an accent and its letter that are further apart, as a share of the letter's width, are beside each other. */
const middleMax = 0.4

/** The accent that a character is by itself, undefined for any other. */
export const accentOf = (code: number): string | undefined => combining.get(code)

export const standsOver = (accent: Extent, letter: Extent): boolean => {
  const width = letter.right - letter.left
  const distance = Math.abs(accent.left + accent.right - letter.left - letter.right) / 2
  return width > 0 && distance <= middleMax * width && Math.abs(accent.baseline - letter.baseline) <= width
}

const dotless: ReadonlyMap<string, string> = new Map([
  ["ı", "i"],
  ["ȷ", "j"],
])

/** A letter with its accent as one character; undefined where there is none, as for a formula's letter. */
export const composed = (letter: string, accent: string): string | undefined => {
  const whole = `${dotless.get(letter) ?? letter}${accent}`.normalize("NFC")
  return /^\p{L}$/u.test(whole) ? whole : undefined
}

/** A page whose characters are looked at by their indexes. */
interface Characters {
  readonly count: number
  readonly codeAt: (index: number) => number
  /** Undefined in text that is turned. */
  readonly extentAt: (index: number) => Extent | undefined
}

/** Accents away from their letters: the letters that these become, and the accents that are a part of them, by their indexes. */
export interface MovedAccents {
  readonly letters: ReadonlyMap<number, number>
  readonly accents: ReadonlySet<number>
}

/** Places that an accent is away from its letter in the order of the page. */
const movedMax = 100
/** Each looks at those around it. */
const accentsMax = 500

/** The accents that stand over a letter somewhere near them in the order of the page, as objects are written one by one. */
export const movedAccents = ({ count, codeAt, extentAt }: Characters): MovedAccents => {
  const letters = new Map<number, number>()
  const accents = new Set<number>()
  let looks = 0
  for (let index = 0; index < count && looks < accentsMax; index++) {
    const accent = accentOf(codeAt(index))
    if (accent === undefined) continue
    looks++
    const place = extentAt(index)
    if (place === undefined) continue
    for (let away = 1; away <= movedMax; away++) {
      const at = [index + away, index - away].find((near) => {
        if (near < 0 || near >= count || letters.has(near)) return false
        const code = codeAt(near)
        // A damaged font may say what is no character.
        const letter =
          code < 0x20 || code > 0x10ffff ? undefined : composed(String.fromCodePoint(code), accent)
        const extent = letter === undefined ? undefined : extentAt(near)
        return extent !== undefined && standsOver(place, extent)
      })
      if (at === undefined) continue
      letters.set(at, composed(String.fromCodePoint(codeAt(at)), accent)?.codePointAt(0) ?? codeAt(at))
      accents.add(index)
      break
    }
  }
  return { letters, accents }
}
