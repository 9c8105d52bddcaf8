/**
 * Tables of PDFs beside those that people marked in them for the competition on table recognition of ICDAR 2013: where
 * tables are found, and which cells stand beside and below one another in them. The documents are not part of the
 * repository:
 *
 *   npm run bench -- benchmarks/tables.ts FOLDER [--worst 10] [--checkout FOLDER] [--source NAME --note TEXT --write]
 *
 * FOLDER holds, also in folders inside of it, `eu-001.pdf` with `eu-001-str.xml` and so on; PDFs without a truth are left
 * out. `--checkout` measures another one's converter; `--source` names the copy of the documents in the result, and
 * `--note`, once or more, says what its differences are.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import MarkdownIt from "markdown-it"
import { root } from "../scripts/workspace.ts"
import { converterOf, embedded } from "./support/converter.ts"
import { type Row, report, rounded } from "./support/report.ts"
import { f1, type Matches, matches } from "./support/scores.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    checkout: { type: "string", default: root },
    worst: { type: "string", default: "0" },
    source: { type: "string", default: "a folder of documents" },
    note: { type: "string", multiple: true, default: [] },
    write: { type: "boolean", default: false },
  },
})

interface Cell {
  readonly id: number
  readonly text: string
}

/** Rows of cells; one that goes over several places stands in each of them. */
type Table = ReadonlyArray<ReadonlyArray<Cell | undefined>>

/** Without spaces, without dots that lead to the next cell, and without what fonts and people write in different ways. */
const folded = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[‐‑‒–—−]/g, "-")
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[\s\u00ad]+/g, "")
    .replace(/\.{4,}$/, "")

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" }

const withoutEntities = (text: string): string =>
  text
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, "$1")
    .replace(/&#(\d+);/g, (_, digits) => String.fromCodePoint(Number(digits)))
    .replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => entities[name] ?? "")

/** The attribute of the element that the text begins with. */
const numberIn = (element: string, name: string): number | undefined => {
  const head = element.slice(0, element.indexOf(">"))
  const [, digits] = new RegExp(`\\b${name}=['"](-?\\d+)`).exec(head) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const elementsIn = (xml: string, name: string): ReadonlyArray<string> =>
  xml.split(new RegExp(`<${name}\\b`)).slice(1)

/** The tables of the competition's `-str.xml`; a table may have regions on several pages. */
const truthOf = (xml: string): ReadonlyArray<Table> =>
  elementsIn(xml, "table").map((table) => {
    const rows: Array<Array<Cell | undefined>> = []
    let id = 0
    for (const region of elementsIn(table, "region")) {
      const [down, right] = [numberIn(region, "row-increment") ?? 0, numberIn(region, "col-increment") ?? 0]
      for (const element of elementsIn(region, "cell")) {
        const contents = [...element.matchAll(/<content>([\s\S]*?)<\/content>/g)].map(([, text = ""]) => text)
        const cell = { id: id++, text: folded(withoutEntities(contents.join(""))) }
        const [row = 0, column = 0] = [numberIn(element, "start-row"), numberIn(element, "start-col")]
        const [lastRow = row, lastColumn = column] = [
          numberIn(element, "end-row"),
          numberIn(element, "end-col"),
        ]
        for (let y = row; y <= lastRow; y++) {
          rows[y + down] ??= []
          for (let x = column; x <= lastColumn; x++) (rows[y + down] ?? [])[x + right] = cell
        }
      }
    }
    return Array.from(rows, (row) => Array.from(row ?? []))
  })

const reader = new MarkdownIt()

/** The tables of Markdown. */
const tablesOf = (markdown: string): ReadonlyArray<Table> => {
  const tables: Array<Array<Array<Cell>>> = []
  let id = 0
  let inCell = false
  for (const { type, children } of reader.parse(markdown, {})) {
    if (type === "table_open") tables.push([])
    if (type === "tr_open") tables.at(-1)?.push([])
    if (/^t[hd]_(?:open|close)$/.test(type)) inCell = type.endsWith("open")
    if (type !== "inline" || !inCell) continue
    const text = (children ?? []).map(({ content }) => content.replace(/<\/?(?:br|sup|sub)>/g, " ")).join("")
    tables
      .at(-1)
      ?.at(-1)
      ?.push({ id: id++, text: folded(text) })
  }
  return tables
}

/** Each cell with the next one that is not empty, to the right and below, as the competition compares tables. */
const neighboursIn = (tables: ReadonlyArray<Table>): ReadonlyArray<string> =>
  tables.flatMap((table) => {
    const found = new Map<string, string>()
    const add = (line: ReadonlyArray<Cell | undefined>, side: string): void => {
      const filled = line.filter((cell) => cell !== undefined && cell.text !== "")
      for (const [index, cell] of filled.entries()) {
        const next = filled[index + 1]
        if (cell === undefined || next === undefined || next.id === cell.id) continue
        found.set(`${side} ${cell.id} ${next.id}`, `${side}\n${cell.text}\n${next.text}`)
      }
    }
    const width = Math.max(0, ...table.map((row) => row.length))
    for (const row of table) add(row, "right")
    for (let column = 0; column < width; column++)
      add(
        table.map((row) => row[column]),
        "below",
      )
    return [...found.values()]
  })

const cellsIn = (tables: ReadonlyArray<Table>): ReadonlyArray<string> =>
  tables.flatMap((table) => {
    const cells = new Map(table.flat().map((cell) => [cell?.id, cell?.text ?? ""]))
    return [...cells.values()].filter((text) => text !== "")
  })

const foldersIn = (folder: string): ReadonlyArray<string> => [
  folder,
  ...readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => foldersIn(join(folder, entry.name))),
]

interface Measured {
  readonly name: string
  readonly neighbours: Matches
  readonly cells: Matches
}

const convert = await converterOf(embedded, values.checkout)
const measured: Array<Measured> = []
for (const folder of positionals.slice(0, 1).flatMap(foldersIn)) {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".pdf"))) {
    const truthPath = join(folder, name.replace(/\.pdf$/, "-str.xml"))
    if (!existsSync(truthPath)) continue
    const truth = truthOf(readFileSync(truthPath, "utf8"))
    const found = tablesOf(await convert(readFileSync(join(folder, name)), "a.pdf"))
    measured.push({
      name: name.replace(/\.pdf$/, ""),
      neighbours: matches(neighboursIn(found), neighboursIn(truth)),
      cells: matches(cellsIn(found), cellsIn(truth)),
    })
  }
}
if (measured.length === 0) throw new Error("say which folder holds PDFs with their truths (-str.xml)")

const total = (list: ReadonlyArray<Measured>, of: "neighbours" | "cells"): Matches => ({
  both: list.reduce((sum, each) => sum + each[of].both, 0),
  found: list.reduce((sum, each) => sum + each[of].found, 0),
  true: list.reduce((sum, each) => sum + each[of].true, 0),
})

const ratios = (list: ReadonlyArray<Measured>, of: "neighbours" | "cells"): string => {
  const { both, found, true: truth } = total(list, of)
  return `${rounded(both / truth, 3)}, ${rounded(both / found, 3)}`
}

const rowOf = (documents: string, list: ReadonlyArray<Measured>): Row => ({
  documents,
  PDFs: list.length,
  "F1 of neighbours, mean": rounded(
    list.reduce((sum, { neighbours }) => sum + f1(neighbours), 0) / list.length,
    3,
  ),
  "neighbours: recall, precision": ratios(list, "neighbours"),
  "cells: recall, precision": ratios(list, "cells"),
  "cells in all": total(list, "cells").true,
})

const groups = Map.groupBy(measured, ({ name }) => name.split("-")[0] ?? "")
const rows = [...[...groups].map(([name, list]) => rowOf(name, list)), rowOf("all", measured)]

const worst = measured.toSorted((a, b) => f1(a.neighbours) - f1(b.neighbours)).slice(0, Number(values.worst))
for (const { name, neighbours, cells } of worst)
  console.log(name, rounded(f1(neighbours), 2), JSON.stringify({ neighbours, cells }))

if (values.write) {
  report({
    name: "tables",
    title: "Tables of PDFs beside those that people marked",
    rows,
    notes: [
      `Source: ${values.source}. The documents are not part of this repository.`,
      "Whole documents: a table that is not found, and one that is none, count as well. Neighbours: each cell with the next one that is not empty, to its right and below it, by their texts without spaces, as the competition on table recognition of ICDAR 2013 compares tables; the mean is over documents. A cell of Markdown stands in one place, so that a title over several columns loses neighbours where it stands in the first alone, and counts again in each where it stands in all of them.",
      ...values.note,
    ],
  })
} else console.table(rows)
