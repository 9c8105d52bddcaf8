import MarkdownIt from "markdown-it"

/** CommonMark with tables and strikethrough; HTML is HTML. */
const renderer = new MarkdownIt({ html: true })

/** One leaf block: the elements that it stands in, from the outermost on, and its text. */
export interface Block {
  readonly path: string
  readonly text: string
}

/**
 * What a reader sees: text with line breaks, each leaf block with its place. Emphasis, code, links and HTML show as
 * marks in double angle quotes, so that they are no text.
 */
export const rendered = (markdown: string): ReadonlyArray<Block> => {
  const path: Array<string> = []
  const blocks: Array<Block> = []
  for (const token of renderer.parse(markdown, {})) {
    if (token.nesting === 1) path.push(token.tag)
    else if (token.nesting === -1) path.pop()
    else if (token.type === "inline") {
      blocks.push({ path: path.join(" "), text: (token.children ?? []).map(seen).join("") })
    } else
      blocks.push({ path: [...path, `${token.type} ${token.info}`.trim()].join(" "), text: token.content })
  }
  return blocks
}

/** The items of each list as they are numbered, "-" for a bullet; lists in the order of their ends. */
export const listsOf = (markdown: string): ReadonlyArray<string> => {
  const open: Array<{ readonly items: Array<string>; next: number }> = []
  const ended: Array<string> = []
  for (const token of renderer.parse(markdown, {})) {
    const list = open.at(-1)
    if (token.type === "bullet_list_open") open.push({ items: [], next: Number.NaN })
    else if (token.type === "ordered_list_open") {
      open.push({ items: [], next: Number(token.attrGet("start") ?? 1) })
    } else if (token.type === "list_item_open" && list !== undefined) {
      list.items.push(Number.isNaN(list.next) ? "-" : String(list.next++))
    } else if (token.type.endsWith("_list_close")) ended.push((open.pop()?.items ?? []).join(" "))
  }
  return ended
}

const seen = (token: ReturnType<typeof renderer.parse>[number]): string => {
  const { type, content } = token
  switch (type) {
    case "text":
      return content
    case "softbreak":
    case "hardbreak":
      return "\n"
    case "html_inline":
      return content === "<br>" ? "\n" : `«html ${content}»`
    default:
      return `«${type}${token.attrGet("href") ?? ""}»`
  }
}
