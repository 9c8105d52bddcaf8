import { mayPair, type Pairs } from "./emphasis.ts"

/** Everything with a meaning inside a line; the writer deals with what begins a block. */
const special = /[\\`*_~<&\]]/

const spaceOrPunctuation = /[\s!-/:-@[-`{-~]/
const tagOrAddress = /<(?:[A-Za-z/!?]|[^\s<>@]*@)/y
const entity = /&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,40});/y

/** Many small strings are joined this many at a time. */
const piecesMax = 8192

/**
 * Plain text as Markdown that renders to the same text: what would begin emphasis, code, a link, HTML or an
 * entity is escaped, and little else, so that ordinary text stays as it is. What comes out may stand between
 * other Markdown. Of several pieces in one line each may keep a `*` that is alone in it: text that belongs
 * together is escaped together.
 */
export const escapeMarkdown = (text: string): string => {
  const first = text.search(special)
  return first < 0 ? text : escapeFrom(text, first)
}

/** Cuts the text before every character that needs a backslash, and puts one there. */
const escapeFrom = (text: string, first: number): string => {
  const blocks: Array<string> = []
  let pieces: Array<string> = []
  const pairs: Pairs = new Map()
  let from = 0
  let runEnd = 0
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > tilde || isSpecial[code] === 0) continue
    if (code === asterisk || code === underscore || code === tilde) {
      if (at >= runEnd) {
        runEnd = endOfRun(text, at, code)
        if (!mayPair(text, code, at, runEnd, pairs)) {
          at = runEnd - 1
          continue
        }
      }
    } else if (!needsEscape(text, code, at)) continue
    pieces.push(text.slice(from, at))
    from = at
    if (pieces.length === piecesMax) {
      blocks.push(pieces.join("\\"))
      pieces = []
    }
  }
  pieces.push(text.slice(from))
  blocks.push(pieces.join("\\"))
  return blocks.join("\\")
}

const isSpecial = Uint8Array.from({ length: 0x7f }, (_, code) =>
  special.test(String.fromCharCode(code)) ? 1 : 0,
)

const backslash = 0x5c
const backtick = 0x60
const asterisk = 0x2a
const underscore = 0x5f
const tilde = 0x7e
const lessThan = 0x3c
const ampersand = 0x26

const endOfRun = (text: string, start: number, code: number): number => {
  let end = start + 1
  while (text.charCodeAt(end) === code) end++
  return end
}

/** Whether the character, none that pairs up, means more than itself, also before what may follow the text. */
const needsEscape = (text: string, code: number, at: number): boolean => {
  const next = text.charAt(at + 1)
  switch (code) {
    case backtick:
      return true
    case backslash:
      return next === "" || spaceOrPunctuation.test(next)
    case lessThan:
      return next === "" || next === "\n" || next === "\r" || isAt(tagOrAddress, text, at)
    case ampersand:
      return next === "" || isAt(entity, text, at) || (next === "#" && at + 2 === text.length)
    default:
      return next === "" || next === "(" || next === ":"
  }
}

const isAt = (sticky: RegExp, text: string, at: number): boolean => {
  sticky.lastIndex = at
  return sticky.test(text)
}
