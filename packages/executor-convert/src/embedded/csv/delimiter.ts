import { CsvRows } from "./CsvRows.ts"

/** What is looked at, in UTF-16 units and rows. */
const sampleUnits = 65_536
const sampleRows = 200

/** Those that are rare in text come first: a comma may be a decimal comma. */
const candidates = ["\t", ";", "|", ","] as const

interface Guess {
  readonly delimiter: string
  /** How many of the rows have the commonest number of cells. */
  readonly share: number
  readonly isRegular: boolean
}

/**
 * The delimiter of a CSV text: one by which the quotes at its beginning make sense, and of those the one by which
 * most rows have the same number of cells, more than one; a comma where none makes any.
 */
export const delimiterOf = (text: string): string => {
  const guesses = candidates.flatMap((delimiter) => guess(text, delimiter))
  const [best] = guesses.toSorted((a, b) => Number(b.isRegular) - Number(a.isRegular) || b.share - a.share)
  return best?.delimiter ?? ","
}

const guess = (text: string, delimiter: string): ReadonlyArray<Guess> => {
  const rows = new CsvRows(text.slice(0, sampleUnits), delimiter)
  const { columns, share } = commonest(lengthsOf(rows, sampleUnits < text.length))
  return columns < 2 ? [] : [{ delimiter, share, isRegular: !rows.hasStrayQuote }]
}

/** Number of cells of each row; the last row of a sample that was cut is left out. */
const lengthsOf = (rows: CsvRows, isCut: boolean): ReadonlyArray<number> => {
  const lengths: Array<number> = []
  for (const { length } of rows) {
    lengths.push(length)
    if (lengths.length === sampleRows) return lengths
  }
  return isCut && lengths.length > 1 ? lengths.slice(0, -1) : lengths
}

const commonest = (lengths: ReadonlyArray<number>): { readonly columns: number; readonly share: number } => {
  const counts = new Map<number, number>()
  let columns = 1
  for (const length of lengths) {
    const count = (counts.get(length) ?? 0) + 1
    counts.set(length, count)
    if (count > (counts.get(columns) ?? 0)) columns = length
  }
  return { columns, share: (counts.get(columns) ?? 0) / Math.max(1, lengths.length) }
}
