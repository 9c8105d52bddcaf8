const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * The rows of a CSV text (RFC 4180), one after the other, without empty lines. Text behind a closing quote
 * belongs to the cell; a quote that is never closed is text.
 */
export class CsvRows implements Iterable<ReadonlyArray<string>> {
  private readonly text: string
  private readonly delimiter: number
  private at = 0
  /** Row, counted from 1, in which a quote opens that is never closed; undefined while there is none. */
  unclosedQuoteRow: number | undefined
  /** A closing quote did not end its cell, which is unlikely where the delimiter is right. */
  hasStrayQuote = false

  constructor(text: string, delimiter: string) {
    this.text = text
    this.delimiter = delimiter.charCodeAt(0)
  }

  *[Symbol.iterator](): Iterator<ReadonlyArray<string>> {
    for (let row = 1; this.at < this.text.length; ) {
      const cells = this.readRow(row)
      if (cells.length === 1 && cells[0] === "") continue
      yield cells
      row++
    }
  }

  private readRow(row: number): ReadonlyArray<string> {
    const { text, delimiter } = this
    const cells: Array<string> = []
    for (;;) {
      cells.push(this.readCell(row))
      const code = text.charCodeAt(this.at)
      this.at++
      if (code === delimiter) continue
      if (code === carriageReturn && text.charCodeAt(this.at) === lineFeed) this.at++
      return cells
    }
  }

  /** Reads up to the delimiter, the line end, or the end of the text. */
  private readCell(row: number): string {
    const { text } = this
    if (text.charCodeAt(this.at) !== quote || this.unclosedQuoteRow !== undefined) return this.readPlain()
    const end = closingQuote(text, this.at + 1)
    if (end < 0) {
      this.unclosedQuoteRow = row
      return this.readPlain()
    }
    const quoted = text.slice(this.at + 1, end)
    this.at = end + 1
    const rest = this.readPlain()
    if (rest !== "") this.hasStrayQuote = true
    return (quoted.includes('"') ? quoted.replaceAll('""', '"') : quoted) + rest
  }

  private readPlain(): string {
    const { text, delimiter } = this
    const from = this.at
    let at = from
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === delimiter || code === lineFeed || code === carriageReturn) break
    }
    this.at = at
    return text.slice(from, at)
  }
}

/** Of two quotes in a row none closes; -1 if nothing does. */
const closingQuote = (text: string, from: number): number => {
  let at = text.indexOf('"', from)
  while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2)
  return at
}
