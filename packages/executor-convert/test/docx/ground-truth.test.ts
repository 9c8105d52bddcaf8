import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import MarkdownIt from "markdown-it"
import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"

const corpus = fileURLToPath(new URL("../../../../../shared/corpus", import.meta.url))
const truths = fileURLToPath(new URL("ground-truth", import.meta.url))

interface Facts {
  readonly headings: Array<string>
  readonly items: Array<string>
  readonly cells: Array<string>
}

const plain = (text: string): string => text.replace(/<br>|\s+/g, " ").trim()

/** Without these a reference of a note is text, and no link. */
const noteText = /^\[\^c?\d+\]:.*$/gm

const factsOf = (markdown: string): Facts => {
  const facts: Facts = { headings: [], items: [], cells: [] }
  const open: Array<keyof Facts> = []
  for (const token of new MarkdownIt({ html: true }).parse(markdown.replace(noteText, ""), {})) {
    if (token.type === "heading_open") open.push("headings")
    else if (token.type === "list_item_open") open.push("items")
    else if (/^t[hd]_open$/.test(token.type)) open.push("cells")
    else if (/^(?:heading|list_item|t[hd])_close$/.test(token.type)) open.pop()
    const place = open.at(-1)
    if (token.type !== "inline" || place === undefined) continue
    const text = (token.children ?? []).map(({ content, type }) => (type === "hardbreak" ? " " : content))
    if (plain(text.join("")) !== "") facts[place].push(plain(text.join("")))
  }
  return facts
}

/** One fact in a line, written by hand: `# heading`, `- item`, `| cell | cell |`. */
const writtenFacts = (lines: ReadonlyArray<string>): Facts => {
  const facts: Facts = { headings: [], items: [], cells: [] }
  for (const line of lines) {
    if (line.startsWith("# ")) facts.headings.push(plain(line.slice(2)))
    else if (line.startsWith("- ")) facts.items.push(plain(line.slice(2)))
    else if (line.startsWith("|")) facts.cells.push(...line.split("|").slice(1, -1).map(plain))
  }
  return facts
}

/** Harmonic mean of precision and recall; 1 where there is nothing on both sides. */
const f1 = (found: ReadonlyArray<string>, written: ReadonlyArray<string>): number => {
  const rest = [...found]
  const both = written.filter((text) => {
    const at = rest.indexOf(text)
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  })
  return found.length + written.length === 0 ? 1 : (2 * both.length) / (found.length + written.length)
}

/**
 * Each truth was written from the document, not from a result. Its first line names the document in the corpus; the
 * others are what a person would say stands there.
 */
describe.skipIf(!existsSync(corpus))(
  "Word documents of the corpus (which is beside the repository) hold what was written by hand",
  () => {
    for (const name of readdirSync(truths)) {
      const [document = "", ...lines] = readFileSync(join(truths, name), "utf8").split("\n")
      it(document, async () => {
        const { markdown } = await converted(readFileSync(join(corpus, document)), document)
        const [found, written] = [factsOf(markdown), writtenFacts(lines)]
        for (const kind of ["headings", "items", "cells"] as const) {
          expect({ kind, f1: f1(found[kind], written[kind]), found: found[kind] }).toEqual({
            kind,
            f1: 1,
            found: expect.anything(),
          })
        }
      })
    }
  },
)
