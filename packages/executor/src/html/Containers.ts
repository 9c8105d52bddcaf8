import { markdownLimits } from "../Limits.ts"
import type { Blocks } from "./Blocks.ts"
import { Cell } from "./Cell.ts"
import { Flow } from "./Flow.ts"
import { HtmlTable, type Span } from "./HtmlTable.ts"
import { Quote } from "./Quote.ts"

/** Ends what was started. */
export type End = () => void

interface OpenTable {
  readonly table: HtmlTable
  /** How many flows were open when it began; its cells begin in no other. */
  readonly depth: number
}

/** The document and the quotes and cells inside one another, each with a flow of its own. */
export class Containers {
  private readonly bytesMax: number
  private readonly flows: Array<Flow>
  private readonly tables: Array<OpenTable> = []
  private quotes = 0

  constructor(to: Blocks, bytesMax: number) {
    this.bytesMax = bytesMax
    this.flows = [new Flow(to)]
  }

  /** The innermost one. */
  get flow(): Flow {
    const flow = this.flows.at(-1)
    if (flow === undefined) throw new Error("The flow of the document has ended.")
    return flow
  }

  /** The table whose rows and cells can begin here. */
  get table(): HtmlTable | undefined {
    const open = this.tables.at(-1)
    return open?.depth === this.flows.length ? open.table : undefined
  }

  /** Undefined deep inside other tables, where cells are paragraphs. */
  startTable(isPresentation: boolean): End | undefined {
    if (this.tables.length === markdownLimits.html_table_depth_max) return undefined
    this.flow.endBlock()
    const table = new HtmlTable(this.bytesMax, isPresentation)
    this.tables.push({ table, depth: this.flows.length })
    return () => {
      this.tables.pop()
      table.writeTo(this.flow.endBlock())
    }
  }

  startCell(table: HtmlTable, isHead: boolean, span: Span): End {
    return this.startContent((cell) => table.cell(cell, isHead, span))
  }

  startCaption(table: HtmlTable): End {
    return this.startContent((cell) => table.caption(cell))
  }

  private startContent(end: (cell: Cell) => void): End {
    const cell = new Cell(this.bytesMax)
    this.flows.push(new Flow(cell))
    return () => {
      this.flow.endBlock()
      this.flows.pop()
      end(cell)
    }
  }

  /** Undefined where quotes are not marked: in tables, and deep inside other quotes. */
  startQuote(): End | undefined {
    if (this.tables.length > 0 || this.quotes === markdownLimits.html_quote_depth_max) return undefined
    this.quotes++
    const quote = new Quote(this.flow.endBlock(), this.bytesMax)
    this.flows.push(new Flow(quote))
    return () => {
      this.flow.endBlock()
      this.flows.pop()
      this.quotes--
      quote.end()
    }
  }
}
