/**
 * Markdown that people wrote, printed by Chromium in several styles and converted back: how much of its structure
 * comes back, as F1. The pages are not part of the repository:
 *
 *   ROUNDTRIP=FOLDER npm run bench -- benchmarks/roundtrip.ts [--groups 25] [--seed 1] [--style NAME] [--worst 5] [--cache FOLDER] [--checkout FOLDER] [--write]
 *
 * FOLDER holds Markdown files whose names begin with a digit; four at a time make a PDF. The PDFs are kept in the
 * cache, so that a second run only converts. `--write` writes the result; `--checkout` measures another one's converter.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { root } from "../scripts/workspace.ts"
import { type Printed, print, runningHeader, styles } from "./support/printed.ts"
import { type Row, report, rounded } from "./support/report.ts"
import { type Structure, structureOf } from "./support/structure.ts"

const { values } = parseArgs({
  options: {
    checkout: { type: "string", default: root },
    cache: { type: "string", default: join(tmpdir(), "atelier-roundtrip") },
    groups: { type: "string", default: "25" },
    seed: { type: "string", default: "1" },
    style: { type: "string" },
    worst: { type: "string", default: "0" },
    write: { type: "boolean", default: false },
  },
})
/** The parsing module of the embedded converter, of this checkout or another. */
interface Converter {
  readonly parse: (input: {
    readonly document: Buffer
    readonly filename: string
    readonly fileBytesMax: number
    readonly outputFormats: ReadonlyArray<string>
    readonly resultBytesMax: number
    readonly write: (format: string, bytes: Uint8Array) => void
  }) => Promise<unknown>
}

const converter: Converter = await import(
  pathToFileURL(join(values.checkout, "packages/executor-convert/src/embedded/convert.ts")).href
)
const folder = process.env["ROUNDTRIP"] ?? join(root, "..", "shared", "roundtrip")
const bytesMax = 20 * 1024 * 1024

const converted = async (path: string): Promise<string> => {
  const pieces: Array<Uint8Array> = []
  await converter.parse({
    document: readFileSync(path),
    filename: "a.pdf",
    fileBytesMax: bytesMax,
    write: (_format, bytes) => pieces.push(bytes.slice()),
    outputFormats: ["markdown"],
    resultBytesMax: bytesMax,
  })
  return Buffer.concat(pieces).toString()
}

/** How many were found that are there, and how many there are on both sides. */
interface Matches {
  both: number
  found: number
  true: number
}

const count = (texts: ReadonlyArray<string>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

const matches = (found: ReadonlyArray<string>, truth: ReadonlyArray<string>): Matches => {
  const counts = count(found)
  let both = 0
  for (const [text, times] of count(truth)) both += Math.min(times, counts.get(text) ?? 0)
  return { both, found: found.length, true: truth.length }
}

const f1 = ({ both, found, true: truth }: Matches): number =>
  found + truth === 0 ? 1 : (2 * both) / (found + truth)

const pairs = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.slice(1).map((word, index) => `${words[index]} ${word}`)

const measures: Readonly<Record<string, (structure: Structure) => ReadonlyArray<string>>> = {
  headings: ({ headings }) => headings,
  items: ({ items }) => items,
  cells: ({ cells }) => cells,
  rows: ({ rows }) => rows,
  "word pairs": ({ words }) => pairs(words),
}

interface Measured {
  readonly printed: Printed
  readonly keepsHeader: boolean
  readonly matches: Readonly<Record<string, Matches>>
}

const measure = async (printed: Printed): Promise<Measured> => {
  const markdown = await converted(printed.path)
  writeFileSync(printed.path.replace(/pdf$/, "md"), markdown)
  const structure = structureOf(markdown)
  return {
    printed,
    keepsHeader: markdown.includes(runningHeader),
    matches: Object.fromEntries(
      Object.entries(measures).map(([name, of]) => [name, matches(of(structure), of(printed.truth))]),
    ),
  }
}

const all = await print(folder, values.cache, { seed: Number(values.seed), groups: Number(values.groups) })
const wanted = all.filter(({ style }) => values.style === undefined || style.includes(values.style))
const measured: Array<Measured> = []
for (const each of wanted) measured.push(await measure(each))

const sum = (list: ReadonlyArray<Measured>, name: string): Matches => {
  const total: Matches = { both: 0, found: 0, true: 0 }
  for (const { matches: each } of list) {
    total.both += each[name]?.both ?? 0
    total.found += each[name]?.found ?? 0
    total.true += each[name]?.true ?? 0
  }
  return total
}

const rows = Object.keys(styles).flatMap((style): ReadonlyArray<Row> => {
  const list = measured.filter(({ printed }) => printed.style === style)
  if (list.length === 0) return []
  const scores = Object.keys(measures).map((name) => [name, rounded(f1(sum(list, name)), 3)])
  const kept = list.filter(({ keepsHeader }) => keepsHeader).length
  const header = styles[style]?.header === true ? `${kept} of ${list.length}` : "–"
  return [{ style, PDFs: list.length, ...Object.fromEntries(scores), "running header kept": header }]
})

if (values.write) {
  report({
    name: "roundtrip",
    title: "Markdown, printed as PDF and converted back",
    rows,
    notes: [
      "F1 of texts over all PDFs of a style: headings, list items, table cells, rows of cells in their order, pairs of neighbouring words.",
      `Four pages a PDF, printed by Chromium; order of the pages by seed ${values.seed}. A running header and page numbers were printed where the last column has a number.`,
    ],
  })
} else console.table(rows)

/** The most texts that are missing or too many. */
for (const name of Object.keys(measures)) {
  const lost = ({ matches: each }: Measured): number => {
    const { both = 0, found = 0, true: truth = 0 } = each[name] ?? {}
    return found + truth - 2 * both
  }
  for (const each of measured.toSorted((a, b) => lost(b) - lost(a)).slice(0, Number(values.worst))) {
    if (lost(each) > 0) console.log(name, lost(each), each.printed.style, each.printed.path)
  }
}
