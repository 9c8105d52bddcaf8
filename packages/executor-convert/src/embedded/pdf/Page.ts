import { algorithmsIn } from "./algorithms.ts"
import { type Block, blocksOf, mainSize } from "./Blocks.ts"
import { withBrokenLines } from "./brokenLines.ts"
import { bandGapMin, type Region, regionsOf } from "./Columns.ts"
import { setCentredOnTop } from "./centredCells.ts"
import { withoutBoxesOfCode } from "./codeBoxes.ts"
import { withoutCoveredDots } from "./coveredDots.ts"
import type { Drawing } from "./Drawing.ts"
import { withDropCaps } from "./dropCaps.ts"
import { isGarbled } from "./Fonts.ts"
import { marksBehind, referencesIn } from "./Footnotes.ts"
import { type Figure, figuresIn, outsideOf, withFigures } from "./figureTexts.ts"
import { withFractions } from "./fractions.ts"
import { framesOf, partsByFrames } from "./frames.ts"
import { withoutFurnitureRules } from "./furnitureRules.ts"
import { gridTables, type PlacedTable } from "./Grid.ts"
import { addBlocks, isNote, withInitials } from "./joinBlocks.ts"
import { rowsOf, segmentsOf, tableSegment } from "./Lines.ts"
import { lineNumbersIn } from "./lineNumbers.ts"
import { withoutListingNumbers } from "./listingNumbers.ts"
import { bottomOf, lowestOf } from "./lowest.ts"
import { withMarks, withTickBoxes } from "./Marks.ts"
import { isFromTheRight, mirroredLayer, mirroredRuling } from "./mirrored.ts"
import { ruledTables, widthMin } from "./RuledTables.ts"
import { type Area, type Ruling, rulingOf } from "./Ruling.ts"
import { sidewaysIn } from "./sideways.ts"
import { withSignBullets } from "./signBullets.ts"
import { withSignsBeside } from "./signsBeside.ts"
import { wideLeadingOfPage } from "./stacks.ts"
import { withLinedWords } from "./struck.ts"
import { taggedBlocks } from "./TaggedPage.ts"
import type { Tag } from "./Tags.ts"
import { withTaskMarks } from "./taskMarks.ts"
import { textTables } from "./textTables.ts"
import { withNumbersApart } from "./touchingNumbers.ts"
import { withTypedTables } from "./typedTables.ts"
import { withUnderscores } from "./underscores.ts"
import type { Layer, Word } from "./Word.ts"

/** The words of a page in one direction, and the tables that lines show among them. */
export interface PageLayer {
  readonly isUpright: boolean
  /** Without what is too short to part rows. */
  readonly ruling: Pick<Ruling, "horizontal" | "fills" | "marks" | "pictures">
  readonly frames: ReadonlyArray<Area>
  readonly tables: ReadonlyArray<PlacedTable>
  /** Those in no table. */
  readonly words: ReadonlyArray<Word>
  readonly allWords: ReadonlyArray<Word>
  /** What is written in drawings, which is in none of `words` and `tables`. */
  readonly figures: ReadonlyArray<Figure>
}

/** Words in more directions than this are names on a map, for example: what is drawn makes tables of the first ones alone. */
const ruledLayersMax = 4
const noRuling: Ruling = {
  horizontal: [],
  vertical: [],
  fills: [],
  marks: [],
  boxes: [],
  pictures: [],
  dashes: [],
}

/**
 * The layers of a page, those that are written from right to left as their mirror images. What stands sideways in the
 * cells of an upright table is a part of that.
 */
export const layersOf = (
  layers: ReadonlyArray<Layer>,
  drawing: Drawing,
  turns: number,
): ReadonlyArray<PageLayer> => {
  const rulings = layers.map((layer, index) => (index < ruledLayersMax ? rulingOf(drawing, layer) : noRuling))
  const areMirrored = layers.map(({ words }) => isFromTheRight(words))
  if (areMirrored.includes(true)) {
    return layers.map((layer, index) =>
      areMirrored[index] === true
        ? layerOf(mirroredLayer(layer), mirroredRuling(rulings[index] ?? noRuling), turns)
        : layerOf(layer, rulings[index], turns),
    )
  }
  const found = layers.map((layer, index) => layerOf(layer, rulings[index], turns))
  if (turns > 0) return found
  const at = found.findIndex(({ isUpright, tables }) => isUpright && tables.length > 0)
  const upright = layers[at]
  if (upright === undefined || layers.length < 2) return found
  const words = [...upright.words]
  const changed = layers.map((layer, index) => {
    if (Math.abs(layer.cos) > sidewaysMax) return found[index]
    const { words: inCells, taken } = sidewaysIn(layer, found[at]?.tables ?? [], words.length)
    for (const word of inCells) words.push(word)
    if (taken.size === 0) return found[index]
    return layerOf({ ...layer, words: layer.words.filter((word) => !taken.has(word)) }, rulings[index])
  })
  if (words.length > upright.words.length) changed[at] = layerOf({ ...upright, words }, rulings[at])
  return changed.filter((layer) => layer !== undefined)
}

const sidewaysMax = 0.01

/** By quarters of a turn. */
const quarterCosines = [1, 0, -1, 0]
const quarterSines = [0, 1, 0, -1]

const layerOf = (layer: Layer, drawn: Ruling = noRuling, turns = 0): PageLayer => {
  const shown = withBrokenLines(withoutListingNumbers(withoutCoveredDots(layer.words)))
  const typed = withTypedTables(shown, drawn)
  const struck = withLinedWords(withNumbersApart(typed.words, typed.ruling.vertical), typed.ruling)
  const joined = withUnderscores(struck.words, struck.ruling)
  const { words: inLines, ruling: lined } = withFractions(joined, struck.ruling)
  const words = withTickBoxes(inLines, lined.boxes)
  const figures = figuresIn(words)
  const ruling = outsideOf(figures, lined)
  const { horizontal, fills, marks, pictures } = ruling
  const inFigures = new Set(figures.flatMap((figure) => [...figure.words]))
  const inText = words.filter((word) => isText(word) && !inFigures.has(word))
  // Beside the lines of the page, they are no column of a table.
  const numbers = lineNumbersIn([inText])
  const known = numbers.size === 0 ? inText : inText.filter((word) => !numbers.has(word))
  const algorithms = algorithmsIn(known)
  const others = without(known, algorithms)
  const grids = [...algorithms, ...gridTables(others, ruling)]
  const tables = [...grids, ...textTables(without(known, grids), ruling.horizontal)]
  return {
    isUpright: layer.cos * (quarterCosines[turns] ?? 1) + layer.sin * (quarterSines[turns] ?? 0) > 0.99,
    ruling: {
      horizontal: withoutBoxesOfCode(
        horizontal.filter(({ from, to }) => to - from >= widthMin),
        ruling.vertical,
        known,
      ),
      fills,
      marks,
      pictures,
    },
    frames: framesOf(ruling),
    tables,
    words: tables.length === 0 ? words.filter((word) => !inFigures.has(word)) : without(inText, tables),
    allWords: words,
    figures,
  }
}

/**
 * The blocks of a layer, without the words that are left out, in the order of reading: as the tags of its page say,
 * where these are believed, and else by its places.
 */
export const blocksIn = (
  { ruling, frames, tables: grids, words, allWords, figures }: PageLayer,
  leftOut: ReadonlySet<Word>,
  hasCode: boolean,
  tags: ReadonlyArray<Tag>,
): ReadonlyArray<Block> => {
  const isKept = (word: Word): boolean => !leftOut.has(word)
  const kept = leftOut.size === 0 ? words : words.filter(isKept)
  setCentredOnTop(kept)
  const furniture = leftOut.size === 0 ? [] : words.filter((word) => leftOut.has(word))
  const horizontal = withoutFurnitureRules(ruling.horizontal, kept, furniture)
  const ruled = ruledTables(kept.filter(isText), { ...ruling, horizontal }, grids)
  const tables = [...grids, ...ruled]
  const tagged =
    tags.length === 0
      ? undefined
      : taggedBlocks({
          tags,
          words: allWords.filter((word) => isKept(word) && isText(word)),
          tables,
          hasCode,
          byPlace: (some) => blocksByPlace(withMarks(some, ruling.marks), [], hasCode, ruling),
        })
  if (tagged !== undefined) return withInitials(tagged)
  const parts = partsByFrames(kept, grids, frames)
  const blocks = parts.flatMap((part) => {
    const own =
      parts.length < 2
        ? ruled
        : ruledTables(part.words.filter(isText), rulesIn(part.area, { ...ruling, horizontal }), part.tables)
    const free = withMarks(without(part.words, own), ruling.marks)
    return blocksByPlace(free, [...part.tables, ...own], hasCode, ruling)
  })
  const ordered = [...blocks.filter((block) => !isNote(block)), ...blocks.filter(isNote)]
  return withFigures(withInitials(ordered), figures, leftOut)
}

const rulesIn = (
  { left, right, top, bottom }: Area,
  { horizontal, fills }: PageLayer["ruling"],
): Pick<Ruling, "horizontal" | "fills"> => ({
  horizontal: horizontal.filter(
    ({ at, from, to }) => at > top - frameTouch && at < bottom + frameTouch && to > left && from < right,
  ),
  fills: fills.filter(
    (fill) => fill.bottom > top && fill.top < bottom && fill.right > left && fill.left < right,
  ),
})

/** Points: the sides of a frame may be those of a table in it. */
const frameTouch = 3

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
  words: ReadonlyArray<Word>,
  tables: ReadonlyArray<PlacedTable>,
  hasCode: boolean,
  { horizontal: rules, pictures }: PageLayer["ruling"],
): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  const free = withTaskMarks(withDropCaps(withSignBullets(withSignsBeside(words))))
  const size = mainSize(free)
  const notesOf = { size, references: referencesIn(free), marks: marksBehind(free), rules }
  const regions = regionsOf([...segmentsOf(free), ...tables.map(tableSegment)], hasCode)
  const isLowest = lowestOf(regions)
  const leading = wideLeadingOfPage(regions.flatMap(({ segments }) => rowsOf(segments)))
  for (const [index, region] of regions.entries()) {
    const notes = isLowest(region) ? notesOf : undefined
    const found = blocksOf({ ...withTextAlone(region), wide: { leading, size }, pictures }, hasCode, notes)
    addBlocks(blocks, found, isFurtherBelow(region, regions[index - 1]))
  }
  return [...blocks.filter((block) => !isNote(block)), ...blocks.filter(isNote)]
}

/** The region stands in the same column as the last one, with more room between them than between rows. */
const isFurtherBelow = ({ segments, left, right }: Region, last: Region | undefined): boolean => {
  const [first] = segments
  if (first === undefined || last === undefined || left >= last.right || right <= last.left) return false
  const top = segments.reduce((least, { baseline }) => Math.min(least, baseline), first.baseline)
  const bottom = last.segments.reduce(
    (most, each) => Math.max(most, bottomOf(each)),
    Number.NEGATIVE_INFINITY,
  )
  return top - bottom > bandGapMin * first.size
}

const without = (words: ReadonlyArray<Word>, tables: ReadonlyArray<PlacedTable>): ReadonlyArray<Word> => {
  if (tables.length === 0) return words
  const inTables = new Set<Word>()
  for (const table of tables) for (const word of table.words) inTables.add(word)
  return words.filter((word) => !inTables.has(word))
}
