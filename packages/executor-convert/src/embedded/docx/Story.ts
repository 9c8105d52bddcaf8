import { forEachInside, Inline } from "@atelier/executor/flow"
import { type XmlReader, xmlClose, xmlEnd, xmlStart } from "@atelier/intake/bytes"
import { type Blocks, KeptBlocks } from "../flow/Blocks.ts"
import { ListNesting } from "../flow/ListNesting.ts"
import { Tables } from "../flow/Table.ts"
import { writeParagraph } from "../flow/writeParagraph.ts"
import type { DocxDocument } from "./DocxDocument.ts"
import type { OpenParagraph } from "./OpenParagraph.ts"
import { readParagraphProperties } from "./ParagraphProperties.ts"
import type { Part } from "./Part.ts"
import { wholeNumber } from "./properties.ts"
import { Runs } from "./Runs.ts"
import { element } from "./vocabulary.ts"

/** Word's own limit for the columns of a table. */
const columnsMax = 63

/**
 * Reads one story of a document, its body or its notes, into blocks. Every element that means something has
 * a handler, which reads on to the element's end, or returns at once and so leaves what is inside to the
 * others.
 */
export class Story {
  readonly #document: DocxDocument
  readonly #xml: XmlReader
  readonly #part: Part
  readonly #tables: Tables
  readonly #handlers: ReadonlyArray<(() => void) | undefined>
  readonly #runs: Runs
  #blocks = new ListNesting(new KeptBlocks())
  #paragraph: OpenParagraph | undefined
  /** The beginning of the next paragraph: its large first letters, or one whose end was deleted. */
  #begun: Inline | undefined
  #isRowDeleted = false
  #columns = 1
  /** The cell goes on with the one above it. */
  #isContinued = false

  constructor(document: DocxDocument, xml: XmlReader, part: Part) {
    this.#document = document
    this.#xml = xml
    this.#part = part
    this.#tables = new Tables(document.budget)
    this.#runs = new Runs(document, xml, part, {
      content: () => this.#content(),
      paragraph: () => this.#paragraph,
    })
    const handlers: Array<() => void> = []
    for (const [number, handler] of [...this.#blockHandlers(), ...this.#runs.handlers()]) {
      handlers[number] = handler
    }
    this.#handlers = handlers
  }

  /** Reads to the end of the part, or of the element that has just started. */
  readInto(blocks: Blocks): void {
    this.#blocks = new ListNesting(blocks)
    this.#content()
    this.#endBlocks()
  }

  #endBlocks(): void {
    if (this.#begun !== undefined) this.#blocks.paragraph(this.#begun.toMarkdown())
    this.#begun = undefined
    this.#blocks.endCode()
  }

  #content(): void {
    const xml = this.#xml
    const end = xml.depth - 1
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token === xmlStart) this.#handlers[xml.element]?.()
      else if (token === xmlClose && xml.depth === end) return
    }
  }

  #blockHandlers(): ReadonlyArray<readonly [number, () => void]> {
    const xml = this.#xml
    const { warnings } = this.#document
    const skip = () => xml.skip()
    return [
      [element.paragraph, () => this.#readParagraph()],
      [element.paragraphProperties, () => this.#readProperties()],
      [element.table, () => this.#tables.read(() => this.#content(), this.#blocks)],
      [element.gridColumn, () => this.#readGridColumn()],
      [element.gridChange, skip],
      [element.row, () => this.#readRow()],
      [element.rowProperties, () => this.#readRowProperties()],
      [element.cell, () => this.#readCell()],
      [element.cellProperties, () => this.#readCellProperties()],
      [element.textBox, () => this.#readTextBox()],
      [element.alternateContent, () => this.#readOneAlternative()],
      [element.contentControlProperties, skip],
      [element.contentControlEndProperties, skip],
      [element.embeddedDocument, () => this.#readEmbedded()],
      [element.subDocument, () => warnings.embeddedDocument()],
    ]
  }

  /** A document that is a part of this one, as programs put it there that join documents or make Word files of HTML. */
  #readEmbedded(): void {
    const isWritten = this.#part.writeEmbedded(this.#xml.attribute("r:id") ?? "", this.#blocks)
    if (!isWritten) this.#document.warnings.embeddedDocument()
  }

  #readParagraph(): void {
    const outer = this.#paragraph
    const paragraph: OpenParagraph = {
      properties: this.#document.plainParagraph,
      inline: this.#begun ?? new Inline(this.#document.budget),
      isFixedWidth: this.#begun === undefined ? undefined : false,
      before: new KeptBlocks(),
      floating: new KeptBlocks(),
    }
    this.#begun = undefined
    this.#paragraph = paragraph
    this.#content()
    this.#runs.endParagraph()
    this.#paragraph = outer
    const { properties, inline, before, floating } = paragraph
    const isBelow = properties.heading > 0 && before.count > 0 && !inline.isEmpty
    if (isBelow) before.writeTo(this.#blocks)
    if (properties.isBeginning) this.#begun = inline
    else this.#write(paragraph)
    if (!isBelow) before.writeTo(this.#blocks)
    floating.writeTo(this.#blocks)
  }

  #readProperties(): void {
    const { styles, numbering } = this.#document
    const properties = readParagraphProperties(this.#xml, styles, numbering)
    if (properties.isEndDeleted) this.#document.warnings.trackedChange()
    if (this.#paragraph !== undefined) this.#paragraph.properties = properties
  }

  #write({ inline, properties, isFixedWidth: isFixed = properties.isFixedWidth }: OpenParagraph): void {
    const { style, heading, list, left } = properties
    const { styles, numbering } = this.#document
    // An empty paragraph counts too.
    const label = list === undefined ? undefined : numbering.next(list, style)
    const { code, contentsLevel, isQuotation } = style
    const isInCell = this.#tables.current !== undefined
    const isFixedWidth = isFixed && styles.tellsCodeByFont
    writeParagraph(this.#blocks, inline, {
      heading,
      label,
      left,
      code,
      contentsLevel,
      isFixedWidth,
      isQuotation,
      isInCell,
    })
  }

  #readGridColumn(): void {
    const width = Number.parseInt(this.#xml.attribute("w:w") ?? "", 10)
    this.#tables.current?.column(Number.isNaN(width) ? Infinity : width)
  }

  #readRow(): void {
    const table = this.#tables.current
    if (table === undefined) return
    table.row()
    this.#isRowDeleted = false
    this.#content()
    if (this.#isRowDeleted) table.removeRow()
  }

  #readRowProperties(): void {
    const xml = this.#xml
    forEachInside(xml, () => {
      if (xml.element === element.columnsBefore)
        this.#tables.current?.empty(wholeNumber(xml, columnsMax) ?? 0)
      else if (xml.element === element.deleted) this.#isRowDeleted = true
    })
    if (this.#isRowDeleted) this.#document.warnings.trackedChange()
  }

  #readCell(): void {
    const outer = this.#blocks
    const blocks = new KeptBlocks()
    this.#blocks = new ListNesting(blocks)
    this.#columns = 1
    this.#isContinued = false
    this.#content()
    this.#endBlocks()
    this.#blocks = outer
    const table = this.#tables.current
    if (this.#isContinued && blocks.isEmpty) table?.continued(this.#columns)
    else {
      table?.cell(blocks, this.#columns)
      table?.covered(this.#columns - 1)
    }
  }

  #readCellProperties(): void {
    const xml = this.#xml
    let columns: number | undefined
    let isContinued: boolean | undefined
    forEachInside(xml, () => {
      // What follows the first is how the cell was before a tracked change.
      if (xml.element === element.columns) columns ??= wholeNumber(xml, columnsMax)
      else if (xml.element === element.merged) isContinued ??= xml.attribute("w:val") !== "restart"
    })
    this.#columns = Math.max(1, columns ?? 1)
    this.#isContinued = isContinued ?? false
  }

  /** A text box is anchored in a paragraph, in whose middle its own paragraphs stand. */
  #readTextBox(): void {
    const blocks = this.#blocks
    const paragraph = this.#paragraph
    if (paragraph !== undefined) {
      const { inline, before, floating } = paragraph
      this.#blocks = new ListNesting(inline.isEmpty ? before : floating)
    }
    this.#paragraph = undefined
    this.#content()
    this.#paragraph = paragraph
    if (this.#blocks !== blocks) this.#endBlocks()
    this.#blocks = blocks
  }

  /** The same content stands there in several forms: the first choice, else the fallback, is read. */
  #readOneAlternative(): void {
    const xml = this.#xml
    let isRead = false
    forEachInside(xml, () => {
      if (xml.element !== element.choice && xml.element !== element.fallback) return
      if (isRead) xml.skip()
      else this.#content()
      isRead = true
    })
  }
}
