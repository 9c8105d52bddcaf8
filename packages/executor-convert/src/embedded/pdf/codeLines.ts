import { median } from "./Cells.ts"
import { endsIdeographic } from "./joinWords.ts"
import type { Row } from "./Lines.ts"
import { mirrored } from "./mirrored.ts"
import type { Word } from "./Word.ts"

const endsEastAsian = new RegExp(`${endsIdeographic.source}|\\p{Script=Hangul}$`, "u")
export const spacesMax = 200
const emptyLinesMax = 3

/** Lines of equal characters as they are, with the spaces before and between their words, and how wide a character is. */
export const codeLines = (
  rowsOfPage: ReadonlyArray<Row>,
): { readonly lines: Array<string>; readonly width: number } => {
  const rows = rowsOfPage.map(asDrawn)
  const words = rows.flatMap(({ segments }) => segments.flatMap((segment) => segment.words))
  const width = median(words.map(({ left, right, text }) => (right - left) / [...text].length)) || 1
  const left = words.reduce((least, word) => Math.min(least, word.left), Number.POSITIVE_INFINITY)
  const leadings = rows.slice(1).map(({ baseline }, index) => baseline - (rows[index]?.baseline ?? 0))
  const leading = leadings.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY)
  const lines: Array<string> = []
  for (const [index, row] of rows.entries()) {
    const broken = row.segments[0]?.words[0]?.brokenLine
    const last = lines.at(-1)
    if (broken !== undefined && last !== undefined) {
      const rest = lineOf(row, row.segments[0]?.words[0]?.left ?? 0, width)
      lines[lines.length - 1] = last + (broken === "at a space" ? " " : "") + rest
      continue
    }
    const empty = index === 0 ? 0 : Math.round((leadings[index - 1] ?? 0) / leading) - 1
    for (let count = Math.min(emptyLinesMax, empty); count > 0; count--) lines.push("")
    lines.push(lineOf(row, left, width))
  }
  return { lines, width }
}

/** Code is read from left to right also on a page that is written from right to left. */
const asDrawn = (row: Row): Row => ({
  ...row,
  segments: row.segments
    .map((segment) => ({
      ...segment,
      words: segment.words
        .map((word) => (word.isMirrored === true ? mirrored(word) : word))
        .toSorted((a, b) => a.left - b.left),
    }))
    .toSorted((a, b) => (a.words[0]?.left ?? 0) - (b.words[0]?.left ?? 0)),
})

const lineOf = ({ segments }: Row, left: number, width: number): string => {
  let line = ""
  let length = 0
  let last: Word | undefined
  for (const word of segments.flatMap(({ words }) => words)) {
    const column = Math.round((word.left - left) / width)
    // Letters of these scripts are wider than others.
    const isBehindWide = last !== undefined && endsEastAsian.test(last.text)
    const own = isBehindWide ? Math.round((word.left - (last?.right ?? 0)) / width) : column - length
    const spaces = Math.max(line === "" || isBehindWide ? 0 : 1, Math.min(spacesMax, own))
    last = word
    const text = word.text + (word.hyphenated ? "-" : "")
    line += " ".repeat(spaces) + text
    length += spaces + [...text].length
  }
  return line.toWellFormed()
}
