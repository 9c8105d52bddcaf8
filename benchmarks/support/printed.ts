import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import MarkdownIt from "markdown-it"
import { type Browser, chromium } from "playwright-core"
import { type Structure, structureFrom } from "./structure.ts"

/** A PDF that was printed from pages of Markdown, and what these say. */
export interface Printed {
  readonly style: string
  readonly path: string
  readonly truth: Structure
}

export const runningHeader = "Annual collection of selected pages"

interface Style {
  readonly css: string
  readonly tagged?: boolean
  readonly header?: boolean
  /** The rules of the converter were not made on it: what it shows is mended on other pages. */
  readonly heldOut?: boolean
}

const base = `body { font: 10.5pt/1.4 "DejaVu Serif", serif; margin: 0 }
  table { border-collapse: collapse; margin: 8pt 0; font-size: 9.5pt } td, th { padding: 3pt 6pt; text-align: left }
  pre { font-family: "DejaVu Sans Mono", monospace }`

/** How the same pages look. */
export const styles: Readonly<Record<string, Style>> = {
  "ruled tables": { css: "td, th { border: 1px solid #444 }", header: true },
  "two columns, lines below cells": {
    css: `body { columns: 2; column-gap: 18pt; font: 9.5pt/1.35 "DejaVu Sans", sans-serif } table { font-size: 8pt }
      td, th { border-bottom: 0.5pt solid #999; padding: 2pt 3pt }`,
    header: true,
  },
  "borderless tables, headings of one size": {
    css: `h1, h2, h3 { font-size: 12pt; margin: 10pt 0 6pt } td, th { padding: 3pt 10pt }`,
  },
  booktabs: {
    css: `body { font-family: "DejaVu Sans", sans-serif } table { border-top: 1.5pt solid #000; border-bottom: 1.5pt solid #000 }
      tr:first-child td, tr:first-child th { border-bottom: 0.75pt solid #000 }`,
    header: true,
  },
  "zebra rows, tagged PDF": {
    css: `tr:nth-child(even) { background: #e8e8e8 } h1 { font-size: 15pt; color: #224 }`,
    tagged: true,
    header: true,
  },
  "a journal: serifs, two justified columns": {
    css: `body { columns: 2; column-gap: 16pt; font: 9pt/1.25 "Liberation Serif", serif; text-align: justify; hyphens: auto }
      h1 { column-span: all; text-align: center; font-size: 16pt } h2 { font-size: 10pt; text-transform: uppercase }
      h3 { font-size: 9pt; font-style: italic } p { margin: 0; text-indent: 10pt }
      table { font-size: 8pt; border-top: 1pt solid #000; border-bottom: 1pt solid #000 } td, th { padding: 1pt 4pt }
      tr:first-child td, tr:first-child th { border-bottom: 0.5pt solid #000 }`,
    header: true,
  },
  "an office text: blue headings, full grids, tagged PDF": {
    css: `body { font: 11pt/1.15 "Liberation Sans", sans-serif } h1, h2, h3 { color: #2f5496; font-weight: normal; margin: 12pt 0 0 }
      h1 { font-size: 16pt } h2 { font-size: 13pt } h3 { font-size: 12pt } p { margin: 0 0 8pt }
      table { font-size: 11pt; width: 100% } td, th { border: 0.5pt solid #000; padding: 0 5.4pt } li { margin: 0 0 2pt 18pt }`,
    tagged: true,
    header: true,
  },
  "a web page: dark head of tables, ruled headings": {
    css: `body { font: 12pt/1.5 "DejaVu Sans", sans-serif } h1, h2 { border-bottom: 1px solid #d8dee4; padding-bottom: 4pt }
      h1 { font-size: 24pt } h2 { font-size: 18pt } h3 { font-size: 15pt } table { width: 100% }
      th, tr:first-child td { background: #24292f; color: #fff } td, th { border: 1px solid #d0d7de; padding: 6px 13px }
      tr:nth-child(odd) { background: #f6f8fa } pre, code { background: #f6f8fa; font-size: 85% } li + li { margin-top: 3pt }`,
    heldOut: true,
  },
  "a manual: justified text, dotted lines between rows": {
    css: `body { font: 10pt/1.4 "Liberation Sans", sans-serif; text-align: justify } ul { list-style: square }
      h1 { font-size: 13pt; text-transform: uppercase } h2 { font-size: 11pt; font-style: italic } h3 { font-size: 10pt }
      table { margin-left: 24pt } td, th { border-bottom: 1px dotted #777; padding: 2pt 8pt }
      td:first-child { background: #eee }`,
    header: true,
  },
}

const pagesPerPdf = 4

/** The same order for the same seed. */
const shuffled = (names: ReadonlyArray<string>, seed: number): ReadonlyArray<string> =>
  names
    .map((name) => ({ name, key: createHash("sha256").update(`${seed} ${name}`).digest("hex") }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ name }) => name)

/** Prints the Markdown files of a folder, some to a PDF, in every style; what `cache` already holds is not printed again. */
export const print = async (
  folder: string,
  cache: string,
  { seed, groups }: { readonly seed: number; readonly groups: number },
): Promise<ReadonlyArray<Printed>> => {
  const names = shuffled(
    readdirSync(folder).filter((name) => /^\d.*\.md$/.test(name)),
    seed,
  )
  mkdirSync(cache, { recursive: true })
  const printer = new Printer(cache)
  const printed: Array<Printed> = []
  for (let group = 0; group < groups && group * pagesPerPdf < names.length; group++) {
    const pages = names.slice(group * pagesPerPdf, (group + 1) * pagesPerPdf)
    const html = htmlOf(pages.map((name) => readFileSync(join(folder, name), "utf8")))
    for (const style of Object.keys(styles)) printed.push(await printer.print(html, style))
  }
  await printer.close()
  return printed
}

const reader = new MarkdownIt({ html: true })
const htmlOf = (pages: ReadonlyArray<string>): string => pages.map((page) => reader.render(page)).join("\n")

class Printer {
  readonly #cache: string
  #browser: Promise<Browser> | undefined

  constructor(cache: string) {
    this.#cache = cache
  }

  async print(body: string, name: string): Promise<Printed> {
    const style = styles[name] ?? { css: "" }
    const html = `<!doctype html><html lang="en"><title>Pages</title><style>${base}\n${style.css}</style><body>${body}</body></html>`
    const layout = style.css.includes("columns:") ? [widenTables] : []
    const key = createHash("sha256")
      .update(JSON.stringify([html, style, ...layout]))
      .digest("hex")
      .slice(0, 16)
    const path = join(this.#cache, `${key}.pdf`)
    const truth = join(this.#cache, `${key}.json`)
    if (!existsSync(path) || !existsSync(truth)) await this.#print(html, style, path, truth)
    return { style: name, path, truth: JSON.parse(readFileSync(truth, "utf8")) }
  }

  async #print(html: string, style: Style, path: string, truth: string): Promise<void> {
    this.#browser ??= chromium.launch({
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-background-networking"],
    })
    const page = await (await this.#browser).newPage()
    await page.setContent(html)
    const found: Parameters<typeof structureFrom>[0] = await page.evaluate(readPage)
    writeFileSync(truth, JSON.stringify(structureFrom(found)))
    if (style.css.includes("columns:")) await page.evaluate(widenTables)
    const line = (text: string) =>
      `<div style="font-size: 8pt; width: 100%; text-align: center">${text}</div>`
    await page.pdf({
      path,
      format: "A4",
      margin: { top: "22mm", bottom: "20mm", left: "20mm", right: "20mm" },
      tagged: style.tagged === true,
      printBackground: true,
      displayHeaderFooter: style.header === true,
      headerTemplate: line(runningHeader),
      footerTemplate: line('Page <span class="pageNumber"></span> of <span class="totalPages"></span>'),
    })
    await page.close()
  }

  async close(): Promise<void> {
    await (await this.#browser)?.close()
  }
}

/** Runs in the browser: tables that are wider than a column of the paper go over all of them. */
const widenTables = `(() => {
  document.body.style.width = "170mm"
  const width = Math.max(...[...document.querySelectorAll("p")].map((each) => each.getClientRects()[0]?.width ?? 0))
  for (const table of document.querySelectorAll("table"))
    if (table.offsetWidth > width + 1 && !table.closest("td, th")) table.style.columnSpan = "all"
  document.body.style.width = ""
})()`

/** Runs in the browser, as text. */
const readPage = `(() => {
  const all = (selector, of = document) => [...of.querySelectorAll(selector)]
  const text = (element) => element.innerText ?? element.textContent
  const own = (item) => {
    const copy = item.cloneNode(true)
    for (const list of all("ul, ol, table", copy)) list.remove()
    return copy.textContent
  }
  return {
    headings: all("h1, h2, h3, h4, h5, h6").filter((each) => !each.closest("td, th")).map(text),
    items: all("li").filter((each) => !each.closest("td, th")).map(own),
    rows: all("tr").map((row) => all(":scope > td, :scope > th", row).map(text)),
    text: text(document.body),
  }
})()`
