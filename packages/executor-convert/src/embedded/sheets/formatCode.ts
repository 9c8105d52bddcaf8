import { formatter } from "./library.ts"

/** What stands for itself or belongs together: quoted and escaped text, brackets, the halves of the day in Chinese. */
const whole = /"[^"]*"|[\\_*].|\[[^\]]*\]|上午\/下午/
/** Names a language, or the digits of one, and no currency. */
const language = /^\[(?:\$-[^\]]*|DBNum\d)\]$/i
const foreign = /[^\0-\x7e]+|`/
const point = /\.(?!0)/

const inNumbers = new RegExp(`${whole.source}|(${foreign.source})`, "gsu")
const inDates = new RegExp(`${whole.source}|(${foreign.source}|${point.source})`, "gsu")

/**
 * The code of a number format as the formatter reads it: characters that stand for themselves although nothing
 * says so, as in `dd.mm.yyyy` and `0 ₽`, are put in quotes, and languages, which it takes for dollars, left out.
 */
export const readableCode = (code: string): string =>
  code.replace(formatter.is_date(code) ? inDates : inNumbers, (match, literal?: string) =>
    literal === undefined ? (language.test(match) ? "" : match) : `"${literal}"`,
  )
