import type { DocumentWarnings } from "@atelier/executor/flow"
import { Cell, collapseSpaces, HtmlContent, markdownLimits, readHtml, textOf } from "@atelier/executor/html"
import { escapeMarkdown, type MarkdownWriter } from "@atelier/executor/parsing"
import type { XmlAttribute, XmlHandler } from "./XmlTags.ts"

/** Declarations of namespaces and schemas say nothing to a reader. */
const declaration = /^(?:xmlns(?::|$)|xsi:(?:noNamespaceS|s)chemaLocation$)/

/** A text that is markup itself, as feeds hold their articles. */
const markup = /^\s*<[a-z][^<>]*>.*<\/[a-z]/is

/** Writes the elements of a document as items inside one another. */
export class XmlOutline implements XmlHandler {
  private readonly markdown: MarkdownWriter
  private readonly warnings: DocumentWarnings
  private readonly isProse: ReadonlyArray<boolean>
  /** Elements that have started. */
  private started = 0
  private depth = 0
  /** Depth of the running text that is open, 0 for none. */
  private proseDepth = 0
  /** Name and attributes of the innermost element, until something of it is written. */
  private label = ""
  private content = ""

  constructor(markdown: MarkdownWriter, warnings: DocumentWarnings, isProse: ReadonlyArray<boolean>) {
    this.markdown = markdown
    this.warnings = warnings
    this.isProse = isProse
  }

  start(name: string, attributes: ReadonlyArray<XmlAttribute>): void {
    const isProse = this.isProse[this.started] === true
    this.started++
    if (this.proseDepth === 0) {
      this.write()
      this.label = labelOf(
        this.depth === 0 ? escapeMarkdown(name) : `**${escapeMarkdown(name)}**`,
        attributes,
      )
    }
    this.depth++
    if (isProse && this.proseDepth === 0) this.proseDepth = this.depth
  }

  text(text: string): void {
    this.content += text
  }

  end(): void {
    if (this.proseDepth === 0 || this.proseDepth === this.depth) {
      this.write()
      this.proseDepth = 0
    }
    this.depth--
  }

  /** Writes the innermost element so far: its label with its text, or text behind an element in it. */
  private write(): void {
    const { label, depth } = this
    const text = this.inlineOf(this.content)
    this.label = ""
    this.content = ""
    if (depth === 0 || (label === "" && text === "")) return
    if (depth === 1) {
      this.markdown.heading(1, label)
      this.markdown.paragraph(text)
      return
    }
    const level = Math.min(label === "" ? depth - 1 : depth - 2, markdownLimits.list_depth_max - 1)
    const line = label === "" || text === "" ? label + text : `${label}: ${text}`
    this.markdown.listItem(level, line)
  }

  private inlineOf(content: string): string {
    if (markup.test(content)) return this.markupText(content)
    return escapeMarkdown(collapseSpaces(content).trim())
  }

  private markupText(html: string): string {
    const cell = new Cell(this.markdown.bytesMax)
    const text = new HtmlContent(cell, this.markdown.bytesMax, this.warnings, false)
    readHtml(html, text)
    text.finish()
    return textOf(cell.content)
  }
}

/** The name of an element with its attributes behind. */
const labelOf = (label: string, attributes: ReadonlyArray<XmlAttribute>): string => {
  const shown = attributes.filter((attribute) => !declaration.test(attribute.name))
  if (shown.length === 0) return label
  const values = shown.map(({ name, value }) => `${name}: ${collapseSpaces(value).trim()}`)
  return `${label} (${escapeMarkdown(values.join(", "))})`
}
