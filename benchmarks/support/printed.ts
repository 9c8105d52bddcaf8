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
    const key = createHash("sha256")
      .update(JSON.stringify([html, style]))
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
