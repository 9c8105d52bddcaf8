import type { MarkdownWriter } from "@atelier/executor/parsing"
import type { SheetRows } from "./SheetRows.ts"

/** Writes the cells of a sheet: each table of it, and a cell that stands alone as a paragraph. */
export const writeSheet = (rows: SheetRows, markdown: MarkdownWriter): void => {
  for (const { width, height, rows: cells } of rows.tables()) {
    if (width > 1 || height > 1) markdown.table(cells, width)
    else for (const [only = ""] of cells) markdown.paragraph(only)
  }
}
