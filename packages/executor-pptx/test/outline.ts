import MarkdownIt from "markdown-it"

/** HTML stays as it is, so that `<br>` in cells can be told from text. */
const renderer = new MarkdownIt({ html: true })

type Token = ReturnType<typeof renderer.parse>[number]

/**
 * What a reader sees of a result, line by line: `# 3 Title` begins a slide, `  1. Text` is an item, indented by
 * two for each level, rows of a table stand together in one string, anything else is text. A link is
 * `[text](target)`. White space counts once.
 */
export const outlineOf = (markdown: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  /** The open lists, each with the number of its next item. */
  const lists: Array<{ next: number | undefined }> = []
  let marker = ""
  let rows: Array<Array<string>> | undefined
  let isHeading = false
  for (const token of renderer.parse(markdown, {})) {
    switch (token.type) {
      case "heading_open":
        isHeading = true
        break
      case "bullet_list_open":
        lists.push({ next: undefined })
        break
      case "ordered_list_open":
        lists.push({ next: Number(token.attrGet("start") ?? 1) })
        break
      case "bullet_list_close":
      case "ordered_list_close":
        lists.pop()
        break
      case "list_item_open": {
        const list = lists.at(-1)
        marker = `${"  ".repeat(lists.length - 1)}${list?.next === undefined ? "-" : `${list.next++}.`} `
        break
      }
      case "table_open":
        rows = []
        break
      case "tr_open":
        rows?.push([])
        break
      case "table_close":
        lines.push(tableOf(rows ?? []))
        rows = undefined
        break
      case "inline": {
        const seen = seenIn(token.children ?? [])
          .split("\n")
          .map(spaced)
        if (rows !== undefined) rows.at(-1)?.push(seen.join(" / "))
        else if (isHeading) lines.push(headingOf(seen.join(" ")))
        else lines.push(`${marker}${seen[0] ?? ""}`, ...seen.slice(1))
        isHeading = false
        marker = ""
      }
    }
  }
  return lines
}

/** The same lines, written by hand; an empty line ends a table. */
export const handWritten = (text: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let rows: Array<Array<string>> = []
  for (const line of [...text.split("\n"), ""]) {
    if (line.startsWith("|")) rows.push(line.split("|").slice(1, -1).map(spaced))
    else {
      if (rows.length > 0) lines.push(tableOf(rows))
      rows = []
      const indent = /^ */.exec(line)?.[0] ?? ""
      if (line.trim() !== "") lines.push(`${indent}${spaced(line)}`)
    }
  }
  return lines
}

const spaced = (text: string): string => text.trim().replace(/\s+/g, " ")

const headingOf = (text: string): string => {
  const [, number = "", title = ""] = /^Slide (\d+)(?: \(hidden\))?(?:: (.*))?$/s.exec(text) ?? []
  return spaced(`# ${number} ${title}`)
}

/** Rows and columns without any text are invisible space. */
const tableOf = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const columns = (rows[0] ?? []).map((_, column) => rows.some((row) => row[column] !== ""))
  return rows
    .filter((row) => row.some((cell) => cell !== ""))
    .map((row) => `| ${row.filter((_, column) => columns[column]).join(" | ")} |`)
    .join("\n")
}

const seenIn = (tokens: ReadonlyArray<Token>): string => {
  let target = ""
  const seen = tokens.map((token) => {
    switch (token.type) {
      case "softbreak":
      case "hardbreak":
        return "\n"
      case "link_open":
        target = String(token.attrGet("href"))
        return "["
      case "link_close":
        return `](${target})`
      default:
        return token.content === "<br>" ? "\n" : token.content
    }
  })
  return seen.join("")
}
