import { CsvRows } from "./CsvRows.ts"

/** What is looked at, in UTF-16 units and rows. */
const sampleUnits = 65_536
const sampleRows = 200

const candidates = [",", ";", "\t", "|"] as const

/**
 * The delimiter of a CSV text: the one by which most rows at its beginning have the same number of cells, more
 * than one; of equals the one that makes more cells; a comma where none makes any.
 */
export const delimiterOf = (text: string): string => {
  const sample = text.slice(0, sampleUnits)
  let best: { readonly delimiter: string; readonly share: number; readonly columns: number } = {
    delimiter: ",",
    share: 0,
    columns: 1,
  }
  for (const delimiter of candidates) {
    const lengths = lengthsOf(sample, delimiter, sample.length < text.length)
    const { columns, share } = commonest(lengths)
    if (columns < 2) continue
    if (share > best.share || (share === best.share && columns > best.columns)) {
      best = { delimiter, share, columns }
    }
  }
  return best.delimiter
}

/** Number of cells of each row; the last row of a sample that was cut is left out. */
const lengthsOf = (sample: string, delimiter: string, isCut: boolean): ReadonlyArray<number> => {
  const lengths: Array<number> = []
  for (const row of new CsvRows(sample, delimiter)) {
    lengths.push(row.length)
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
