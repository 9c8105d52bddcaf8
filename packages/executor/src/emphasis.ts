/** White space for every version of CommonMark; anything in doubt is not. */
const whiteSpace = /[ \t\f\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/
const word = /[\p{L}\p{N}\p{M}]/u

const underscore = 0x5f
const tilde = 0x7e

/** For each character that pairs up: where the first run stands that can open a pair, and the last that can close one. */
export type Pairs = Map<number, { opener: number; closer: number }>

/**
 * Whether a run of `*`, `_` or `~` may open or close emphasis or strikethrough: it can, and there is another run
 * for it in the text, or it stands at an end of the text or of a line, and what stands beyond is not known.
 * `pairs` keeps what is found out about the text.
 */
export const mayPair = (text: string, code: number, at: number, end: number, pairs: Pairs): boolean => {
  const opens = canOpen(text, code, at, end)
  const closes = canClose(text, code, at, end)
  if (!opens && !closes) return false
  if (code !== tilde && (isEdge(text.charCodeAt(at - 1)) || isEdge(text.charCodeAt(end)))) return true
  const { opener, closer } = pairOf(text, code, pairs)
  return (opens && at < closer) || (closes && at > opener)
}

const pairOf = (text: string, code: number, pairs: Pairs) => {
  const known = pairs.get(code)
  if (known !== undefined) return known
  const pair = { opener: text.length, closer: -1 }
  const character = String.fromCharCode(code)
  for (let start = text.indexOf(character); start >= 0; ) {
    let end = start + 1
    while (text.charCodeAt(end) === code) end++
    if (start < pair.opener && canOpen(text, code, start, end)) pair.opener = start
    if (canClose(text, code, start, end)) pair.closer = start
    start = text.indexOf(character, end)
  }
  pairs.set(code, pair)
  return pair
}

/** True in doubt. */
const canOpen = (text: string, code: number, at: number, end: number): boolean =>
  !isWhiteSpace(text, end, 1, code) && (code !== underscore || !isWordBefore(text, at))

/** True in doubt. */
const canClose = (text: string, code: number, at: number, end: number): boolean =>
  !isWhiteSpace(text, at - 1, -1, code) && (code !== underscore || !isWordAt(text, end))

/**
 * Whether white space stands at a place, and stays: that at the ends of lines goes, and a line break may become
 * a tag. A tilde means nothing to CommonMark itself, so the ends of the text are no matter of doubt for it.
 */
const isWhiteSpace = (text: string, place: number, step: 1 | -1, code: number): boolean => {
  const unit = text.charCodeAt(place)
  if (unit > 0x20 && unit < 0x80) return false
  if (!whiteSpace.test(text.charAt(place))) return code === tilde && Number.isNaN(unit)
  let beyond = place
  while (whiteSpace.test(text.charAt(beyond))) beyond += step
  return !/\s/.test(text.charAt(beyond))
}

/** True of the ends of the text (NaN) and of line breaks. */
const isEdge = (unit: number): boolean =>
  !(unit >= 0x20) && (Number.isNaN(unit) || unit === 0x0a || unit === 0x0d)

const isWordBefore = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at - 1)
  return isWordAt(text, unit >= 0xdc00 && unit <= 0xdfff ? at - 2 : at - 1)
}

const isWordAt = (text: string, at: number): boolean => {
  const point = text.codePointAt(at)
  return (
    point !== undefined && (point < 0x80 ? isAsciiWord[point] === 1 : word.test(String.fromCodePoint(point)))
  )
}

const isAsciiWord = Uint8Array.from({ length: 0x80 }, (_, code) =>
  word.test(String.fromCharCode(code)) ? 1 : 0,
)
