/**
 * file-md-json's embedded converter on the documents of the corpus, beside what npm offers: time for all of a
 * format, and the memory of the process. Everything runs in processes of its own, from what `npm run build` made:
 *
 *   npm run build && npm run bench -- benchmarks/conversion.ts
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { filesBelow, root } from "../scripts/workspace.ts"
import type { Converted } from "./support/convertAll.ts"
import { median, type Row, report, rounded } from "./support/report.ts"

const turns = 3
const corpus = join(root, "..", "shared", "corpus")
const built = join(root, "packages", "executor-convert", "dist", "embedded", "convert.js")
if (!existsSync(built)) throw new Error("Run `npm run build` first.")
if (!existsSync(corpus)) throw new Error("This benchmark needs the corpus beside the repository.")

const script = stripTypeScriptTypes(readFileSync(new URL("support/convertAll.ts", import.meta.url), "utf8"))
const converter = pathToFileURL(built).href

const run = (contestant: string, paths: ReadonlyArray<string>): Converted => {
  const args = ["--max-old-space-size=2048", "--input-type=module", "--eval", script]
  const child = spawnSync(process.execPath, [...args, contestant, converter], {
    cwd: join(root, "packages", "executor-convert"),
    encoding: "utf8",
    input: JSON.stringify(paths),
  })
  if (child.status !== 0) throw new Error(`${contestant}: ${child.stderr.slice(-2000)}`)
  return JSON.parse(child.stdout.trimEnd().split("\n").at(-1) ?? "")
}

const sheets = ["@e965/xlsx"]
const formats: ReadonlyArray<{ readonly extension: string; readonly peers: ReadonlyArray<string> }> = [
  { extension: ".docx", peers: ["officeparser"] },
  { extension: ".xlsx", peers: ["officeparser", ...sheets] },
  { extension: ".xls", peers: sheets },
  { extension: ".ods", peers: ["officeparser", ...sheets] },
  { extension: ".odt", peers: ["officeparser"] },
  { extension: ".pdf", peers: ["officeparser"] },
  { extension: ".csv", peers: ["officeparser"] },
  { extension: ".html", peers: ["officeparser"] },
]

/** Documents that our converter accepts, so that no refusals are measured. */
const readable = (extension: string): ReadonlyArray<string> =>
  filesBelow(corpus).filter(
    (path) => path.toLowerCase().endsWith(extension) && run("atelier", [path]).results === 1,
  )

const rows: Array<Row> = []
for (const { extension, peers } of formats) {
  const paths = readable(extension)
  const contestants = ["atelier", ...peers]
  const spent = new Map(contestants.map((name): [string, Array<Converted>] => [name, []]))
  for (let turn = 0; turn < turns; turn++) {
    for (const name of contestants) spent.get(name)?.push(run(name, paths))
  }
  const of = (name: string, value: (converted: Converted) => number): number =>
    median((spent.get(name) ?? []).map(value))
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0)
  for (const name of contestants) {
    const warm = of(name, (converted) => converted.warm)
    rows.push({
      format: extension,
      documents: paths.length,
      converter: name === "atelier" ? "file-md-json" : name,
      results: of(name, (converted) => converted.results),
      ms: rounded(warm),
      "MB/s": rounded(bytes / 1e3 / warm, 2),
      "its time / ours": rounded(warm / of("atelier", (converted) => converted.warm), 2),
      "peak MiB": rounded(of(name, (converted) => converted.peakBytes) / 2 ** 20),
    })
  }
}
report({
  name: "conversion",
  title: "The embedded converter of file-md-json on the corpus, beside what npm offers",
  rows,
  notes: [
    `Medians of ${turns} processes of each contestant, which take turns; each converts every document that file-md-json reads twice, and the second time counts.`,
    "file-md-json checks each document whole, as at upload, and writes both results to the disk; officeparser makes Markdown in memory; @e965/xlsx makes CSV in memory.",
    "MB/s are of the documents as they are, compressed ones compressed. Results are documents that did not fail.",
  ],
})
