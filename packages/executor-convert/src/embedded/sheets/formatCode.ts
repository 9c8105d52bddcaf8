import { formatter } from "./library.ts"

/** What stands for itself or belongs together: quoted and escaped text, brackets, the halves of the day in Chinese. */
const whole = /"[^"]*"|[\\_*].|\[[^\]]*\]|上午\/下午/
const foreign = /[^\0-\x7e]+|`/
const point = /\.(?!0)/

const inNumbers = new RegExp(`${whole.source}|(${foreign.source})`, "gsu")
const inDates = new RegExp(`${whole.source}|(${foreign.source}|${point.source})`, "gsu")

/**
 * The code of a number format as the formatter reads it: characters that stand for themselves although nothing
 * says so, as in `dd.mm.yyyy` and `0 ₽`, are put in quotes.
 */
export const quoteLiterals = (code: string): string =>
  code.replace(formatter.is_date(code) ? inDates : inNumbers, (match, literal?: string) =>
    literal === undefined ? match : `"${literal}"`,
  )
