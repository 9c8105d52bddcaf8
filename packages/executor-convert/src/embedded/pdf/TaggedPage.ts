import { pictureWords } from "@atelier/executor/flow"
import { areaOf } from "./areaOf.ts"
import {
  type Block,
  blockOfLines,
  codeBlock,
  lineOfWords,
  mainSize,
  placedBlocks,
  type TextBlock,
} from "./Blocks.ts"
import type { PlacedTable } from "./Grid.ts"
import { joinedCharactersMax, joinSpans, textOf } from "./joinWords.ts"
import { withoutFirstDot } from "./Leaders.ts"
import { rowsOf, segmentsOf } from "./Lines.ts"
import { isSign, type ListMark, labelOf, letteredMarks, mayBeMark } from "./ListMark.ts"
import { LooseNumbers } from "./LooseNumbers.ts"
import { sameLeft } from "./stacks.ts"
import { taggedTable } from "./TaggedTables.ts"
import type { Tag } from "./Tags.ts"
import { artifact, readmitted } from "./Tags.ts"
import { leadingMax } from "./TextLine.ts"
import { linesOfRun, partsOfRun } from "./taggedLines.ts"
import { shapesInOrder } from "./tagOrder.ts"
import { areBelieved, type Places, placesOf } from "./tagPlaces.ts"
import { levelOf, type Role, roleOf } from "./tagTypes.ts"
import { areMono, type Word } from "./Word.ts"

interface TaggedInput {
  readonly tags: ReadonlyArray<Tag>
  /** Those that are not left out. */
  readonly words: ReadonlyArray<Word>
  /** Tables that lines show among them. */
  readonly tables: ReadonlyArray<PlacedTable>
  readonly hasCode: boolean
  /** Blocks of words by their places. */
  readonly byPlace: (words: ReadonlyArray<Word>) => ReadonlyArray<Block>
}

/**
 * The blocks of a page as its tags say, in their order, or in that of reading on a slide; undefined where the tags are
 * not to be believed: they hold too little of the text, or tell nothing but paragraphs.
 */
export const taggedBlocks = (input: TaggedInput): ReadonlyArray<Block> | undefined => {
  const places = placesOf(input.tags)
  if (!areBelieved(places, input.words) || isFilledIn(places, input.words)) return undefined
  return new TaggedPage(input, places).read()
}

/** Texts that no tag tells of stand among those of a tagged table: they were written into it when it was there. */
const isFilledIn = (places: Places, words: ReadonlyArray<Word>): boolean => {
  const inTables = words.filter(({ content }) => places.get(content) === "table")
  if (inTables.length === 0) return false
  let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { baseline } of inTables) [top, bottom] = [Math.min(top, baseline), Math.max(bottom, baseline)]
  const written = words.filter(
    ({ content, baseline, text }) =>
      content !== artifact &&
      content !== readmitted &&
      !places.has(content) &&
      baseline > top &&
      baseline < bottom &&
      /[\p{L}\p{N}]{2}/u.test(text),
  )
  return written.length >= writtenMin
}

const writtenMin = 3

/** What the words of an element become. */
type Context =
  | { readonly kind: "group" }
  | { readonly kind: "paragraph" }
  | { readonly kind: "note" }
  | Heading
  | Entry
  | Item

interface Heading {
  readonly kind: "heading"
  readonly level: number
}

interface Entry {
  readonly kind: "entry"
  readonly depth: number
}

interface Item {
  readonly kind: "item"
  readonly depth: number
  /** No other is in its list. */
  readonly isAlone: boolean
  /** Its place in its list, from 1. */
  label: string
  /** There is an element for it, though it may be a drawing. */
  hasLabel: boolean
  /** What was written of it. */
  block: TextBlock | undefined
}

const group: Context = { kind: "group" }
const headingCharactersMax = 300
const entryCharactersMax = 100
/** How many items of the list before it a list may be inside of. */
const itemsBeforeMax = 50
/** Shares of the size: how much further in it begins; what is far may stand in the next column. */
const nestedMin = 1
const nestedMax = 8

class TaggedPage {
  readonly #input: TaggedInput
  readonly #byContent = new Map<number, Array<Word>>()
  /** Tables that no tag tells of. */
  readonly #drawn = new Map<Word, PlacedTable>()
  readonly #written = new Set<PlacedTable>()
  readonly #blocks: Array<Block> = []
  readonly #notes: Array<Block> = []
  readonly #tellsLists: boolean
  #run: Array<Word> = []
  /** The number or mark that an element holds alone, until it is seen whether the next one stands beside it. */
  #mark: Array<Word> = []
  #paragraphs: Array<ReadonlyArray<Word>> = []
  #code: Array<Word> = []
  #inline = 0
  #sections = 0
  #lists = 0
  /** The items that were begun, and where. */
  readonly #items: Array<{ readonly depth: number; readonly left: number; readonly baseline: number }> = []
  /** Of most of its text. */
  readonly #size: number
  /** The uppermost word, and the heading above all else. */
  readonly #top: Word | undefined
  #title: Block | undefined
  #numbers = new LooseNumbers([])

  constructor(input: TaggedInput, places: Places) {
    this.#input = input
    this.#tellsLists = [...places.values()].includes("list")
    this.#size = mainSize(input.words)
    const [first, ...others] = input.words
    this.#top = others.reduce(
      (top, word) => (top === undefined || word.baseline < top.baseline ? word : top),
      first,
    )
    for (const word of input.words) {
      const words = this.#byContent.get(word.content)
      if (words === undefined) this.#byContent.set(word.content, [word])
      else words.push(word)
    }
    for (const table of input.tables) {
      const words = [...table.words]
      const told = words.filter(({ content }) => (places.get(content) ?? "paragraph") !== "paragraph")
      if (told.length > toldMax * words.length) continue
      for (const word of words) this.#drawn.set(word, table)
    }
    for (const { content } of input.words) {
      if (!places.has(content) && content !== artifact) this.#untagged.add(content)
    }
    if (this.#tellsLists)
      this.#numbers = new LooseNumbers(input.words.filter((word) => this.#isUntagged(word)))
  }

  #isUntagged({ content }: Word): boolean {
    return this.#untagged.has(content)
  }

  /** Marked content that is in no element. */
  readonly #untagged = new Set<number>()

  read(): ReadonlyArray<Block> {
    const head = this.#head()
    this.#run = [...head]
    this.#flush(group)
    this.#end()
    const { tags, words } = this.#input
    const shapes = shapesInOrder(tags, words)
    for (const tag of shapes ?? tags) {
      this.#element(tag, group)
      if (shapes === undefined) continue
      this.#flush(group)
      this.#endParagraphs()
    }
    this.#flush(group)
    const own = new Set(head)
    const untagged = this.#input.words.filter(
      (word) => this.#isUntagged(word) && !own.has(word) && !this.#numbers.isTaken(word),
    )
    const rest = this.#tellsLists ? withoutLoneMarks(untagged) : untagged
    if (rest.length > 0) this.#run = [...rest]
    this.#flush(group)
    this.#end()
    const blocks = this.#blocks.filter((block) => block !== this.#title)
    return [...(this.#title === undefined ? [] : [this.#title]), ...blocks, ...this.#notes]
  }

  /** What was marked as no part of the text, and stands above all of it. */
  #head(): ReadonlyArray<Word> {
    const top = this.#input.words.reduce(
      (least, { content, baseline }) => (content === readmitted ? least : Math.min(least, baseline)),
      Number.POSITIVE_INFINITY,
    )
    return this.#input.words.filter(({ content, baseline }) => content === readmitted && baseline < top)
  }

  /** A heading that stands above all else is the first, though slides are often told from their text on. */
  #isTitle(words: ReadonlyArray<Word>): boolean {
    const own = new Set(words)
    const bottom = words.reduce((most, { baseline }) => Math.max(most, baseline), Number.NEGATIVE_INFINITY)
    return (
      this.#top !== undefined &&
      own.has(this.#top) &&
      this.#input.words.every((word) => own.has(word) || word.baseline > bottom)
    )
  }

  #children(children: Tag["children"], context: Context): void {
    for (const child of children) {
      if (typeof child === "number") this.#take(child, context)
      else this.#element(child, context)
    }
  }

  #take(content: number, context: Context): void {
    for (const word of this.#byContent.get(content) ?? []) {
      const table = this.#drawn.get(word)
      if (table === undefined) this.#run.push(word)
      else if (!this.#written.has(table)) {
        this.#flush(context)
        this.#end()
        this.#written.add(table)
        for (const block of placedBlocks(table)) this.#blocks.push(block)
      }
    }
    this.#byContent.delete(content)
  }

  #element(tag: Tag, context: Context): void {
    const role = roleOf(tag.type)
    if (role === "label" && context.kind === "item") this.#label(tag, context)
    else if (role === "inline" || role === "label") {
      this.#inline++
      this.#children(tag.children, context)
      this.#inline--
    } else if (role === "group" && this.#inline > 0 && this.#goesOnIn(tag)) {
      this.#children(tag.children, context)
    } else {
      this.#flush(context)
      this.#block(tag, role, context)
    }
  }

  /** The text of a group within a link goes on behind what was read last, in its line or the next one. */
  #goesOnIn(tag: Tag): boolean {
    const [last, first] = [this.#run.at(-1), this.#firstOf(tag)]
    if (last === undefined || first === undefined || first.order !== last.order + 1) return false
    const leading = first.baseline - last.baseline
    return Math.abs(leading) < 0.5 * last.size || (leading > 0 && leading < leadingMax * last.size)
  }

  #firstOf({ children }: Tag): Word | undefined {
    for (const child of children) {
      const first = typeof child === "number" ? this.#byContent.get(child)?.[0] : this.#firstOf(child)
      if (first !== undefined) return first
    }
    return undefined
  }

  #block(tag: Tag, role: Role, context: Context): void {
    const { type, children } = tag
    if (role === "table" && this.#table(tag)) return
    if (role === "figure") this.#figure(tag)
    else if (role === "list") this.#list(tag)
    else {
      const inner = this.#contextOf(tag, role, context)
      if (type === "Sect") this.#sections++
      // Contents of nothing but contents have no entries of their own.
      const isList =
        type === "TOC" && children.some((child) => typeof child === "number" || child.type !== "TOC")
      if (isList) this.#lists++
      this.#children(children, inner)
      this.#flush(inner)
      if (type === "Sect") this.#sections--
      if (isList) this.#lists--
    }
  }

  #contextOf({ type }: Tag, role: Role, context: Context): Context {
    if (role === "note") return { kind: "note" }
    // What is in an item or a note belongs to it, however it is tagged.
    if (context.kind === "item" || context.kind === "note") return context
    if (role === "heading") return { kind: "heading", level: levelOf(type, this.#sections) }
    if (role === "entry") return { kind: "entry", depth: this.#entryDepth() }
    if (context.kind === "heading" || (context.kind === "entry" && role === "paragraph")) return context
    return role === "paragraph" ? { kind: "paragraph" } : group
  }

  #entryDepth(): number {
    return Math.max(0, this.#lists - 1)
  }

  /** What stands before the text of an item, which may be a drawing. */
  #label({ children }: Tag, item: Item): void {
    const before = this.#run
    this.#run = []
    this.#children(children, item)
    if (item.block === undefined && before.length === 0) {
      item.hasLabel = true
      item.label += this.#run.map(({ text }) => text).join("")
      this.#run = []
    } else {
      for (const word of this.#run) before.push(word)
      this.#run = before
    }
  }

  #list(tag: Tag): void {
    const { children } = tag
    const depth = this.#depthOf(tag, this.#lists++)
    const isAlone =
      children.filter((child) => typeof child !== "number" && roleOf(child.type) === "item").length === 1
    for (const child of children) {
      if (typeof child === "number" || roleOf(child.type) !== "item") {
        if (typeof child === "number") this.#take(child, group)
        else this.#element(child, group)
        continue
      }
      this.#flush(group)
      const item: Item = { kind: "item", depth, isAlone, label: "", hasLabel: false, block: undefined }
      this.#children(child.children, item)
      this.#flush(item)
    }
    this.#flush(group)
    this.#lists--
  }

  /** A program may tag the list within an item as one that follows the list of that: it begins below it, further in. */
  #depthOf(list: Tag, told: number): number {
    const [first, last] = [this.#firstOf(list), this.#blocks.at(-1)]
    const isPending = [this.#run, this.#mark, this.#paragraphs, this.#code].some(({ length }) => length > 0)
    if (first === undefined || isPending || last?.kind !== "text" || last.item === undefined) return told
    for (const { depth, left, baseline } of this.#items.slice(-itemsBeforeMax).reverse()) {
      if (depth < told || baseline >= first.baseline) return told
      const further = first.left - left
      if (further > nestedMin * first.size && further < nestedMax * first.size) return depth + 1
      if (depth === told) return told
    }
    return told
  }

  #table(tag: Tag): boolean {
    const wordsOf = (content: number) => this.#byContent.get(content) ?? []
    const table = taggedTable(tag, wordsOf)
    if (table === undefined) return false
    for (const child of tag.children) {
      if (typeof child !== "number" && child.type === "Caption") this.#element(child, group)
    }
    for (const part of table) {
      this.#end()
      if ("kind" in part) this.#blocks.push(part)
      else {
        this.#children(part.children, group)
        this.#flush(group)
      }
    }
    return true
  }

  /** A picture is what is said of it, if no text is drawn in it. */
  #figure({ alt, children }: Tag): void {
    const before = this.#run.length
    this.#children(children, group)
    const hasText = this.#run.length > before
    this.#flush(group)
    const text = pictureWords(alt.replace(/\s+/g, " "))
    if (!hasText && text !== "") {
      this.#end()
      this.#blocks.push({ ...emptyText, text, spans: [{ text, link: "" }], level: 0 })
    }
  }

  /** Ends what an element holds so far. */
  #flush(context: Context): void {
    const run = this.#run
    if (run.length === 0) return
    this.#run = []
    const isText = context.kind === "paragraph" || context.kind === "group"
    const isMarked = isText && standsBehind(this.#mark, run)
    const words = isMarked ? [...this.#mark, ...run] : run
    if (isMarked) this.#mark = []
    else this.#endMark()
    if (isText && isMarkAlone(words)) this.#mark = words
    else this.#write(words, context)
  }

  #endMark(): void {
    const mark = this.#mark
    this.#mark = []
    if (mark.length > 0) this.#write(mark, { kind: "paragraph" })
  }

  #write(words: Array<Word>, context: Context): void {
    const isText = context.kind === "paragraph" || context.kind === "group"
    if (isText && this.#input.hasCode && areMono(words)) {
      this.#endParagraphs()
      for (const word of words) this.#code.push(word)
      return
    }
    this.#endCode()
    if (context.kind === "paragraph") {
      this.#paragraphs.push(words)
      return
    }
    this.#endParagraphs()
    if (context.kind === "group") this.#byPlace(words)
    else if (context.kind === "item") this.#item(words, context)
    else if (context.kind === "note") this.#notes.push({ ...plain(words), isNote: true })
    else this.#line(plain(context.kind === "entry" ? withoutFirstDot(words) : words), words, context)
  }

  /** A heading, or an entry of a table of contents, which may have the tag of the heading that it names. */
  #line(block: TextBlock, words: ReadonlyArray<Word>, context: Entry | Heading): void {
    if (context.kind === "entry" || block.isEntry === true) {
      const isEntry = block.isEntry === true || block.text.length <= entryCharactersMax
      const depth = context.kind === "entry" ? context.depth : this.#entryDepth()
      // Most contents are one list, however deep their entries are: their places tell.
      const told = depth === 0 ? {} : { depth }
      this.#blocks.push({ ...block, level: 0, ...(isEntry ? { item: "bullet", ...told } : {}) })
    } else {
      const isShort = block.text.length <= headingCharactersMax && /[\p{L}\p{N}]/u.test(block.text)
      const heading = { ...block, level: isShort ? context.level : 0 }
      if (isShort && this.#title === undefined && this.#isTitle(words)) this.#title = heading
      this.#blocks.push(heading)
    }
  }

  #item(words: ReadonlyArray<Word>, item: Item): void {
    const [begin = [], ...others] = partsOfRun(linesOfRun(words).map((line) => lineOfWords(line.words)))
    if (others.length === 0) {
      this.#itemPart(words, item)
      return
    }
    this.#itemPart(
      begin.flatMap((line) => line.words),
      item,
    )
    for (const lines of others) {
      const block = blockOfLines(lines)
      const place = block.item === undefined ? { itemLevel: item.depth } : { depth: item.depth }
      this.#blocks.push({ ...block, ...place, level: 0 })
    }
  }

  #itemPart(words: ReadonlyArray<Word>, item: Item): void {
    const last = this.#blocks.at(-1)
    if (item.block === undefined && this.#isNumberedTitle(words, item)) {
      item.block = plain(words)
      this.#blocks.push(item.block)
    } else if (item.block === undefined) {
      const { depth, hasLabel } = item
      const { number, text: label } = labelOf(hasLabel ? item.label : this.#numbers.take(words[0]))
      const block = hasLabel ? plain(words) : withMark(words)
      const mark = number ?? block.item
      // What goes on from the page before has no mark of its own.
      const isFirst = !hasLabel && mark === undefined && this.#blocks.length === 0
      const goesOn = isFirst && (beginsWithin(block) || this.#othersHaveMarks())
      item.block = { ...(label === "" ? block : labelled(block, label)), level: 0 }
      if (!goesOn) item.block = { ...item.block, depth, item: mark ?? "bullet" }
      const [{ left = 0, baseline = 0 } = {}] = words
      this.#items.push({ depth, left, baseline })
      this.#blocks.push(item.block)
    } else if (this.#input.hasCode && areMono(words)) {
      this.#blocks.push({ ...codeBlock(rowsOf(segmentsOf(words))), itemLevel: item.depth })
    } else if (last === item.block && item.block.text.length <= joinedCharactersMax) {
      const spans = joinSpans(item.block.spans, plain(words).spans)
      item.block = { ...item.block, spans, text: textOf(spans) }
      this.#blocks[this.#blocks.length - 1] = item.block
    } else this.#blocks.push({ ...plain(words), level: 0, itemLevel: item.depth })
  }

  /** The items that are not read yet begin with marks, all of them. */
  #othersHaveMarks(): boolean {
    const first: Array<Word | undefined> = []
    const see = (tag: Tag): void => {
      if (roleOf(tag.type) === "item") first.push(this.#firstOf(tag))
      for (const child of tag.children) if (typeof child !== "number") see(child)
    }
    for (const tag of this.#input.tags) see(tag)
    const begun = first.filter((word) => word !== undefined)
    return begun.length >= markedItemsMin && begun.every(({ text }) => mayBeMark(text))
  }

  /** A title that a word processor counts, and some programs tag as a list of one item: large, or in bold capitals. */
  #isNumberedTitle(words: ReadonlyArray<Word>, { isAlone, hasLabel }: Item): boolean {
    const [number, ...title] = words
    return (
      isAlone &&
      !hasLabel &&
      number !== undefined &&
      /^\d+(?:\.\d+)*\.?$/.test(number.text) &&
      title.length > 0 &&
      !/[.,:;]$/.test(title.at(-1)?.text ?? "") &&
      words.every(({ baseline }) => baseline === number.baseline) &&
      (words.every(({ size }) => size > largeMin * this.#size) ||
        (words.every(({ bold }) => bold) && title.every(({ text }) => !/\p{Ll}/u.test(text))))
    )
  }

  #byPlace(words: ReadonlyArray<Word>): void {
    for (const block of this.#input.byPlace(words))
      this.#blocks.push(block.kind === "text" ? { ...block, level: 0 } : block)
  }

  #end(): void {
    this.#endMark()
    this.#endCode()
    this.#endParagraphs()
  }

  #endCode(): void {
    const words = this.#code
    if (words.length === 0) return
    this.#code = []
    this.#blocks.push(codeBlock(rowsOf(segmentsOf(words))))
  }

  #endParagraphs(): void {
    const paragraphs = this.#paragraphs
    if (paragraphs.length === 0) return
    this.#paragraphs = []
    if (areLines(paragraphs) || areBeside(paragraphs)) {
      this.#byPlace(paragraphs.flat())
      return
    }
    const lines = paragraphs.flatMap((words) =>
      partsOfRun(linesOfRun(words).map((line) => lineOfWords(line.words))),
    )
    // Where lists are tagged, paragraphs are none, however they begin.
    const lettered = this.#tellsLists ? none : letteredMarks(lines.map(([first]) => first ?? { words: [] }))
    for (const [index, [first, ...rest]] of lines.entries()) {
      if (first === undefined) continue
      const mark = first.mark ?? lettered.get(index)
      this.#text(blockOfLines([{ ...first, mark }, ...rest]))
    }
  }

  /** A text that no element calls a heading; that may be wanting, where it looks like one. */
  #text(block: TextBlock): void {
    const isLarge = block.lines <= largeLinesMax && block.size > largeMin * this.#size
    const isTitle = isLarge && !block.text.startsWith("(") && block.spans.every(({ link }) => link === "")
    this.#blocks.push(isTitle ? block : { ...block, level: 0 })
  }
}

/** Nothing but the number or the mark of a title or an item. */
const isMarkAlone = ([mark, ...others]: ReadonlyArray<Word>): boolean =>
  mark !== undefined && others.length === 0 && mayBeMark(mark.text)

/** The text stands in the line of its mark, close to it. */
const standsBehind = ([mark]: ReadonlyArray<Word>, [first]: ReadonlyArray<Word>): boolean =>
  mark !== undefined &&
  first !== undefined &&
  Math.abs(first.baseline - mark.baseline) < 0.5 * mark.size &&
  first.left > mark.right &&
  first.left - mark.right < behindMarkMax * mark.size

/** A share of the size. */
const behindMarkMax = 6

/** Browsers draw the marks of items outside of their lists: no other word of these stands beside one. */
const withoutLoneMarks = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const heights = new Set(
    words.filter(({ text }) => !isSign(text)).map(({ baseline }) => Math.round(baseline)),
  )
  const isBeside = ({ baseline }: Word): boolean =>
    [-1, 0, 1].some((offset) => heights.has(Math.round(baseline) + offset))
  return words.filter((word) => !isSign(word.text) || isBeside(word))
}

const markedItemsMin = 2
/** As a share of the size of most of its page. */
const largeMin = 1.2
const largeLinesMax = 3

/** The label of an item, which Markdown has no number for, is a part of its text. */
const labelled = (block: TextBlock, label: string): TextBlock => {
  const spans = joinSpans([{ text: label, link: "" }], block.spans)
  return { ...block, spans, text: textOf(spans) }
}

const none: ReadonlyMap<number, ListMark> = new Map()

/** A drawn table is believed where at most this share of its words is told to be something else. */
const toldMax = 0.2

const emptyText: TextBlock = {
  kind: "text",
  text: "",
  spans: [],
  size: 0,
  left: 0,
  bold: false,
  italic: false,
  family: "",
  lines: 1,
  isParted: false,
  parts: [],
}

const withMark = (words: ReadonlyArray<Word>): TextBlock =>
  blockOfLines(linesOfRun(words).map((line) => lineOfWords(line.words)))

/** A text whose first word is no mark. */
const plain = (words: ReadonlyArray<Word>): TextBlock =>
  blockOfLines(linesOfRun(words).map((line) => ({ ...lineOfWords(line.words), mark: undefined })))

const beginsWithin = ({ text }: TextBlock): boolean => /^[\p{Ll}(]/u.test(text)

/** Paragraphs that are lines of paragraphs: many begin within a sentence, or right below a line that is full and ends none. */
const areLines = (paragraphs: ReadonlyArray<ReadonlyArray<Word>>): boolean => {
  const { left, right } = areaOf(paragraphs.flat())
  const isFull = (word: Word): boolean => right - word.right < raggedMax * (right - left)
  let within = 0
  for (const [index, { 0: first }] of paragraphs.entries()) {
    const before = paragraphs[index - 1] ?? []
    const last = before.at(-1)
    if (first === undefined || last === undefined || /[.!?:;]\p{P}*$/u.test(last.text)) continue
    const isBelow =
      Math.abs(first.left - (before[0]?.left ?? 0)) < sameLeft &&
      first.baseline > last.baseline &&
      first.baseline - last.baseline < leadingMax * first.size &&
      first.size === last.size &&
      first.bold === last.bold
    if (/^\p{Ll}/u.test(first.text) || (isBelow && isFull(last) && !/\d$/.test(last.text))) within++
  }
  return within >= linesMin && within > linesShare * paragraphs.length
}

/** A share of the width of all. */
const raggedMax = 0.15

/** Paragraphs of few words stand beside one another, as the cells of a table do. */
const areBeside = (paragraphs: ReadonlyArray<ReadonlyArray<Word>>): boolean => {
  const heights = new Map<number, number>()
  for (const words of paragraphs) {
    const [first] = words
    if (first === undefined || words.length > besideWordsMax) continue
    const height = Math.round(first.baseline)
    heights.set(height, (heights.get(height) ?? 0) + 1)
  }
  const beside = [...heights.values()].reduce((sum, count) => sum + (count > 1 ? count : 0), 0)
  return beside >= besideMin && beside > linesShare * paragraphs.length
}

const besideMin = 6
const besideWordsMax = 4
const linesMin = 3
const linesShare = 0.3
