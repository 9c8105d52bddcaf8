/**
 * Markdown that people wrote, printed by Chromium in several styles and converted back: how much of its structure
 * comes back, as F1. The pages are not part of the repository:
 *
 *   ROUNDTRIP=FOLDER npm run bench -- benchmarks/roundtrip.ts [--groups 25] [--seed 1] [--style NAME] [--worst 5] [--cache FOLDER] [--checkout FOLDER]
 *     [--write [--name roundtrip] [--note TEXT]]
 *
 * FOLDER holds Markdown files whose names begin with a digit; four at a time make a PDF. The PDFs are kept in the
 * cache, so that a second run only converts. `--write` writes the result, under `--name`, with what `--note`, once or more, says of it; `--checkout` measures another one's converter.
 * The styles name fonts of Liberation and DejaVu: in wider ones, which stand in for those that are missing, wide tables go
 * over the columns beside them.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { root } from "../scripts/workspace.ts"
import { converterOf, embedded } from "./support/converter.ts"
import { type Printed, print, runningHeader, styles } from "./support/printed.ts"
import { type Row, report, rounded } from "./support/report.ts"
import { compared, f1, type Matches, measures, type Scores, sumOf } from "./support/scores.ts"
import { structureOf } from "./support/structure.ts"

const { values } = parseArgs({
  options: {
    checkout: { type: "string", default: root },
    cache: { type: "string", default: join(tmpdir(), "atelier-roundtrip") },
    groups: { type: "string", default: "25" },
    seed: { type: "string", default: "1" },
    style: { type: "string" },
    name: { type: "string", default: "roundtrip" },
    note: { type: "string", multiple: true, default: [] },
    worst: { type: "string", default: "0" },
    write: { type: "boolean", default: false },
  },
})
const folder = process.env["ROUNDTRIP"] ?? join(root, "..", "shared", "roundtrip")
const convert = await converterOf(embedded, values.checkout)

interface Measured {
  readonly printed: Printed
  readonly keepsHeader: boolean
  readonly matches: Scores
}

const measure = async (printed: Printed): Promise<Measured> => {
  const markdown = await convert(readFileSync(printed.path), "a.pdf")
  writeFileSync(printed.path.replace(/pdf$/, "md"), markdown)
  const structure = structureOf(markdown)
  return {
    printed,
    keepsHeader: markdown.includes(runningHeader),
    matches: compared(structure, printed.truth),
  }
}

const all = await print(folder, values.cache, { seed: Number(values.seed), groups: Number(values.groups) })
const wanted = all.filter(({ style }) => values.style === undefined || style.includes(values.style))
const measured: Array<Measured> = []
for (const each of wanted) measured.push(await measure(each))

const sum = (list: ReadonlyArray<Measured>, name: string): Matches =>
  sumOf(
    list.map(({ matches }) => matches),
    name,
  )

const rows = Object.keys(styles).flatMap((style): ReadonlyArray<Row> => {
  const list = measured.filter(({ printed }) => printed.style === style)
  if (list.length === 0) return []
  const scores = Object.keys(measures).map((name) => [name, rounded(f1(sum(list, name)), 3)])
  const kept = list.filter(({ keepsHeader }) => keepsHeader).length
  const header = styles[style]?.header === true ? `${kept} of ${list.length}` : "–"
  const name = styles[style]?.heldOut === true ? `${style} (held out)` : style
  return [{ style: name, PDFs: list.length, ...Object.fromEntries(scores), "running header kept": header }]
})

if (values.write) {
  report({
    name: values.name,
    title: "Markdown, printed as PDF and converted back",
    rows,
    notes: [
      "F1 of texts over all PDFs of a style: headings, list items, table cells, rows of cells in their order, pairs of neighbouring words.",
      "The rules of the converter were not made on the styles that are held out.",
      `Four pages a PDF, printed by Chromium; order of the pages by seed ${values.seed}. A running header and page numbers were printed where the last column has a number.`,
      ...values.note,
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
