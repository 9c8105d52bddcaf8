import MarkdownIt, { type Token } from "markdown-it"

/** What a reader sees of a document's structure, as plain text. */
export interface Structure {
  readonly headings: ReadonlyArray<string>
  /** Without the items inside of them. */
  readonly items: ReadonlyArray<string>
  /** Empty cells are left out, of `rows` as well. */
  readonly cells: ReadonlyArray<string>
  readonly rows: ReadonlyArray<string>
  readonly words: ReadonlyArray<string>
}

const plain = (text: string): string =>
  text.normalize("NFKC").replaceAll("\u00ad", "").replace(/\s+/g, " ").trim()

/** Makes texts comparable, whatever read them. */
export const structureFrom = (found: {
  readonly headings: ReadonlyArray<string>
  readonly items: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly text: string
}): Structure => {
  const filled = (texts: ReadonlyArray<string>) => texts.map(plain).filter((text) => text !== "")
  const rows = found.rows.map(filled).filter(({ length }) => length > 0)
  return {
    headings: filled(found.headings),
    items: filled(found.items),
    cells: rows.flat(),
    rows: rows.map((row) => row.join(" | ")),
    words: plain(found.text).split(" "),
  }
}

const reader = new MarkdownIt()

/** The text of inline Markdown, without its marks. */
const textOf = (token: Token): string =>
  (token.children ?? [])
    .map(({ type, content }) => (type === "softbreak" || type === "hardbreak" ? " " : content))
    .join("")
    .replaceAll("<br>", " ")

/** The structure of Markdown without HTML. */
export const structureOf = (markdown: string): Structure => {
  const headings: Array<string> = []
  const items: Array<string> = []
  const rows: Array<Array<string>> = []
  const text: Array<string> = []
  const open: Array<number> = []
  let place: "heading" | "cell" | undefined
  for (const token of reader.parse(markdown, {})) {
    if (token.type === "heading_open") place = "heading"
    if (token.type === "th_open" || token.type === "td_open") place = "cell"
    if (/^(?:heading|th|td)_close$/.test(token.type)) place = undefined
    if (token.type === "list_item_open") open.push(items.push("") - 1)
    if (token.type === "list_item_close") open.pop()
    if (token.type === "tr_open") rows.push([])
    const item = open.at(-1)
    if (token.type === "fence" || token.type === "code_block") {
      text.push(token.content)
      if (item !== undefined) items[item] = `${items[item]} ${token.content}`
    }
    if (token.type !== "inline") continue
    const inline = textOf(token)
    text.push(inline)
    if (place === "heading") headings.push(inline)
    else if (place === "cell") rows.at(-1)?.push(inline)
    else if (item !== undefined) items[item] = `${items[item]} ${inline}`
  }
  return structureFrom({ headings, items, rows, text: text.join(" ") })
}
