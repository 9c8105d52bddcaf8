import { Latex, officeMath, pictureWords, symbolText } from "@atelier/executor/flow"
import { escapeMarkdown } from "@atelier/executor/parsing"
import { Refusal, type XmlReader, xmlEnd, xmlStart, xmlText } from "@atelier/intake/bytes"
import { Arrangement, type Place } from "./Arrangement.ts"
import { characterFormat, integerAt, isSet } from "./attributes.ts"
import { type Block, withCode } from "./blocks.ts"
import { type Bullet, bulletAt, setLevel, styleLevel } from "./bullets.ts"
import { pptxLimits } from "./Limits.ts"
import { Paragraph } from "./Paragraph.ts"
import { Shape } from "./Shape.ts"
import type { SlideWarning } from "./SlideWarnings.ts"
import { isTitle, type Placeholder, placeholderAt } from "./styles.ts"
import { Table } from "./Table.ts"
import { Transform } from "./Transform.ts"
import { vocabulary } from "./vocabulary.ts"

/** What a slide refers to. */
export interface Surroundings {
  /** The slide's number, from 1. */
  readonly number: number
  /** Where a relationship leads, if that is outside of the presentation. */
  readonly address: (relationship: string) => string | undefined
  /** The bullet of a placeholder's paragraph that sets none itself; `level` from 0. */
  readonly bullet: (placeholder: Placeholder, level: number) => Bullet
  /** The name of the font of a placeholder's paragraph that sets none itself. */
  readonly font: (placeholder: Placeholder, level: number) => string
  /** Where a placeholder stands that does not say it itself. */
  readonly place: (placeholder: Placeholder) => Place | undefined
  /** The text of the diagram that a relationship leads to. */
  readonly diagram: (relationship: string) => ReadonlyArray<Block>
  /** Whether a date or a footer is the first of its text in the presentation. */
  readonly isNewFooter: (markdown: string) => boolean
  /** Is notified of everything that is not text. */
  readonly found: (code: SlideWarning) => void
}

const text = vocabulary.number("a:t")
const mathText = vocabulary.number("m:t")
const readEquation = officeMath(vocabulary)
const field = vocabulary.number("a:fld")
const lineBreak = vocabulary.number("a:br")
const paragraph = vocabulary.number("a:p")
const paragraphProperties = vocabulary.number("a:pPr")
const runProperties = vocabulary.number("a:rPr")
const latinFont = vocabulary.number("a:latin")
const symbolFont = vocabulary.number("a:sym")
const click = vocabulary.number("a:hlinkClick")
const cell = vocabulary.number("a:tc")
const row = vocabulary.number("a:tr")
const column = vocabulary.number("a:gridCol")
const table = vocabulary.number("a:tbl")
const graphic = vocabulary.number("a:graphicData")
const formula = vocabulary.number("m:oMath")
const slide = vocabulary.number("p:sld")
const shape = vocabulary.number("p:sp")
const placeholder = vocabulary.number("p:ph")
const drawingProperties = vocabulary.number("p:cNvPr")
const picture = vocabulary.number("p:pic")
const group = vocabulary.number("p:grpSp")
const graphicFrame = vocabulary.number("p:graphicFrame")
const diagram = vocabulary.number("dgm:relIds")
const firstMedia = vocabulary.number("a:audioCd")
const lastMedia = vocabulary.number("a:quickTimeFile")
const embedded = vocabulary.number("p:oleObj")
const control = vocabulary.number("p:control")
const firstAnimation = vocabulary.number("p:set")
const lastAnimation = vocabulary.number("p:animScale")
const alternatives = vocabulary.number("mc:AlternateContent")
const choice = vocabulary.number("mc:Choice")
const fallback = vocabulary.number("mc:Fallback")

/** Character data is read in these elements alone. */
export const textElements = [text, mathText]

const levelMax = 8

/** Placeholders of what a template sets on every slide. */
const footers: ReadonlySet<string> = new Set(["dt", "ftr", "hdr"])

/** Where symbol fonts have their characters. */
const symbolCodes = /[\uf020-\uf0ff]/g
const hexadecimal = (character: string): string => character.charCodeAt(0).toString(16)

/** Reads the text of one slide: its title, and everything else in the order of their places (decision 42). */
export class Slide {
  readonly number: number
  readonly blocks: ReadonlyArray<Block>
  title = ""
  isHidden = false
  readonly #xml: XmlReader
  readonly #surroundings: Surroundings
  readonly #arrangement = new Arrangement()
  readonly #footers: Array<Block> = []
  readonly #transform = new Transform()
  #shape = new Shape()
  #inShape = false
  #table: Table | undefined
  #cells = 0
  readonly #paragraph = new Paragraph()
  #inParagraph = false
  #inField = false
  #inNumber = false
  /** Where a click on the run leads. */
  #address: string | undefined
  /** How the run looks: a sum of bits. */
  #format = 0
  /** The font of the run's characters of symbol fonts. */
  #font = ""
  /** Level of the list style that is being read. */
  #styleLevel: number | undefined
  #picture: SlideWarning = "images_not_interpreted"
  /** What the author says of the picture that is open, undefined outside of one. */
  #description: string | undefined
  #isAnimated = false
  /** Grows with everything that was found. */
  #progress = 0
  /** The progress at the beginning of each open `mc:AlternateContent`. */
  readonly #alternatives: Array<number> = []

  /** @param xml a reader with this vocabulary and `textElements` */
  constructor(xml: XmlReader, surroundings: Surroundings) {
    this.#xml = xml
    this.#surroundings = surroundings
    this.number = surroundings.number
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlText) this.#text()
      else if (token === xmlStart) this.#start(xml.element)
      else this.#close(xml.element)
    }
    this.blocks = [...withCode(this.#arrangement.blocks()), ...this.#footers]
  }

  #text(): void {
    const read = this.#xml.text()
    if (this.#inNumber) this.#paragraph.hasNumber = true
    else this.#paragraph.isNumber = false
    if (this.#alternatives.length > 0 && read.trim() !== "") this.#progress += 1
    const shown = read.replace(symbolCodes, (code) => symbolText(this.#font, hexadecimal(code)) ?? code)
    const font = this.#font || this.#shape.font(this.#paragraph.level, this.#surroundings.font)
    this.#paragraph.add(shown, this.#format, this.#address ?? this.#shape.address, font)
  }

  #startRun(): void {
    this.#format = 0
    this.#font = ""
    this.#address = undefined
  }

  #start(element: number): void {
    switch (element) {
      case text:
        return
      case paragraph:
        this.#inParagraph = true
        this.#startRun()
        this.#paragraph.start()
        return
      case paragraphProperties:
        if (!this.#inField) this.#paragraph.level = Math.min(levelMax, integerAt(this.#xml, "lvl", 0))
        return
      case cell:
        this.#table?.startCell(
          integerAt(this.#xml, "gridSpan", 1),
          isSet(this.#xml, "hMerge"),
          isSet(this.#xml, "vMerge"),
        )
        return
      case row:
        this.#table?.startRow()
        return
      case lineBreak:
        this.#paragraph.lineBreak()
        return
      case field:
        this.#inField = true
        this.#inNumber = this.#xml.attribute("type") === "slidenum"
        return
      case runProperties:
        this.#format = characterFormat(this.#xml)
        return
      case latinFont:
      case symbolFont:
        if (this.#styleLevel !== undefined) setLevel(this.#shape.style, this.#styleLevel, this.#xml)
        else this.#font = this.#xml.attribute("typeface") ?? ""
        return
      case click:
        this.#click()
        return
      case shape:
        this.#arrangement.begin()
        this.#shape = new Shape()
        this.#inShape = true
        return
      case placeholder:
        this.#placeholder()
        return
      case column:
        this.#table?.column()
        return
      case table:
        this.#table ??= new Table(() => this.#addCell())
        return
      default:
        this.#startOther(element)
    }
  }

  #startOther(element: number): void {
    switch (element) {
      case slide:
        this.isHidden = ["0", "false"].includes(this.#xml.attribute("show") ?? "")
        return
      case graphic:
        this.#graphic(this.#xml.attribute("uri") ?? "")
        return
      case formula:
        this.#equation()
        return
      case picture:
        this.#arrangement.begin()
        this.#picture = "images_not_interpreted"
        this.#description = ""
        return
      case group:
      case graphicFrame:
        this.#arrangement.begin()
        return
      case diagram:
        this.#diagram()
        return
      case drawingProperties:
        if (this.#description === "") this.#description = this.#xml.attribute("descr") ?? ""
        return
      case embedded:
      case control:
        // Inside is at most a picture of it.
        this.#found("embedded_documents_left_out")
        this.#xml.skip()
        return
      case alternatives:
        this.#alternatives.push(this.#progress)
        return
      case choice:
      case fallback:
        this.#alternative()
        return
      default:
        if (element >= firstMedia && element <= lastMedia) this.#picture = "media_not_interpreted"
        else if (element >= firstAnimation && element <= lastAnimation) this.#isAnimated = true
        else this.#place(element)
    }
  }

  #place(element: number): void {
    const place = this.#transform.start(this.#xml)
    const inside = this.#transform.inside(this.#xml)
    if (place !== undefined) this.#arrangement.place(place)
    else if (inside !== undefined) this.#arrangement.inside(inside)
    else this.#list(element)
  }

  #close(element: number): void {
    switch (element) {
      case text:
      case lineBreak:
        this.#startRun()
        return
      case paragraph:
        this.#endParagraph()
        return
      case cell:
        this.#table?.endCell()
        return
      case row:
        this.#table?.endRow()
        return
      case field:
        this.#inField = false
        this.#inNumber = false
        return
      case table:
        if (this.#table?.isEmpty === false) this.#arrangement.add({ kind: "table", rows: this.#table.rows })
        this.#table = undefined
        return
      case shape:
        this.#arrangement.end(this.#shape.placeholder && this.#surroundings.place(this.#shape.placeholder))
        this.#shape = new Shape()
        this.#inShape = false
        return
      case picture:
        this.#endPicture()
        this.#arrangement.end()
        return
      case group:
      case graphicFrame:
        this.#arrangement.end()
        return
      case alternatives:
        this.#alternatives.pop()
        return
      case slide:
        if (this.#isAnimated) this.#found("animations_not_interpreted")
        if (this.isHidden) this.#found("hidden_slides")
        return
      default:
        if (styleLevel(element) !== undefined) this.#styleLevel = undefined
    }
  }

  #addCell(): void {
    this.#cells += 1
    const max = pptxLimits.slide_table_cells_max
    if (this.#cells > max) {
      throw new Refusal(
        "result_too_large",
        `The tables of slide ${this.number} have ${this.#cells} cells or more; at most ${max} are allowed.`,
      )
    }
  }

  #found(code: SlideWarning): void {
    this.#progress += 1
    this.#surroundings.found(code)
  }

  #equation(): void {
    const equation = Latex.inlineEquation(readEquation(this.#xml))
    if (equation === "") return
    this.#progress += 1
    this.#paragraph.isNumber = false
    this.#paragraph.addMarkdown(equation)
  }

  #endPicture(): void {
    this.#found(this.#picture)
    const words = pictureWords(this.#description ?? "")
    this.#description = undefined
    if (words === "") return
    this.#arrangement.add({ kind: "paragraph", markdown: escapeMarkdown(words) })
  }

  #endParagraph(): void {
    this.#inParagraph = false
    const { code } = this.#paragraph
    const markdown = this.#paragraph.take()
    if (markdown === "") this.#shape.emptyLine()
    if (markdown === "" || this.#isNumber(markdown)) return
    if (this.#table !== undefined) this.#table.line(markdown)
    else if (footers.has(this.#shape.placeholder?.type ?? "")) {
      if (this.#surroundings.isNewFooter(markdown)) this.#footers.push({ kind: "paragraph", markdown })
    } else if (this.#shape.holdsTitle) this.title += this.title === "" ? markdown : ` ${markdown}`
    else this.#arrangement.add(this.#shape.block(markdown, code, this.#paragraph, this.#surroundings.bullet))
  }

  /** The heading gives the slide's number already; in its placeholder templates also set a sign of their own. */
  #isNumber(markdown: string): boolean {
    const { isNumber, hasNumber } = this.#paragraph
    if (this.#shape.placeholder?.type !== "sldNum") return isNumber
    return hasNumber || /^(?:\d+|\\?.|‹#›)$/u.test(markdown)
  }

  #diagram(): void {
    const blocks = this.#surroundings.diagram(this.#xml.attribute("r:dm") ?? "")
    if (blocks.length > 0) this.#progress += 1
    for (const block of blocks) this.#arrangement.add(block)
  }

  #click(): void {
    const address = this.#surroundings.address(this.#xml.attribute("r:id") ?? "")
    if (this.#inParagraph) this.#address = address
    else if (this.#inShape) this.#shape.address = address
  }

  #placeholder(): void {
    const found = placeholderAt(this.#xml)
    this.#shape.placeholder = found
    this.#shape.holdsTitle = isTitle(found) && this.title === ""
  }

  /** @param uri tells what kind of graphic follows */
  #graphic(uri: string): void {
    if (uri.endsWith("/chart") || uri.endsWith("/chartex")) this.#found("charts_not_interpreted")
    else if (uri.endsWith("/diagram")) this.#found("diagrams_not_interpreted")
  }

  /** Alternatives hold the same in different forms: the first that gives anything is read, and no other. */
  #alternative(): void {
    const before = this.#alternatives.at(-1)
    if (before !== undefined && this.#progress > before) this.#xml.skip()
  }

  /** What a level of the shape's list style sets, and the bullet of a paragraph. */
  #list(element: number): void {
    const level = styleLevel(element)
    if (level !== undefined) {
      this.#styleLevel = level
      return
    }
    if (this.#styleLevel !== undefined) setLevel(this.#shape.style, this.#styleLevel, this.#xml)
    else if (!this.#inField) this.#paragraph.bullet ??= bulletAt(this.#xml)
  }
}
