import type { Line } from "./TextLine.ts"

/** The numbers of pages, also of their notes: `12`, `12–15`, `317n`. */
const pageNumber = /^\d{1,4}(?:[–-]\d{1,4})?(?:n|ff?)?\.?$/
const linesMin = 10
/** Of the lines of an index, those that end with the number of a page. */
const shareMin = 0.6

/** A column of the index of a book: nearly all of its lines end with the number of a page, behind a comma. */
export const isIndex = (lines: ReadonlyArray<Line>): boolean =>
  lines.length >= linesMin && lines.filter(endsWithPage).length >= shareMin * lines.length

const endsWithPage = ({ words }: Line): boolean =>
  pageNumber.test(words.at(-1)?.text ?? "") &&
  /[,\d]$/.test(words.at(-2)?.text ?? "") &&
  /\p{L}|\d,$/u.test(words[0]?.text ?? "")

/** The line begins another entry: numbers of pages alone go on with that of the line above. */
export const beginsEntry = (last: Line, { words: [first] }: Line): boolean =>
  pageNumber.test(last.words.at(-1)?.text ?? "") && !/^\d/.test(first?.text ?? "")
