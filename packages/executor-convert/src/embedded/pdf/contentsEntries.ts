import { continued, type Spans, textOf } from "./joinWords.ts"
import { withoutLeader } from "./Leaders.ts"
import { runsOf } from "./runs.ts"

const entriesMin = 3
const titleLinesMax = 3
/** A share of the size: what the titles of a table of contents leave free before the numbers. */
const numbersRoomMax = 3.2
/** The same: the lines below the first one of a title begin further in. */
const hangingMin = 0.8

/** Few dots, each with room around, as where a title leaves room for no more. */
const fewDots = / (?:\. ){1,3}\d{1,4}$/

interface Text {
  readonly text: string
  readonly spans: Spans
  readonly size: number
  readonly left: number
  readonly lines: number
  readonly isParted: boolean
  readonly isEntry?: boolean
  readonly item?: number | string
  /** In points: what its last line leaves free, and how wide its first word is. */
  readonly place?: { readonly room: number; readonly wordWidth: number }
}

/**
 * The entries of a table of contents, whose dots were left out, are items of a list where some follow one another. Among
 * them, a title that goes on below its first line is one entry, and a few dots lead to a number, too.
 */
export const withEntries = <A extends Text>(blocks: ReadonlyArray<A>): ReadonlyArray<A> => {
  if (blocks.filter(({ isEntry }) => isEntry === true).length < entriesMin) return blocks
  const entries: Array<A> = []
  for (const [index, block] of blocks.entries()) {
    const above = entries.at(-1)
    const isBeside = above?.isEntry === true || blocks[index + 1]?.isEntry === true
    const entry = isBeside ? asEntry(block) : block
    if (above !== undefined && goesOn(above, entry)) entries[entries.length - 1] = joined(above, entry)
    else entries.push(entry)
  }
  return runsOf(entries, ([first], next) => first.isEntry === true && next.isEntry === true).flatMap((run) =>
    run.length < entriesMin
      ? run
      : run.map((block) => (block.item === undefined ? { ...block, item: "bullet" as const } : block)),
  )
}

const asEntry = <A extends Text>(block: A): A => {
  const spans = fewDots.test(block.text) ? withoutLeader(block.spans, 1) : undefined
  return spans === undefined ? block : { ...block, spans, text: textOf(spans), isEntry: true }
}

/** Begins an entry with a number of several levels, also of an appendix. */
const numbered = /^(?:\d{1,3}|\p{Lu})(?:\.\d{1,3})+\.?\s/u

/** The title of the entry fills its line, which ends without the number of a page, and goes on below its own beginning. */
const goesOn = (title: Text, entry: Text): boolean =>
  entry.isEntry === true &&
  entry.item === undefined &&
  !numbered.test(entry.text) &&
  title.isEntry !== true &&
  !(title.isParted && /\s\d{1,4}$/.test(title.text)) &&
  title.lines <= titleLinesMax &&
  title.size === entry.size &&
  entry.left > title.left + hangingMin * title.size &&
  (title.place?.room ?? Number.POSITIVE_INFINITY) <
    numbersRoomMax * title.size + (entry.place?.wordWidth ?? 0)

const joined = <A extends Text>(title: A, entry: A): A => {
  const spans = continued(title.spans, entry.spans)
  const lines = title.lines + entry.lines
  return { ...title, spans, text: textOf(spans), lines, isParted: entry.isParted, isEntry: true, parts: [] }
}
