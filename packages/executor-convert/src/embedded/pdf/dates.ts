const languages = ["en", "de", "fr", "es", "it", "pt", "nl"]

const namesOf = (count: number, options: Intl.DateTimeFormatOptions): ReadonlyArray<string> =>
  languages.flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" })
    // The first of January 2024 was a Monday.
    return Array.from({ length: count }, (_, at) =>
      format.format(new Date(Date.UTC(2024, count === 12 ? at : 0, count === 12 ? 1 : at + 1))).toLowerCase(),
    )
  })

interface Names {
  readonly months: ReadonlySet<string>
  /** Weekdays, and words between the parts of a date. */
  readonly others: ReadonlySet<string>
}

let known: Names | undefined

/** Made once a date is looked for: that takes as long as a short document does. */
const names = (): Names => {
  known ??= {
    months: new Set(
      [...namesOf(12, { month: "long" }), ...namesOf(12, { month: "short" })].map((name) =>
        name.replace(".", ""),
      ),
    ),
    others: new Set([...namesOf(7, { weekday: "long" }), "of", "the", "de", "den", "le"]),
  }
  return known
}

const day = /^(?:[12]?\d|3[01]|0\d)(?:st|nd|rd|th|er|º)?$/
const year = /^(?:19|20)\d\d$/
const charactersMax = 40

/** A day, as "12 March 2024" or "Monday, March 12th, 2024", and nothing else. */
export const isDate = (text: string): boolean => partsOf(text) === "day month year"

/** A month, as "March 2024", and nothing else. */
export const isMonth = (text: string): boolean => partsOf(text) === "month year"

/** What the parts of a date are, in the order of their names; a part that is none is itself. */
const partsOf = (text: string): string => {
  if (text.length > charactersMax) return ""
  const parts = text
    .toLowerCase()
    .split(/[\s.,]+/)
    .filter((part) => part !== "")
  if (!parts.some((part) => year.test(part))) return ""
  const { months, others } = names()
  return parts
    .filter((part) => !others.has(part))
    .map((part) => (months.has(part) ? "month" : year.test(part) ? "year" : day.test(part) ? "day" : part))
    .toSorted()
    .join(" ")
}
