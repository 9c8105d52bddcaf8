import {
  forEachInside,
  hidden,
  isFixedWidth,
  Latex,
  lowered,
  officeMath,
  pictureWords,
  raised,
  readText,
  symbolText,
  textInFont,
} from "@atelier/executor/flow"
import type { XmlReader } from "@atelier/intake/bytes"
import type { DocxDocument } from "./DocxDocument.ts"
import { Fields, linkOfField } from "./Fields.ts"
import type { OpenParagraph } from "./OpenParagraph.ts"
import type { Part } from "./Part.ts"
import { isOn } from "./properties.ts"
import { readFormat } from "./Styles.ts"
import { element, vocabulary } from "./vocabulary.ts"

const readEquation = officeMath(vocabulary, [element.text], [element.deleted, element.movedAway])

/** What Word calls them. */
const watermark = /watermark/i

/** What runs need from the story around them. */
interface Surroundings {
  /** Reads on to the end of the element that has just started. */
  readonly content: () => void
  readonly paragraph: () => OpenParagraph | undefined
}

/** Reads what stands inside of paragraphs: runs with their text, links, fields, notes and revisions. */
export class Runs {
  readonly #document: DocxDocument
  readonly #xml: XmlReader
  readonly #part: Part
  readonly #links: ReadonlyMap<string, string>
  readonly #story: Surroundings
  readonly #fields = new Fields()
  #format = 0
  #font = ""
  #isFixedWidth = false
  #isCode = false
  #link = ""
  /** Of the drawing that was begun last. */
  #description = ""
  /** The shape that was begun last is one. */
  #isWatermark = false
  /** What follows in the run is the mark of a note, which has a reference already. */
  #isMark = false
  /** The reading that is written above a word, while it is read; undefined elsewhere. */
  #ruby: string | undefined
  /** The last such reading, until its word was read. */
  #reading = ""

  constructor(document: DocxDocument, xml: XmlReader, part: Part, story: Surroundings) {
    this.#document = document
    this.#xml = xml
    this.#part = part
    this.#links = part.links()
    this.#story = story
  }

  endParagraph(): void {
    this.#fields.endParagraph()
  }

  handlers(): ReadonlyArray<readonly [number, () => void]> {
    const xml = this.#xml
    const { warnings } = this.#document
    const skip = () => xml.skip()
    return [
      [element.run, () => this.#readRun()],
      [element.runProperties, () => this.#readFormat()],
      [element.text, () => this.#add(textInFont(readText(xml), this.#font, () => warnings.symbol()))],
      [element.tab, () => this.#add("\t")],
      [element.positionedTab, () => this.#add("\t")],
      [element.lineBreak, () => this.#add("\n")],
      [element.carriageReturn, () => this.#add("\n")],
      [element.noBreakHyphen, () => this.#add("-")],
      [element.symbol, () => this.#readSymbol()],
      [element.hyperlink, () => this.#readHyperlink()],
      [element.simpleField, () => this.#readLinked(linkOfField(xml.attribute("w:instr") ?? ""))],
      [element.fieldCharacter, () => this.#readFieldCharacter()],
      [element.instruction, () => this.#fields.instruct(readText(xml))],
      [element.ruby, () => this.#readRuby()],
      [element.rubyText, () => this.#readRubyText()],
      [element.footnoteReference, () => this.#readReference("footnotes")],
      [element.endnoteReference, () => this.#readReference("endnotes")],
      [element.commentReference, () => this.#readComment()],
      [element.inserted, () => warnings.trackedChange()],
      [element.movedHere, () => warnings.trackedChange()],
      [element.deleted, () => this.#leaveOut()],
      [element.movedAway, () => this.#leaveOut()],
      [element.runPropertiesChange, skip],
      [element.documentProperties, () => this.#readDescription()],
      [element.picture, () => this.#readPicture()],
      [element.legacyPicture, () => warnings.image()],
      [element.shape, () => this.#readShape()],
      [element.wordArt, () => this.#readWordArt()],
      [element.chart, () => warnings.chart()],
      [element.diagram, () => this.#readDiagram()],
      [element.embeddedObject, () => warnings.embeddedDocument()],
      [element.math, () => this.#readEquation()],
    ]
  }

  #add(text: string, isApart = false): void {
    if (text === "" || this.#isMark || !this.#fields.isVisible) return
    if ((this.#format & hidden) !== 0) this.#document.warnings.hiddenText()
    else if (this.#ruby !== undefined) this.#ruby += text
    else this.#addVisible(text, isApart)
  }

  #addVisible(text: string, isApart: boolean): void {
    const paragraph = this.#story.paragraph()
    if (paragraph === undefined) return
    const { inline } = paragraph
    if (paragraph.isFixedWidth !== false && text.trim() !== "")
      paragraph.isFixedWidth = this.#isFixedWidth && !this.#isCode
    const link = this.#link || this.#fields.link
    if (this.#isCode && (this.#format & (raised | lowered)) === 0) inline.addCode(text, link)
    else if (isApart) inline.addApart(text, this.#format, link)
    else inline.add(text, this.#format, link)
  }

  #readRun(): void {
    const outer = this.#format
    const outerFont = this.#font
    const outerIsFixedWidth = this.#isFixedWidth
    const outerIsCode = this.#isCode
    const style = this.#story.paragraph()?.properties.style
    this.#font = ""
    this.#isFixedWidth = style?.isFixedWidth ?? false
    this.#isCode = false
    this.#format = style?.format.bits ?? 0
    this.#story.content()
    this.#format = outer
    this.#font = outerFont
    this.#isFixedWidth = outerIsFixedWidth
    this.#isCode = outerIsCode
    this.#isMark = false
  }

  /** What styles say of one run is combined by turning on and off; what the run says itself holds. */
  #readFormat(): void {
    const { format, styleId, font } = readFormat(this.#xml)
    this.#font = font
    const byParagraph = this.#story.paragraph()?.properties.style.format.bits ?? 0
    const style = styleId === "" ? undefined : this.#document.styles.get(styleId)
    this.#isCode = style?.isCodeSpan ?? false
    if (font !== "") this.#isFixedWidth = isFixedWidth(font)
    else this.#isFixedWidth = style?.isFixedWidth ?? this.#isFixedWidth
    const byStyles = style === undefined ? byParagraph : byParagraph ^ style.format.bits
    this.#format = (byStyles & ~format.known) | format.bits
  }

  #readSymbol(): void {
    const text = symbolText(this.#xml.attribute("w:font") ?? "", this.#xml.attribute("w:char") ?? "")
    if (text === undefined) this.#document.warnings.symbol()
    else this.#add(text)
  }

  #readHyperlink(): void {
    const target = this.#links.get(this.#xml.attribute("r:id") ?? "") ?? ""
    const place = this.#xml.attribute("w:anchor") ?? ""
    this.#readLinked(target === "" || place === "" ? target : `${target}#${place}`)
  }

  #readLinked(target: string): void {
    const outer = this.#link
    this.#link = target
    this.#story.content()
    this.#link = outer
  }

  #readFieldCharacter(): void {
    const xml = this.#xml
    const type = xml.attribute("w:fldCharType")
    if (type === "separate") this.#fields.separate()
    else if (type === "end") this.#fields.end()
    else if (type === "begin") {
      let isChecked: boolean | undefined
      forEachInside(xml, () => {
        if (xml.element === element.checkBox) isChecked = false
        else if (xml.element === element.checked) isChecked = isOn(xml)
        else if (xml.element === element.checkedByDefault && isChecked === false) isChecked = isOn(xml)
      })
      if (isChecked !== undefined) this.#add(isChecked ? "☒" : "☐")
      this.#fields.begin()
    }
  }

  #readReference(part: "footnotes" | "endnotes"): void {
    const reference = this.#document.notes.refer(part, this.#xml.attribute("w:id") ?? "")
    if (reference === undefined || !this.#fields.isVisible) return
    this.#story.paragraph()?.inline.addMarkdown(reference)
    this.#isMark = /^(1|true|on)$/.test(this.#xml.attribute("w:customMarkFollows") ?? "")
  }

  #readComment(): void {
    const reference = this.#document.notes.refer("comments", this.#xml.attribute("w:id") ?? "")
    if (reference === undefined) this.#document.warnings.comment()
    else this.#story.paragraph()?.inline.addMarkdown(reference)
  }

  /** The reading stands before its word, and is written after it. */
  #readRuby(): void {
    this.#story.content()
    const reading = this.#reading
    this.#reading = ""
    if (reading !== "") this.#add(`(${reading})`)
  }

  #readRubyText(): void {
    this.#ruby = ""
    this.#story.content()
    this.#reading = this.#ruby
    this.#ruby = undefined
  }

  #leaveOut(): void {
    this.#document.warnings.trackedChange()
    this.#xml.skip()
  }

  #readDescription(): void {
    this.#description = this.#xml.attribute("descr") ?? ""
  }

  #readShape(): void {
    this.#isWatermark = watermark.test(this.#xml.attribute("id") ?? "")
  }

  #readWordArt(): void {
    if (!this.#isWatermark) this.#add(this.#xml.attribute("string") ?? "", true)
  }

  #readEquation(): void {
    const equation = Latex.inlineEquation(readEquation(this.#xml))
    if (equation === "" || this.#isMark || !this.#fields.isVisible) return
    if ((this.#format & hidden) !== 0) this.#document.warnings.hiddenText()
    else {
      this.#document.budget.spend(equation.length)
      this.#story.paragraph()?.inline.addMarkdown(equation)
    }
  }

  #readDiagram(): void {
    this.#document.warnings.diagram()
    const texts = this.#part.diagram(this.#xml.attribute("r:dm") ?? "")
    const to = this.#story.paragraph()?.floating
    for (const { depth, markdown } of texts) to?.listItem(depth, markdown, undefined, texts)
  }

  /** What a picture shows, in the words of its author. */
  #readPicture(): void {
    this.#document.warnings.image()
    const words = pictureWords(this.#description)
    this.#description = ""
    if (words !== "") this.#add(words, true)
  }
}
