/**
 * Sheets of made-up data, printed as people print theirs, without lines, and converted back: how many of their cells and
 * of their whole rows come back, as F1. LibreOffice prints them as a spreadsheet does, Chromium as a table without a style.
 *
 *   npm run bench -- benchmarks/printed-sheets.ts [--sheets 40] [--seed 4711] [--before FOLDER] [--worst 3] [--write]
 *
 * `--before` is a checkout whose converter reads the same files. What is not installed is left out.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { chromium } from "playwright-core"
import { converterOf, embedded, type ToMarkdown } from "./support/converter.ts"
import { type Row, report, rounded } from "./support/report.ts"
import { f1, type Matches, matches } from "./support/scores.ts"
import { type Structure, structureOf } from "./support/structure.ts"

const { values } = parseArgs({
  options: {
    sheets: { type: "string", default: "40" },
    seed: { type: "string", default: "4711" },
    before: { type: "string" },
    worst: { type: "string", default: "0" },
    write: { type: "boolean", default: false },
  },
})

let state = Number(values.seed)
const random = (): number => {
  state = (state * 16_807) % 2_147_483_647
  return state / 2_147_483_647
}
const whole = (below: number): number => Math.floor(random() * below)
const oneOf = <A>(list: ReadonlyArray<A>, or: A): A => list[whole(list.length)] ?? or

interface Kind {
  readonly heads: ReadonlyArray<string>
  readonly cell: () => string
  readonly isNumber?: boolean
}

const words =
  "harbour lamp rope sail oar net tar mast anchor buoy cabin deck engine flag gear hull jetty keel".split(" ")
const people = [
  "Anna Berg",
  "Olav Dahl",
  "Mia Chen",
  "Luis Ortega",
  "Fatima Noor",
  "Peter van Dyk",
  "Elena Rossi",
]
const places = ["Bergen", "Oslo", "Kiel", "Hamburg", "Antwerp", "Lisbon", "Genoa", "Marseille", "Cork"]
const padded = (number: number): string => String(number).padStart(2, "0")

const kinds: ReadonlyArray<Kind> = [
  { heads: ["Name", "Customer"], cell: () => oneOf(people, "") },
  {
    heads: ["Item", "Product"],
    cell: () => `${oneOf(words, "")}${random() < 0.5 ? ` ${oneOf(words, "")}` : ""}`,
  },
  { heads: ["Port", "Region"], cell: () => oneOf(places, "") },
  { heads: ["Paid", "Active"], cell: () => oneOf(["yes", "no", ""], "") },
  { heads: ["No.", "Order"], cell: () => String(1_000 + whole(9_000)), isNumber: true },
  { heads: ["Quantity", "Units sold"], cell: () => String(whole(2_000)), isNumber: true },
  { heads: ["Price", "Total cost"], cell: () => (random() * 900).toFixed(2), isNumber: true },
  { heads: ["Share", "Change"], cell: () => `${(random() * 100).toFixed(1)}%`, isNumber: true },
  {
    heads: ["Date", "Due"],
    cell: () => `2026-${padded(1 + whole(12))}-${padded(1 + whole(28))}`,
    isNumber: true,
  },
]

/** A sheet as HTML; `heads`: where those of its columns stand, as their cells where it is empty. */
const sheet = (heads: "left" | "center" | ""): string => {
  const columns = Array.from({ length: 3 + whole(4) }, () => oneOf(kinds, kinds[0] as Kind))
  const alignOf = ({ isNumber }: Kind): string => (isNumber === true ? "right" : "left")
  const row = (cells: ReadonlyArray<string>): string => `<tr>${cells.join("")}</tr>`
  const body = Array.from({ length: 5 + whole(25) }, () =>
    row(columns.map((kind) => `<td align="${alignOf(kind)}">${random() < 0.04 ? "" : kind.cell()}</td>`)),
  )
  const head = columns.map(
    (kind) => `<td align="${heads || alignOf(kind)}"><b>${oneOf(kind.heads, "")}</b></td>`,
  )
  const title = random() < 0.3 ? "<p><b>What was sold in the year</b></p>" : ""
  return `<!doctype html><meta charset="utf-8">${title}<table>${row(head)}${body.join("")}</table>`
}

const folder = mkdtempSync(join(tmpdir(), "atelier-sheets-"))
const make = (name: string, heads: "left" | "center" | ""): ReadonlyArray<string> =>
  Array.from({ length: Number(values.sheets) }, (_, index) => {
    const path = join(folder, `${name}-${padded(index)}.html`)
    writeFileSync(path, sheet(heads))
    return path
  })

const run = (program: string, args: ReadonlyArray<string>): void => {
  spawnSync(program, args, { cwd: folder, stdio: "ignore", timeout: 240_000 })
}

const byOffice = (paths: ReadonlyArray<string>): void => {
  const args = ["--headless", "--infilter=HTML (StarCalc)", "--convert-to", "pdf:calc_pdf_Export", ...paths]
  run("soffice", args)
}

const browserPath = "/usr/bin/chromium"

const byBrowser = async (paths: ReadonlyArray<string>): Promise<void> => {
  if (!existsSync(browserPath)) return
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] })
  const page = await browser.newPage()
  for (const path of paths) {
    await page.setContent(readFileSync(path, "utf8"))
    await page.pdf({
      path: path.replace(/html$/, "pdf"),
      format: "A4",
      margin: { top: "20mm", left: "20mm" },
    })
  }
  await browser.close()
}

const convert = await converterOf()
const before = values.before === undefined ? undefined : await converterOf(embedded, values.before)

interface Scores {
  readonly name: string
  readonly cells: Matches
  readonly rows: Matches
}

const scoresOf = async (path: string, by: ToMarkdown): Promise<Scores> => {
  const truth = structureOf(await convert(readFileSync(path), "a.html"))
  const pdf = path.replace(/html$/, "pdf")
  const found: Structure = structureOf(await by(readFileSync(pdf), "a.pdf"))
  return { name: path, cells: matches(found.cells, truth.cells), rows: matches(found.rows, truth.rows) }
}

const total = (list: ReadonlyArray<Scores>, of: "cells" | "rows"): number =>
  rounded(
    f1({
      both: list.reduce((sum, each) => sum + each[of].both, 0),
      found: list.reduce((sum, each) => sum + each[of].found, 0),
      true: list.reduce((sum, each) => sum + each[of].true, 0),
    }),
    3,
  )

const rows: Array<Row> = []
const measure = async (printer: string, paths: ReadonlyArray<string>): Promise<void> => {
  const printed = paths.filter((path) => existsSync(path.replace(/html$/, "pdf")))
  if (printed.length === 0) return
  const now: Array<Scores> = []
  const then: Array<Scores> = []
  for (const path of printed) {
    now.push(await scoresOf(path, convert))
    if (before !== undefined) then.push(await scoresOf(path, before))
  }
  const worst = now.toSorted((a, b) => f1(a.rows) - f1(b.rows)).slice(0, Number(values.worst))
  for (const each of worst) console.log(each.name, rounded(f1(each.rows), 2))
  rows.push({
    "printed by": printer,
    sheets: printed.length,
    cells: total(now, "cells"),
    rows: total(now, "rows"),
    ...(before === undefined
      ? {}
      : { "cells before": total(then, "cells"), "rows before": total(then, "rows") }),
  })
}

const left = make("left", "left")
const centred = make("centred", "center")
const plain = make("plain", "")
byOffice([...left, ...centred])
await byBrowser(plain)
await measure("LibreOffice Calc, heads at the left", left)
await measure("LibreOffice Calc, heads in the middle", centred)
await measure("Chromium, no style", plain)
if (Number(values.worst) === 0) rmSync(folder, { recursive: true })
if (rows.length === 0) throw new Error("neither LibreOffice nor Chromium is installed")

if (values.write) {
  report({
    name: "printed-sheets",
    title: "Sheets that are printed without lines and converted back",
    rows,
    notes: [
      "F1 over all sheets: texts of cells, and rows of cells in their order. What a sheet holds is told from the same sheet as HTML.",
      "The data are made up, from a seed that no rule of the converter was made on. A sheet that is wider than its page is cut by the printer, and its rows count as lost.",
      ...(before === undefined
        ? []
        : ["Before: the converter without the rules for columns that stand no further apart than words."]),
    ],
  })
} else console.table(rows)
