import { Refusal } from "@atelier/intake/bytes"
import { convertLimits } from "../../Limits.ts"
import { movedAccents } from "./accents.ts"
import { clustersOf, noClusters } from "./clusters.ts"
import { fontsOfGlyphNumbers, spaceGlyphsMin } from "./glyphNumbers.ts"
import { type LinkArea, linkAt } from "./Links.ts"
import { leftOutBehind } from "./leftOutLetters.ts"
import type { Pdfium } from "./Pdfium.ts"
import { fontNameAt, isTurned, readPlace, scratchBytes } from "./readCharacter.ts"
import { noTextObjects, textObjects } from "./textObjects.ts"
import type { Layer, Word } from "./Word.ts"
import { type Known, WordReader } from "./WordReader.ts"

export interface PageText {
  /** The direction with the most words comes first. */
  readonly layers: ReadonlyArray<Layer>
  /** Characters of which only the shape is known. */
  readonly lost: number
}

/** The words of a page. Throws a `Refusal` (`archive_limit_exceeded`). */
export const readWords = (
  pdfium: Pdfium,
  pagePointer: number,
  textPage: number,
  { links, isTagged, areShapesHeavy }: KnownOfPage,
  isFlattened: boolean,
): PageText => {
  const count = pdfium.FPDFText_CountChars(textPage)
  if (count > convertLimits.pdf_page_characters_max) throw tooManyCharacters(count)
  const scratch = pdfium.malloc(scratchBytes)
  // What a field holds is read as a whole, though its box may be too small for it.
  const objects = isFlattened ? noTextObjects : textObjects(pdfium, pagePointer)
  const { hidden } = objects
  // Tags say what belongs to a figure.
  const { drawn } = isTagged ? noTextObjects : objects
  const page = { pdfium, textPage, count, scratch, hidden, drawn, isTagged, areShapesHeavy }
  const first = new WordReader(page, plainly).read()
  const known = { ...plainly, keepsTiny: first.tiny > charactersIn(first.layers) }
  const once = known.keepsTiny ? new WordReader(page, known).read() : first
  const ofGlyphs =
    once.spaceGlyphs < spaceGlyphsMin && once.lost === 0
      ? new Set<string>()
      : fontsOfGlyphNumbers(pdfium, textPage, count, (index) => fontNameAt(pdfium, textPage, index, scratch))
  const moved =
    once.accents === 0
      ? plainly.moved
      : movedAccents({
          count,
          codeAt: (index) => pdfium.FPDFText_GetUnicode(textPage, index),
          extentAt: (index) =>
            isTurned(pdfium, textPage, index, scratch)
              ? undefined
              : readPlace(pdfium, textPage, index, scratch, upright),
        })
  const leftOut = once.hasRoom ? leftOutBehind(pdfium, pagePointer, textPage) : plainly.leftOut
  const clusters = once.hasClusters
    ? clustersOf(pdfium, pagePointer, textPage, (object) => hidden.has(object))
    : plainly.clusters
  const isPlain =
    ofGlyphs.size === 0 && moved.accents.size === 0 && leftOut.size === 0 && clusters === noClusters
  const { layers, lost } = isPlain
    ? once
    : new WordReader(page, { ...known, ofGlyphs, moved, leftOut, clusters }).read()
  pdfium.free(scratch)
  if (links.length > 0) setLinks(layers, links)
  return { layers: mostWordsFirst(layers), lost }
}

const plainly: Known = {
  ofGlyphs: new Set(),
  moved: { letters: new Map(), accents: new Set() },
  leftOut: new Map(),
  clusters: noClusters,
  keepsTiny: false,
}

const charactersIn = (layers: ReadonlyArray<Layer>): number =>
  layers.reduce((sum, { words }) => words.reduce((own, { text }) => own + text.length, sum), 0)

const upright = { layer: { cos: 1, sin: 0 } }

/** What is known of a page before its words are read. */
export interface KnownOfPage {
  readonly links: ReadonlyArray<LinkArea>
  readonly isTagged: boolean
  /** Letters without a font are drawn where one is to be heavier than it is. */
  readonly areShapesHeavy: boolean
}

export const mostWordsFirst = (layers: ReadonlyArray<Layer>): ReadonlyArray<Layer> =>
  layers.toSorted((a, b) => b.words.length - a.words.length)

export const tooManyCharacters = (count: number): Refusal =>
  new Refusal(
    "archive_limit_exceeded",
    `A page of the PDF holds ${count} characters; at most ${convertLimits.pdf_page_characters_max} are allowed.`,
  )

/** The middle of a word is this share of its size above the baseline. */
const middleHeight = 0.3

/** Where the middle of the word stands on the page, from its lower left corner. */
export const middleOf = (
  word: Word,
  { cos, sin }: Pick<Layer, "cos" | "sin">,
): readonly [x: number, y: number] => {
  const middle = (word.left + word.right) / 2
  const height = word.baseline - middleHeight * word.size
  return [middle * cos + height * sin, middle * sin - height * cos]
}

const setLinks = (layers: ReadonlyArray<Layer>, links: ReadonlyArray<LinkArea>): void => {
  for (const layer of layers) {
    for (const word of layer.words) {
      const [x, y] = middleOf(word, layer)
      word.link = linkAt(links, x, y)
    }
  }
}
