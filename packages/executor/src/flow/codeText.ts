import type { Inline } from "./Inline.ts"

/** Whether a font's name says that all of its characters are equally wide. */
export const isFixedWidth = (font: string): boolean => fixedWidth.test(font)

const fixedWidth =
  /courier|consol|menlo|monaco|cascadia|inconsolata|typewriter|lucida ?console|cmtt|(?:source|fira) ?code|mono(?!type)/i

/** Code has shorter lines; a paragraph of prose is one line. */
const codeColumnsMax = 120

/** Whether all lines are as short as those of code. */
export const hasShortLines = (text: string): boolean =>
  text.split("\n").every((line) => line.length <= codeColumnsMax)

/** What a paragraph says of being code. Those that stand together are it if all of them may be and one is. */
export interface CodeEvidence {
  readonly mayBeCode: boolean
  readonly isCode: boolean
}

/** Whether a paragraph in a font of equal widths is code: something in it is written as only code is. */
export const codeEvidence = (inline: Inline): CodeEvidence => {
  const isCode = codeSigns.test(inline.text.replace(webAddress, ""))
  return { mayBeCode: inline.isText && (isCode || hasShortLines(inline.text)), isCode }
}

/** Braces, statements' ends, tags, calls, comparisons, assignments, prompts, comments, names with underscores. */
const codeSigns =
  /[{}]|;[ \t]*$|<[/!?]?\w[^@<>]*>|\w\.\w+\(|\w\(\)|[=!<>]=|\w ?= ?["'\w[(]|^[ \t]*(?:[$>#]|\/\/|--|\/\*|@\w)[ \t]?\S|\w_\w/m

const webAddress = /\bhttps?:\S+/g
