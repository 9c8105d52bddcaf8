import { escapeJson, Refusal } from "@atelier/intake/bytes"
import { codeBlanked } from "./codeBlanked.ts"

/** Text is encoded in pieces of about this many UTF-16 units. */
const pieceUnits = 65_536

/** UTF-8 needs at most this many bytes for one UTF-16 unit. */
const bytesPerUnitMax = 3

const ticksMin = 3
const orderedMax = 999_999_999

/** The last item at one level of the lists that are open. */
interface OpenItem {
  /** Where its contents begin. */
  readonly column: number
  /** Undefined for a bullet. */
  readonly number: number | undefined
  readonly list: unknown
  /** Its list has the other marks of its kind, `*` or `)`, which tell it from the list before. */
  readonly isOther: boolean
}

/** Where the text of a page, slide or sheet stands in the Markdown, in UTF-16 units, without the empty lines around it. */
export interface DocumentPart {
  /** From 1. */
  readonly number: number
  /** Of a sheet. */
  readonly name?: string
  readonly start: number
  readonly end: number
}

/**
 * Collects a Markdown document block by block, with one empty line between blocks (none between items of a
 * list), as the same bytes on every run. `inline` arguments are Markdown already (escaped text, links); their
 * line breaks become hard breaks, empty lines and white space at the ends of lines are dropped, and what would
 * begin a block at their line starts is escaped here, and so is what would make a link an image.
 * Every method throws a `Refusal` (`result_too_large`) once more than `bytesMax` bytes are collected.
 */
export class MarkdownWriter {
  readonly bytesMax: number
  private readonly encoded: Array<Uint8Array> = []
  private encodedBytes = 0
  private text = ""
  /** From the outermost level on; empty outside of lists. */
  private items: ReadonlyArray<OpenItem> = []
  /** The last item ends with code. */
  private isAfterCode = false
  private encodedUnits = 0
  private readonly begun: Array<{ -readonly [field in keyof DocumentPart]: DocumentPart[field] }> = []

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** Level 1 to 6; line breaks become spaces; an empty heading writes nothing. */
  heading(level: number, inline: string): void {
    const line = joinLines(inline, " ")
    if (line === "") return
    const marks = "#".repeat(Math.min(6, Math.max(1, Math.trunc(level))))
    // What looks like the closing marks of a heading is text.
    this.write(`${marks} ${line.replace(/(?<![^ \t])#+$/, "\\$&")}`)
  }

  /**
   * An empty one writes nothing. `itemLevel`: it is a part of the last item of that level, if the list is still open.
   */
  paragraph(inline: string, itemLevel?: number): void {
    const { indent, items, isAfterCode } = this.placeOf(itemLevel)
    const text = paragraphText(inline, indent)
    if (text === "") return
    this.write(indent + text, isAfterCode)
    this.items = items
  }

  /**
   * `level` from 0, at most one below the item before it; `ordered` is the item's number, absent for a bullet.
   * Bullets of one list have the same `list`, whatever it is. One that is of another list than the item before it, or
   * an item whose number does not follow, begins a list of its own. An empty one writes nothing.
   */
  listItem(level: number, inline: string, ordered?: number, list?: unknown): void {
    const parents = this.items.slice(0, Math.max(0, Math.trunc(level)))
    const last = this.items[parents.length]
    const indent = parents.at(-1)?.column ?? 0
    const number = ordered === undefined ? undefined : Math.min(orderedMax, Math.max(0, Math.trunc(ordered)))
    const goesOn = number !== undefined || last?.list === list
    const isNew = last !== undefined && !(goesOn && follows(number, last.number))
    const isOther = last !== undefined && isSameKind(number, last.number) && last.isOther !== isNew
    const marker = number === undefined ? (isOther ? "* " : "- ") : `${number}${isOther ? ")" : "."} `
    const column = indent + marker.length
    const text = paragraphText(inline, " ".repeat(column))
    if (text === "") return
    // Directly below text, only a list that begins with 1 is one.
    const interrupts = last === undefined && (number ?? 1) !== 1
    // An empty line inside of an item would part all items of its list.
    const isTight = this.items.length > 0 && !interrupts && !(isNew && parents.length === 0)
    this.write(" ".repeat(indent) + marker + text, isTight)
    this.items = [...parents, { column, number, list, isOther }]
  }

  /**
   * A pipe table: the first row is its head; short rows are filled; pipes and line breaks in cells are escaped.
   * Nothing for no rows. Rows that can be read only once come with the length of the longest.
   */
  table(rows: Iterable<ReadonlyArray<string>>, width = longest(rows)): void {
    if (width === 0) return
    let isHead = true
    for (const row of rows) {
      this.write(rowOf(row, width), !isHead)
      if (isHead) this.write(`|${" --- |".repeat(width)}`, true)
      isHead = false
    }
  }

  /**
   * A fenced block that nothing in `text` can close; `language` is left out if it is no plain word. Nothing for no text.
   * `itemLevel` as for a paragraph.
   */
  code(text: string, language = "", itemLevel?: number): void {
    if (text === "") return
    const { indent, items } = this.placeOf(itemLevel)
    const ticks = "`".repeat(Math.max(ticksMin, longestBacktickRun(text) + 1))
    const lines = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text
    const info = /^[\w+#.-]{1,40}$/.test(language) ? language : ""
    const block = `${ticks}${info}\n${lines}${lines.endsWith("\n") ? "" : "\n"}${ticks}`
    // A fence needs no empty line above it, which would part all items of the list.
    this.write(indent === "" ? block : this.indented(block, indent), items.length > 0)
    this.items = items
    this.isAfterCode = items.length > 0
  }

  /** An empty one writes nothing. */
  quote(inline: string): void {
    const text = paragraphText(inline, "> ")
    if (text !== "") this.write(`> ${text}`)
  }

  /** Markdown as it is, as a block of its own, without the empty lines around it. */
  block(markdown: string): void {
    const text = (markdown.includes("\r") ? markdown.replace(/\r\n?/g, "\n") : markdown).trimEnd()
    if (text !== "") this.write(text.slice(text.lastIndexOf("\n", text.search(/\S/)) + 1))
  }

  rule(): void {
    this.write("---")
  }

  /** What is written from now on is of the next page, slide or sheet. `name` is that of a sheet. */
  beginPart(name?: string): void {
    const { end } = this
    this.begun.push({
      number: this.begun.length + 1,
      ...(name === undefined ? {} : { name }),
      start: end,
      end,
    })
  }

  /** All parts that were begun, in their order; one without text is empty, at the end of the one before. */
  get parts(): ReadonlyArray<DocumentPart> {
    return this.begun
  }

  get isEmpty(): boolean {
    return this.encodedBytes === 0 && this.text === ""
  }

  /** The document in UTF-8, in pieces. */
  get pieces(): ReadonlyArray<Uint8Array> {
    this.encode()
    return this.encoded
  }

  /** How many bytes longer the document is inside a JSON string. */
  get jsonGrowth(): number {
    let bytes = 0
    for (const piece of this.pieces) escapeJson(piece, (escaped) => (bytes += escaped.length))
    return bytes - this.encodedBytes
  }

  /** Ends with one line feed; empty for an empty document. */
  toString(): string {
    return Buffer.concat(this.pieces).toString()
  }

  /** Where a block goes that may be a part of an item, and the items that stay open. */
  private placeOf(itemLevel = -1) {
    const items = this.items.slice(0, Math.max(0, Math.trunc(itemLevel) + 1))
    const indent = " ".repeat(items.at(-1)?.column ?? 0)
    return { indent, items, isAfterCode: items.length > 0 && this.isAfterCode }
  }

  /** The lines of a block behind an indent, empty ones as they are. */
  private indented(block: string, indent: string): string {
    let lines = 0
    for (let at = block.indexOf("\n"); at >= 0; at = block.indexOf("\n", at + 1)) lines++
    this.requireRoom(block.length + lines * indent.length)
    return indent + block.replace(/\n(?!\n)/g, `\n${indent}`)
  }

  /** Adds a block, or a part of one that follows without an empty line between. */
  private write(block: string, isTight = false): void {
    this.items = []
    this.isAfterCode = false
    this.text += isTight || this.isEmpty ? `${block}\n` : `\n${block}\n`
    this.extendPart(block.length)
    const units = this.text.length
    if (units >= pieceUnits || this.encodedBytes + units * bytesPerUnitMax > this.bytesMax) this.encode()
  }

  /** Where the text ends, without its last line feed. */
  private get end(): number {
    return Math.max(0, this.encodedUnits + this.text.length - 1)
  }

  private extendPart(units: number): void {
    const part = this.begun.at(-1)
    if (part === undefined) return
    const { end } = this
    if (part.start === part.end) part.start = end - units
    part.end = end
  }

  private encode(): void {
    if (this.text === "") return
    const piece = Buffer.from(this.text)
    this.encodedUnits += this.text.length
    this.text = ""
    this.requireRoom(piece.length)
    this.encodedBytes += piece.length
    this.encoded.push(piece)
  }

  private requireRoom(more: number): void {
    const bytes = this.encodedBytes + more
    if (bytes <= this.bytesMax) return
    throw new Refusal(
      "result_too_large",
      `The Markdown result has ${bytes} bytes or more; at most ${this.bytesMax} are allowed.`,
    )
  }
}

const isSameKind = (number: number | undefined, last: number | undefined): boolean =>
  (number === undefined) === (last === undefined)

const follows = (number: number | undefined, last: number | undefined): boolean =>
  last === undefined ? number === undefined : number === last + 1

const lineBreak = /\r\n?|\n/

const asItIs = (line: string): string => line

/** The lines of inline Markdown, without white space around them and without empty ones, with `separator` between. */
const joinLines = (
  inline: string,
  separator: string,
  escape: (line: string, index: number) => string = asItIs,
): string => {
  const markdown = withoutLastEscape(withoutImages(inline).trim())
  if (!lineBreak.test(markdown)) return escape(markdown, 0)
  return markdown
    .split(lineBreak)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map(escape)
    .join(separator)
}

/** Lines with hard breaks, the second and further ones behind `indent`, that begin no other block. */
const paragraphText = (inline: string, indent = ""): string =>
  joinLines(inline, `  \n${indent}`, escapeBlockStart)

/** Text that ends in an exclamation mark, before a link, makes no image of it. */
const withoutImages = (inline: string): string => {
  if (!inline.includes("![") || !inline.includes("](")) return inline
  let escaped = ""
  let from = 0
  for (const { index, 1: slashes = "" } of codeBlanked(inline).matchAll(/(?<!\\)((?:\\\\)*)!\[/g)) {
    const at = index + slashes.length
    escaped += `${inline.slice(from, at)}\\`
    from = at
  }
  return escaped + inline.slice(from)
}

/** Nothing follows a bracket at the end of a block that could make a link of it; a reference of a note it may be. */
const withoutLastEscape = (markdown: string): string => {
  if (!markdown.endsWith("\\]")) return markdown
  let slashes = markdown.length - 2
  while (markdown[slashes - 1] === "\\") slashes--
  const isEscaped = (markdown.length - 1 - slashes) % 2 === 1
  const isNote = markdown[markdown.lastIndexOf("[") + 1] === "^"
  return isEscaped && !isNote ? `${markdown.slice(0, -2)}]` : markdown
}

const longest = (rows: Iterable<ReadonlyArray<string>>): number => {
  let width = 0
  for (const row of rows) width = Math.max(width, row.length)
  return width
}

const rowOf = (row: ReadonlyArray<string>, width: number): string => {
  let line = "|"
  for (const cell of row) line += ` ${cellOf(cell)} |`
  return line + "  |".repeat(width - row.length)
}

const cellOf = (cell: string): string =>
  /[\n\r|!\]]/.test(cell) ? joinLines(cell, "<br>").replaceAll("|", "\\|") : cell.trim()

const longestBacktickRun = (text: string): number => {
  let longest = 0
  for (let start = text.indexOf("`"); start >= 0; ) {
    let end = start
    while (text.charCodeAt(end) === 0x60) end++
    longest = Math.max(longest, end - start)
    start = text.indexOf("`", end)
  }
  return longest
}

/** Characters with which a line begins that is more than text. */
const suspicious = /^[#>\-+*~_=|:\d]/

const marker =
  /^(?:#{1,6}(?=[ \t]|$)|>|[-+*](?=[ \t]|$)|-+$|(?:-[ \t]*){3,}$|(?:\*[ \t]*){2,}$|(?:_[ \t]*){3,}$)/
const fence = /^~{3,}/
const number = /^(\d{1,9})([.)])(?=[ \t]|$)/

/** Below text: the underline of a heading, or the second line of a table. */
const underline = /^(?:=+|[|:-][|:\- \t]*)$/

/**
 * A line of a paragraph, without white space before it, as Markdown that begins no block: no heading, quote,
 * list, rule, fence, and, below another line (`index` over 0), no underline and no table.
 */
const escapeBlockStart = (line: string, index: number): string => {
  if (!suspicious.test(line)) return line
  if (marker.test(line) || (index > 0 && underline.test(line))) return `\\${line}`
  return line.replace(number, "$1\\$2").replace(fence, (run) => "\\~".repeat(run.length))
}
