import { decodeText, escapeMarkdown, type MarkdownWriter } from "@atelier/executor/parsing"
import { Refusal } from "@atelier/intake/bytes"
import { CsvRows } from "./csv/CsvRows.ts"
import { delimiterOf } from "./csv/delimiter.ts"
import type { ConvertFormat } from "./Format.ts"

/** A bar and a space, the minimum size of a cell in a Markdown table. */
const cellBytesMin = 2

/** A line that declares the delimiter for spreadsheet programs. */
const delimiterLine = /^sep=([^\r\n"])(?:\r\n?|\n|$)/i

/**
 * CSV as one table whose head is the first row. The text is passed twice, first for the number of columns, so
 * that no row is kept. Throws a `Refusal`.
 */
export const convert: ConvertFormat = ({ bytes, markdown, warnings }) => {
  const decoded = decodeText(bytes, ".csv")
  const [line = "", stated] = delimiterLine.exec(decoded) ?? []
  const text = decoded.slice(line.length)
  const delimiter = stated ?? delimiterOf(text)
  const size = measure(new CsvRows(text, delimiter))
  requireRoom(size, markdown)
  const rows = new CsvRows(text, delimiter)
  markdown.table(markdownOf(rows), size.columns)
  if (size.ragged > 0) {
    warnings.add(
      "ragged_rows",
      () =>
        `${size.ragged} of ${size.rows} rows have fewer than the ${size.columns} cells of the longest; the rest of them is empty.`,
    )
  }
  const { unclosedQuoteRow } = rows
  if (unclosedQuoteRow !== undefined) {
    warnings.add(
      "unclosed_quote",
      () =>
        `A quotation mark in row ${unclosedQuoteRow} is never closed; it and all that follow are taken as text.`,
    )
  }
}

interface Size {
  readonly rows: number
  readonly columns: number
  /** Rows that are shorter than the longest. */
  readonly ragged: number
}

const measure = (rows: Iterable<ReadonlyArray<string>>): Size => {
  let count = 0
  let columns = 0
  let full = 0
  for (const { length } of rows) {
    count++
    if (length > columns) full = 0
    if (length >= columns) full++
    columns = Math.max(columns, length)
  }
  return { rows: count, columns, ragged: count - full }
}

/** Refuses a table that is certainly too large before it is built: a long row makes every row long. */
const requireRoom = ({ rows, columns }: Size, { bytesMax }: MarkdownWriter): void => {
  if (rows * columns * cellBytesMin <= bytesMax) return
  throw new Refusal(
    "result_too_large",
    `The file has ${rows} rows and ${columns} columns; as Markdown they would have more than the ${bytesMax} bytes that are allowed.`,
  )
}

function* markdownOf(rows: Iterable<ReadonlyArray<string>>): Iterable<ReadonlyArray<string>> {
  for (const row of rows) yield row.map(escapeMarkdown)
}
