import {
  type Budget,
  type DocumentWarnings,
  isFixedWidth as fixedWidth,
  forEachInside,
  Inline,
  pictureWords,
} from "@atelier/executor/flow"
import { escapeMarkdown } from "@atelier/executor/parsing"
import { type XmlReader, xmlClose, xmlEnd, xmlStart, xmlText } from "@atelier/intake/bytes"
import { type Blocks, KeptBlocks } from "../flow/Blocks.ts"
import { leftmostOf } from "../flow/Indentation.ts"
import { ListNesting } from "../flow/ListNesting.ts"
import type { Notes } from "../flow/Notes.ts"
import { Tables } from "../flow/Table.ts"
import { type ListLabel, writeParagraph } from "../flow/writeParagraph.ts"
import { Headings } from "./Headings.ts"
import { countMax, type ListStyles, levelMax, wholeNumber } from "./ListStyles.ts"
import { Lists } from "./Lists.ts"
import type { OdtEquations } from "./OdtEquations.ts"
import { headingMax, type OdtStyle, type OdtStyles } from "./OdtStyles.ts"
import type { OpenParagraph } from "./OpenParagraph.ts"
import { Spans } from "./Spans.ts"
import { element } from "./vocabulary.ts"

/** What the text of a document refers to. */
export interface OdtDocument {
  readonly styles: OdtStyles
  readonly listStyles: ListStyles
  readonly notes: Notes
  readonly equations: OdtEquations
  readonly warnings: DocumentWarnings
  readonly budget: Budget
}

/**
 * Reads the content of a document into blocks. Every element that means something has a handler, which reads
 * on to the element's end, or returns at once and so leaves what is inside to the others.
 */
export class OdtText {
  readonly #document: OdtDocument
  readonly #xml: XmlReader
  readonly #tables: Tables
  readonly #handlers: ReadonlyArray<(() => void) | undefined>
  readonly #spans: Spans
  readonly #lists: Lists
  readonly #headings: Headings
  #blocks: ListNesting
  #paragraph: OpenParagraph | undefined
  /** Of the comment that was begun last. */
  #author = ""
  #isAuthor = false
  #isFrameSeen = false
  /** What stands in the frame that is open was read: it needs no description. */
  #isEquation = false
  /** What the author says of the picture in the frame that is open, shortly or at length. */
  #description = ""

  constructor(document: OdtDocument, xml: XmlReader, blocks: Blocks) {
    this.#document = document
    this.#xml = xml
    this.#tables = new Tables(document.budget)
    this.#blocks = new ListNesting(blocks)
    this.#lists = new Lists(document.listStyles)
    this.#headings = new Headings(document.listStyles)
    this.#spans = new Spans(xml, document.styles, document.warnings, {
      content: () => this.#content(),
      paragraph: () => this.#paragraph,
    })
    const handlers: Array<() => void> = []
    const all = [...this.#blockHandlers(), ...this.#apartHandlers(), ...this.#spans.handlers()]
    for (const [number, handler] of all) handlers[number] = handler
    this.#handlers = handlers
  }

  /** Reads to the end of the document. */
  read(): void {
    this.#content()
    this.#blocks.endCode()
  }

  #content(): void {
    const xml = this.#xml
    const end = xml.depth - 1
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlText) {
        if (this.#isAuthor) this.#author += xml.text()
        else if (this.#paragraph !== undefined) this.#spans.add(xml.text().replace(/[ \t\r\n]+/g, " "))
      } else if (token === xmlStart) this.#handlers[xml.element]?.()
      else if (token === xmlClose && xml.depth === end) return
    }
  }

  #blockHandlers(): ReadonlyArray<readonly [number, () => void]> {
    const xml = this.#xml
    const { styles, listStyles } = this.#document
    return [
      [element.paragraph, () => this.#readParagraph()],
      [element.heading, () => this.#readHeading()],
      [element.list, () => this.#readList()],
      [
        element.listItem,
        () => this.#lists.beginItem(wholeNumber(xml.attribute("text:start-value"), countMax)),
      ],
      [element.listHeader, () => this.#lists.beginHeader()],
      [element.table, () => this.#tables.read(() => this.#content(), this.#blocks)],
      [element.row, () => this.#readRow()],
      [element.cell, () => this.#readCell()],
      [element.coveredCell, () => this.#readCoveredCell()],
      [element.section, () => this.#readSection()],
      [element.fontFace, () => styles.readFontFace(xml)],
      [element.style, () => styles.read(xml)],
      [element.listStyle, () => listStyles.read(xml)],
    ]
  }

  /** Content that is separate from the text around it, or left out. */
  #apartHandlers(): ReadonlyArray<readonly [number, () => void]> {
    const xml = this.#xml
    const { warnings } = this.#document
    const skip = () => xml.skip()
    const shape = () => this.#readApart(this.#paragraph?.floating ?? this.#blocks)
    return [
      ...shapes.map((number) => [number, shape] as const),
      ...leftOut.map((number) => [number, skip] as const),
      [element.note, () => this.#readNote()],
      [element.annotation, () => this.#readComment()],
      [element.creator, () => this.#readAuthor()],
      [element.trackedChanges, () => this.#readTrackedChanges()],
      [element.frame, () => this.#readFrame()],
      [element.image, () => this.#leaveOutOfFrame(() => warnings.image())],
      [element.title, () => this.#readDescription()],
      [element.description, () => this.#readDescription()],
      [element.object, () => this.#readObject()],
      [element.oleObject, () => this.#leaveOutOfFrame(() => warnings.embeddedDocument())],
    ]
  }

  #readParagraph(): void {
    const style = this.#document.styles.paragraph(this.#xml.attribute("text:style-name"))
    this.#readText(style, style.heading, this.#lists.label())
  }

  #readHeading(): void {
    const xml = this.#xml
    const style = this.#document.styles.paragraph(xml.attribute("text:style-name"))
    const level = Math.max(1, wholeNumber(xml.attribute("text:outline-level"), levelMax + 1) ?? 1) - 1
    const isNumbered = style.listStyle !== "" && xml.attribute("text:is-list-header") !== "true"
    const restarts = xml.attribute("text:restart-numbering") === "true"
    const start = restarts ? (wholeNumber(xml.attribute("text:start-value"), countMax) ?? 1) : undefined
    const ofItem = this.#lists.label()
    const own = ofItem?.isBlank === true ? undefined : ofItem
    const label = own ?? (isNumbered ? this.#headings.next(level, start) : undefined)
    this.#readText(style, Math.min(headingMax, level + 1), label)
  }

  #readText(style: OdtStyle, heading: number, label: ListLabel | undefined): void {
    const outer = this.#paragraph
    const paragraph: OpenParagraph = {
      style,
      inline: new Inline(this.#document.budget),
      isFixedWidth: undefined,
      floating: new KeptBlocks(),
      isHidden: false,
    }
    this.#paragraph = paragraph
    this.#content()
    this.#paragraph = outer
    if (!paragraph.isHidden) this.#write(paragraph, heading, label)
    paragraph.floating.writeTo(this.#blocks)
  }

  #write(paragraph: OpenParagraph, heading: number, label: ListLabel | undefined): void {
    const { inline, style, isFixedWidth: isFixed = fixedWidth(style.font) } = paragraph
    const { code, contentsLevel, isQuotation, indentation } = style
    // The indentation of a style comes before that of its list.
    const placed = label && { ...label, textIndent: indentation.left ?? label.textIndent ?? 0 }
    const left = leftmostOf(indentation)
    const isInCell = this.#tables.current !== undefined
    const isFixedWidth = isFixed && this.#document.styles.tellsCodeByFont
    writeParagraph(this.#blocks, inline, {
      heading,
      label: placed,
      left,
      code,
      contentsLevel,
      isFixedWidth,
      isQuotation,
      isInCell,
    })
  }

  #readList(): void {
    const xml = this.#xml
    this.#lists.begin({
      style: xml.attribute("text:style-name"),
      id: xml.attribute("xml:id"),
      continues: xml.attribute("text:continue-numbering") === "true",
      continued: xml.attribute("text:continue-list"),
    })
    this.#content()
    this.#lists.end()
  }

  #readSection(): void {
    if (this.#xml.attribute("text:display") !== "none") return
    this.#document.warnings.hiddenText()
    this.#xml.skip()
  }

  #readRow(): void {
    const table = this.#tables.current
    if (table === undefined) return
    const times = repeated(this.#xml.attribute("table:number-rows-repeated"))
    table.row()
    this.#content()
    if (table.isRowEmpty) return
    for (let time = 1; time < times; time++) table.repeatRow()
  }

  #readCell(): void {
    const xml = this.#xml
    const times = repeated(xml.attribute("table:number-columns-repeated"))
    const columns = Math.min(columnsMax, repeated(xml.attribute("table:number-columns-spanned")))
    const rows = repeated(xml.attribute("table:number-rows-spanned"))
    const table = this.#tables.current
    const blocks = new KeptBlocks()
    this.#readApart(blocks)
    if (table === undefined) return
    if (blocks.isEmpty && times > 1) table.skip(times)
    else for (let time = 0; time < times; time++) table.cell(blocks, times === 1 ? columns : 1, rows)
  }

  /** Cells that are covered by a merged one stand there too. */
  #readCoveredCell(): void {
    const times = repeated(this.#xml.attribute("table:number-columns-repeated"))
    this.#xml.skip()
    this.#tables.current?.covered(times)
  }

  #readNote(): void {
    const blocks = new KeptBlocks()
    this.#readApart(blocks)
    const { text } = blocks
    if (text !== "") this.#paragraph?.inline.addMarkdown(this.#document.notes.add(text))
  }

  /** Reads the element that has just started as a text of its own. */
  #readApart(to: Blocks): void {
    const blocks = this.#blocks
    const paragraph = this.#paragraph
    const backToLists = this.#lists.apart()
    const backToSpans = this.#spans.apart()
    this.#blocks = new ListNesting(to)
    this.#paragraph = undefined
    this.#content()
    this.#blocks.endCode()
    this.#blocks = blocks
    this.#paragraph = paragraph
    backToLists()
    backToSpans()
  }

  #readComment(): void {
    const blocks = new KeptBlocks()
    this.#author = ""
    this.#readApart(blocks)
    const { text } = blocks
    if (text.trim() === "") this.#document.warnings.comment()
    else this.#paragraph?.inline.addMarkdown(this.#document.notes.addComment(this.#author, text))
  }

  #readAuthor(): void {
    this.#isAuthor = true
    this.#content()
    this.#isAuthor = false
  }

  #readTrackedChanges(): void {
    forEachInside(this.#xml, () => {
      if (this.#xml.element === element.changedRegion) this.#document.warnings.trackedChange()
    })
  }

  /** Other elements of a frame are alternative images of the same thing. */
  #readFrame(): void {
    const outer = this.#isFrameSeen
    const outerDescription = this.#description
    const outerIsEquation = this.#isEquation
    this.#isFrameSeen = false
    this.#isEquation = false
    this.#description = ""
    this.#content()
    const words = this.#isFrameSeen && !this.#isEquation ? pictureWords(this.#description) : ""
    this.#isFrameSeen = outer
    this.#isEquation = outerIsEquation
    this.#description = outerDescription
    if (words === "") return
    this.#document.budget.spend(words.length)
    if (this.#paragraph === undefined) this.#blocks.paragraph(escapeMarkdown(words))
    else this.#spans.add(words, true)
  }

  /** The description, which comes after the title, says more. */
  #readDescription(): void {
    const xml = this.#xml
    const end = xml.depth - 1
    let text = ""
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlText) text += xml.text()
      else if (token === xmlClose && xml.depth === end) break
    }
    this.#description = text.replace(/\s+/g, " ").trim() || this.#description
  }

  /** An equation, or another document. */
  #readObject(): void {
    const { budget, equations, warnings } = this.#document
    const equation = equations.get(this.#xml.attribute("xlink:href") ?? "")
    this.#leaveOutOfFrame(() => {
      if (equation === "") warnings.embeddedDocument()
    })
    if (equation === "") return
    this.#isEquation = true
    budget.spend(equation.length)
    if (this.#paragraph === undefined) this.#blocks.paragraph(equation)
    else this.#paragraph.inline.addMarkdown(equation)
  }

  #leaveOutOfFrame(notice: () => void): void {
    if (!this.#isFrameSeen) notice()
    this.#isFrameSeen = true
    this.#xml.skip()
  }
}

const repeatMax = 2 ** 31 - 1
/** LibreOffice's own limit. */
const columnsMax = 16_384

const repeated = (value: string | undefined): number => Math.max(1, wholeNumber(value, repeatMax) ?? 1)

/** Shapes with text of their own. */
const shapes = [
  element.textBox,
  element.customShape,
  element.rectangle,
  element.line,
  element.polyline,
  element.polygon,
  element.regularPolygon,
  element.path,
  element.circle,
  element.ellipse,
  element.connector,
  element.caption,
  element.measure,
]

/** Elements with text that does not belong to the document. */
const leftOut = [
  element.contentsSource,
  element.alphabeticalSource,
  element.illustrationsSource,
  element.tablesSource,
  element.objectsSource,
  element.userIndexSource,
  element.bibliographySource,
  element.noteCitation,
  element.forms,
  element.scripts,
  element.eventListeners,
]
