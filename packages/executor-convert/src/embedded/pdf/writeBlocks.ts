import { Budget, Inline, isFixedWidth, lowered, strike } from "@atelier/executor/flow"
import type { MarkdownWriter } from "@atelier/executor/parsing"
import { areAuthors, bylinesIn } from "./authors.ts"
import type { Block, TableBlock, TextBlock } from "./Blocks.ts"
import { beginsCaption } from "./captions.ts"
import { codeIn } from "./codeWords.ts"
import { colouredIn } from "./colouredTitles.ts"
import { withContents } from "./contents.ts"
import { countedTitlesIn, withCounted } from "./countedTitles.ts"
import { isDate } from "./dates.ts"
import { exampleTitlesIn } from "./exampleTitles.ts"
import { Hyphens } from "./Hyphens.ts"
import { levelMax, levelsBesideTold, levelsBySize, lookOf, markedText, rounded } from "./headingLevels.ts"
import { sameSize } from "./joinBlocks.ts"
import { type Spans, textOf } from "./joinWords.ts"
import { loweredIn } from "./lowered.ts"
import { titleKeyOf } from "./Outline.ts"
import { withRunInTitles } from "./runInTitles.ts"
import { smallTitlesIn } from "./smallTitles.ts"
import { withSources } from "./sources.ts"
import { struckIn } from "./struck.ts"
import { withLists } from "./withLists.ts"

/**
 * Writes a document's blocks, and where each of its pages begins. A heading is told from text by its size, or by standing alone in bold; the sizes
 * of the headings give their levels, and the places of list items theirs.
 */
export const writeBlocks = (
  found: ReadonlyArray<Block>,
  pageCount: number,
  markdown: MarkdownWriter,
): void => {
  const own = withRunInTitles(withSources(withContents(found, pageCount)))
  const texts = withoutTextAsTitles(withTitlesInCode(own))
  const blocks = withLists(withLevels(texts))
  const budget = new Budget(markdown.bytesMax)
  const hyphens = new Hyphens(() => textsOf(blocks))
  const inlineOf = (spans: Spans): string => {
    const inline = new Inline(budget)
    for (const { text, link } of spans) {
      const shown = hyphens.resolved(text)
      // The stop of the sentence is no part of its last address, although its link lies over it.
      const stop = link === "" || link.endsWith(shown.at(-1) ?? "") ? "" : (/[.,;:]+$/.exec(shown)?.[0] ?? "")
      for (const { text: part, isStruck } of struckIn(shown.slice(0, shown.length - stop.length))) {
        for (const { text: plain, isCode } of codeIn(part)) {
          if (isCode) inline.addCode(plain, link)
          else
            for (const { text: piece, isLowered } of loweredIn(plain))
              inline.add(piece, (isLowered ? lowered : 0) | (isStruck ? strike : 0), link)
        }
      }
      inline.add(stop, 0, "")
    }
    return inline.toMarkdown()
  }
  const turnTo = (page: number): void => {
    while (markdown.parts.length < page) markdown.beginPart()
  }
  for (const block of blocks) {
    turnTo(block.page ?? 1)
    if (block.kind === "code") markdown.code(block.lines.join("\n"), "", block.itemLevel)
    else if (block.kind === "table") {
      const rows = block.rows.map((row) => row.map(inlineOf))
      const width = rows.reduce((longest, { length }) => Math.max(longest, length), 0)
      markdown.table(turning(rows, block, turnTo), width)
    } else {
      const text = inlineOf(block.spans)
      const { item, level = 0, depth = 0, itemLevel } = block
      if (level > 0) markdown.heading(level, markedText(block, text))
      else if (item === undefined) markdown.paragraph(text, itemLevel)
      else markdown.listItem(depth, text, typeof item === "number" ? item : undefined)
    }
  }
  turnTo(pageCount)
}

/** The rows of a table, one by one; before the first one of a page the page is turned. */
function* turning<A>(
  rows: ReadonlyArray<A>,
  { turns = [] }: TableBlock,
  turnTo: (page: number) => void,
): Iterable<A> {
  const pages = new Map(turns.map(({ row, page }) => [row, page]))
  for (const [index, row] of rows.entries()) {
    turnTo(pages.get(index) ?? 1)
    yield row
  }
}

function* textsOf(blocks: ReadonlyArray<Block>): Iterable<string> {
  for (const block of blocks) {
    if (block.kind === "text") yield block.text
    else if (block.kind === "code") yield* block.lines
    else for (const row of block.rows) yield* row.map(textOf)
  }
}

const headingCharactersMax = 200
const headingLinesMax = 3
const headingSizeMin = 1.15

/** Lines such as "Options:" above a list or code, which they introduce. */
const labelsIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> =>
  new Set(
    blocks.filter((block, index) => {
      const next = blocks[index + 1]
      const isItem = next?.kind === "text" && (next.item === "bullet" || (next.item === 1 && !next.bold))
      const isIntroduced = next?.kind === "code" || isItem
      return block.kind === "text" && isIntroduced && block.item !== "bullet" && block.text.endsWith(":")
    }),
  )

/** A label with a colon, and what is filled in behind it: no number is in the label, as of a title that is counted. */
const filledLabel = /^\p{Lu}[\p{L}\p{Pd}\p{Ps}\p{Pe}'’/&. ]{1,40}: ?[^\s:]/u
const filledMin = 3

/** Labels in bold, with what is filled in, that follow one another line by line among others, as at the head of minutes. */
const filledLabelsIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> => {
  const found = new Set<Block>()
  let run: Array<TextBlock> = []
  for (const block of [...blocks, undefined]) {
    if (block?.kind === "text" && block.item === undefined && filledLabel.test(block.text)) {
      run.push(block)
      continue
    }
    const isBoldAt = (index: number): boolean => run[index]?.bold === true
    if (run.length >= filledMin) {
      for (const [index, each] of run.entries())
        if (each.bold && (isBoldAt(index - 1) || isBoldAt(index + 1))) found.add(each)
    }
    run = []
  }
  return found
}

/** Bold lines below titles that say the same of each, such as `Severity: low`: not as a title does, whose label has a number. */
const fieldsBelowTitlesIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> => {
  const labelled = blocks.filter((block, index): block is TextBlock => {
    const above = blocks[index - 1]
    if (block.kind !== "text" || !block.bold || above?.kind !== "text" || !above.bold) return false
    return filledLabel.test(block.text) && above.item === undefined && above.size >= block.size
  })
  const byLabel = Map.groupBy(labelled, ({ text }) => text.slice(0, text.indexOf(":")))
  return new Set([...byLabel.values()].filter(({ length }) => length >= filledMin).flat())
}

/** Links that stand in lines of their own with the same text again and again lead somewhere. */
const repeatedLinksIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> => {
  const links = blocks.filter(
    (block): block is TextBlock =>
      block.kind === "text" &&
      block.bold &&
      block.spans.every(({ text, link }) => link !== "" || text.trim() === ""),
  )
  const byText = Map.groupBy(links, ({ text }) => text)
  return new Set([...byText.values()].filter(({ length }) => length > sameTitlesMax).flat())
}

/** Lines that look like the caption above them, which they go on with: a table is below them, or it is not at its end. */
const captionRestsIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> =>
  new Set(
    blocks.filter((block, index) => {
      const [caption, next] = [blocks[index - 1], blocks[index + 1]]
      if (block.kind !== "text" || caption?.kind !== "text" || !beginsCaption(caption.text)) return false
      const isAlike = block.bold === caption.bold && Math.abs(block.size - caption.size) < sameSize
      return (
        isAlike && !beginsCounted(block.text) && (next?.kind === "table" || !/[.!?)]$/.test(caption.text))
      )
    }),
  )

/** Lines that follow one another and end with numbers that do not go down: entries of a table of contents without dots. */
const entriesIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> => {
  const found = new Set<Block>()
  let run: Array<Entry> = []
  const end = (): void => {
    const names = new Set(run.map(({ name }) => name))
    if (names.size >= entriesMin) for (const { block } of run) found.add(block)
    run = []
  }
  for (const block of blocks) {
    const entry = block.kind === "text" ? entryOf(block) : undefined
    if (entry === undefined || entry.number < (run.at(-1)?.number ?? 0)) end()
    if (entry !== undefined) run.push(entry)
  }
  end()
  return found
}

interface Entry {
  readonly block: Block
  readonly name: string
  readonly number: number
}

const entriesMin = 5

/** A text that ends with a number, with a number or several words before it: what is counted, as `Note 3`, has one. */
const entryOf = (block: TextBlock): Entry | undefined => {
  const at = block.text.lastIndexOf(" ")
  const [name, digits] = [block.text.slice(0, Math.max(0, at)), block.text.slice(at + 1)]
  const isNamed = /^\d.*\p{L}/u.test(name) || /\p{L}\P{L}+\p{L}/u.test(name)
  return isNamed && /^\d{1,4}$/.test(digits) ? { block, name, number: Number(digits) } : undefined
}

/**
 * Lines that go on with the sentence of the line above, which is hardly smaller, and no larger, and is no title; or with
 * what that enumerates in the same type up to a comma, such as the authors of a paper.
 */
const restsOfTextIn = (
  blocks: ReadonlyArray<Block>,
  isTitle: (block: TextBlock) => boolean,
): ReadonlySet<Block> => {
  const rests = new Set<Block>()
  for (const [index, block] of blocks.entries()) {
    const above = blocks[index - 1]
    if (block.kind !== "text" || above?.kind !== "text") continue
    const isNear = above.size <= block.size + sameSize && block.size < nearSizeMax * above.size
    const goesOn = /^\p{Ll}/u.test(block.text) && /[\p{L}\d,]$/u.test(above.text)
    const isListed =
      Math.abs(above.size - block.size) < sameSize &&
      /[,;]$/.test(above.text) &&
      block.item === undefined &&
      !beginsCounted(block.text)
    if (isNear && (goesOn || isListed) && block.bold === above.bold && (rests.has(above) || !isTitle(above)))
      rests.add(block)
  }
  return rests
}

const nearSizeMax = 1.3

/** What stands above or below the line of a fraction, for example: no word is in it. Names of programs are as short. */
const isSymbols = ({ text, bold, family }: TextBlock, isTitleSize: boolean): boolean =>
  !(bold && isFixedWidth(family)) &&
  /^\p{Ll}/u.test(text) &&
  !/\p{L}{5}/u.test(text) &&
  !(bold && (isTitleSize ? /\p{L}{2}/u : /^\p{L}{3}/u).test(text))

/** The number of a version, its date, or both. */
const isVersion = (text: string): boolean =>
  /^\[?\d{1,4}(?:\.\d{1,4}){2,3}\]?$/.test(text) ||
  /^(?:\[?\d{1,4}(?:\.\d{1,4}){1,3}\]?:? (?:[-–—] )?\(?)?\d{4}-\d{2}-\d{2}\)?$/.test(text) ||
  /^\[?\d{1,4}(?:\.\d{1,4}){1,3}\]?:? (?:[-–—] )?\(?[\p{L}\d., ]{3,14} \d{4}\)?$/u.test(text)

/** Nothing but the words that algorithms are written with, in bold. */
const isKeyword = (text: string): boolean =>
  /^(?:begin|do|else|end|loop|repeat|then)(?: (?:if|for|loop|while|procedure|function))?$/.test(text)

/** Where a quotation comes from, behind a dash, or what is in a figure, behind a label. */
const isSource = (text: string): boolean =>
  (/^[—–―] ?[\p{L}"“]/u.test(text) && !/[—–―]$/.test(text)) || /^(?:sources?|quellen?|fuentes?): /i.test(text)

/** What is said of a page or a form: which of the pages it is, or a label with a number, a date or a time. */
const isStamp = (text: string): boolean =>
  /^(?:page|seite|página):? ?\d+ ?(?:of|von|de|\/) ?\d+$/iu.test(text) ||
  /^\p{L}{2,20} ?: ?\d[\d:/.-]*(?: [ap]\.?m\.?)?$/iu.test(text)

/** The text begins with the number of a title, such as `2.1`, `IV.`, `Chapter 3` or `§ 3`, and goes on after it. */
const beginsCounted = (text: string): boolean => {
  const [first = "", second = "", third] = text.split(" ", 3)
  if (titleNumber.test(first)) return second !== ""
  return third !== undefined && /^(?:\p{L}{1,12}|§)$/u.test(first) && titleNumber.test(second)
}

/** No part of it can be read in two ways: a text made for it would otherwise take a time that doubles with each letter. */
const titleNumber = /^(?:[IVX]+|\p{Lu}(?=\.\d)|\p{L}{0,12}\d{1,3})(?:\.(?:\d{1,3}|[IVX]+))*\.?$/u

/** Lines in a font of equal widths that look like titles, as texts: they are bold, as other code is not. */
const withTitlesInCode = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
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
const withoutTextAsTitles = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
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
const withLevels = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
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
    if (isKeyword(text)) return false
    if (isParted && item === undefined && !beginsCounted(text)) return false
    if (isTitleSize) return !/[,;]$/.test(text) && !(quotes.has(rounded(size)) && isStatement(block))
    if (level === 0 && told.length > 0) return false
    if (others.has(block)) return true
    if (!bold || body.bold || lines > headingLinesMax || rounded(size) < body.size) return false
    if ((labels.has(block) || filled.has(block)) && rounded(size) === body.size) return false
    if (lines > 1 && item !== undefined && text.endsWith("?") && !listed.has(titleKeyOf(text))) return false
    // A line of its own that is larger, if only by a little, is a title also with a full stop.
    const isLarger = lines === 1 && rounded(size) > body.size && text.length <= slantedCharactersMax
    return (
      !(isLarger ? /[,;，；、]$/ : /[.,;。，；、]$/).test(text) &&
      (isVersion(text) || countOf(text, /\p{L}/gu) > countOf(text, /\d/g))
    )
  }
  const restsOfText = restsOfTextIn(blocks, looksLikeTitle)
  const isHeading = (block: TextBlock): boolean => looksLikeTitle(block) && !restsOfText.has(block)
  const alike = alikeIn(blocks, isHeading, body.size)
  const lists = largeListsIn(blocks, isHeading)
  const bylines = bylinesIn(blocks)
  const isStamped = (block: TextBlock): boolean =>
    (block.level ?? 0) === 0 && (isStamp(block.text) || block === date || bylines.has(block))
  const isAlone = (block: TextBlock): boolean =>
    isHeading(block) && !isStamped(block) && !alike.has(block) && !lists.has(block) && !areAuthors(block.text)
  const found = countedTitlesIn(blocks, isAlone)
  const counted: ReadonlySet<Block> = found.size > told.length ? found : new Set()
  const levels = levelsBySize(texts.filter((block) => isAlone(block) && !counted.has(block)))
  const besideTold = told.length === 0 ? undefined : levelsBesideTold(texts.filter(isAlone))
  return withCounted(blocks, counted, (block) => {
    if (block.level !== undefined && block.level > 0) return block.level
    return isAlone(block) ? Math.min(levelMax, besideTold?.get(block) ?? levels(block)) : undefined
  })
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

const lettersOf = (blocks: ReadonlyArray<TextBlock>): number =>
  blocks.reduce((sum, { text }) => sum + text.length, 0)

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
  const found = new Set<Block>()
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
  const isLine = (block: Block | undefined): block is TextBlock =>
    block?.kind === "text" &&
    (block.level ?? 0) === 0 &&
    block.item === undefined &&
    !(block.bold && isCounted(block)) &&
    isHeading(block)
  const lines = blocks.filter(isLine)
  const own: ReadonlySet<Block> = new Set(lines)
  const byText = Map.groupBy(lines, ({ text }) => text)
  // Titles that are repeated, with nothing below some of them, as in notes on releases.
  const areEmptySections = (run: ReadonlyArray<TextBlock>): boolean => {
    const inRun = Map.groupBy(run, ({ text }) => text)
    return run.every(
      ({ text, bold }) =>
        bold && (byText.get(text)?.length ?? 0) - (inRun.get(text)?.length ?? 0) >= sectionsMin,
    )
  }
  let run: Array<TextBlock> = []
  for (const block of [...blocks, undefined]) {
    const [first] = run
    const isOne = block?.kind === "text" && own.has(block)
    if (isOne && (first === undefined || isAlike(first, block))) {
      run.push(block)
      continue
    }
    if (run.length >= alikeMin && !isTitle(run) && !areOnPagesOfTheirOwn(run) && !areEmptySections(run))
      for (const each of run) found.add(each)
    run = isOne ? [block] : []
  }
  return found
}

/** Items that count up in a row, in a larger type than most of the text and not in bold: the list of a slide. */
const largeListsIn = (
  blocks: ReadonlyArray<Block>,
  isHeading: (block: TextBlock) => boolean,
): ReadonlySet<Block> => {
  const found = new Set<Block>()
  let run: Array<TextBlock> = []
  for (const block of [...blocks, undefined]) {
    const last = run.at(-1)
    const isItem =
      block?.kind === "text" &&
      typeof block.item === "number" &&
      (block.level ?? 0) === 0 &&
      !block.bold &&
      isHeading(block)
    if (isItem && last !== undefined && block.item === Number(last.item) + 1 && isOnPageOf(last, block)) {
      run.push(block)
      continue
    }
    if (run.length >= alikeMin) for (const each of run) found.add(each)
    run = isItem ? [block] : []
  }
  return found
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

const slantedMin = 2
const slantedCharactersMax = 80

/**
 * Lines in italics that stand alone above an upright paragraph, if there are some: titles of the lowest kind. Then those in
 * the same type are some, too, that are questions or stand above other things.
 */
const slantedIn = (blocks: ReadonlyArray<Block>, body: Body): ReadonlySet<Block> => {
  const sure = new Set<TextBlock>()
  const others = new Set<TextBlock>()
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1]
    if (block.kind !== "text" || next === undefined || !block.italic || block.lines > 1) continue
    if (next.kind === "text" && next.italic) continue
    if (!mayBeTitle(block, body) || /(?!\?)[\p{Po}\p{Pe}\p{Pf}]$/u.test(block.text)) continue
    if (block.text.length > slantedCharactersMax) continue
    if (isBelow(next) && !block.text.endsWith("?")) sure.add(block)
    else others.add(block)
  }
  if (sure.size < slantedMin) return new Set()
  const looks = new Set([...sure].map(lookOf))
  return new Set([...sure, ...[...others].filter((block) => looks.has(lookOf(block)))])
}

/** It is as large as the text, begins as a name does, and stands in one piece. */
const mayBeTitle = ({ text, item, isParted, isNote, size }: TextBlock, body: Body): boolean =>
  (item === undefined || item === "levels") &&
  !isParted &&
  isNote !== true &&
  rounded(size) >= body.size &&
  /^[\p{Lu}\d]/u.test(text)

const underlinedMin = 2
const underlinedShareMax = 0.2
const sameTitlesMax = 2

/** Underlined lines that stand alone above other text, if there are some and not much else is. Links are underlined, too. */
const underlinedIn = (blocks: ReadonlyArray<Block>, body: Body): ReadonlySet<Block> => {
  const found = new Set<TextBlock>()
  let [letters, all] = [0, 0]
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== "text") continue
    all += block.text.length
    const next = blocks[index + 1]
    if (block.underlined !== true || next === undefined) continue
    if (next.kind === "text" && next.underlined === true && next.item === undefined) continue
    if (!mayBeTitle(block, body) || block.lines > headingLinesMax || /[.,;]$|@|:\/\//.test(block.text))
      continue
    if (block.spans.some(({ link }) => link !== "")) continue
    letters += block.text.length
    found.add(block)
  }
  if (letters > underlinedShareMax * all) return new Set()
  // What is said again and again leads somewhere.
  const alike = Map.groupBy(found, ({ text }) => text)
  const titles = [...found].filter(({ text }) => (alike.get(text)?.length ?? 0) <= sameTitlesMax)
  return new Set(titles.length >= underlinedMin ? titles : [])
}

/** The text that stands below a title: a paragraph, that does not go on from before. */
const isBelow = (block: Block | undefined): block is TextBlock =>
  block?.kind === "text" && block.item === undefined && block.lines > 1 && /^\P{Ll}/u.test(block.text)

const otherFontShareMax = 0.2

/**
 * Lines in another font than the text that stand alone above its paragraphs, if there are some in that font, and not
 * much else: scripts without a bold type have titles so.
 */
const otherFontsIn = (blocks: ReadonlyArray<Block>, body: Body): ReadonlyArray<Block> => {
  const found = new Map<string, Set<TextBlock>>()
  const letters = new Map<string, number>()
  let all = 0
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== "text") continue
    all += block.text.length
    letters.set(block.family, (letters.get(block.family) ?? 0) + block.text.length)
    const next = blocks[index + 1]
    const isTitle =
      block.family !== "" &&
      block.family !== body.family &&
      block.item !== "bullet" &&
      block.lines === 1 &&
      rounded(block.size) >= body.size
    if (!isTitle || !isBelow(next) || next.family !== body.family) continue
    if (block.text.length > slantedCharactersMax || /[\p{Po}\p{Pf}]$/u.test(block.text)) continue
    const titles = found.get(block.family)
    if (titles === undefined) found.set(block.family, new Set([block]))
    else titles.add(block)
  }
  const sizesOf = (titles: ReadonlySet<TextBlock>): ReadonlySet<number> =>
    new Set([...titles].map(({ size }) => rounded(size)))
  const kinds = new Map(
    [...found]
      .filter(
        ([family, titles]) =>
          titles.size >= slantedMin && (letters.get(family) ?? 0) <= otherFontShareMax * all,
      )
      .map(([family, titles]) => [family, { titles, sizes: sizesOf(titles) }]),
  )
  return blocks.filter((block, index) => {
    const kind = block.kind === "text" ? kinds.get(block.family) : undefined
    if (block.kind !== "text" || kind === undefined) return false
    const isLike = kind.sizes.has(rounded(block.size)) && isTitleOver(block, blocks[index + 1], body)
    return isLike || kind.titles.has(block)
  })
}

/** A line like other titles stands above a text of a single line, which may go on in the next column. */
const isTitleOver = (block: TextBlock, next: Block | undefined, body: Body): boolean =>
  block.lines === 1 &&
  block.item !== "bullet" &&
  block.isNote !== true &&
  block.text.length <= slantedCharactersMax &&
  !/[\p{Po}\p{Pf}]$/u.test(block.text) &&
  next?.kind === "text" &&
  next.item === undefined &&
  next.family === body.family &&
  /^\P{Ll}/u.test(next.text)

/**
 * Bold lines above text that is smaller, where all of it is smaller than most of the document: in a box, for example;
 * and others of that look.
 */
const smallIn = (blocks: ReadonlyArray<Block>, body: Body): ReadonlyArray<Block> => {
  const above = (block: Block, next: Block | undefined): block is TextBlock =>
    block.kind === "text" &&
    block.bold &&
    block.lines === 1 &&
    rounded(block.size) < body.size &&
    next?.kind === "text" &&
    next.item === undefined &&
    !next.bold &&
    next.size * headingSizeMin <= block.size &&
    !/[.,:;]$/.test(block.text)
  const typeOf = ({ family, size }: TextBlock): string => `${family} ${rounded(size)}`
  const looks = new Set<string>()
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1]
    if (isBelow(next) && above(block, next)) looks.add(typeOf(block))
  }
  return blocks.filter((block, index) => above(block, blocks[index + 1]) && looks.has(typeOf(block)))
}

interface Body {
  readonly size: number
  /** Not rounded: of most that is as large as that. */
  readonly exactSize: number
  readonly bold: boolean
  /** Empty for several. */
  readonly family: string
}

/** With fewer letters than this share of the titles' ones, what is smaller is no text of theirs. */
const smallerMin = 0.25

/** The look of most of the text; where that is nothing but titles, of what is smaller, also in tables and code. */
const bodyOf = (blocks: ReadonlyArray<Block>): Body => {
  const texts = blocks.filter((block): block is TextBlock => block.kind === "text")
  const letters = new Map<number, number>()
  const add = (size: number, count: number): void => {
    letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + count)
  }
  for (const { text, size } of texts) add(size, text.length)
  const most = mostOf(letters)
  const isSentence = ({ text, lines }: TextBlock): boolean =>
    lines > headingLinesMax || /[.!?;。]$/.test(text)
  const own = texts.filter((block) => rounded(block.size) === most.size)
  const isTitles =
    !own.some(isSentence) && (isBold(own) || texts.every((block) => rounded(block.size) <= most.size))
  let { size } = most
  if (isTitles) {
    const all = [...letters.values()].reduce((sum, count) => sum + count, 0)
    for (const block of blocks) {
      if (block.kind !== "table") continue
      for (const cell of block.rows.flat()) add(block.size, textOf(cell).length)
    }
    const inTables = [...letters.values()].reduce((sum, count) => sum + count, 0) - all
    // Nothing but titles of tables: these hold the text.
    if (inTables > all && isBold(own)) return { size, exactSize: size, bold: false, family: "" }
    for (const each of [...letters.keys()]) if (each >= most.size) letters.delete(each)
    const smaller = mostOf(letters)
    if (smaller.letters > smallerMin * most.letters) size = smaller.size
  }
  const main = texts.filter((block) => rounded(block.size) === size)
  const exactSize =
    main.reduce((sum, block) => sum + block.size * block.text.length, 0) / Math.max(1, lettersOf(main))
  return { size, exactSize, bold: isBold(main), family: familyOf(main) }
}

/** The font of most of these texts. */
const familyOf = (texts: ReadonlyArray<TextBlock>): string => {
  const letters = new Map<string, number>()
  for (const { family, text } of texts) letters.set(family, (letters.get(family) ?? 0) + text.length)
  return [...letters].reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0] as const)[0]
}

const isBold = (texts: ReadonlyArray<TextBlock>): boolean => {
  return 2 * lettersOf(texts.filter(({ bold }) => bold)) > lettersOf(texts)
}

/** The size of most letters. */
const mostOf = (
  letters: ReadonlyMap<number, number>,
): { readonly size: number; readonly letters: number } => {
  let main = { size: 0, letters: 0 }
  for (const [size, count] of letters) if (count > main.letters) main = { size, letters: count }
  return main
}
