/**
 * Documents beside the Markdown that they should become: how much of its structure is found, as F1, for each format.
 * The documents are not part of the repository:
 *
 *   npm run bench -- benchmarks/truth.ts FOLDER [--truths FOLDER] [--worst 5] [--checkout FOLDER] [--source NAME --note TEXT --write]
 *
 * The truth of `report.pdf` is `report.pdf.md` or `report.md`, in the same folder or in that of `--truths`; documents
 * without one are left out. `--source` names the collection and its commit in the result, and `--note`, once or more,
 * says what its differences are.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join, parse as pathOf } from "node:path"
import { parseArgs } from "node:util"
import { root } from "../scripts/workspace.ts"
import { converterOf, embedded } from "./support/converter.ts"
import { type Row, report, rounded } from "./support/report.ts"
import { compared, f1, type Matches, measures, type Scores, sumOf } from "./support/scores.ts"
import { type Structure, structureFrom, structureOf } from "./support/structure.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    truths: { type: "string" },
    checkout: { type: "string", default: root },
    worst: { type: "string", default: "0" },
    source: { type: "string", default: "a folder of documents" },
    note: { type: "string", multiple: true, default: [] },
    write: { type: "boolean", default: false },
  },
})

/** The parsing module of each format. */
const modules: Readonly<Record<string, string>> = {
  ".csv": embedded,
  ".docx": embedded,
  ".epub": "executor-epub/src/parse.ts",
  ".htm": embedded,
  ".html": embedded,
  ".nxml": embedded,
  ".ods": embedded,
  ".odt": embedded,
  ".pdf": embedded,
  ".pptx": "executor-pptx/src/parse.ts",
  ".xls": embedded,
  ".xlsx": embedded,
  ".xml": embedded,
}

const converted = async (path: string): Promise<string> => {
  const module = modules[extname(path).toLowerCase()] ?? embedded
  const convert = await converterOf(module, values.checkout)
  return await convert(readFileSync(path), `a${extname(path).replace(".nxml", ".xml")}`)
}

const truthFor = (folder: string, name: string): string | undefined =>
  [`${name}.md`, `${pathOf(name).name}.md`].map((each) => join(folder, each)).find((path) => existsSync(path))

/** What projects write in different ways is no matter: quotes, dashes, marks of comments, bullets, and numbers before titles. */
const folded = (text: string): string =>
  text
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐‑‒–—−]/g, "-")
    .replace(/[\p{Co}\p{Cc}$]/gu, "")
    .replace(/\s+([,.;:)])/g, "$1")
    .trim()
    .replace(/^Slide \d+(?:: |$)/, "")
    .replace(/^[•◦▪○●-]\s*(?=\S)/u, "")
    .replace(/^(?:\d+\.)*\d+[.)]?\s+(?=\p{L})/u, "")

const comparable = (markdown: string): Structure => {
  const found = structureOf(markdown.replace(/<!--.*?-->/gs, ""))
  const rows = found.rows.map((row) => row.split(" | ").map(folded))
  return structureFrom({
    headings: found.headings.map(folded),
    items: found.items.map(folded),
    rows,
    text: found.words.map(folded).join(" "),
  })
}

interface Measured {
  readonly name: string
  readonly matches: Scores
}

const [folder] = positionals
if (folder === undefined) throw new Error("a folder of documents is needed")
const measured: Array<Measured> = []
const refused: Array<string> = []
for (const name of readdirSync(folder).sort()) {
  const truth = extname(name).toLowerCase() in modules ? truthFor(values.truths ?? folder, name) : undefined
  if (truth === undefined) continue
  const found = await converted(join(folder, name)).catch(() => undefined)
  if (found === undefined) refused.push(name)
  const matches = compared(comparable(found ?? ""), comparable(readFileSync(truth, "utf8")))
  measured.push({ name, matches })
}

const sum = (list: ReadonlyArray<Measured>, name: string): Matches =>
  sumOf(
    list.map(({ matches }) => matches),
    name,
  )

/** F1, and how many of the truth's were found, beside what was found in all. */
const cellOf = (matches: Matches): string => {
  const { both, found, true: truth } = matches
  return found + truth === 0 ? "–" : `${rounded(f1(matches), 3)} (${both} of ${truth}, ${found} found)`
}

const rows = [...new Set(measured.map(({ name }) => extname(name).toLowerCase()))].map((format): Row => {
  const list = measured.filter(({ name }) => extname(name).toLowerCase() === format)
  const scores = Object.keys(measures).map((name) => [name, cellOf(sum(list, name))])
  return { format, documents: list.length, ...Object.fromEntries(scores) }
})

if (values.write) {
  report({
    name: "truth",
    title: "Documents beside the Markdown of another project",
    rows,
    notes: [
      `Source: ${values.source}. Its documents are not part of this repository.`,
      "F1 of texts that are exactly the same but for quotes, dashes, bullets, and numbers before titles and of slides. The truth follows the other project's conventions: much of what differs is a choice.",
      ...values.note,
      refused.length === 0 ? "No document was refused." : `Refused: ${refused.join(", ")}.`,
    ],
  })
} else console.table(rows)

const lost = ({ matches }: Measured, name: string): number => {
  const { both = 0, found = 0, true: truth = 0 } = matches[name] ?? {}
  return found + truth - 2 * both
}
for (const name of Object.keys(measures)) {
  const worst = measured.toSorted((a, b) => lost(b, name) - lost(a, name)).slice(0, Number(values.worst))
  for (const each of worst) if (lost(each, name) > 0) console.log(name, lost(each, name), each.name)
}
