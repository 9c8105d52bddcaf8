/** A block that is open, and that no empty line ends. */
interface OpenBlock {
  readonly isEnd: (line: string) => boolean
  /** A line that ends it. */
  readonly end: string
}

/** What of the lines so far decides how the next one is read, in the text or in an item or quote of it. */
interface Place {
  readonly block?: OpenBlock
  /** HTML that an empty line ends. */
  readonly isHtml?: boolean
  readonly isParagraph?: boolean
  /** The list item that is open; what stands at `column` or further right belongs to it. */
  readonly item?: { readonly column: number; readonly place: Place; readonly isEmpty: boolean }
  readonly quote?: Place
}

/** Items and quotes inside one another; what is deeper is text. */
const depthMax = 32

/**
 * Markdown in which a code fence, a comment or another block of HTML that is never closed ends with the text
 * (CommonMark 4.5 and 4.6): else it would go on in whatever follows.
 */
export const closedMarkdown = (markdown: string): string => {
  let place: Place = {}
  for (const line of markdown.split(/\r\n?|\n/)) place = after(line, place, 0)
  return place.block === undefined ? markdown : `${markdown.trimEnd()}\n${place.block.end}`
}

const after = (line: string, place: Place, depth: number): Place => {
  const { block, isHtml, isParagraph, item } = place
  const content = line.trimStart()
  const indent = columnAt(line, line.length - content.length)
  if (block !== undefined) return block.isEnd(line) ? {} : place
  if (content === "") return afterEmptyLine(place, depth)
  if (isHtml === true) return place
  if (item !== undefined && indent >= item.column) {
    const inner = after(" ".repeat(indent - item.column) + content, item.place, depth + 1)
    return { item: { column: item.column, place: inner, isEmpty: false } }
  }
  const goesOn = endsInParagraph(place)
  if (indent >= codeIndent) return goesOn ? place : {}
  if (isRule(content) || (isParagraph === true && underline.test(content))) return {}
  const opened = fenceAt(content) ?? htmlAt(content)
  if (opened !== undefined) return opened.isSingleLine && opened.isEnd(content) ? {} : { block: opened }
  if (htmlBlock.test(content) || (!goesOn && isHtmlTag(content))) return { isHtml: true }
  if (heading.test(content)) return {}
  const container =
    depth < depthMax ? (quoteAt(content, place, depth) ?? itemAt(content, indent, place, depth)) : undefined
  return container ?? (goesOn ? place : { isParagraph: true })
}

const afterEmptyLine = ({ item }: Place, depth: number): Place => {
  if (item === undefined || item.isEmpty) return {}
  return { item: { ...item, place: after("", item.place, depth + 1) } }
}

/** Then a line of text goes on with it, also where it does not stand in the same item or quote. */
const endsInParagraph = ({ isParagraph, item, quote }: Place): boolean => {
  const inner = item?.place ?? quote
  return inner === undefined ? isParagraph === true : endsInParagraph(inner)
}

const codeIndent = 4
const tabColumns = 4

const columnAt = (line: string, length: number): number => {
  let column = 0
  for (let at = 0; at < length; at++) column += line[at] === "\t" ? tabColumns - (column % tabColumns) : 1
  return column
}

const rule = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const ruleCharactersMax = 1_000

const isRule = (content: string): boolean => content.length <= ruleCharactersMax && rule.test(content)

const underline = /^(?:=+|-+)[ \t]*$/
const heading = /^#{1,6}(?=[ \t]|$)/

const fence = /^(?:(`{3,})[^`]*|(~{3,}).*)$/

interface Opened extends OpenBlock {
  /** It may end on the line on which it begins. */
  readonly isSingleLine: boolean
}

const fenceAt = (content: string): Opened | undefined => {
  const found = fence.exec(content)
  const end = found?.[1] ?? found?.[2]
  if (end === undefined) return undefined
  const isEnd = (line: string): boolean => {
    const marks = line.trim()
    const indent = columnAt(line, line.length - line.trimStart().length)
    return indent < codeIndent && marks.startsWith(end) && marks === end.charAt(0).repeat(marks.length)
  }
  return { isEnd, end, isSingleLine: false }
}

/** Its start, its end, and the text that closes it. */
const htmlKinds: ReadonlyArray<readonly [start: RegExp, end: RegExp, written: string]> = [
  [/^<(?:script|pre|style|textarea)(?=[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i, ""],
  [/^<!--/, /-->/, "-->"],
  [/^<\?/, /\?>/, "?>"],
  [/^<![A-Z]/i, />/, ">"],
  [/^<!\[CDATA\[/, /\]\]>/, "]]>"],
]

const htmlAt = (content: string): Opened | undefined => {
  for (const [start, end, written] of htmlKinds) {
    const found = start.exec(content)
    if (found === null) continue
    const isEnd = (line: string) => end.test(line)
    return {
      isEnd,
      end: written === "" ? `</${found[0].slice(1).toLowerCase()}>` : written,
      isSingleLine: true,
    }
  }
  return undefined
}

const htmlBlock =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=\s|\/?>|$)/i
const htmlTag =
  /^<(?:[a-z][a-z0-9-]*(?:\s+[a-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?|\/[a-z][a-z0-9-]*\s*)>\s*$/i

/** A longer line is no tag, so that no line takes long. */
const tagCharactersMax = 1_000

const isHtmlTag = (content: string): boolean => content.length <= tagCharactersMax && htmlTag.test(content)

const quoteAt = (content: string, place: Place, depth: number): Place | undefined =>
  content.startsWith(">")
    ? { quote: after(content.slice(content[1] === " " ? 2 : 1), place.quote ?? {}, depth + 1) }
    : undefined

const itemStart = /^([-+*]|\d{1,9}[.)])(?:([ \t]+)(.*))?$/

const itemAt = (
  content: string,
  indent: number,
  { isParagraph }: Place,
  depth: number,
): Place | undefined => {
  const found = itemStart.exec(content)
  if (found === null) return undefined
  const [, marker = "", space = "", text = ""] = found
  // Directly below text, an item must hold some, and the first number must be 1.
  if (isParagraph === true && (text === "" || /^(?!1[.)])\d/.test(marker))) return undefined
  const begin = indent + marker.length
  const width = columnAt(" ".repeat(begin) + space, begin + space.length) - begin
  // More space than that is code.
  const column = begin + (text === "" || width > codeIndent ? 1 : width)
  const place = after(" ".repeat(Math.max(0, begin + width - column)) + text, {}, depth + 1)
  return { item: { column, place, isEmpty: text === "" } }
}
