import { relative } from "node:path"
import { renderMermaidSVG } from "beautiful-mermaid"
import type { MarkdownRenderer } from "vitepress"
import { addressOf, root, targetOf } from "./paths.ts"

/**
 * Where the files of the repository can be read that are no pages: `DOCS_SOURCE_URL`, such as
 * `https://forge.example/atelier/blob/main`. Without it the site shows their names without a link.
 */
const sourceUrl = process.env["DOCS_SOURCE_URL"]?.replace(/\/$/, "")

type Token = ReturnType<MarkdownRenderer["parse"]>[number]

/** Links lead where they lead on a forge; one that leads nowhere ends the build. */
const resolveLinks = (md: MarkdownRenderer): void => {
  md.core.ruler.push("repository_links", ({ tokens, env }) => {
    const from = relative(root, env.realPath ?? env.path)
    for (const token of tokens) {
      if (token.type === "inline") resolveIn(token.children ?? [], from)
    }
  })
}

const resolveIn = (tokens: Array<Token>, from: string): void => {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "link_open") continue
    const link = token.attrGet("href") ?? ""
    if (/^(?:[a-z]+:|#|\/)/.test(link)) continue
    const target = targetOf(from, link)
    if (target === undefined) throw new Error(`${from}: the link ${link} leads nowhere`)
    if (target.page) token.attrSet("href", addressOf(target.path) + target.anchor)
    else if (sourceUrl !== undefined) token.attrSet("href", `${sourceUrl}/${target.path}`)
    else withoutLink(tokens, index, target.path)
  }
}

/** Shows what the link says, and the file's path when the pointer rests on it. */
const withoutLink = (tokens: Array<Token>, index: number, path: string): void => {
  const open = tokens[index]
  const close = tokens.slice(index).find(({ type }) => type === "link_close")
  if (open === undefined || close === undefined) return
  open.attrs = [
    ["class", "source"],
    ["title", path],
  ]
  open.type = "source_open"
  close.type = "source_close"
  for (const token of [open, close]) token.tag = "span"
}

/** Diagrams are drawn when the site is built; what comes out is marked as output, and snippets name their file. */
const labelFences = (md: MarkdownRenderer): void => {
  const fence = md.renderer.rules.fence
  if (fence === undefined) throw new Error("VitePress has no rule for fenced blocks")
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index]
    const [language, label] = (token?.info ?? "").split(" ")
    if (language === "mermaid") return diagram(token?.content ?? "")
    const html = fence(tokens, index, ...rest)
    if (label === "output")
      return html
        .replace('class="language-', 'class="output language-')
        .replace(/(<span class="lang">)[^<]*/, "$1output")
    return label === undefined || label === "run"
      ? html
      : html.replace(/(<span class="lang">)[^<]*/, `$1${label}`)
  }
}

const diagram = (source: string): string => {
  const colors = {
    bg: "var(--vp-c-bg)",
    fg: "var(--vp-c-text-1)",
    line: "var(--vp-c-text-2)",
    accent: "var(--vp-c-brand-1)",
    transparent: true,
  }
  // The renderer asks another server for a font, which the site has itself.
  const svg = renderMermaidSVG(source, colors).replace(/@import url\([^)]*\);/g, "")
  const attribute = JSON.stringify(svg).replaceAll("&", "&amp;").replaceAll('"', "&quot;")
  return `<div class="diagram" role="img" tabindex="0" aria-label="Diagram; the text around it says the same" v-html="${attribute}"></div>`
}

/** The empty corner of a table is no heading: a screen reader would read it before every row. */
const emptyCorners = (md: MarkdownRenderer): void => {
  md.core.ruler.push("empty_corners", ({ tokens }) => {
    for (const [index, open] of tokens.entries()) {
      const [content, close] = [tokens[index + 1], tokens[index + 2]]
      if (open.type !== "th_open" || content?.content !== "" || close === undefined) continue
      for (const token of [open, close]) token.tag = "td"
    }
  })
}

/** Cells longer than this are prose. */
const proseCharsMin = 24

/**
 * A table with sentences in it, which have no place beside its other columns on a phone, is marked, and so is the column
 * that says most. Each cell bears the name of its column: on a phone a row is shown as a paragraph. Tables of numbers
 * stay tables.
 */
const proseTables = (md: MarkdownRenderer): void => {
  // VitePress writes every table without its attributes, but as one that can be scrolled by keys.
  md.renderer.rules.table_open = (tokens, index, options, _env, renderer) => {
    tokens[index]?.attrSet("tabindex", "0")
    return renderer.renderToken(tokens, index, options)
  }
  md.core.ruler.push("prose_tables", ({ tokens }) => {
    for (const [start, open] of tokens.entries()) {
      if (open.type !== "table_open") continue
      const end = tokens.findIndex(({ type }, index) => index > start && type === "table_close")
      const names = cellsIn(tokens.slice(start, end), "th_open").map(({ text }) => text)
      const bodies = cellsIn(tokens.slice(start, end), "td_open")
      if (!bodies.some(({ text }) => text.length > proseCharsMin)) continue
      open.attrJoin("class", "prose")
      const said = names.map((_, column) =>
        bodies.reduce((sum, { text }, index) => sum + (index % names.length === column ? text.length : 0), 0),
      )
      for (const [index, { token }] of bodies.entries()) {
        const column = index % names.length
        token.attrSet("data-column", names[column] ?? "")
        if (said[column] === Math.max(...said)) token.attrJoin("class", "most")
      }
    }
  })
}

const cellsIn = (tokens: ReadonlyArray<Token>, type: string) =>
  tokens.flatMap((token, index) => {
    const text = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join("")
    return token.type === type ? [{ token, text }] : []
  })

export const extendMarkdown = (md: MarkdownRenderer): void => {
  resolveLinks(md)
  labelFences(md)
  // Before the corners, which are no headings any more after it.
  proseTables(md)
  emptyCorners(md)
}
