import { escapeMarkdown } from "../escapeMarkdown.ts"
import { bold, italic, strike } from "./CharacterFormat.ts"

/** Text in one format, a sum of `bold`, `italic` and `strike`. */
export interface Stretch {
  text: string
  format: number
}

/** By format, without `strike`. */
const marks = ["", "**", "*", "***"]

const marksOf = (format: number): readonly [before: string, after: string] => {
  const mark = marks[format & (bold | italic)] ?? ""
  return (format & strike) === 0 ? [mark, mark] : [`~~${mark}`, `${mark}~~`]
}

/**
 * Stretches of one line as Markdown. Emphasis is marked only where CommonMark reads it as such, whatever
 * stands beside: white space moves out of it, so does a mark of punctuation that would stop it, and of two
 * formats that touch only what they share is kept. `before` and `after` are the characters around, empty at
 * the ends of a paragraph.
 */
export const emphasise = (stretches: ReadonlyArray<Stretch>, before: string, after: string): string => {
  const apart = separate(withoutEdges(stretches))
  return apart
    .map((stretch, index) => {
      if (stretch.format === 0) return escapeApart(stretch.text)
      const left = apart[index - 1]?.text || before
      const right = apart[index + 1]?.text || after
      return marked(stretch, left, right)
    })
    .join("")
}

const push = (stretches: Array<Stretch>, text: string, format: number): void => {
  if (text === "") return
  const last = stretches.at(-1)
  if (last?.format === format) last.text += text
  else stretches.push({ text, format })
}

/** No emphasis begins or ends with white space, or goes over a line break; spaces between two equals join them. */
const withoutEdges = (stretches: ReadonlyArray<Stretch>): ReadonlyArray<Stretch> => {
  const trimmed: Array<Stretch> = []
  for (const { text, format } of stretches) {
    if (format === 0) push(trimmed, text, 0)
    else pushTrimmed(trimmed, text, format)
  }
  const joined: Array<Stretch> = []
  for (const [index, { text, format }] of trimmed.entries()) {
    const outer = joined.at(-1)?.format
    const bridges = format === 0 && outer === trimmed[index + 1]?.format && /^[^\S\n]+$/.test(text)
    push(joined, text, bridges ? (outer ?? 0) : format)
  }
  return joined
}

const pushTrimmed = (stretches: Array<Stretch>, text: string, format: number): void => {
  for (const [index, line] of text.split("\n").entries()) {
    const core = line.trim()
    const start = line.length - line.trimStart().length
    push(stretches, (index > 0 ? "\n" : "") + line.slice(0, start), 0)
    push(stretches, core, format)
    push(stretches, line.slice(start + core.length), 0)
  }
}

/** Two formats that touch, `**a***b*`, would be read otherwise. */
const separate = (stretches: ReadonlyArray<Stretch>): ReadonlyArray<Stretch> => {
  const apart: Array<Stretch> = []
  for (const { text, format } of stretches) {
    const last = apart.at(-1)
    if (last === undefined || last.format === 0 || format === 0) push(apart, text, format)
    else {
      const shared = last.format & format
      if (shared !== 0) last.format = shared
      push(apart, text, shared)
    }
  }
  return apart
}

/**
 * Marks what of a text can stand between marks: a mark is none if white space is on its inner side, or
 * punctuation there and a letter on the other.
 */
const marked = ({ text, format }: Stretch, left: string, right: string): string => {
  let core = text
  for (let outer = left; beginsWithPunctuation.test(core) && endsInWord.test(outer); ) {
    outer = String.fromCodePoint(core.codePointAt(0) ?? 0)
    core = core.slice(outer.length).trimStart()
  }
  const start = text.length - core.length
  for (let outer = right; endsInPunctuation.test(core) && beginsWithWord.test(outer); ) {
    outer = /.$/su.exec(core)?.[0] ?? ""
    core = core.slice(0, -outer.length).trimEnd()
  }
  if (core === "") return escapeApart(text)
  const [open, close] = marksOf(format)
  const before = escapeApart(text.slice(0, start))
  const after = escapeApart(text.slice(start + core.length))
  return before + open + escapeApart(core) + close + after
}

/** Versions of CommonMark differ in whether symbols are punctuation: if in doubt, the worse case is assumed. */
const beginsWithPunctuation = /^[\p{P}\p{S}]/u
const endsInPunctuation = /[\p{P}\p{S}]$/u
const beginsWithWord = /^[^\p{P}$+<=>^`|~\p{Zs}\t\n\f\r]/u
const endsInWord = /[^\p{P}$+<=>^`|~\p{Zs}\t\n\f\r]$/u

/** Runs that may open or close emphasis or a deletion; those inside a word cannot. */
const delimiters = /\*+|~+|(?<![\p{L}\p{N}\p{M}])_+|_+(?![\p{L}\p{N}\p{M}])/gu

/** Pieces are joined this many at a time, so that a text of delimiters alone takes no memory for each. */
const piecesMax = 8192

/** Escapes text of which there may be more in the line: a delimiter that is alone in it may not be alone there. */
export const escapeApart = (text: string): string => {
  if (!/[*_~]/.test(text)) return escapeMarkdown(text)
  let escaped = ""
  let pieces: Array<string> = []
  let from = 0
  for (const { 0: run, index } of text.matchAll(delimiters)) {
    pieces.push(escapeMarkdown(text.slice(from, index)), `\\${run[0]}`.repeat(run.length))
    from = index + run.length
    if (pieces.length < piecesMax) continue
    escaped += pieces.join("")
    pieces = []
  }
  return escaped + pieces.join("") + escapeMarkdown(text.slice(from))
}
