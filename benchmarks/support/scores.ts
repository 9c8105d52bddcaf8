import type { Structure } from "./structure.ts"

/** How many were found that are there, and how many there are on both sides. */
export interface Matches {
  both: number
  found: number
  true: number
}

const count = (texts: ReadonlyArray<string>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

export const matches = (found: ReadonlyArray<string>, truth: ReadonlyArray<string>): Matches => {
  const counts = count(found)
  let both = 0
  for (const [text, times] of count(truth)) both += Math.min(times, counts.get(text) ?? 0)
  return { both, found: found.length, true: truth.length }
}

export const f1 = ({ both, found, true: truth }: Matches): number =>
  found + truth === 0 ? 1 : (2 * both) / (found + truth)

const pairs = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.slice(1).map((word, index) => `${words[index]} ${word}`)

/** What is compared of a document's structure. */
export const measures: Readonly<Record<string, (structure: Structure) => ReadonlyArray<string>>> = {
  headings: ({ headings }) => headings,
  items: ({ items }) => items,
  cells: ({ cells }) => cells,
  rows: ({ rows }) => rows,
  "word pairs": ({ words }) => pairs(words),
}

export type Scores = Readonly<Record<string, Matches>>

export const compared = (found: Structure, truth: Structure): Scores =>
  Object.fromEntries(Object.entries(measures).map(([name, of]) => [name, matches(of(found), of(truth))]))

export const sumOf = (list: ReadonlyArray<Scores>, name: string): Matches => {
  const total: Matches = { both: 0, found: 0, true: 0 }
  for (const each of list) {
    total.both += each[name]?.both ?? 0
    total.found += each[name]?.found ?? 0
    total.true += each[name]?.true ?? 0
  }
  return total
}
