import { type Block, blocksOf } from "./Blocks.ts"
import { regionsOf } from "./Columns.ts"
import { emptyDrawing } from "./Drawing.ts"
import { gridTables, type PlacedTable } from "./Grid.ts"
import { addBlocks } from "./joinBlocks.ts"
import { segmentsOf, tableSegment } from "./Lines.ts"
import { withMarks } from "./Marks.ts"
import { ruledTables } from "./RuledTables.ts"
import { type Ruling, rulingOf } from "./Ruling.ts"
import type { Layer, Word } from "./Words.ts"

/** The words of a page in one direction, and the tables that lines show among them. */
export interface PageLayer {
  readonly isUpright: boolean
  readonly ruling: Ruling
  readonly tables: ReadonlyArray<PlacedTable>
  /** Those in no table. */
  readonly words: ReadonlyArray<Word>
}

export const layerOf = (layer: Layer, drawing = emptyDrawing): PageLayer => {
  const ruling = rulingOf(drawing, layer)
  const tables = gridTables(layer.words, ruling)
  return { isUpright: layer.cos > 0.99, ruling, tables, words: without(layer.words, tables) }
}

/** The blocks of a layer, without the words that are left out, in the order of reading. */
export const blocksIn = (
  { ruling, tables: grids, words }: PageLayer,
  leftOut: ReadonlySet<Word>,
  hasCode: boolean,
): ReadonlyArray<Block> => {
  const kept = leftOut.size === 0 ? words : words.filter((word) => !leftOut.has(word))
  const ruled = ruledTables(kept, ruling, grids)
  const tables = [...grids, ...ruled]
  const free = withMarks(without(kept, ruled), ruling.marks)
  const blocks: Array<Block> = []
  for (const region of regionsOf([...segmentsOf(free), ...tables.map(tableSegment)])) {
    addBlocks(blocks, blocksOf(region, hasCode))
  }
  return blocks
}

const without = (words: ReadonlyArray<Word>, tables: ReadonlyArray<PlacedTable>): ReadonlyArray<Word> =>
  tables.length === 0 ? words : words.filter((word) => !tables.some((table) => table.words.has(word)))
