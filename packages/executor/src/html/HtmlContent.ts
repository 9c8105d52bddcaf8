import { escapeMarkdown } from "../escapeMarkdown.ts"
import { bold, italic, lowered, raised, strike } from "../flow/CharacterFormat.ts"
import type { DocumentWarnings } from "../flow/DocumentWarnings.ts"
import { inlineEquation } from "../flow/latex.ts"
import type { Blocks } from "./Blocks.ts"
import { Containers, type End } from "./Containers.ts"
import { collapseSpaces } from "./collapseSpaces.ts"
import { blockElements, unseenElements } from "./elements.ts"
import { plain, type TextStyle } from "./Flow.ts"
import type { HtmlHandler } from "./HtmlReader.ts"
import { displayed, MathMl } from "./MathMl.ts"
import type { HtmlAttributes } from "./OpenElements.ts"
import { Preformatted } from "./Preformatted.ts"

const nothing: End = () => {}

/** Turns the elements of an HTML file into blocks. */
export class HtmlContent implements HtmlHandler {
  private readonly warnings: DocumentWarnings
  private readonly containers: Containers
  private readonly writesTitle: boolean
  /** How each open element that is seen ends, from the outermost on. */
  private readonly ends: Array<End> = []
  /** Open elements that are not seen: the outermost one and all inside of it. */
  private unseen = 0
  /** How many elements that are open say so, by the bit of the format. */
  private readonly formats = new Map<number, number>()
  private style: TextStyle = plain
  private preformatted: Preformatted | undefined
  /** Text of the `code` that is open. */
  private code: string | undefined
  private title: string | undefined
  private equation: MathMl | undefined
  /** The link to the heading that it stands in is open. */
  private isAnchor = false
  /** The element that has just ended, if nothing has come since. */
  private ended = ""
  /** It began where another of its kind had ended, and there was no text in it yet. */
  private isApart = false
  /** There was nothing to see yet. */
  private isBlank = true

  /**
   * @param bytesMax of the whole result
   * @param writesTitle the document has no main heading of its own: its title becomes one
   */
  constructor(to: Blocks, bytesMax: number, warnings: DocumentWarnings, writesTitle: boolean) {
    this.warnings = warnings
    this.containers = new Containers(to, bytesMax)
    this.writesTitle = writesTitle
  }

  start(name: string, attributes: HtmlAttributes): void {
    const { equation, ended } = this
    this.ended = ""
    this.isApart ||= ended === name && apart.has(name)
    if (equation !== undefined) {
      equation.start(name, attributes)
      this.ends.push(() => equation.end())
    } else if (this.unseen > 0 || unseenElements.has(name) || isHidden(name, attributes)) this.unseen++
    else if (name === "math") this.startEquation(attributes)
    else this.ends.push(this.begin(name, attributes))
  }

  end(name = ""): void {
    this.ended = name
    this.isApart = false
    if (this.unseen > 0) this.unseen--
    else this.ends.pop()?.()
  }

  text(text: string): void {
    this.ended = ""
    if (this.unseen > 0 || (this.isAnchor && anchorSign.test(text))) return
    if (this.isApart) {
      this.isApart = false
      if (!this.isVerbatim && spacedWord.test(text)) this.text(" ")
    }
    if (this.equation !== undefined) {
      this.equation.text(text)
      return
    }
    if (this.title === undefined && this.isBlank) this.isBlank = text.trim() === ""
    if (this.title !== undefined) this.title += text
    else if (this.preformatted !== undefined) this.preformatted.add(text)
    else if (this.code !== undefined) this.code += text
    else this.containers.flow.text(text, this.style)
  }

  /** Text is kept to the letter. */
  private get isVerbatim(): boolean {
    return this.preformatted !== undefined || this.code !== undefined
  }

  /** Adds Markdown within a line as it is: an equation, the reference of a note. */
  markdown(inline: string): void {
    if (this.unseen > 0 || inline === "") return
    if (!this.isVerbatim && this.title === undefined) {
      this.isBlank = false
      this.containers.flow.markdown(inline)
    } else this.text(inline)
  }

  /** Writes what is still open. */
  finish(): void {
    this.containers.flow.endBlock()
  }

  private begin(name: string, attributes: HtmlAttributes): End {
    if (this.preformatted !== undefined) return this.beginPreformatted(this.preformatted, name, attributes)
    return blockElements.has(name) ? this.beginBlock(name, attributes) : this.beginInline(name, attributes)
  }

  private beginPreformatted(text: Preformatted, name: string, attributes: HtmlAttributes): End {
    if (name === "br") text.add("\n")
    if (name === "img") this.image(attributes)
    text.classes(attributes.get("class"))
    if (!blockElements.has(name)) return nothing
    text.endLine()
    return () => text.endLine()
  }

  private beginInline(name: string, attributes: HtmlAttributes): End {
    switch (name) {
      case "b":
      case "strong":
        return this.beginFormat(bold)
      case "i":
      case "em":
        return this.beginFormat(italic)
      case "s":
      case "del":
      case "strike":
        return this.beginFormat(strike)
      case "sup":
        return this.beginFormat(raised)
      case "sub":
        return this.beginFormat(lowered)
      case "a":
        return this.beginLink(attributes.get("href") ?? "")
      case "code":
      case "kbd":
      case "samp":
      case "tt":
        return this.beginCode()
      case "q":
        this.text("“")
        return () => this.text("”")
      case "br":
        if (this.code === undefined) this.containers.flow.lineBreak()
        else this.code += " "
        return nothing
      case "img":
        this.image(attributes)
        return nothing
      case "title":
        return this.beginTitle()
      default:
        return this.beginStyle(attributes.get("style"))
    }
  }

  private beginBlock(name: string, attributes: HtmlAttributes): End {
    const { containers } = this
    const { flow, table } = containers
    this.endCode()
    switch (name) {
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        flow.startHeading(Number(name[1]))
        return () => flow.endHeading()
      case "ul":
      case "menu":
      case "dir":
        flow.startList(undefined)
        return () => flow.endList()
      case "ol":
        flow.startList(integer(attributes.get("start")) ?? 1, numerals[attributes.get("type") ?? ""])
        return () => flow.endList()
      case "li":
        flow.startItem(integer(attributes.get("value")))
        return () => flow.endItem()
      case "dl":
        flow.startDefinitions()
        return () => flow.endDefinitions()
      case "dt":
        flow.startTerm()
        return this.beginTerm()
      case "dd":
        flow.startDefinition()
        return () => flow.endList()
      case "hr":
        flow.endBlock().rule()
        return nothing
      case "pre":
        return this.beginPre(attributes)
      case "blockquote":
        return containers.startQuote() ?? this.beginParagraph()
      case "table":
        return containers.startTable(isPresentation(attributes)) ?? this.beginParagraph()
      case "tr":
        if (table === undefined) return this.beginParagraph()
        table.startRow()
        return nothing
      case "td":
      case "th": {
        if (table === undefined) return this.beginParagraph()
        const span = { columns: Number(attributes.get("colspan")), rows: Number(attributes.get("rowspan")) }
        return containers.startCell(table, name === "th", span)
      }
      case "caption":
        return table === undefined ? this.beginParagraph() : containers.startCaption(table)
      default:
        return this.beginStyled(attributes.get("style") ?? "")
    }
  }

  /** A block without a meaning of its own, which a style may set in the line. */
  private beginStyled(style: string): End {
    const endParagraph = inlineStyle.test(style) ? nothing : this.beginParagraph()
    const endStyle = this.beginStyle(style)
    return () => {
      endParagraph()
      endStyle()
    }
  }

  /** What is set in bold, in italics, raised or lowered, or struck by a style in place of an element. */
  private beginStyle(style = ""): End {
    const wanted = formatStyle.test(style) ? formatsOf(style) : []
    if (wanted.length === 0) return nothing
    const before = new Map(this.formats)
    for (const [bit, isOn] of wanted) this.formats.set(bit, isOn ? (this.formats.get(bit) ?? 0) + 1 : 0)
    this.showFormats()
    return () => {
      for (const [bit] of wanted) this.formats.set(bit, before.get(bit) ?? 0)
      this.showFormats()
    }
  }

  private beginParagraph(): End {
    this.containers.flow.endParagraph()
    return () => {
      this.endCode()
      this.containers.flow.endParagraph()
    }
  }

  /** The term of a definition is bold. */
  private beginTerm(): End {
    const endBold = this.beginFormat(bold)
    return () => {
      this.containers.flow.endParagraph()
      endBold()
    }
  }

  private beginPre(attributes: HtmlAttributes): End {
    const preformatted = new Preformatted()
    preformatted.classes(attributes.get("class"))
    this.preformatted = preformatted
    return () => {
      this.preformatted = undefined
      preformatted.writeTo(this.containers.flow)
    }
  }

  private beginFormat(bit: number): End {
    this.changeFormat(bit, 1)
    return () => this.changeFormat(bit, -1)
  }

  private changeFormat(bit: number, change: 1 | -1): void {
    this.formats.set(bit, (this.formats.get(bit) ?? 0) + change)
    this.showFormats()
  }

  private showFormats(): void {
    let format = 0
    for (const [each, count] of this.formats) if (count > 0) format |= each
    this.style = { ...this.style, format }
  }

  private beginLink(link: string): End {
    if (this.containers.flow.isHeading && link.startsWith("#")) {
      this.isAnchor = true
      return () => {
        this.isAnchor = false
      }
    }
    this.style = { ...this.style, link }
    return () => {
      this.style = { ...this.style, link: "" }
    }
  }

  private beginCode(): End {
    if (this.code !== undefined) return nothing
    this.code = ""
    return () => {
      this.endCode()
      this.code = undefined
    }
  }

  /** Writes the text of the `code` that is open; it goes on behind. */
  private endCode(): void {
    if (this.code === undefined) return
    this.containers.flow.code(this.code, this.style)
    this.code = ""
  }

  private startEquation(attributes: HtmlAttributes): void {
    const equation = new MathMl(attributes.get("alttext"))
    this.equation = equation
    this.ends.push(() => {
      this.equation = undefined
      this.markdown(inlineEquation(equation.latex))
      if (equation.words === "") return
      this.warnings.equation()
      this.text(equation.words)
    })
  }

  private beginTitle(): End {
    this.title = ""
    return () => {
      const { title = "" } = this
      this.title = undefined
      if (!this.writesTitle || !this.isBlank) return
      this.containers.flow.endBlock().heading(1, escapeMarkdown(collapseSpaces(title)))
    }
  }

  private image(attributes: HtmlAttributes): void {
    const words = attributes.get("alt") ?? ""
    // Pictures of equations, as wikis have them.
    const latex = displayed.exec(words)?.[1]
    if (latex === undefined) {
      this.warnings.image()
      this.text(words)
    } else this.markdown(inlineEquation(latex))
  }
}

/** What leads to a heading from behind or before its words. */
const anchorSign = /^\s*[#¶§🔗⚓]\ufe0f?\s*$/u

/** A word of a language that has spaces. */
const spacedWord = /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}]/u

/** Pages leave some room between two of these, also where nothing stands between them. */
const apart: ReadonlySet<string> = new Set(["a", "button"])

const isHidden = (name: string, attributes: HtmlAttributes): boolean =>
  attributes.size > 0
    ? attributes.has("hidden") ||
      hiddenStyle.test(attributes.get("style") ?? "") ||
      (name === "dialog" && !attributes.has("open")) ||
      // The text of such a link is for the eye alone, as a sign beside a heading is.
      (name === "a" && attributes.get("aria-hidden") === "true")
    : name === "dialog"

const isPresentation = (attributes: HtmlAttributes): boolean =>
  /^(?:presentation|none)$/i.test(attributes.get("role") ?? "")

const hiddenStyle = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i

/** In one line with what is around it, whatever the element. */
const inlineStyle = /(?:^|[;\s])display\s*:\s*inline/i

/** What a style says of the format of its text: each with whether the text has it. */
const formatsOf = (style: string): ReadonlyArray<readonly [format: number, isOn: boolean]> => {
  const found: Array<readonly [format: number, isOn: boolean]> = []
  for (const [format, on, off] of styles) {
    if (on.test(style)) found.push([format, true])
    else if (off?.test(style) === true) found.push([format, false])
  }
  return found
}

const formatStyle = /font-(?:weight|style)|vertical-align|text-decoration/i
const styles: ReadonlyArray<readonly [format: number, on: RegExp, off?: RegExp]> = [
  [
    bold,
    /(?:^|[;\s])font-weight\s*:\s*(?:bold|[6-9]00)/i,
    /(?:^|[;\s])font-weight\s*:\s*(?:normal|[1-4]00)/i,
  ],
  [italic, /(?:^|[;\s])font-style\s*:\s*(?:italic|oblique)/i, /(?:^|[;\s])font-style\s*:\s*normal/i],
  [raised, /(?:^|[;\s])vertical-align\s*:\s*super/i],
  [lowered, /(?:^|[;\s])vertical-align\s*:\s*sub(?!\w|-)/i],
  // Of a bounded value: a style of megabytes may begin with `text-decoration:` at every word.
  [strike, /(?:^|[;\s])text-decoration(?:-line)?\s*:[^;]{0,60}line-through/i],
]

/** How the numbers of a list are written that are not decimal. */
const numerals: Readonly<Record<string, string>> = {
  A: "upperLetter",
  I: "upperRoman",
  a: "lowerLetter",
  i: "lowerRoman",
}

const integer = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*[+-]?\d{1,9}\s*$/.test(text) ? Number(text) : undefined
