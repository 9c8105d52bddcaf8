import { codeBlanked } from "./codeBlanked.ts"

const webOrMail = /^(?:https?:\/\/|mailto:|tel:)\S/i

/**
 * A link, if its target is a web or mail address or a telephone number; otherwise its text alone. `text` is
 * Markdown already; if it holds a link, that one stays and this one goes, because links cannot nest.
 */
export const markdownLink = (text: string, target: string): string => {
  const address = target.trim()
  if (text.trim() === "" || !webOrMail.test(address)) return text
  const label = labelOf(text)
  return label === undefined ? text : `[${label}](${destinationOf(address)})`
}

/** Link text whose brackets are in pairs, or escaped; undefined if it holds a link. */
const labelOf = (text: string): string | undefined => {
  if (!/[[\]]/.test(text)) return text
  const visible = codeBlanked(text)
  const brackets: Array<number> = []
  let depth = 0
  let isPaired = true
  for (let at = 0; at < visible.length; at++) {
    const character = visible[at]
    if (character === "\\") at++
    if (character !== "[" && character !== "]") continue
    if (character === "]" && visible[at + 1] === "(") return undefined
    brackets.push(at)
    depth += character === "[" ? 1 : -1
    if (depth < 0) isPaired = false
  }
  return isPaired && depth === 0 ? text : withBackslashes(text, brackets)
}

const withBackslashes = (text: string, places: ReadonlyArray<number>): string =>
  text.slice(0, places[0]) + places.map((at, index) => `\\${text.slice(at, places[index + 1])}`).join("")

const entityLike = /&(?=#?[A-Za-z0-9]{1,40};)/g

/** A target that nothing in it ends early: encoded where it is no URL anyway, in angle brackets for parentheses. */
const destinationOf = (target: string): string => {
  const encoded = target
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is encoded
    .replace(/[\u0000-\u0020\u007f<>\\`]|\s/g, encodeURIComponent)
    .replace(entityLike, "\\&")
  return /[()]/.test(encoded) ? `<${encoded}>` : encoded
}
