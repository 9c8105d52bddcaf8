import { type Block, blocksOf, mainSize } from "./Blocks.ts"
import { type Region, regionsOf } from "./Columns.ts"
import type { Drawing } from "./Drawing.ts"
import { isGarbled } from "./Fonts.ts"
import { referencesIn } from "./Footnotes.ts"
import { gridTables, type PlacedTable } from "./Grid.ts"
import { addBlocks, isNote, withInitials } from "./joinBlocks.ts"
import { segmentsOf, tableSegment } from "./Lines.ts"
import { withMarks, withTickBoxes } from "./Marks.ts"
import { ruledTables } from "./RuledTables.ts"
import { type Ruling, rulingOf } from "./Ruling.ts"
import { sidewaysIn } from "./sideways.ts"
import { taggedBlocks } from "./TaggedPage.ts"
import type { Tag } from "./Tags.ts"
import type { Layer, Word } from "./Words.ts"

/** The words of a page in one direction, and the tables that lines show among them. */
export interface PageLayer {
  readonly isUpright: boolean
  readonly ruling: Ruling
  readonly tables: ReadonlyArray<PlacedTable>
  /** Those in no table. */
  readonly words: ReadonlyArray<Word>
  readonly allWords: ReadonlyArray<Word>
}

/** The layers of a page. What stands sideways in the cells of an upright table is a part of that. */
export const layersOf = (layers: ReadonlyArray<Layer>, drawing: Drawing): ReadonlyArray<PageLayer> => {
  const found = layers.map((layer) => layerOf(layer, drawing))
  const at = found.findIndex(({ isUpright, tables }) => isUpright && tables.length > 0)
  const upright = layers[at]
  if (upright === undefined || layers.length < 2) return found
  const words = [...upright.words]
  const changed = layers.map((layer, index) => {
    if (Math.abs(layer.cos) > sidewaysMax) return found[index]
    const { words: inCells, taken } = sidewaysIn(layer, found[at]?.tables ?? [], words.length)
    words.push(...inCells)
    if (taken.size === 0) return found[index]
    return layerOf({ ...layer, words: layer.words.filter((word) => !taken.has(word)) }, drawing)
  })
  if (words.length > upright.words.length) changed[at] = layerOf({ ...upright, words }, drawing)
  return changed.filter((layer) => layer !== undefined)
}

const sidewaysMax = 0.01

const layerOf = (layer: Layer, drawing: Drawing): PageLayer => {
  const ruling = rulingOf(drawing, layer)
  const words = withTickBoxes(layer.words, ruling.boxes)
  const known = words.filter(isText)
  const tables = gridTables(known, ruling)
  return {
    isUpright: layer.cos > 0.99,
    ruling,
    tables,
    words: tables.length === 0 ? words : without(known, tables),
    allWords: words,
  }
}

/**
 * The blocks of a layer, without the words that are left out, in the order of reading: as the tags of its page say,
 * where these are believed, and else by its places.
 */
export const blocksIn = (
  { ruling, tables: grids, words, allWords }: PageLayer,
  leftOut: ReadonlySet<Word>,
  hasCode: boolean,
  tags: ReadonlyArray<Tag>,
): ReadonlyArray<Block> => {
  const isKept = (word: Word): boolean => !leftOut.has(word)
  const kept = leftOut.size === 0 ? words : words.filter(isKept)
  const ruled = ruledTables(kept.filter(isText), ruling, grids)
  const tables = [...grids, ...ruled]
  const tagged =
    tags.length === 0
      ? undefined
      : taggedBlocks({
          tags,
          words: allWords.filter((word) => isKept(word) && isText(word)),
          tables,
          hasCode,
          byPlace: (some) => blocksByPlace(withMarks(some, ruling.marks), [], hasCode),
        })
  return withInitials(tagged ?? blocksByPlace(withMarks(without(kept, ruled), ruling.marks), tables, hasCode))
}

/** What is garbled says where columns are, and is no text. */
const isText = ({ font }: Word): boolean => !isGarbled(font)

const withTextAlone = (region: Region): Region => {
  if (region.segments.every(({ words }) => words.every(isText))) return region
  const segments = region.segments.map((segment) => ({ ...segment, words: segment.words.filter(isText) }))
  return {
    ...region,
    segments: segments.filter(({ words, table }) => words.length > 0 || table !== undefined),
  }
}

const blocksByPlace = (
  free: ReadonlyArray<Word>,
  tables: ReadonlyArray<PlacedTable>,
  hasCode: boolean,
): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  const size = mainSize(free)
  const references = referencesIn(free)
  for (const region of regionsOf([...segmentsOf(free), ...tables.map(tableSegment)])) {
    addBlocks(blocks, blocksOf(withTextAlone(region), hasCode, size, references))
  }
  return [...blocks.filter((block) => !isNote(block)), ...blocks.filter(isNote)]
}

const without = (words: ReadonlyArray<Word>, tables: ReadonlyArray<PlacedTable>): ReadonlyArray<Word> =>
  tables.length === 0 ? words : words.filter((word) => !tables.some((table) => table.words.has(word)))
