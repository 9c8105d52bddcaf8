import {
  type CharacterFormat,
  type DocumentWarnings,
  forEachInside,
  hidden,
  isFixedWidth,
  lowered,
  over,
  raised,
  textInFont,
} from "@atelier/executor/flow"
import { type XmlReader, xmlClose, xmlEnd, xmlText } from "@atelier/intake/bytes"
import { wholeNumber } from "./ListStyles.ts"
import type { OdtStyles } from "./OdtStyles.ts"
import type { OpenParagraph } from "./OpenParagraph.ts"
import { element } from "./vocabulary.ts"

/** Spaces that code has in a row; an element may claim as many as it likes. */
const spacesMax = 100

/** What spans need from the text around them. */
interface Surroundings {
  /** Reads on to the end of the element that has just started. */
  readonly content: () => void
  readonly paragraph: () => OpenParagraph | undefined
}

/** Reads what stands inside of paragraphs: text with its format, links, white space, fields. */
export class Spans {
  readonly #xml: XmlReader
  readonly #styles: OdtStyles
  readonly #warnings: DocumentWarnings
  readonly #text: Surroundings
  #format: CharacterFormat | undefined
  #font = ""
  #isCode = false
  #link = ""

  constructor(xml: XmlReader, styles: OdtStyles, warnings: DocumentWarnings, text: Surroundings) {
    this.#xml = xml
    this.#styles = styles
    this.#warnings = warnings
    this.#text = text
  }

  handlers(): ReadonlyArray<readonly [number, () => void]> {
    const xml = this.#xml
    return [
      [element.span, () => this.#readSpan()],
      [element.link, () => this.#readLink()],
      [element.spaces, () => this.#addSpaces()],
      [element.tab, () => this.add("\t")],
      [element.lineBreak, () => this.add("\n")],
      [element.rubyText, () => this.#readRubyText()],
      [element.variable, () => this.#readVariable()],
      [element.userVariable, () => this.#readVariable()],
      [element.hiddenText, () => this.#readHiddenText()],
      [element.hiddenParagraph, () => this.#readHiddenParagraph()],
      [element.printedNumber, () => xml.skip()],
      [element.fieldMark, () => this.#readFieldMark()],
      [element.script, () => xml.skip()],
    ]
  }

  /** Adds text to the paragraph that is open; outside of one there is none. `isApart`: it is no part of the words around. */
  add(text: string, isApart = false): void {
    const paragraph = this.#text.paragraph()
    if (paragraph === undefined) return
    const { bits } = this.#format ?? paragraph.style.format
    if ((bits & (hidden | raised | lowered)) === 0 && this.#isCode) {
      paragraph.inline.addCode(text, this.#link)
      paragraph.isFixedWidth = false
    } else if ((bits & hidden) === 0) {
      const font = this.#font || paragraph.style.font
      if (paragraph.isFixedWidth !== false && text.trim() !== "") paragraph.isFixedWidth = isFixedWidth(font)
      const shown = textInFont(text, font, () => this.#warnings.symbol())
      if (isApart) paragraph.inline.addApart(shown, bits, this.#link)
      else paragraph.inline.add(shown, bits, this.#link)
    } else if (text.trim() !== "") this.#warnings.hiddenText()
  }

  /** Spans of the paragraphs around do not reach into what stands apart inside of them. Returns how to go back. */
  apart(): () => void {
    const format = this.#format
    const font = this.#font
    const isCode = this.#isCode
    const link = this.#link
    this.#format = undefined
    this.#font = ""
    this.#isCode = false
    this.#link = ""
    return () => {
      this.#format = format
      this.#font = font
      this.#isCode = isCode
      this.#link = link
    }
  }

  /** Several spaces are shown as one in Markdown, but for code. */
  #addSpaces(): void {
    const style = this.#text.paragraph()?.style
    const isCode =
      this.#isCode || style?.code !== undefined || isFixedWidth(this.#font || (style?.font ?? ""))
    const count = isCode ? (wholeNumber(this.#xml.attribute("text:c"), spacesMax) ?? 1) : 1
    this.add(" ".repeat(count))
  }

  /** A box to tick, as LibreOffice writes those of Word. */
  #readFieldMark(): void {
    const xml = this.#xml
    if (!(xml.attribute("field:type") ?? "").endsWith(".FORMCHECKBOX")) return
    let isChecked = false
    forEachInside(xml, () => {
      const isState =
        xml.element === element.fieldParameter && xml.attribute("field:name") === "Checkbox_Checked"
      if (isState) isChecked = xml.attribute("field:value") === "true"
    })
    this.add(isChecked ? "☒" : "☐")
  }

  #readSpan(): void {
    const outer = this.#format
    const base = outer ?? this.#text.paragraph()?.style.format
    const outerFont = this.#font
    const outerIsCode = this.#isCode
    const { format, font, isCodeSpan } = this.#styles.text(this.#xml.attribute("text:style-name"))
    this.#format = base === undefined ? format : over(base, format)
    this.#font = font || outerFont
    this.#isCode ||= isCodeSpan
    this.#text.content()
    this.#format = outer
    this.#font = outerFont
    this.#isCode = outerIsCode
  }

  #readLink(): void {
    const outer = this.#link
    this.#link = this.#xml.attribute("xlink:href") ?? ""
    this.#text.content()
    this.#link = outer
  }

  /** A variable may be set without being shown. */
  #readVariable(): void {
    if (this.#xml.attribute("text:display") === "none") this.#xml.skip()
  }

  #readHiddenText(): void {
    if (this.#xml.attribute("text:is-hidden") === "false") return
    this.#warnings.hiddenText()
    this.#xml.skip()
  }

  #readHiddenParagraph(): void {
    const paragraph = this.#text.paragraph()
    if (this.#xml.attribute("text:is-hidden") !== "true" || paragraph === undefined) return
    this.#warnings.hiddenText()
    paragraph.isHidden = true
  }

  /** The reading stands beside its word; it is written after it, in parentheses. */
  #readRubyText(): void {
    const xml = this.#xml
    const end = xml.depth - 1
    let reading = ""
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlText) reading += xml.text()
      else if (token === xmlClose && xml.depth === end) break
    }
    if (reading !== "") this.add(`(${reading})`)
  }
}
