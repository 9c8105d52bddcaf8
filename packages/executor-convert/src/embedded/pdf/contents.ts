import type { Block, TableBlock, TextBlock } from "./Blocks.ts"
import { joinSpans, type Spans, textOf } from "./joinWords.ts"
import { withoutLeader } from "./Leaders.ts"
import { romanOf } from "./ListMark.ts"
import { withMark } from "./runInTitles.ts"

const entriesMin = 4
const columnsMax = 3
const charactersMax = 250
/** Share of the rows of a table that end with a number. */
const entriesShareMin = 0.5
/** Titles of parts between two entries. */
const titlesMax = 3
/** Share of the entries: some are wrong in what people write. */
const backwardsMax = 0.125

/** What stands above a table of contents. */
const contentsTitle =
  /^(?:(?:table of )?contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|contenido|sumário|indice|sommario|inhoud(?:sopgave)?|innehåll|indhold|innhold|spis treści|obsah|содержание|оглавление|目\s?[录錄次]|차례|목차)$/iu
/** Numbers that differ, below such a title. */
const titledMin = 2

/**
 * The blocks, with the entries of a table of contents without dots as items of a list: titles that end with the numbers of
 * pages that the document has. These go up from title to title, and do not count the titles. Below a title that says what
 * they are, they may be fewer.
 */
export const withContents = (blocks: ReadonlyArray<Block>, pageCount: number): ReadonlyArray<Block> => {
  const entries = new Map<Block, ReadonlyArray<Block>>()
  let run: Array<Candidate> = []
  let titles = 0
  let isTitled = false
  const end = (): void => {
    const numbers = run.flatMap((candidate) => candidate.numbers)
    if (arePages(numbers, pageCount, isTitled ? titledMin : entriesMin)) {
      const areMixed = run.some(({ texts }) => texts.some(({ item }) => typeof item !== "number"))
      for (const { block, texts } of run) entries.set(block, areMixed ? texts.map(withNumber) : texts)
    }
    run = []
  }
  for (const [index, block] of blocks.entries()) {
    const candidate = block.kind === "table" ? ofRows(block) : ofLine(block)
    if (candidate !== undefined) {
      const last = run.at(-1)?.numbers.at(-1) ?? Number.NEGATIVE_INFINITY
      if ((candidate.numbers[0] ?? last) < last) end()
      const above = blocks[index - 1]
      if (run.length === 0) isTitled = above?.kind === "text" && contentsTitle.test(above.text)
      run.push(candidate)
      titles = 0
    } else if (block.kind !== "text" || block.lines > 1 || ++titles > titlesMax) end()
  }
  end()
  return entries.size === 0 ? blocks : blocks.flatMap((block) => entries.get(block) ?? [block])
}

/** An entry with a bare number, as those beside it that are counted in several levels have theirs. */
const withNumber = (entry: TextBlock): TextBlock =>
  typeof entry.item === "number" && entry.mark === `${entry.item}`
    ? { ...withMark(entry), item: "bullet" }
    : entry

/** A block most of whose lines end with numbers, and the texts that it is where they are those of pages. */
interface Candidate {
  readonly block: Block
  readonly texts: ReadonlyArray<TextBlock>
  readonly numbers: ReadonlyArray<number>
}

const arePages = (numbers: ReadonlyArray<number>, pageCount: number, differentMin: number): boolean => {
  if (new Set(numbers).size < differentMin || numbers.some((number) => number > pageCount)) return false
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? number))
  return (
    steps.some((step) => step !== 1) && steps.filter((step) => step < 0).length <= backwardsMax * steps.length
  )
}

const ofLine = (block: Block): Candidate | undefined => {
  if (block.kind !== "text" || block.lines > 1 || block.isNote === true) return undefined
  const number = isApart(block) ? pageOf(block.text) : undefined
  return number === undefined ? undefined : { block, texts: [asEntry(block)], numbers: [number] }
}

/** The number stands apart from the title, or has dots that lead to it. */
const isApart = ({ parts, isEntry, item, isParted }: TextBlock): boolean =>
  isEntry === true ||
  (typeof item === "number" && isParted) ||
  (parts.length > 1 && !/\s/.test(textOf(parts.at(-1)?.spans ?? [])))

const ofRows = (block: TableBlock): Candidate | undefined => {
  const texts: Array<TextBlock> = []
  const numbers: Array<number> = []
  const pages = new Map(block.turns?.map(({ row, page }) => [row, page]))
  let page = block.page
  if (block.rows.some(({ length }) => length > columnsMax)) return undefined
  for (const [index, row] of block.rows.entries()) {
    page = pages.get(index) ?? page
    const joined = row.reduce<Spans>(joinSpans, [])
    const spans = withoutLeader(joined) ?? joined
    const last = textOf(row.at(-1) ?? []).replace(leaderBefore, "")
    const text = textBlockOf(spans, block, page)
    const number = valueOf(last) === undefined ? undefined : pageOf(text.text)
    if (number === undefined && isRunningTitle(text.text)) continue
    // Above the numbers stands what they are.
    const isHead = index === 0 && !/\d/.test(last)
    if (number === undefined && last !== "" && !isHead) return undefined
    if (number !== undefined) numbers.push(number)
    texts.push(number === undefined ? text : asEntry(text))
  }
  if (numbers.length < entriesShareMin * texts.length) return undefined
  return { block, texts: texts.map(atDepth), numbers }
}

/** An entry with a number of several levels, which it is inside of others by: the places of cells do not tell. */
const atDepth = (entry: TextBlock): TextBlock => {
  const [, levels = ""] = /^\d{1,3}((?:\.\d{1,3})+) /.exec(entry.text) ?? []
  return levels === "" ? entry : { ...entry, depth: levels.split(".").length - 1 }
}

/** The dots that lead to a number. */
const leaderBefore = /^[.…·\s]+(?=\S)/

/** The number of a page of these contents with their title, at the head of that page. */
const isRunningTitle = (text: string): boolean => {
  const title = text.replace(/^[ivxlc]{1,6} |\s[ivxlc]{1,6}$/, "")
  return title !== text && contentsTitle.test(title)
}

/** A text of a table, which stands for one of its rows. */
export const textBlockOf = (
  spans: Spans,
  { sides, size }: TableBlock,
  page: number | undefined,
): TextBlock => ({
  kind: "text",
  text: textOf(spans),
  spans,
  size,
  left: sides[0] ?? 0,
  bold: false,
  italic: false,
  family: "",
  lines: 1,
  isParted: true,
  parts: [],
  ...(page === undefined ? {} : { page }),
})

/** The text as an item, whose number is that of the entry where it has one. */
const asEntry = (block: TextBlock): TextBlock => {
  const isEntry = { isEntry: true, level: 0 }
  if (block.item !== undefined) return { ...block, ...isEntry }
  const [first, ...rest] = block.spans
  const mark = /^(\d{1,3})\. (?=\S)/.exec(first?.text ?? "")
  if (first === undefined || mark === null) return { ...block, ...isEntry, item: "bullet" }
  const spans = [{ ...first, text: first.text.slice(mark[0].length) }, ...rest]
  return { ...block, ...isEntry, spans, text: textOf(spans), item: Number(mark[1]) }
}

/** The page that the number at the end of an entry says; undefined for a text that is none. */
const pageOf = (text: string): number | undefined => {
  // What begins in lower case goes on with another text.
  if (text.length > charactersMax || /^\p{Ll}/u.test(text)) return undefined
  const [, number] = /\p{L}{2}.*\s(\S+)$/u.exec(text) ?? []
  return number === undefined ? undefined : valueOf(number)
}

/** Pages before the first one have Roman numbers. */
const valueOf = (number: string): number | undefined => {
  const [, digits] = /^(\d{1,4})(?:[-–]\d{1,4})?$/.exec(number) ?? []
  const roman = digits === undefined ? romanOf(number) : undefined
  return roman === undefined ? (digits === undefined ? undefined : Number(digits)) : roman - romanMost
}

const romanMost = 400
