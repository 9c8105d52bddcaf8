import { escapeMarkdown } from "../escapeMarkdown.ts"

const plain = "0123456789+-=()n"
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ"
const subscripts = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ"

/** Endings of ordinals say the same on the line, behind a number; a letter alone may be the mark of a note there. */
const ordinal = /^(?:er|re|ers|res|ème|e)$/i
const counted = /(?:^|[^\p{L}\p{N}.,])(?:\d{1,3}|[IVXLC]{1,7})$/u
const endingOnly = /^(?:[ºª]|st|nd|rd|th)$/i

/** Text above or below the line, behind another, in characters that look so, undefined where Unicode lacks one. */
export const scriptText = (text: string, isRaised: boolean, before: string): string | undefined => {
  const ending = text.trim()
  if (isRaised && (endingOnly.test(ending) || (ordinal.test(ending) && counted.test(before)))) return text
  const signs = isRaised ? superscripts : subscripts
  let written = ""
  for (const character of text.replace(/[\u2212\u2013]/g, "-")) {
    const at = plain.indexOf(character)
    if (at < 0 && character.trim() !== "") return undefined
    written += at < 0 ? character : signs[at]
  }
  return written
}

/** The same in the elements of HTML that Markdown allows. */
export const scriptMarkdown = (text: string, isRaised: boolean): string => {
  const name = isRaised ? "sup" : "sub"
  const inner = text.trim()
  const [before, after] = text.split(inner)
  // No link can go on behind it.
  const escaped = escapeMarkdown(inner).replace(/\\\]$/, "]")
  return `${before ?? ""}<${name}>${escaped}</${name}>${after ?? ""}`
}
