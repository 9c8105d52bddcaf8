/** A number as lists print it; formats that are not known, and numbers too large for theirs, as decimals. */
export const formatNumber = (value: number, format: string): string => {
  switch (format) {
    case "lowerLetter":
      return letters(value)
    case "upperLetter":
      return letters(value).toUpperCase()
    case "lowerRoman":
      return roman(value).toLowerCase()
    case "upperRoman":
      return roman(value)
    case "decimalZero":
      return String(value).padStart(2, "0")
    case "none":
      return ""
    default:
      return String(value)
  }
}

const alphabet = "abcdefghijklmnopqrstuvwxyz"
const letterRepeatsMax = 8

/** a to z, then aa, bb and so on. */
const letters = (value: number): string => {
  const repeats = Math.ceil(value / alphabet.length)
  const letter = alphabet[(value - 1) % alphabet.length]
  return letter === undefined || repeats > letterRepeatsMax ? String(value) : letter.repeat(repeats)
}

const romanMax = 3999
const romanDigits: ReadonlyArray<readonly [number, string]> = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
]

const roman = (value: number): string => {
  if (value < 1 || value > romanMax) return String(value)
  let rest = value
  let digits = ""
  for (const [worth, digit] of romanDigits) {
    digits += digit.repeat(Math.floor(rest / worth))
    rest %= worth
  }
  return digits
}
