import type { Word } from "./Words.ts"

/** Words beside one another, without a gap that could separate columns. */
export interface Segment {
  readonly words: ReadonlyArray<Word>
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly size: number
  /** Its place in the order of the document. */
  readonly order: number
}

/** Segments at one height, from left to right. */
export interface Row {
  readonly segments: ReadonlyArray<Segment>
  readonly baseline: number
  readonly size: number
  /** Its first word is the mark of a list item: a bullet or a number. */
  readonly isItem: boolean
}

/** A wider gap, as a share of the size, separates segments. */
const gapMax = 1
/** Baselines that differ by less, as a share of the size, are one. */
const sameBaselineMax = 0.35

export const segmentsOf = (words: ReadonlyArray<Word>): ReadonlyArray<Segment> => {
  const runs: Array<{ readonly words: Array<Word>; left: number; right: number; size: number }> = []
  for (const word of words) {
    const run = runs.at(-1)
    const first = run?.words[0]
    if (run !== undefined && first !== undefined && isBeside(run, first.baseline, word)) {
      run.words.push(word)
      run.left = Math.min(run.left, word.left)
      run.right = Math.max(run.right, word.right)
      run.size = Math.max(run.size, word.size)
    } else runs.push({ words: [word], left: word.left, right: word.right, size: word.size })
  }
  return runs.map((run, order) => ({ ...run, baseline: run.words[0]?.baseline ?? 0, order }))
}

const isBeside = (
  run: { readonly left: number; readonly right: number; readonly size: number },
  baseline: number,
  word: Word,
): boolean => {
  const size = Math.max(run.size, word.size)
  const gap = Math.max(word.left - run.right, run.left - word.right)
  return Math.abs(word.baseline - baseline) <= sameBaselineMax * size && gap <= gapMax * size && gap >= -size
}

/** From top to bottom. */
export const rowsOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Row> => {
  const rows: Array<{ readonly segments: Array<Segment>; readonly baseline: number; size: number }> = []
  for (const segment of [...segments].sort((a, b) => a.baseline - b.baseline || a.order - b.order)) {
    const row = rows.at(-1)
    const tolerance = sameBaselineMax * Math.min(segment.size, row?.size ?? 0)
    if (row !== undefined && segment.baseline - row.baseline <= tolerance) {
      row.segments.push(segment)
      row.size = Math.max(row.size, segment.size)
    } else rows.push({ segments: [segment], baseline: segment.baseline, size: segment.size })
  }
  return rows.map((row) => {
    const joined = withMark(row.segments.sort((a, b) => a.left - b.left))
    return { ...row, segments: joined, isItem: isItem(joined[0]) }
  })
}

/** Symbol fonts have their bullets in the private use area. */
const bullet = /^[•‣◦▪▫●○■□➢➤✓✔✗–—*·⁃∙\uf0b7\uf0a7\uf0d8\uf0fc-]$/
const number = /^\d{1,3}[.)]$/

export const isBullet = (text: string): boolean => bullet.test(text)

const isItem = (segment: Segment | undefined): boolean => {
  const [first, second] = segment?.words ?? []
  return first !== undefined && second !== undefined && (isBullet(first.text) || number.test(first.text))
}

const markGapMax = 4

/** The mark of an item stands apart from its text, like a column of its own. */
const withMark = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const [mark, text, ...rest] = segments
  if (mark === undefined || text === undefined || mark.words.length > 1) return segments
  const word = mark.words[0]?.text ?? ""
  if (!isBullet(word) && !number.test(word)) return segments
  if (text.left - mark.right > markGapMax * text.size) return segments
  return [{ ...text, words: [...mark.words, ...text.words], left: mark.left }, ...rest]
}
