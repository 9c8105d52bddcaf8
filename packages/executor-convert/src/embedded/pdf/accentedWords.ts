import { accentOf, composed, standsOver } from "./accents.ts"
import type { Place } from "./readCharacter.ts"
import type { Word } from "./Word.ts"

/** A character that was read, and its place as it is said. */
export interface Character {
  readonly code: number
  readonly place: Place
}

/** The word with an accent put onto its letter, where one of both has just come and the other stands there. */
export const accentedOf = (
  word: Word,
  last: Character | undefined,
  code: number,
  place: Place,
): string | undefined => {
  const before = last === undefined ? undefined : accentOf(last.code)
  const accent = before ?? accentOf(code)
  if (last === undefined || accent === undefined) return undefined
  const isOver = before === undefined ? standsOver(place, last.place) : standsOver(last.place, place)
  const written = String.fromCodePoint(last.code)
  if (!isOver || !word.text.endsWith(written)) return undefined
  const letter = composed(before === undefined ? written : String.fromCodePoint(code), accent)
  return letter === undefined ? undefined : word.text.slice(0, -written.length) + letter
}
