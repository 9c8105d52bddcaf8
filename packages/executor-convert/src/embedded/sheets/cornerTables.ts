/** Where the cells of a row begin and end in the list of all cells. */
interface Place {
  readonly start: number
  readonly end: number
}

const rowsMin = 2
const columnsMin = 2

/**
 * The rows at which tables begin that touch the one above them at no more than a corner: all cells from there on stand
 * to the right of all above them, or to the left. Each table has two rows and columns or more.
 */
export const cornerTables = (
  columns: ReadonlyArray<number>,
  rows: ReadonlyArray<Place>,
): ReadonlyArray<number> => {
  const rest = spansOf(columns, rows.toReversed()).toReversed()
  const begins: Array<number> = []
  let first = 0
  let above = none
  for (const [at, row] of rows.entries()) {
    const below = rest[at] ?? none
    const isApart = above.last < below.first || below.last < above.first
    if (isApart && at - first >= rowsMin && rows.length - at >= rowsMin && isWide(above) && isWide(below)) {
      begins.push(at)
      first = at
      above = none
    }
    above = withRow(above, columns, row)
  }
  return begins
}

interface Span {
  readonly first: number
  readonly last: number
}

const none: Span = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY }

const isWide = ({ first, last }: Span): boolean => last - first + 1 >= columnsMin

/** For each row the columns of it and of all before it. */
const spansOf = (columns: ReadonlyArray<number>, rows: ReadonlyArray<Place>): ReadonlyArray<Span> => {
  let span = none
  return rows.map((row) => {
    span = withRow(span, columns, row)
    return span
  })
}

const withRow = (span: Span, columns: ReadonlyArray<number>, { start, end }: Place): Span => {
  let { first, last } = span
  for (let at = start; at < end; at++) {
    const column = columns[at] ?? 0
    if (column < first) first = column
    if (column > last) last = column
  }
  return first === span.first && last === span.last ? span : { first, last }
}
