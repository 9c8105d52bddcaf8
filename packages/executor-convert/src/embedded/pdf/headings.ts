import { areAuthors, bylinesIn, isPersonLink } from "./authors.ts"
import type { Block, TextBlock } from "./Blocks.ts"
import { bodyOf, lettersOf } from "./bodyType.ts"
import { beginsCaption } from "./captions.ts"
import { chapterLabelsIn } from "./chapterLabels.ts"
import { colouredIn } from "./colouredTitles.ts"
import { countedTitlesIn, withCounted } from "./countedTitles.ts"
import { isDate } from "./dates.ts"
import { exampleTitlesIn } from "./exampleTitles.ts"
import {
  headingLinesMax,
  headingSizeMin,
  levelMax,
  levelsBesideTold,
  levelsByLook,
  levelsBySize,
  lookOf,
  markedText,
  rounded,
} from "./headingLevels.ts"
import { textOf } from "./joinWords.ts"
import {
  beginsCounted,
  boldItemsIn,
  captionRestsIn,
  entriesIn,
  fieldsBelowTitlesIn,
  filledLabelsIn,
  isKeyword,
  isNoteOrAddress,
  isSign,
  isSource,
  isStamp,
  isSymbols,
  isVersion,
  labelsIn,
  repeatedLinksIn,
  restsOfTextIn,
} from "./notTitles.ts"
import { titleKeyOf } from "./Outline.ts"
import { runsOf } from "./runs.ts"
import { smallTitlesIn } from "./smallTitles.ts"
import { otherFontsIn, slantedCharactersMax, slantedIn, smallIn, underlinedIn } from "./titleLooks.ts"

const headingCharactersMax = 200

/** Lines in a font of equal widths that look like titles, as texts: they are bold, as other code is not. */
export const withTitlesInCode = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const code = blocks.filter((block) => block.kind === "code")
  const lines = code.reduce((sum, block) => sum + block.lines.length, 0)
  const bold = code.reduce((sum, block) => sum + (block.bold ? block.lines.length : 0), 0)
  if (bold === 0 || bold > boldCodeMax * lines) return blocks
  const body = bodyOf(blocks)
  return blocks.map((block) => {
    if (block.kind !== "code" || block.line?.bold !== true || /[,;{}]$/.test(block.line.text)) return block
    const { size } = block.line
    const title =
      size < codeSizeMin * body.size ? block.line : { ...block.line, size: Math.max(size, body.size) }
    return block.page === undefined ? title : { ...title, page: block.page }
  })
}

/** The blocks; what the document calls a heading is text where it is one: a long sentence, in the type of the text. */
export const withoutTextAsTitles = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const isLong = (block: Block): block is TextBlock =>
    block.kind === "text" &&
    (block.level ?? 0) > 0 &&
    block.text.length > titleCharactersMax &&
    /[.:;,]$/.test(block.text)
  if (!blocks.some(isLong)) return blocks
  const body = bodyOf(blocks)
  return blocks.map((block) =>
    isLong(block) && rounded(block.size) <= rounded(body.size) && (!block.bold || body.bold)
      ? asItem({ ...block, level: 0 })
      : block,
  )
}

/** The text as an item, where it begins with a number. */
const asItem = (block: TextBlock): TextBlock => {
  const [first, ...rest] = block.spans
  if (/^\d{1,3}(?:\.\d{1,3})+\.? /.test(block.text)) return { ...block, item: "levels" }
  const [mark = "", number] = /^(\d{1,3})[.)] /.exec(first?.text ?? "") ?? []
  if (first === undefined || number === undefined) return block
  const spans = [{ ...first, text: first.text.slice(mark.length) }, ...rest]
  return { ...block, spans, text: textOf(spans), item: Number(number), mark: mark.trim() }
}

const titleCharactersMax = 120

/** A font of equal widths is often set smaller than the text that it stands for, by so much at most. */
const codeSizeMin = 0.8

/** With a larger share of its lines, bold code is code. */
const boldCodeMax = 0.5

/** The blocks, each text with the level of the heading that it is, 0 for none. */
export const withLevels = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const levels = headingLevels(blocks)
  return blocks.map((block) => (block.kind === "text" ? { ...block, level: levels(block) ?? 0 } : block))
}

const headingLevels = (blocks: ReadonlyArray<Block>): ((block: TextBlock) => number | undefined) => {
  const texts = blocks.filter((block): block is TextBlock => block.kind === "text")
  const body = bodyOf(blocks)
  const told = texts.filter(({ level = 0 }) => level > 0)
  const least = told.reduce((size, block) => Math.min(size, block.size), Number.POSITIVE_INFINITY)
  const others = new Set([
    ...slantedIn(blocks, body),
    ...underlinedIn(blocks, body),
    ...otherFontsIn(blocks, body),
    ...smallIn(blocks, body),
    ...smallTitlesIn(blocks, body.size),
    ...colouredIn(blocks, body.size),
  ])
  const captionRests = captionRestsIn(blocks)
  const boldItems = boldItemsIn(blocks)
  const labels = labelsIn(blocks)
  const entries = entriesIn(blocks)
  const examples = exampleTitlesIn(blocks)
  const filled = new Set([
    ...filledLabelsIn(blocks),
    ...fieldsBelowTitlesIn(blocks),
    ...repeatedLinksIn(blocks),
  ])
  const listed = new Set(
    texts.filter(({ item, bold }) => item !== undefined && !bold).map(({ text }) => titleKeyOf(text)),
  )
  // Below the title of a document, and not one of those of a diary.
  const dates = texts.filter((block) => isDate(markedText(block, block.text)))
  const date = dates.length === 1 ? dates[0] : undefined
  const sections = subsectionsIn(texts, body.size)
  const titleMin = areEstimates(texts, body.size) ? estimatedTitleMin : headingSizeMin
  const textSizes = textSizesIn(texts)
  const quotes = quoteSizesIn(texts)
  const isTextSize = (size: number): boolean =>
    textSizes.some((text) => rounded(size) >= text && size < headingSizeMin * text)
  const looksLikeTitle = (block: TextBlock): boolean => {
    const { bold, lines, isParted, item, isNote, level, size, text } = block
    if (level !== undefined && level > 0) return true
    // Where the document tells its headings, what it calls text is one only if it is as large.
    if (level === 0 && told.length > 0 && size < least) return false
    if (isNote === true || item === "bullet" || text.length > headingCharactersMax) return false
    if (!/\p{L}/u.test(text) && !(bold && isVersion(text))) return false
    const isLargeAsTitle = rounded(size) >= titleMin * body.size || size >= titleMin * body.exactSize
    const isTitleSize = isLargeAsTitle && !isTextSize(size)
    const isExample = examples.has(block) || (isTitleSize && bold && /^Example/i.test(text))
    if (beginsCaption(text) && !isExample) return false
    if (captionRests.has(block) || entries.has(block) || isSymbols(block, isTitleSize) || isSource(text))
      return false
    if (isKeyword(text) || isSign(text) || isNoteOrAddress(text) || boldItems.has(block)) return false
    if (isParted && item === undefined && !beginsCounted(text)) return false
    if (isTitleSize) {
      const isText = isSentence(block, body.size) || (quotes.has(rounded(size)) && isStatement(block))
      return !/[,;]$/.test(text) && !isText
    }
    if (level === 0 && told.length > 0) return false
    if (others.has(block)) return true
    const isSmall = rounded(size) < body.size && !sections.has(block)
    if (!bold || body.bold || lines > headingLinesMax || isSmall) return false
    if ((labels.has(block) || filled.has(block)) && rounded(size) === body.size) return false
    if (lines > 1 && item !== undefined && text.endsWith("?") && !listed.has(titleKeyOf(text))) return false
    // A line of its own that is larger, if only by a little, is a title also with a full stop.
    const isLarger = lines === 1 && rounded(size) > body.size && text.length <= slantedCharactersMax
    return (
      !(isLarger ? /[,;，；、]$/ : /(?:(?<! \.\.)\.|[,;。，；、])$/).test(text) &&
      (isVersion(text) || countOf(text, /\p{L}/gu) > countOf(text, /\d/g))
    )
  }
  const restsOfText = restsOfTextIn(blocks, looksLikeTitle)
  const isHeading = (block: TextBlock): boolean => looksLikeTitle(block) && !restsOfText.has(block)
  const alike = alikeIn(blocks, isHeading, body.size)
  const lists = largeListsIn(blocks, isHeading)
  const bylines = bylinesIn(blocks)
  const isStamped = (block: TextBlock): boolean =>
    (block.level ?? 0) === 0 &&
    (isStamp(block.text) ||
      block === date ||
      bylines.has(block) ||
      block.spans.some(({ link }) => isPersonLink(link)))
  const isAlone = (block: TextBlock): boolean =>
    isHeading(block) && !isStamped(block) && !alike.has(block) && !lists.has(block) && !areAuthors(block.text)
  const found = countedTitlesIn(blocks, isAlone)
  const counted: ReadonlySet<Block> = found.size > told.length ? found : new Set()
  const chapters = chapterLabelsIn(blocks, isAlone)
  const levels = levelsBySize(
    texts.filter((block) => isAlone(block) && !counted.has(block) && !chapters.has(block)),
  )
  const besideTold = told.length === 0 ? undefined : levelsBesideTold(texts.filter(isAlone))
  const byLook = levelsByLook(told)
  const below = isBelowTitle(texts, isAlone) ? 1 : 0
  const levelOf = (block: TextBlock): number => {
    const told = block.level || (besideTold?.get(block) ?? byLook.get(lookOf(block)))
    return Math.min(levelMax, told === undefined ? levels(block) : told + below)
  }
  return withCounted(blocks, counted, (block) => {
    const isTold = (block.level ?? 0) > 0
    return isTold || isAlone(block) ? levelOf(isTold ? block : (chapters.get(block) ?? block)) : undefined
  })
}

/**
 * Bold lines a little smaller than the text whose number is below that of another bold line, which is not: `2.1.3` below
 * `2.1`.
 */
const subsectionsIn = (texts: ReadonlyArray<TextBlock>, size: number): ReadonlySet<Block> => {
  const numberOf = ({ text }: TextBlock): string => /^(\d+(?:\.\d+)*)\.? \p{L}/u.exec(text)?.[1] ?? ""
  const numbered = texts.filter(({ bold, lines, text }) => bold && lines === 1 && /^\d/.test(text))
  const known = new Set(numbered.filter((block) => rounded(block.size) >= size).map(numberOf))
  return new Set(
    numbered.filter((block) => {
      const [, above] = /^(.+)\.\d+$/.exec(numberOf(block)) ?? []
      return block.size >= subsectionSizeMin * size && above !== undefined && known.has(above)
    }),
  )
}

/** A share of the size of the text. */
const subsectionSizeMin = 0.85

/** A sentence of some length that is a little larger than the text, and not bold: an introduction, a quotation or a remark. */
const isSentence = ({ text, bold, size }: TextBlock, textSize: number): boolean =>
  !bold &&
  size < sentenceSizeMax * textSize &&
  /\p{Ll}\.$/u.test(text) &&
  text.split(" ").length >= sentenceWordsMin &&
  !beginsCounted(text)

/** As a share of the size of the text. */
const sentenceSizeMax = 1.45
const sentenceWordsMin = 7

/**
 * The bookmarks of the document leave out its title, which stands before all of the headings that they name and is larger
 * than these.
 */
const isBelowTitle = (texts: ReadonlyArray<TextBlock>, isHeading: (block: TextBlock) => boolean): boolean => {
  const first = texts.findIndex(({ level = 0 }) => level > 0)
  if (first < 1 || texts.some(({ level }) => level === 0)) return false
  const most = texts.reduce((size, block) => ((block.level ?? 0) > 0 ? Math.max(size, block.size) : size), 0)
  return texts.slice(0, first).some((block) => rounded(block.size) > rounded(most) && isHeading(block))
}

/** As a share of the size of the text, where sizes are estimates. */
const estimatedTitleMin = 1.45
const estimatedSizesMin = 4
const estimatedShareMin = 0.2

/**
 * Most of the text was recognised in the pictures of pages, where a program takes the size of each line from the letters
 * that it happens to have: many lines are larger than most, each in another size.
 */
const areEstimates = (texts: ReadonlyArray<TextBlock>, size: number): boolean => {
  const unseen = texts.filter(({ isUnseen }) => isUnseen === true)
  const larger = unseen.map((block) => rounded(block.size)).filter((own) => own >= headingSizeMin * size)
  return (
    2 * unseen.length > texts.length &&
    larger.length >= estimatedShareMin * unseen.length &&
    new Set(larger).size >= estimatedSizesMin
  )
}

const textShareMin = 0.15
const textCharactersMin = 120

/** Sizes in which a good part of the document is paragraphs of sentences: being larger than other text makes no heading there. */
const textSizesIn = (texts: ReadonlyArray<TextBlock>): ReadonlyArray<number> => {
  const letters = new Map<number, number>()
  let all = 0
  for (const { text, size, bold } of texts) {
    all += text.length
    if (bold || text.length < textCharactersMin || !/[.!?。]$/.test(text)) continue
    letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + text.length)
  }
  return [...letters].filter(([, count]) => count >= textShareMin * all).map(([size]) => size)
}

/** Sizes in which most is long sentences, as quotations and introductions are set: a sentence of that size is no heading. */
const quoteSizesIn = (texts: ReadonlyArray<TextBlock>): ReadonlySet<number> => {
  const found = new Set<number>()
  const light = texts.filter(({ bold }) => !bold)
  for (const [size, alike] of Map.groupBy(light, (block) => rounded(block.size))) {
    const long = alike.filter((block) => isStatement(block) && block.text.length >= textCharactersMin)
    if (long.length > 0 && 2 * lettersOf(long) > lettersOf(alike)) found.add(size)
  }
  return found
}

/** A question may be a title. */
const isStatement = ({ bold, text }: TextBlock): boolean => !bold && /[.!:。][”"’)]?$/.test(text)

const alikeMin = 3
/** How often the title of a section stands elsewhere. */
const sectionsMin = 2
const titleLinesMax = 4

/**
 * Large lines in a row are an address, authors or the texts of a drawing: none is a heading. Bold ones are, where they
 * are counted or the next ones stand on another page.
 */
const alikeIn = (
  blocks: ReadonlyArray<Block>,
  isHeading: (block: TextBlock) => boolean,
  size: number,
): ReadonlySet<Block> => {
  const largest = new Map<number | undefined, number>()
  for (const block of blocks) {
    if (block.kind === "text") largest.set(block.page, Math.max(largest.get(block.page) ?? 0, block.size))
  }
  // The lines of a title, which nothing on their page exceeds: in bold, or far larger and before all else.
  const isTitle = ([first, ...rest]: ReadonlyArray<TextBlock>): boolean =>
    first !== undefined &&
    (first.bold || (first === blocks[0] && first.size >= documentTitleMin * size)) &&
    rest.length < titleLinesMax &&
    rounded(first.size) >= rounded(largest.get(first.page) ?? 0)
  const isLine = (block: Block): block is TextBlock =>
    block.kind === "text" &&
    (block.level ?? 0) === 0 &&
    block.item === undefined &&
    !(block.bold && isCounted(block)) &&
    isHeading(block)
  const lines = blocks.map((block) => (isLine(block) ? block : undefined))
  const byText = Map.groupBy(lines, (line) => line?.text)
  // Titles that are repeated, with nothing below some of them, as in notes on releases.
  const areEmptySections = (run: ReadonlyArray<TextBlock>): boolean => {
    const inRun = Map.groupBy(run, ({ text }) => text)
    return run.every(
      ({ text, bold }) =>
        bold && (byText.get(text)?.length ?? 0) - (inRun.get(text)?.length ?? 0) >= sectionsMin,
    )
  }
  const found = runsOf(lines, ([first], block) => isAlike(first, block)).filter(
    (run) => run.length >= alikeMin && !isTitle(run) && !areOnPagesOfTheirOwn(run) && !areEmptySections(run),
  )
  return new Set(found.flat())
}

/** Items that count up in a row, in a larger type than most of the text and not in bold: the list of a slide. */
const largeListsIn = (
  blocks: ReadonlyArray<Block>,
  isHeading: (block: TextBlock) => boolean,
): ReadonlySet<Block> => {
  const isItem = (block: Block): block is TextBlock =>
    block.kind === "text" &&
    typeof block.item === "number" &&
    (block.level ?? 0) === 0 &&
    !block.bold &&
    isHeading(block)
  const items = blocks.map((block) => (isItem(block) ? block : undefined))
  const isNext = (last: TextBlock | undefined, item: TextBlock): boolean =>
    last !== undefined && item.item === Number(last.item) + 1 && isOnPageOf(last, item)
  const lists = runsOf(items, (run, item) => isNext(run.at(-1), item))
  return new Set(lists.filter(({ length }) => length >= alikeMin).flat())
}

const isOnPageOf = (one: TextBlock, other: TextBlock): boolean =>
  one.page === other.page && one.size === other.size

/** Titles of slides that show pictures alone. */
const areOnPagesOfTheirOwn = (run: ReadonlyArray<TextBlock>): boolean =>
  new Set(run.map(({ page }) => page)).size === run.length

/** A share of the size of the text. */
const documentTitleMin = 1.8

/** "2.1 Scope", "Chapter 3", "IV. Results" */
const isCounted = ({ text }: TextBlock): boolean =>
  /^(\p{L}{1,12} )?(\d|[IVXLC]+[.)] |[A-Z][.)] )/u.test(text)

const isAlike = (first: TextBlock, block: TextBlock): boolean =>
  first.size === block.size &&
  first.bold === block.bold &&
  (!block.bold || first.page === undefined || first.page === block.page)

const countOf = (text: string, character: RegExp): number => text.match(character)?.length ?? 0
