import { areaOf } from "./areaOf.ts"
import { type Block, blockOfLines, lineOfWords } from "./Blocks.ts"
import { byReading } from "./Cells.ts"
import { isCaption } from "./captions.ts"
import { type Segment, segmentsOf } from "./Lines.ts"
import type { Area, Ruling } from "./Ruling.ts"
import type { Word } from "./Word.ts"

/** The words in a drawing, such as the labels of a chart, and the first words of its caption. */
export interface Figure extends Area {
  readonly words: ReadonlySet<Word>
  readonly caption: string
}

/** Share of the words of a page: with more, a drawing is the page itself. */
const drawnMax = 0.7
/** Points: between the parts of a figure, and to its caption below or above it, whose first line tells where it stands. */
const partsGapMax = 48
const belowMax = 120
const aboveMax = 170
const drawingsMax = 200

/**
 * The drawings of a page that are figures, as a caption near them says: what is written in them is none of the text around
 * them, nor a table or a title.
 */
export const figuresIn = (words: ReadonlyArray<Word>): ReadonlyArray<Figure> => {
  const drawn = words.filter(({ drawing }) => drawing !== undefined)
  if (drawn.length === 0 || drawn.length > drawnMax * words.length) return []
  const captions = segmentsOf(words.filter(({ drawing }) => drawing === undefined)).filter(isOfFigure)
  if (captions.length === 0) return []
  const drawings = [...Map.groupBy(drawn, ({ drawing }) => drawing).values()]
  if (drawings.length > drawingsMax) return []
  return together(drawings).flatMap(({ words: own, ...area }) => {
    const caption = isOfText(own) ? undefined : captionOf(area, captions)
    return caption === undefined ? [] : [{ ...area, words: new Set(own), caption: keyOf(caption) }]
  })
}

/** Most of it is sentences and phrases, as in a table that is placed as a drawing: it is read as other text. */
const isOfText = (words: ReadonlyArray<Word>): boolean => {
  const segments = segmentsOf(words)
  const phrases = segments.filter((segment) => segment.words.filter(isWord).length >= phraseWordsMin)
  return phrases.length > phrasesMax * segments.length
}

const isWord = ({ text }: Word): boolean => /^[\p{L}’'-]{2,}[.,;:)]*$/u.test(text)

const phraseWordsMin = 4
const phrasesMax = 0.4

const isOfFigure = ({ words }: Segment): boolean =>
  isCaption(words) && /^(?:fig|abb|그림|[图圖図])/iu.test(words[0]?.text ?? "")

interface Group extends Area {
  readonly words: ReadonlyArray<Word>
}

/** The words of drawings that stand near one another, as parts of one figure. */
const together = (drawings: ReadonlyArray<ReadonlyArray<Word>>): ReadonlyArray<Group> => {
  const groups: Array<Group> = []
  for (const words of drawings) {
    let own: Group = { ...areaOf(words), words }
    for (;;) {
      const near = groups.findIndex((group) => areNear(group, own))
      const [group] = near < 0 ? [] : groups.splice(near, 1)
      if (group === undefined) break
      own = {
        left: Math.min(group.left, own.left),
        right: Math.max(group.right, own.right),
        top: Math.min(group.top, own.top),
        bottom: Math.max(group.bottom, own.bottom),
        words: [...group.words, ...own.words],
      }
    }
    groups.push(own)
  }
  return groups
}

const areNear = (one: Area, other: Area): boolean =>
  Math.max(one.left, other.left) - Math.min(one.right, other.right) < partsGapMax &&
  Math.max(one.top, other.top) - Math.min(one.bottom, other.bottom) < partsGapMax

/** The nearest caption below the area, or, if there is none, above it. */
const captionOf = (area: Area, captions: ReadonlyArray<Segment>): Segment | undefined => {
  const over = captions.filter(({ left, right }) => left < area.right && right > area.left)
  const below = over
    .filter(({ baseline, size }) => baseline > area.bottom - size && baseline - area.bottom < belowMax)
    .toSorted((a, b) => a.baseline - b.baseline)
  const above = over
    .filter(({ baseline }) => baseline < area.top && area.top - baseline < aboveMax)
    .toSorted((a, b) => b.baseline - a.baseline)
  return below[0] ?? above[0]
}

const keyOf = ({ words }: Segment): string =>
  words
    .slice(0, keyWords)
    .map(({ text }) => text)
    .join(" ")

const keyWords = 2

/** What is drawn outside of the figures. */
export const outsideOf = (figures: ReadonlyArray<Figure>, ruling: Ruling): Ruling => {
  if (figures.length === 0) return ruling
  const isIn = ({ left, right, top, bottom }: Area): boolean =>
    figures.some(
      (figure) =>
        left > figure.left - aroundMax &&
        right < figure.right + aroundMax &&
        top > figure.top - aroundMax &&
        bottom < figure.bottom + aroundMax,
    )
  return {
    ...ruling,
    horizontal: ruling.horizontal.filter(
      ({ at, from, to }) => !isIn({ left: from, right: to, top: at, bottom: at }),
    ),
    vertical: ruling.vertical.filter(
      ({ at, from, to }) => !isIn({ left: at, right: at, top: from, bottom: to }),
    ),
    fills: ruling.fills.filter((fill) => !isIn(fill)),
  }
}

/** Points: how far a drawing goes beyond what is written in it. */
const aroundMax = 24

/** The blocks, each caption with what is written in its figure behind it; what has none is at the end. */
export const withFigures = (
  blocks: ReadonlyArray<Block>,
  figures: ReadonlyArray<Figure>,
  leftOut: ReadonlySet<Word>,
): ReadonlyArray<Block> => {
  if (figures.length === 0) return blocks
  const written = [...blocks]
  for (const { caption, words } of figures) {
    const text = textIn([...words].filter((word) => !leftOut.has(word)))
    const at = written.findLastIndex((block) => block.kind === "text" && block.text.startsWith(caption))
    if (text !== undefined) written.splice(at < 0 ? written.length : at + 1, 0, text)
  }
  return written
}

/** All of it as one text, line by line. */
const textIn = (words: ReadonlyArray<Word>): Block | undefined => {
  const lines = byReading(words).map((line) => ({ ...lineOfWords(line), mark: undefined }))
  return lines.length === 0 ? undefined : { ...blockOfLines(lines), isNote: true }
}
