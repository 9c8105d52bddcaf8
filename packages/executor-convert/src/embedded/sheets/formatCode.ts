import { formatter } from "./library.ts"

/** What stands for itself or belongs together: quoted and escaped text, brackets, the halves of the day in Chinese. */
const whole = /"[^"]*"|[\\_*].|\[[^\]]*\]|上午\/下午/
/** Names a language, or the digits of one, and no currency. */
const language = /^\[(?:\$-[^\]]*|DBNum\d)\]$/i
const foreign = /[^\0-\x7e]+|`/
const point = /\.(?!0)/

const inNumbers = new RegExp(`${whole.source}|(${foreign.source})`, "gsu")
const inDates = new RegExp(`${whole.source}|(${foreign.source}|${point.source})`, "gsu")

const sectionEnd = new RegExp(`${whole.source}|(;)`, "gsu")
const sectionsOf = (code: string): ReadonlyArray<string> =>
  code.replace(sectionEnd, (match, end?: string) => (end === undefined ? match : "\0")).split("\0")

/** A code as the formatter reads it. */
export interface ReadableCode {
  readonly code: string
  /** Of numbers below zero, whose sign is in it; undefined if the formatter finds it by itself. */
  readonly ofNegatives: string | undefined
}

/**
 * The code of a number format as the formatter reads it: characters that stand for themselves although nothing
 * says so, as in `dd.mm.yyyy` and `0 ₽`, are put in quotes, and languages, which it takes for dollars, left out.
 * A code that begins with `General` it takes for nothing else, and `-General` it gives a second sign.
 */
export const readableCode = (written: string): ReadableCode => {
  const code = written.replace(formatter.is_date(written) ? inDates : inNumbers, (match, literal?: string) =>
    literal === undefined ? (language.test(match) ? "" : match) : `"${literal}"`,
  )
  if (/^general$/i.test(code) || !/general/i.test(code)) return { code, ofNegatives: undefined }
  const sections = sectionsOf(code).map((section) => (/^general/i.test(section) ? `""${section}` : section))
  const isConditional = sections.some((section) => /\[[<>=]/.test(section))
  return { code: sections.join(";"), ofNegatives: isConditional ? undefined : sections[1] }
}
