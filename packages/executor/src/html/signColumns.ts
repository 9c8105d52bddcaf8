/** A cell in which something stands. */
export interface PlacedCell {
  readonly text: string
  /** The first column that it stands in, and the first one behind it. */
  readonly first: number
  readonly end: number
}

const before = /^(?:\p{Sc}|[A-Z]{1,3}\p{Sc})$/u
const behind = /^(?:[)%]|\)%|%\))$/u
const number = /^[(–—-]?\p{Sc}?[(–—-]?[\d.,]*\d[\d.,]*|^[–—-]$/u
/** What is longer is no number. */
const numberCharactersMax = 24
const emphasis = /[*_\\]/g

const isSign = (sign: RegExp, text: string): boolean =>
  text.length <= numberCharactersMax && sign.test(text.replace(emphasis, "").trim())

/** A sign that may stand in a column of its own. */
export const mayBeSign = (text: string): boolean => isSign(before, text) || isSign(behind, text)

/** What is known of a column. */
interface Column {
  signsBefore: number
  signsBehind: number
  /** Something stands in it, alone, that is no sign. */
  isOther: boolean
  /** Cells that reach over several columns begin, or end, in it. */
  isBegin: boolean
  isEnd: boolean
}

/**
 * The columns that go with the one before them, because one of both holds nothing but signs of currencies before numbers,
 * or signs such as `)` and `%` behind them: tables of accounts give those columns of their own.
 */
export const columnsOfSigns = (rows: Iterable<ReadonlyArray<PlacedCell>>): ReadonlySet<number> => {
  const columns = new Map<number, Column>()
  const columnOf = (column: number): Column => {
    const found = columns.get(column) ?? {
      signsBefore: 0,
      signsBehind: 0,
      isOther: false,
      isBegin: false,
      isEnd: false,
    }
    columns.set(column, found)
    return found
  }
  for (const row of rows) {
    for (const [at, { text, first, end }] of row.entries()) {
      const [last, next] = [row[at - 1], row[at + 1]]
      const column = columnOf(first)
      if (end > first + 1) {
        column.isBegin = true
        columnOf(end - 1).isEnd = true
      } else if (isSign(before, text) && next?.first === end && isSign(number, next.text))
        column.signsBefore++
      else if (isSign(behind, text) && last?.end === first && isSign(number, last.text)) column.signsBehind++
      else column.isOther = true
    }
  }
  const joined = new Set<number>()
  for (const [at, { signsBefore, signsBehind, isOther, isBegin, isEnd }] of columns) {
    if (isOther) continue
    if (signsBefore > 0 && signsBehind === 0 && !isEnd) joined.add(at + 1)
    if (signsBehind > 0 && signsBefore === 0 && !isBegin) joined.add(at)
  }
  return joined
}

/** The texts of two cells as one, with what is said of both said once. */
export const withSign = (left: string, right: string): string => {
  const room = isSign(behind, right) ? "" : " "
  return left.endsWith("**") && right.startsWith("**")
    ? `${left.slice(0, -2)}${room}${right.slice(2)}`
    : `${left}${room}${right}`
}
