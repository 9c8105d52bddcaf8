import { decodeHTMLStrict } from "entities/decode"

/** ISO 8879 has two sets of Greek letters, and HTML only the one for formulas. In the order of Unicode, from α on. */
const greek = "a b g d e z ee th i k l m n x o p r sf s t u ph kh ps oh".split(" ")
const smallAlpha = 0x3b1
const capitalAlpha = 0x391

const greekLetters: ReadonlyMap<string, string> = new Map(
  greek.flatMap((name, index) => [
    [`${name}gr`, String.fromCodePoint(smallAlpha + index)],
    [`${name.toUpperCase()}gr`, String.fromCodePoint(capitalAlpha + index)],
  ]),
)

/**
 * What a name stands for in the sets of ISO 8879 and 9573-13, which HTML took over and which the definitions of most
 * vocabularies contain: mostly one character. Undefined for any other name.
 */
const charactersOf = (name: string): string | undefined => {
  const letter = greekLetters.get(name)
  if (letter !== undefined) return letter
  const written = `&${name};`
  const characters = decodeHTMLStrict(written)
  return characters === written ? undefined : characters
}

/** Whether a reference by this name is to characters that are known without the definition that declares it. */
export const isCharacterName = (name: string): boolean => charactersOf(name) !== undefined

const reference = /&([A-Za-z][A-Za-z0-9]{0,30});/g

/** Text of a document that was checked: what is left in it of references are those by name. */
export const withNamedCharacters = (text: string): string =>
  text.includes("&")
    ? text.replace(reference, (written, name: string) => charactersOf(name) ?? written)
    : text
