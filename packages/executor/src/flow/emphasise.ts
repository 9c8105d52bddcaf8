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

/** What stands under one mark: text of one format, or stretches that have it and others. */
interface Span extends Stretch {
  readonly stretches: Array<Stretch>
}

/**
 * Stretches of one line as Markdown. Emphasis is marked only where CommonMark reads it as such, whatever
 * stands beside: white space moves out of it, so does a mark of punctuation that would stop it, and of two
 * formats that touch and share nothing only the first is kept. `before` and `after` are the characters around, empty
 * at the ends of a paragraph.
 */
export const emphasise = (stretches: ReadonlyArray<Stretch>, before: string, after: string): string =>
  withMarks(withoutEdges(stretches), before, after)

const withMarks = (stretches: ReadonlyArray<Stretch>, before: string, after: string): string => {
  const spans = spansOf(stretches)
  return spans
    .map((span, index) => {
      if (span.format === 0) return escapeApart(span.text)
      const left = spans[index - 1]?.text || before
      const right = spans[index + 1]?.text || after
      return nested(span, left, right) ?? marked(span, left, right)
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
    const bridges = format === 0 && outer === trimmed[index + 1]?.format && isSpace.test(text)
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

/**
 * Neighbours that share a format are one span, over the spaces between them. Two that share nothing and touch,
 * `**a***b*`, would be read otherwise.
 */
const spansOf = (stretches: ReadonlyArray<Stretch>): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (const [index, { text, format }] of stretches.entries()) {
    const last = spans.at(-1)
    const open = last?.format ?? 0
    const isBetween = format === 0 && isSpace.test(text) && (open & (stretches[index + 1]?.format ?? 0)) !== 0
    const shared = open & format
    if (last !== undefined && (isBetween || shared !== 0 || (open === 0 && format === 0))) {
      if (shared !== 0) last.format = shared
      last.text += text
      push(last.stretches, text, format)
    } else {
      const kept = open === 0 ? format : 0
      spans.push({ text, format: kept, stretches: [{ text, format: kept }] })
    }
  }
  return spans
}

const isSpace = /^[^\S\n]+$/

/** A span with marks inside of its own; undefined where there are none, or one would not be read as what it is. */
const nested = ({ text, format, stretches }: Span, left: string, right: string): string | undefined => {
  if (stretches.length === 1) return undefined
  if (beginsWithPunctuation.test(text) && endsInWord.test(left)) return undefined
  if (endsInPunctuation.test(text) && beginsWithWord.test(right)) return undefined
  const inner = stretches.map((stretch) => ({ ...stretch, format: stretch.format & ~format }))
  if (!inner.every((stretch, index) => isApart(stretch, inner[index + 1]))) return undefined
  const [open, close] = marksOf(format)
  return open + withMarks(inner, left, right) + close
}

/** A mark between the two can only begin emphasis, or only end it. That of a deletion is no other's. */
const isApart = (one: Stretch, next: Stretch | undefined): boolean => {
  if (next === undefined || (one.format | next.format) === strike || one.format === next.format) return true
  if (one.format !== 0 && next.format !== 0) return false
  const [isWordBefore, isWordAfter] = [endsInWord.test(one.text), beginsWithWord.test(next.text)]
  // A symbol may be punctuation or not.
  return one.format === 0
    ? isWordAfter && !beginsWithPunctuation.test(next.text) && !isWordBefore
    : isWordBefore && !endsInPunctuation.test(one.text) && !isWordAfter
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

/** Runs that may open or close emphasis or a deletion: not between spaces, nor, of underscores, inside a word. */
const delimiters =
  /(?<![\s*])\*+|(?<=\s)\*+(?![\s*])|(?<![\s~])~+|(?<=\s)~+(?![\s~])|(?<![\p{L}\p{N}\p{M}\s_])_+|(?<=\s)_+(?![\s_])|(?<=[\p{L}\p{N}\p{M}])_+(?![\p{L}\p{N}\p{M}_])/gu

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
