/**
 * Markdown that people wrote, made into DOCX, ODT and PPTX by pandoc and LibreOffice as far as they are installed, and
 * converted back: how much of its structure comes back, as F1. The pages are not part of the repository:
 *
 *   ROUNDTRIP=FOLDER npm run bench -- benchmarks/roundtrip-office.ts [--pages 40] [--worst 3] [--write]
 *
 * What a page holds is told from the same page as HTML, which both programs read.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import MarkdownIt from "markdown-it"
import { root } from "../scripts/workspace.ts"
import { converterOf } from "./support/converter.ts"
import { type Row, report, rounded } from "./support/report.ts"
import { type Structure, structureOf } from "./support/structure.ts"

const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "40" },
    worst: { type: "string", default: "0" },
    write: { type: "boolean", default: false },
  },
})
const convert = await converterOf()
const convertDeck = await converterOf("executor-pptx/src/parse.ts")

const source = process.env["ROUNDTRIP"] ?? join(root, "..", "shared", "roundtrip")
const folder = mkdtempSync(join(tmpdir(), "atelier-office-"))
const structureIn = async (path: string): Promise<Structure> =>
  structureOf(await (path.endsWith(".pptx") ? convertDeck : convert)(readFileSync(path), path))

const names = readdirSync(source)
  .filter((name) => /^\d.*\.md$/.test(name))
  .slice(0, Number(values.pages))
  .map((name) => name.replace(/\.md$/, ""))
const reader = new MarkdownIt({ html: true })
for (const name of names) {
  const html = reader.render(readFileSync(join(source, `${name}.md`), "utf8"))
  writeFileSync(join(folder, `${name}.html`), `<!doctype html><meta charset="utf-8">${html}`)
}

const run = (program: string, args: ReadonlyArray<string>): boolean =>
  spawnSync(program, args, { cwd: folder, stdio: "ignore", timeout: 240_000 }).status === 0

const pandoc = (format: string): void => {
  for (const name of names)
    run("pandoc", ["-f", "html", "--quiet", `${name}.html`, "-o", `pandoc-${name}.${format}`])
}
const office = (format: string): void => {
  const filter = { docx: "docx:Office Open XML Text", odt: "odt:writer8" }[format] ?? format
  const files = names.map((name) => `${name}.html`)
  run("soffice", ["--headless", "--infilter=HTML (StarWriter)", "--convert-to", filter, ...files])
}

const measured = ["headings", "items", "cells"] as const

const countBoth = (found: ReadonlyArray<string>, truth: ReadonlyArray<string>): number => {
  const rest = new Map<string, number>()
  for (const text of found) rest.set(text, (rest.get(text) ?? 0) + 1)
  return truth.filter((text) => {
    const left = rest.get(text) ?? 0
    rest.set(text, left - 1)
    return left > 0
  }).length
}

const measure = async (program: string, format: string, prefix: string): Promise<ReadonlyArray<Row>> => {
  const made = names.filter((name) => existsSync(join(folder, `${prefix}${name}.${format}`)))
  if (made.length === 0) return []
  const sums = new Map(measured.map((kind) => [kind, { both: 0, all: 0 }]))
  const pages: Array<{ readonly name: string; readonly missed: number }> = []
  for (const name of made) {
    const truth = await structureIn(join(folder, `${name}.html`))
    const found = await structureIn(join(folder, `${prefix}${name}.${format}`))
    let missed = 0
    for (const kind of measured) {
      // Slides have headings of their own, with their numbers.
      const texts = found[kind].map((text) =>
        format === "pptx" ? text.replace(/^Slide \d+(?:: )?/, "") : text,
      )
      const both = countBoth(texts, truth[kind])
      const sum = sums.get(kind)
      if (sum !== undefined) {
        sum.both += both
        sum.all += texts.length + truth[kind].length
      }
      missed += texts.length + truth[kind].length - 2 * both
    }
    pages.push({ name, missed })
  }
  for (const { name, missed } of pages.sort((a, b) => b.missed - a.missed).slice(0, Number(values.worst))) {
    process.stdout.write(`${program} ${format}: ${name} ${missed}\n`)
  }
  const scores = [...sums].map(([kind, { both, all }]) => [
    kind,
    rounded(all === 0 ? 1 : (2 * both) / all, 3),
  ])
  return [{ "made by": program, format, pages: made.length, ...Object.fromEntries(scores) }]
}

const rows: Array<Row> = []
for (const format of ["docx", "odt", "pptx"]) {
  pandoc(format)
  rows.push(...(await measure("pandoc", format, "pandoc-")))
}
for (const format of ["docx", "odt"]) {
  office(format)
  rows.push(...(await measure("LibreOffice", format, "")))
}
rmSync(folder, { recursive: true, force: true })

if (values.write) {
  report({
    name: "roundtrip-office",
    title: "Markdown, made into Word, OpenDocument and PowerPoint files and converted back",
    rows,
    notes: [
      "F1 of texts over all pages: headings, list items, table cells. What a page holds is told from the same page as HTML.",
      "What the programs themselves leave out or split counts as lost: slides that pandoc makes have headings of only one level.",
    ],
  })
} else console.table(rows)
