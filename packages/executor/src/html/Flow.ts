import { Inline } from "../flow/Inline.ts"
import { formatNumber } from "../formatNumber.ts"
import { markdownLimits } from "../Limits.ts"
import { markdownLink } from "../markdownLink.ts"
import type { Blocks } from "./Blocks.ts"
import { collapseSpaces } from "./collapseSpaces.ts"

/** How text looks: `format` is a sum of bits, `link` a target, empty for none. */
export interface TextStyle {
  readonly format: number
  readonly link: string
}

export const plain: TextStyle = { format: 0, link: "" }

interface List {
  /** Number of the next item; undefined for bullets. */
  next: number | undefined
  /** How the numbers are written, if not as decimal ones. */
  readonly numerals?: string | undefined
}

/** What is said of a term, and items without a list around them. */
const noList: List = { next: undefined }

interface Item {
  readonly list: List
  readonly level: number
  readonly number: number | undefined
  /** What is to be written of it. */
  readonly lines: Array<string>
  /** Its text was written, and what comes goes on in it. */
  isWritten: boolean
}

/** Makes paragraphs, headings and lists of what stands in one container: the document, a quote, a cell. */
export class Flow {
  private readonly to: Blocks
  private readonly lists: Array<List> = []
  /** The item that each of them stands in, which goes on after it. */
  private readonly outer: Array<Item | undefined> = []
  /** Whether the list of definitions has a term, for each that is open. */
  private readonly hasTerms: Array<boolean> = []
  private inline = new Inline()
  private item: Item | undefined
  /** Level of the heading that is open, 0 for none. */
  private heading = 0
  private endsInSpace = true
  /** The beginning of a long paragraph as Markdown. */
  private beginning = ""
  private style: TextStyle = plain
  /** Code to which more can come. */
  private openCode: { text: string; readonly link: string } | undefined
  /** How often the style has changed since the beginning, and how much text there is. */
  private changes = 0
  private units = 0
  /** Its text has no more emphasis, which could not go on from one piece to the next. */
  private isLong = false

  constructor(to: Blocks) {
    this.to = to
  }

  /** Adds text of the paragraph, in which white space is a space. */
  text(text: string, style: TextStyle): void {
    for (let at = 0; at < text.length; at += pieceUnits) this.piece(text.slice(at, at + pieceUnits), style)
  }

  lineBreak(): void {
    this.endCode()
    this.inline.add("\n", 0, "")
    this.endsInSpace = true
    this.change(plain)
  }

  /** Code that directly follows other code goes on with it: two spans side by side are no Markdown. */
  code(text: string, { link }: TextStyle): void {
    if (codeSpan(text) === "") return
    if (this.openCode !== undefined && this.openCode.link === link) this.openCode.text += text
    else {
      this.change(plain)
      this.openCode = { text, link }
    }
    this.endsInSpace = false
  }

  /** Adds Markdown that is no text. */
  markdown(inline: string): void {
    this.change(plain)
    this.inline.addMarkdown(inline)
    this.endsInSpace = false
  }

  private endCode(): void {
    const { openCode } = this
    if (openCode === undefined) return
    this.openCode = undefined
    const span = codeSpan(openCode.text)
    this.inline.addMarkdown(openCode.link === "" ? span : markdownLink(span, openCode.link))
  }

  endParagraph(): void {
    const { heading, item } = this
    this.endsInSpace = true
    this.change(plain)
    if (this.inline.isEmpty && this.beginning === "") return
    this.endBeginning()
    const markdown = this.beginning
    this.beginning = ""
    this.isLong = false
    if (heading > 0) {
      this.endItemText()
      this.to.heading(heading, markdown)
    } else if (item === undefined) this.to.paragraph(markdown)
    else item.lines.push(markdown)
  }

  get isHeading(): boolean {
    return this.heading > 0
  }

  startHeading(level: number): void {
    this.endParagraph()
    this.heading = level
  }

  endHeading(): void {
    this.endParagraph()
    this.heading = 0
  }

  /**
   * @param first number of the first item, undefined for bullets
   * @param numerals see `formatNumber`; undefined for decimal numbers
   */
  startList(first: number | undefined, numerals?: string): void {
    this.startListIn({ next: first, numerals })
  }

  /** Terms as items of a list, and what is said of each inside of it. */
  startDefinitions(): void {
    this.endParagraph()
    this.hasTerms.push(false)
  }

  endDefinitions(): void {
    if (this.hasTerms.pop() === true) this.endList()
    else this.endParagraph()
  }

  startTerm(): void {
    if (this.hasTerms.at(-1) === false) {
      this.startListIn({ next: undefined })
      this.hasTerms[this.hasTerms.length - 1] = true
    }
    this.startItem(undefined)
  }

  /** `endList` ends it. */
  startDefinition(): void {
    this.startListIn(noList)
    this.startItem(undefined)
  }

  private startListIn(list: List): void {
    const { item } = this
    this.endBlock()
    this.lists.push(list)
    this.outer.push(item)
  }

  endList(): void {
    this.endBlock()
    this.lists.pop()
    this.item = this.outer.pop()
  }

  /** @param stated its number, if it says one */
  startItem(stated: number | undefined): void {
    this.endBlock()
    const list = this.lists.at(-1) ?? noList
    const number = list.next === undefined ? undefined : (stated ?? list.next)
    if (number !== undefined) list.next = number + 1
    const level = Math.max(0, Math.min(this.lists.length, markdownLimits.list_depth_max) - 1)
    this.item = { list, level, number, lines: [], isWritten: false }
  }

  endItem(): void {
    this.endBlock()
  }

  /** Code in lines of its own, in the item where that has begun with a text. */
  codeBlock(text: string, language: string): void {
    this.endParagraph()
    this.writeItem()
    this.to.code(text, language, this.item?.isWritten === true ? this.item.level : undefined)
  }

  /** Ends paragraph and item: what follows is a block of its own. */
  endBlock(): Blocks {
    this.endParagraph()
    this.endItemText()
    return this.to
  }

  private endItemText(): void {
    this.writeItem()
    this.item = undefined
  }

  private writeItem(): void {
    const { item } = this
    if (item === undefined || item.lines.length === 0) return
    const text = item.lines.splice(0).join("\n")
    const { numerals } = item.list
    if (item.isWritten) this.to.paragraph(text, item.level)
    else if (numerals === undefined || item.number === undefined)
      this.to.listItem(item.level, text, item.number, item.list)
    else this.to.listItem(item.level, `${formatNumber(item.number, numerals)}. ${text}`, undefined, item.list)
    item.isWritten = true
  }

  private piece(text: string, style: TextStyle): void {
    const collapsed = collapseSpaces(text)
    const added = this.endsInSpace && collapsed.startsWith(" ") ? collapsed.slice(1) : collapsed
    if (added === "" || added === zeroWidthSpace) return
    this.endsInSpace = added.endsWith(" ")
    if (style !== this.style || this.openCode !== undefined) this.change(style)
    this.inline.add(added, this.isLong ? 0 : style.format, style.link)
    this.units += added.length
    if (this.units < pieceUnits) return
    this.endBeginning()
    this.isLong = true
  }

  /** So that a long paragraph takes no more memory than its text, it becomes Markdown piece by piece. */
  private change(style: TextStyle): void {
    this.endCode()
    this.style = style
    this.changes++
    if (this.changes >= markdownLimits.html_paragraph_changes_max) this.endBeginning()
  }

  private endBeginning(): void {
    this.beginning += this.inline.toMarkdown(this.heading === 0)
    this.inline = new Inline()
    this.changes = 0
    this.units = 0
  }
}

/** By itself it shows nothing: sites fill the anchors of headings with it. */
const zeroWidthSpace = "\u200b"

/** Text is looked at in pieces of this many UTF-16 units. */
const pieceUnits = 65_536

/** Text as code within a line, in a fence of backticks that nothing in it can close; empty for white space. */
const codeSpan = (text: string): string => {
  const code = collapseSpaces(text).trim()
  if (code === "") return ""
  let longest = 0
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = "`".repeat(longest + 1)
  const padding = code.startsWith("`") || code.endsWith("`") ? " " : ""
  return fence + padding + code + padding + fence
}
