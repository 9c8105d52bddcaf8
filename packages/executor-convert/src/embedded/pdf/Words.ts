import { Refusal } from "@atelier/intake/bytes"
import { convertLimits } from "../../Limits.ts"
import { firstWhere } from "../firstWhere.ts"
import { accentOf, composed, type MovedAccents, movedAccents, standsOver } from "./accents.ts"
import {
  besideOf,
  type Clusters,
  clustersOf,
  isIndic,
  isOverLetter,
  mayBeInCluster,
  noClusters,
  ObjectsOfWords,
} from "./clusters.ts"
import { removeCopies } from "./copies.ts"
import type { Box } from "./Drawing.ts"
import { type Font, isEquallyWide, isGarbled, isOfText, measure } from "./Fonts.ts"
import { characterOfGlyph, fontsOfGlyphNumbers, spaceGlyph, spaceGlyphsMin } from "./glyphNumbers.ts"
import { hiddenText } from "./hiddenText.ts"
import { type LinkArea, linkAt } from "./Links.ts"
import { leftOutBehind } from "./leftOutLetters.ts"
import { addGap, joinLetterspaced } from "./letterspacing.ts"
import { calibriLigature, ligatureIn, softHyphen, textOf } from "./ligatures.ts"
import { LoweredCharacters } from "./lowered.ts"
import { joinLowQuotes } from "./lowQuotes.ts"
import { MixedWeights } from "./mixedWeights.ts"
import { NarrowGaps } from "./NarrowGaps.ts"
import { boundsOf } from "./objectBounds.ts"
import type { Pdfium } from "./Pdfium.ts"
import {
  fontNameAt,
  isTurned,
  type Place,
  readHeights,
  readPlace,
  readStyle,
  rightOfDrawn,
  type Style,
  scratchBytes,
  type ToldByName,
} from "./readCharacter.ts"
import { inReadingOrder, isRightToLeft } from "./rightToLeft.ts"
import { joinFromTheRight } from "./rightToLeftSigns.ts"
import { ideographs, spacedBySentence } from "./scripts.ts"
import {
  hangingOf,
  nameLetterBullets,
  pieceOfPicture,
  shownBy,
  signOf,
  unknownShape,
  withBullets,
} from "./shapes.ts"
import { addSmaller, sizeSmallCapitals } from "./smallCapitals.ts"
import { TexLigatures } from "./texLigatures.ts"
import { addJoint } from "./touchingNumbers.ts"
import { keepOnly, type Layer, type Word } from "./Word.ts"

export interface PageText {
  /** The direction with the most words comes first. */
  readonly layers: ReadonlyArray<Layer>
  /** Characters of which only the shape is known. */
  readonly lost: number
}

/** A wider gap, as a share of the size, ends a word even where no space is written. */
const gapMax = 0.3
/** The same, where the reader believes that a line ends: what it says at a raised mark, for example. */
const gapAtLineEndMax = 0.1
/** The same, over a character that is left out. */
const gapOverNothingMax = 2
/** A character further up or down, as a share of the size, is of another line. */
const riseMax = 0.5
/** What goes on without a gap for longer, or stands in one place, is no word: each of its characters looks at its text. */
const wordCharactersMax = 2_000
const glyphCharactersMax = 50

/** The words of a page. Throws a `Refusal` (`archive_limit_exceeded`). */
export const readWords = (
  pdfium: Pdfium,
  pagePointer: number,
  textPage: number,
  known: KnownOfPage,
  isFlattened: boolean,
): PageText => {
  const count = pdfium.FPDFText_CountChars(textPage)
  if (count > convertLimits.pdf_page_characters_max) throw tooManyCharacters(count)
  const scratch = pdfium.malloc(scratchBytes)
  // What a field holds is read as a whole, though its box may be too small for it.
  const hidden = isFlattened ? new Set<number>() : hiddenText(pdfium, pagePointer)
  const page = { pdfium, textPage, count, scratch, hidden, ...known }
  const { spaceGlyphs, accents, hasRoom, hasClusters, ...text } = wordsOf(page, plainly)
  const ofGlyphs =
    spaceGlyphs < spaceGlyphsMin
      ? new Set<string>()
      : fontsOfGlyphNumbers(pdfium, textPage, count, (index) => fontNameAt(pdfium, textPage, index, scratch))
  const moved =
    accents === 0
      ? noAccents
      : movedAccents({
          count,
          codeAt: (index) => pdfium.FPDFText_GetUnicode(textPage, index),
          extentAt: (index) =>
            isTurned(pdfium, textPage, index, scratch)
              ? undefined
              : readPlace(pdfium, textPage, index, scratch, upright),
        })
  const leftOut = hasRoom ? leftOutBehind(pdfium, pagePointer, textPage) : plainly.leftOut
  const clusters = hasClusters
    ? clustersOf(pdfium, pagePointer, textPage, (object) => hidden.has(object))
    : plainly.clusters
  const isPlain =
    ofGlyphs.size === 0 && moved.accents.size === 0 && leftOut.size === 0 && clusters === noClusters
  const found = isPlain ? text : wordsOf(page, { ofGlyphs, moved, leftOut, clusters })
  pdfium.free(scratch)
  return { layers: found.layers, lost: found.lost }
}

const noAccents: MovedAccents = { letters: new Map(), accents: new Set() }

/** What is known of a page that has been read once. */
interface Known {
  /** Names of fonts that give the numbers of glyphs. */
  readonly ofGlyphs: ReadonlySet<string>
  readonly moved: MovedAccents
  /** Objects whose letter stands there twice, with how far to the right the second one is. */
  readonly leftOut: ReadonlyMap<number, number>
  readonly clusters: Clusters
}

const plainly: Known = { ofGlyphs: new Set(), moved: noAccents, leftOut: new Map(), clusters: noClusters }

const upright = { layer: { cos: 1, sin: 0 } }

/** What is known of a page before its words are read. */
export interface KnownOfPage {
  readonly links: ReadonlyArray<LinkArea>
  readonly isTagged: boolean
  /** Letters without a font are drawn where one is to be heavier than it is. */
  readonly areShapesHeavy: boolean
}

/** A page whose characters are read, with room for a font's name or the numbers of a character. */
interface OpenPage extends KnownOfPage {
  readonly pdfium: Pdfium
  readonly textPage: number
  readonly count: number
  readonly scratch: number
  /** Text objects that are not seen. */
  readonly hidden: ReadonlySet<number>
}

interface OncePage extends PageText {
  /** How often the number of the glyph of a space stands there. */
  readonly spaceGlyphs: number
  /** How many accents stand for themselves. */
  readonly accents: number
  /** Behind a letter that is an object of its own there is room for it to stand there twice. */
  readonly hasRoom: boolean
  /** Some of its characters may be drawn in clusters. */
  readonly hasClusters: boolean
}

const wordsOf = (
  { pdfium, textPage, count, scratch, links, isTagged, areShapesHeavy, hidden }: OpenPage,
  { ofGlyphs, moved, leftOut, clusters }: Known,
): OncePage => {
  const layers = new Map<number, Layer>()
  const fonts = new Map<string, Font>()
  const names = new Map<string, ToldByName>()
  let style: Style | undefined
  let word: Word | undefined
  let widest = gapMax
  let lost = 0
  let last: Character | undefined
  let glyph: Glyph | undefined
  const gaps = new NarrowGaps<Word>()
  const lowered = new LoweredCharacters()
  const seen = new Set<Word>()
  const weights = new MixedWeights()
  const objects = new ObjectsOfWords<Word>()
  let spaceGlyphs = 0
  let accents = 0
  let hasRoom = false
  let hasClusters = false
  /** Spaces between words that are no code: those between text objects only where they are written. */
  let [spaces, written] = [0, 0]
  let space: "written" | "added" | undefined
  /** No space is written behind the last character. */
  let isUnspaced = false
  const unspaced = new Set<Word>()
  /** Words whose letters are objects of their own: PDFium says no space that is one, too. */
  const ofLetters = new Set<Word>()
  /** A word before a space that the page does not say, and one before a space that stands elsewhere in the line. */
  let parted: Word | undefined
  let strayed: Word | undefined
  const ofTex = new TexLigatures(pdfium, textPage, count, (index) =>
    fontNameAt(pdfium, textPage, index, scratch),
  )
  let ofObject = 0
  let objectsOfWord = 0
  let lettered: Word | undefined
  let isBehindTwice = false
  let numbered: { readonly object: number; readonly isNumbered: boolean } | undefined
  const isMoved = (index: number): boolean => {
    if (moved.accents.has(index)) return true
    // Around an accent, PDFium adds spaces.
    const isBeside = moved.accents.has(index - 1) || moved.accents.has(index + 1)
    return isBeside && pdfium.FPDFText_IsGenerated(textPage, index) === 1
  }
  /** From right to left, the mark or the narrow letter of a glyph that stands for several characters comes first. */
  const rightOfGlyph = (index: number, object: number, { left, right }: Place, style: Style): number => {
    let widest = right
    for (let next = index + 1; next < Math.min(count, index + glyphCharactersMax); next++) {
      if (pdfium.FPDFText_GetTextObject(textPage, next) !== object) break
      const place = readPlace(pdfium, textPage, next, scratch, style)
      if (place.left !== left) break
      widest = Math.max(widest, place.right)
    }
    return widest
  }
  let lastCluster: { readonly object: number; readonly extent: Box | undefined } | undefined
  /** What is drawn of a cluster, or of a character that is an object of its own. */
  const clusterAt = (index: number, object: number, place: Place, style: Style): Box | undefined => {
    if (lastCluster?.object !== object)
      lastCluster = { object, extent: extentAt(index, object, place, style) }
    return lastCluster.extent
  }
  const extentAt = (index: number, object: number, place: Place, style: Style): Box | undefined => {
    if (Math.abs(style.layer.sin) > uprightMax) return undefined
    for (const step of [-1, 1]) {
      for (
        let at = index + step;
        at >= 0 && at < count && Math.abs(at - index) < glyphCharactersMax;
        at += step
      ) {
        if (pdfium.FPDFText_GetTextObject(textPage, at) !== object) break
        if (readPlace(pdfium, textPage, at, scratch, style).left !== place.left) return undefined
      }
    }
    return clusters.extents.get(object) ?? boundsOf(pdfium, object, scratch)
  }
  for (let index = 0; index < count; index++) {
    if (moved.accents.size > 0 && isMoved(index)) {
      widest = gapAtLineEndMax
      continue
    }
    if (isBehindTwice && pdfium.FPDFText_IsGenerated(textPage, index) === 1) {
      widest = gapAtLineEndMax
      continue
    }
    let unicode = moved.letters.get(index) ?? ofTex.at(index, pdfium.FPDFText_GetUnicode(textPage, index))
    if (unicode === spaceGlyph) spaceGlyphs++
    if (ofGlyphs.size > 0 && pdfium.FPDFText_IsGenerated(textPage, index) !== 1) {
      const object = pdfium.FPDFText_GetTextObject(textPage, index)
      if (numbered?.object !== object) {
        numbered = { object, isNumbered: ofGlyphs.has(fontNameAt(pdfium, textPage, index, scratch)) }
      }
      if (numbered.isNumbered) unicode = characterOfGlyph(unicode)
    }
    const kind = kindOf(unicode, () => pdfium.FPDFText_IsHyphen(textPage, index) === 1)
    if (kind === "line end") widest = gapAtLineEndMax
    if (kind === "nothing") widest = gapOverNothingMax
    if (kind === "hyphen" && word !== undefined) word.hyphenated = true
    if (kind === "space" && style !== undefined) {
      if (word !== undefined && glyph !== undefined && glyph.text.length > 1) {
        const own = readPlace(pdfium, textPage, index, scratch, style)
        const next = index + 1 < count ? readPlace(pdfium, textPage, index + 1, scratch, style) : own
        if (isInGlyph(own, glyph, next, word.size)) continue
      }
      const before = style.layer.words.at(-1)
      // PDFium adds spaces of its own where there is a gap.
      const isWritten = pdfium.FPDFText_IsGenerated(textPage, index) !== 1
      const own = isWritten ? pdfium.FPDFText_GetTextObject(textPage, index) : 0
      const isStrayed =
        before !== undefined &&
        own !== 0 &&
        own !== style.object &&
        isElsewhere(before, readPlace(pdfium, textPage, index, scratch, style))
      if (before !== undefined && hasSpacing.test(before.text)) before.spaced = isWritten && !isStrayed
      if (isStrayed) strayed = word
      gaps.addSpace(isWritten)
      space = isWritten ? "written" : (space ?? "added")
      if (isWritten && !isStrayed) isUnspaced = false
      if (!isWritten) parted = word ?? parted
      else if (!isStrayed) parted = undefined
    }
    if (kind === "space" || kind === "hyphen") word = undefined
    if (kind !== "text" && kind !== "lost") continue
    const object = pdfium.FPDFText_GetTextObject(textPage, index)
    if (clusters.repeated.has(object)) {
      word ??= parted
      continue
    }
    const letter = clusters.signsOf.get(object)
    if (letter !== undefined && objects.addTo(letter, textOf(unicode))) {
      word ??= parted
      continue
    }
    const { joiner, isOneWord } = besideOf(clusters, style?.object ?? 0, object)
    const isNew = style?.object !== object
    if (style === undefined || isNew) {
      style = readStyle(pdfium, textPage, index, object, scratch, {
        layers,
        fonts,
        names,
        isTagged,
        areShapesHeavy,
      })
    }
    const place = readPlace(pdfium, textPage, index, scratch, style)
    let extent: Box | undefined
    if (mayBeInCluster(unicode)) {
      hasClusters = true
      extent = clusters === noClusters ? undefined : clusterAt(index, object, place, style)
      if (extent !== undefined) place.right = extent.right
      if (isOneWord === false) {
        const before = style.layer.words.at(-1)
        if (before !== undefined && hasSpacing.test(before.text)) before.spaced = true
        word = undefined
      }
    }
    // PDFium adds spaces between clusters, and before a letter that stands back below the sign of the one before.
    const open = word ?? parted
    const goesOn =
      isOneWord !== false &&
      open !== undefined &&
      (extent !== undefined || isOneWord === true || isIndic(unicode)) &&
      touches(open, place, extent ?? place, unicode, isOneWord === true)
    if (goesOn) word = open
    const gapMost = clusters !== noClusters && isIndic(unicode) ? Math.min(widest, gapOfClustersMax) : widest
    const lastWord = style.layer.words.at(-1)
    // PDFium adds a space before a sign that stands back over its letter.
    const isOver = word === undefined && space === "added" && isOverLetter(unicode)
    if (isOver && isInLine(lastWord, place)) word = lastWord
    const isSure =
      word !== undefined &&
      word === lastWord &&
      word.text.length < wordCharactersMax &&
      (isOver || (goesOn && isOneWord === true && extent !== undefined))
    parted = undefined
    if (word === undefined && strayed !== undefined && goesOnAt(strayed, place)) word = strayed
    strayed = undefined
    if (unicode === nonBreakingHyphen && place.right - place.left < drawnMin * style.size)
      place.right = place.left + hyphenWidth * style.size
    const told = place.right
    if (isNew && pdfium.FPDFText_GetTextObject(textPage, Math.min(index + 1, count - 1)) !== object)
      place.right = rightOfDrawn(pdfium, textPage, index, scratch, place, style)
    const isDrawnWider = place.right > told
    if (isNew && ofObject === 1 && last !== undefined && !hasRoom) hasRoom = isRoomBehind(last, place)
    ofObject = isNew ? 1 : ofObject + 1
    isBehindTwice = false
    if (unicode === softHyphen && place.right - place.left < drawnMin * style.size) {
      widest = gapOverNothingMax
      continue
    }
    if (style.font.isEqual || style.mono)
      measure(style.font, unicode, (place.right - place.left) / style.size)
    const ligature =
      calibriLigature(word, unicode, place, style) ??
      (word === undefined ? undefined : ligatureIn(word, unicode, place, style))
    const { shapes, size } = style
    if (shapes === pieceOfPicture) {
      word = undefined
      continue
    }
    const share = (place.right - place.left) / size
    const code =
      ligature ??
      (kind === "lost"
        ? signOf(shapes, unicode, share, () => readHeights(pdfium, textPage, index, scratch, place, size))
        : shownBy(shapes, unicode, share))
    if (code === unknownShape) {
      style.font.lost++
      style.font.shapes.add(unicode)
      const shape = wordOf(textOf(code), place, style)
      style.layer.words.push(shape)
      if (!hidden.has(object)) seen.add(shape)
      word = undefined
      glyph = undefined
      last = undefined
      widest = gapMax
      lost++
      continue
    }
    style.font.known++
    place.baseline += hangingOf(style.shapes, unicode) * style.size
    if (word !== undefined && glyph !== undefined && isOfGlyph(glyph, object, place)) {
      addToGlyph(word, glyph, code, place, extent !== undefined)
      continue
    }
    const width = place.right - place.left
    // A ligature is said to be as wide as one of its letters.
    const isAfterLigature = (glyph?.text.length ?? 0) > 1
    glyph = { object, left: place.left, width, from: word?.text.length ?? 0, text: textOf(code) }
    const accented = word === undefined ? undefined : accentedOf(word, last, code, place)
    if (word !== undefined && accented !== undefined) {
      if (accentOf(code) === undefined) accents--
      word.text = accented
      word.right = Math.max(word.right, place.right)
      last = { code, place }
      continue
    }
    const before = last
    last = { code, place: { ...place } }
    if (isRightToLeft(code) && extent === undefined)
      place.right = Math.max(place.right, rightOfGlyph(index, object, place, style))
    if (accentOf(code) !== undefined) accents++
    if (
      word !== undefined &&
      isLowSurrogate(code) &&
      isHighSurrogate(word.text.charCodeAt(word.text.length - 1))
    ) {
      word.text += String.fromCharCode(code)
      word.right = Math.max(word.right, place.right)
    } else if (word !== undefined && (isSure || continues(word, place, style, code, gapMost))) {
      if (widest === gapMax && !isAfterLigature)
        gaps.add(word, place, style, code, isNew && word.font === style.font)
      // The name of the language C++ is often set so, and the ending of 2nd.
      if (code === plus && word.text.endsWith("⁺")) word.text = `${word.text.slice(0, -1)}+`
      if (code === letterD && word.text.endsWith("ⁿ")) word.text = `${word.text.slice(0, -1)}n`
      const isRaised = isExponent(word, before, place, style, code, lowered.endsWord(word))
      const written = isRaised ? raised(code) : textOf(code)
      addGap(word, place)
      if (isNew) addSmaller(word, style.size, place.baseline)
      lowered.add(word, place, style, written)
      noteCode(word, style)
      weights.add(word, style, code)
      if (isNew) {
        if (clusters.signsOf.size > 0) objects.begin(object, word, word.text.length)
        addJoint(word, place.left, written)
        objectsOfWord++
      }
      word.text += (joiner ?? "") + written
      word.left = Math.min(word.left, place.left)
      word.right = Math.max(word.right, place.right)
    } else {
      word = wordOf(textOf(code), place, style)
      if (isUnspaced) unspaced.add(word)
      if (lettered !== undefined && isOfLetters(lettered, objectsOfWord)) ofLetters.add(lettered)
      objectsOfWord = 1
      lettered = word
      lowered.begin(word, before?.place)
      glyph = { ...glyph, from: 0 }
      style.layer.words.push(word)
      if (clusters.signsOf.size > 0) objects.begin(object, word, 0)
      weights.begin(word, style, code)
    }
    if (isDrawnWider) word.isDrawnWider = true
    if (!hidden.has(object) && !clusters.hidden.has(object)) seen.add(word)
    widest = gapMax
    isUnspaced = true
    const isWithin = space === "written" || !isNew
    if (space !== undefined && isWithin && !style.mono && style.layer.words.at(-2)?.mono === false) {
      spaces++
      if (space === "written") written++
    }
    space = undefined
    const twin = leftOut.get(object)
    if (twin !== undefined) {
      word.text += textOf(code)
      word.right = Math.max(word.right, place.right + twin)
      glyph = undefined
      isBehindTwice = true
    }
  }
  if (hidden.size > 0) {
    for (const { words } of layers.values())
      keepOnly(
        words,
        words.filter((word) => seen.has(word)),
      )
  }
  for (const { words } of layers.values()) {
    if (lost === 0) break
    lost += garbledIn(words)
    lost -= withBullets(words)
  }
  const { heavy, drawn } = weights.settle()
  markBold(heavy, [...layers.values()])
  markDrawn(drawn, [...layers.values()])
  lowered.mark()
  gaps.split([...layers.values()])
  for (const layer of layers.values()) {
    removeCopies(layer.words)
    joinLowQuotes(layer.words)
    joinLetterspaced(layer.words)
    sizeSmallCapitals(layer.words)
    joinFromTheRight(layer.words)
    markEquallyWide(layer.words)
    setOnLine(layer.words)
    setMarksOnLine(layer.words)
    nameRoots(layer.words)
    nameLetterBullets(layer.words)
    if (links.length > 0) for (const each of layer.words) each.link = linkOver(each, layer, links)
  }
  markUnspaced(unspaced, ofLetters, layers.values(), spaces === 0 || written > writtenShareMin * spaces)
  const filled = [...layers.values()].filter(({ words }) => words.length > 0)
  return { layers: mostWordsFirst(filled), lost, spaceGlyphs, accents, hasRoom, hasClusters }
}

const isOfLetters = ({ text }: Word, objects: number): boolean => text.length > 1 && objects >= text.length

/** Of the spaces within the text objects of a page, so many are written where all between words are. */
const writtenShareMin = 0.8

/**
 * Programs leave room around code that stands on a ground of its own: beside a sign, that is no space where those of the
 * page are written (`isWritten`). Between scripts they leave less than a space.
 */
const markUnspaced = (
  unspaced: ReadonlySet<Word>,
  ofLetters: ReadonlySet<Word>,
  layers: Iterable<Layer>,
  isWritten: boolean,
): void => {
  for (const { words } of layers) {
    for (const [index, word] of words.entries()) {
      const last = words[index - 1]
      if (last === undefined || !unspaced.has(word)) continue
      const beside = last.text.length > 1 ? [last] : [words[index - 2], word]
      if (isWritten && !beside.some((each) => each !== undefined && ofLetters.has(each)))
        word.beginsApart = true
      const gap = word.left - last.right
      if (Math.abs(word.baseline - last.baseline) >= sameLine || gap <= 0) continue
      if (gap < tightMax * word.size) word.isTight = true
      const isSign = word.mono
        ? /[([{“‘"'/-]$/u.test(last.text)
        : /^(?:[.,;:!?)\]}”’"'/]|-\p{L})/u.test(word.text)
      if (isWritten && isSign && last.mono !== word.mono && gap < paddingMax * Math.max(last.size, word.size))
        word.isUnspaced = true
    }
  }
}

/** Shares of the size. */
const paddingMax = 0.48
const tightMax = 0.22

/** What is heavier than the rest of its page is bold: as most of the letters that count, it is its text. */
const markBold = (
  heavy: ReadonlyArray<Word>,
  layers: ReadonlyArray<Layer>,
  isCounted: (word: Word) => boolean = () => true,
): void => {
  const counted = heavy.filter(isCounted)
  if (counted.length === 0) return
  const lettersOf = (words: ReadonlyArray<Word>): number =>
    words.reduce((sum, word) => sum + (isCounted(word) ? word.text.length : 0), 0)
  const letters = layers.reduce((sum, { words }) => sum + lettersOf(words), 0)
  if (lettersOf(counted) > heavyShareMax * letters) return
  for (const word of counted) word.bold = true
}

/** A face that is drawn is told from those of the same script, without code, which has a face of its own. */
const markDrawn = (drawn: ReadonlyArray<Word>, layers: ReadonlyArray<Layer>): void => {
  for (const isUnspaced of [false, true])
    markBold(drawn, layers, ({ text, mono }) => !mono && hasSpacing.test(text) === isUnspaced)
}

const heavyShareMax = 0.5

export const mostWordsFirst = (layers: ReadonlyArray<Layer>): ReadonlyArray<Layer> =>
  layers.toSorted((a, b) => b.words.length - a.words.length)

export const tooManyCharacters = (count: number): Refusal =>
  new Refusal(
    "archive_limit_exceeded",
    `A page of the PDF holds ${count} characters; at most ${convertLimits.pdf_page_characters_max} are allowed.`,
  )

/** How many characters of garbled fonts pass as known. */
const garbledIn = (words: ReadonlyArray<Word>): number =>
  words.reduce((sum, { font, text }) => {
    const isShape = text === textOf(unknownShape)
    return sum + (!isShape && isGarbled(font) ? text.length : 0)
  }, 0)

/** In the fonts of some publishers the sign of a root is a letter, and the line behind it is said to be of ligatures. */
const nameRoots = (words: ReadonlyArray<Word>): void => {
  for (const word of words) {
    if (word.text.includes("ffiffi")) word.text = word.text.replace(/[pq]?(?:ffi){2,}/g, "√")
  }
}

/**
 * What is raised or lowered behind a word, such as the mark of a footnote, stands on the line of that word, and the rest of
 * a power in the word itself.
 */
const setOnLine = (words: Array<Word>): void => {
  const joined = new Set<Word>()
  let base: Word | undefined
  let last: Word | undefined
  for (const word of words) {
    if (base !== undefined && last !== undefined && isRestOfPower(word, last, base)) {
      // A bracket or a point behind the power stands in its word.
      base.text += word.text.replace(/^[-+−–\d]+/, (power) =>
        [...power].map((sign) => raised(sign.codePointAt(0) ?? 0)).join(""),
      )
      base.right = Math.max(base.right, word.right)
      joined.add(word)
      last = word
      continue
    }
    const isBehind =
      base !== undefined &&
      last !== undefined &&
      word.size > raisedSizeMin * base.size &&
      (word.size < raisedSizeMax * base.size
        ? isNear(word, last, base, riseMax, behindMax) ||
          isNear(word, last, base, touchingRiseMax, touchingMax)
        : word.size < base.size &&
          isFarUp(base, word.baseline) &&
          isNear(word, last, base, riseMax, touchingMax))
    if (base !== undefined && isBehind) {
      word.drawn = word.baseline
      word.baseline = base.baseline
    } else base = word
    last = word
  }
  if (joined.size > 0)
    keepOnly(
      words,
      words.filter((word) => !joined.has(word)),
    )
}

/** A sign or a number of a power with spaces, as in 2ⁿ ⁻ ¹: it stands as high as what the word ends with. */
const isRestOfPower = (word: Word, last: Word, base: Word): boolean =>
  base.text.length < wordCharactersMax &&
  /[⁰¹²³⁴-⁹⁺⁻ⁿ]/u.test(base.text.slice(-1)) &&
  /^(?:[-+−–]\d*|\d+)[)\]},.;:]*$/.test(word.text) &&
  isFarUp(base, word.baseline) &&
  word.size < base.size &&
  isNear(word, last, base, riseMax, powerGapMax)

const powerGapMax = 0.7

/**
 * Raised marks that no word stands before, as those of pictures or in a column of references, stand on the line right
 * below them.
 */
const setMarksOnLine = (words: ReadonlyArray<Word>): void => {
  const lines = words.filter(({ text }) => !mark.test(text)).sort((a, b) => a.baseline - b.baseline)
  for (const word of words) {
    if (!mark.test(word.text)) continue
    const top = word.baseline - sameLine
    const below = lines[firstWhere(lines.length, (index) => (lines[index]?.baseline ?? 0) >= top)]
    if (below === undefined || word.size >= raisedSizeMax * below.size) continue
    const rise = below.baseline - word.baseline
    if (rise > sameLine && rise < touchingRiseMax * below.size) word.baseline = below.baseline
  }
}

const mark = /^(?:\d{1,3}|[*∗†‡§¶]{1,3})$/u
/** Points. */
const sameLine = 1

/** `rise` and `gap`: shares of the size of that word. */
const isNear = (word: Word, last: Word, base: Word, rise: number, gap: number): boolean =>
  Math.abs(word.baseline - base.baseline) < rise * base.size &&
  Math.abs(word.left - last.right) < gap * base.size

/** Shares of the size of that word; what stands at it without a gap may be raised further. */
const raisedSizeMax = 0.85
/** Behind what is larger, as the large letter that a text begins with, words stand on a line of their own. */
const raisedSizeMin = 0.4
const behindMax = 0.8
const touchingMax = 0.15
const touchingRiseMax = 0.65

/** Fonts may have characters of equal widths without a word about it in their names or descriptions, or other ones. */
const markEquallyWide = (words: ReadonlyArray<Word>): void => {
  for (const word of words) {
    const isText = isOfText(word.font) || (word.font.ideographs === 0 && ideograph.test(word.text))
    word.mono = (word.mono && !isText) || isEquallyWide(word.font)
    if (word.codeFont === undefined ? !word.mono : isOfText(word.codeFont)) {
      word.codeFrom = undefined
      word.codeTo = undefined
    }
  }
}

/** Behind the number of a title, in another font than that. */
const ideograph = new RegExp(`[${ideographs}]`, "u")

/** Scripts in which a gap alone does not part words. */
const hasSpacing = new RegExp(
  `[${ideographs}${spacedBySentence}\\p{Script=Hangul}\\u3000-\\u303f\\uff00-\\uff1f]$`,
  "u",
)

interface Character {
  readonly code: number
  readonly place: Place
}

/** The word with an accent put onto its letter, where one of both has just come and the other stands there. */
const accentedOf = (
  word: Word,
  last: Character | undefined,
  code: number,
  place: Place,
): string | undefined => {
  const before = last === undefined ? undefined : accentOf(last.code)
  const accent = before ?? accentOf(code)
  if (last === undefined || accent === undefined) return undefined
  const isOver = before === undefined ? standsOver(place, last.place) : standsOver(last.place, place)
  const written = String.fromCodePoint(last.code)
  if (!isOver || !word.text.endsWith(written)) return undefined
  const letter = composed(before === undefined ? written : String.fromCodePoint(code), accent)
  return letter === undefined ? undefined : word.text.slice(0, -written.length) + letter
}

/** A shape that was read last, and all that it stands for. */
interface Glyph {
  readonly object: number
  readonly left: number
  /** Of its first character, as it is said. */
  readonly width: number
  /** Where it begins in its word. */
  readonly from: number
  text: string
}

const isOfGlyph = (glyph: Glyph, object: number, { left }: Place): boolean =>
  glyph.object === object && glyph.left === left && glyph.text.length < glyphCharactersMax

/**
 * Adds a character to those of the same glyph, such as a ligature: each of them is said to be as wide as itself, or as all,
 * as it is known to be where `isCluster`.
 */
const addToGlyph = (
  word: Word,
  glyph: Glyph,
  code: number,
  { left, right }: Place,
  isCluster: boolean,
): void => {
  // Of its hyphen, a font may say all the characters that look like one.
  if (hyphen.test(glyph.text) && hyphen.test(textOf(code))) return
  const isWhole = isCluster || isWidthOfAll(word, glyph, code, right - left)
  glyph.text += textOf(code)
  if (isRightToLeft(code)) word.text = word.text.slice(0, glyph.from) + inReadingOrder(glyph.text)
  else {
    word.text += textOf(code)
    word.right = isWhole ? Math.max(word.right, right) : word.right + right - left
  }
}

const hyphen = /^[-\u2010\u2011]$/

/** Letters of different shapes are not as wide as one another, and a single one that is said twice is not so wide. */
const isWidthOfAll = ({ mono, size }: Word, { text, width }: Glyph, code: number, own: number): boolean =>
  !mono &&
  Math.abs(own - width) < sameWidth * size &&
  (own > wideLetter * size || !text.endsWith(textOf(code)))

/** Shares of the size. */
const sameWidth = 0.005
const wideLetter = 0.45

/** The gap behind a letter or digit is as wide as it is, or wider, or nothing stands there. */
const isRoomBehind = ({ code, place: { left, right, baseline } }: Character, next: Place): boolean =>
  (next.left - right > roomMin * (right - left) || Math.abs(next.baseline - baseline) > 1) &&
  /[\p{L}\p{N}]/u.test(textOf(code))

const roomMin = 0.85

/** Notes where characters in a font of equal widths begin or end in the word, before the next one is added. */
const noteCode = (word: Word, { mono, font }: Style): void => {
  if (word.codeTo !== undefined) return
  if (mono && !word.mono && word.codeFrom === undefined) {
    word.codeFrom = word.text.length
    word.codeFont = font
  } else if (!mono && (word.mono || word.codeFrom !== undefined)) word.codeTo = word.text.length
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

const wordOf = (
  text: string,
  place: Place,
  { size, bold, italic, font, mono, content, isUnseen, colour, layer }: Style,
): Word => ({
  text,
  ...place,
  size,
  bold,
  italic,
  font,
  mono,
  content,
  order: layer.words.length,
  link: "",
  hyphenated: false,
  spaced: false,
  ...(isUnseen && { isUnseen }),
  ...(colour === undefined ? {} : { colour }),
})

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

const linkOver = (word: Word, layer: Layer, links: ReadonlyArray<LinkArea>): string => {
  const [x, y] = middleOf(word, layer)
  return linkAt(links, x, y)
}

/** What PDFium writes for a hyphen at the end of a line. */
const lineEndHyphens: ReadonlySet<number> = new Set([0x02, 0xfffe])

const kindOf = (
  code: number,
  isHyphen: () => boolean,
): "text" | "space" | "line end" | "hyphen" | "nothing" | "lost" => {
  if (code === 0x0a || code === 0x0d) return "line end"
  if (lineEndHyphens.has(code)) return isHyphen() ? "hyphen" : "lost"
  if (code === 0x09 || code === 0x20 || code === 0xa0 || code === 0x3000) return "space"
  if (code >= 0x2000 && code <= 0x200b) return "space"
  if (code >= 0xfdd0 && code <= 0xfdef) return "lost"
  if (code === 0xfeff) return "nothing"
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f)
  return isControl || (code >= 0xfff0 && code <= 0xffff) || code > 0x10ffff ? "lost" : "text"
}

/** Shares of the size. */
const drawnMin = 0.1
const hyphenWidth = 0.33

/** Fonts lack it, and say that it has no width, though room is left for it. */
const nonBreakingHyphen = 0x2011

/** A space that stands in another place of the line, as programs may write those of a line in an object of their own. */
const isElsewhere = (word: Word, place: Place): boolean => {
  const { text, right, size } = word
  if (!isInLine(word, place)) return false
  const isWithin = place.left < right - withinMin * size && !isRightToLeft(text.charCodeAt(text.length - 1))
  return isWithin || Math.abs(place.left - right) > size
}

/** A share of the size: further to the left it stands within the word. */
const withinMin = 0.4

const isInLine = (word: Word | undefined, { baseline }: Place): boolean =>
  word !== undefined && Math.abs(baseline - word.baseline) < sameLine

/** No gap stands where such a space was said to. */
const goesOnAt = (word: Word, place: Place): boolean =>
  isInLine(word, place) && Math.abs(place.left - word.right) < sameGap * word.size

/** No gap stands between the end of a word and the cluster that follows it. */
const touches = (
  word: Word,
  place: Place,
  { right }: { readonly right: number },
  code: number,
  areOneWord: boolean,
): boolean => {
  if (Math.abs(place.baseline - word.baseline) > riseMax * word.size) return false
  const [gap, usual] = isRightToLeft(code)
    ? [word.left - right, arabicGapMax]
    : [place.left - word.right, clusterGapMax]
  const most = areOneWord ? gapWithoutSpaceMax : usual
  return gap < most * word.size && gap > -clusterOverlapMax * word.size
}

/** Shares of the size. */
const clusterGapMax = 0.06
/** Between clusters of one word. */
const gapOfClustersMax = 0.15
/** Between clusters without a space, of a text whose spaces are known. */
const gapWithoutSpaceMax = 0.5
const arabicGapMax = 0.12
const clusterOverlapMax = 0.5
const bracketGapMax = 0.18
const uprightMax = 0.01

const continues = (word: Word, place: Place, style: Style, code: number, widest: number): boolean => {
  const size = Math.max(word.size, style.size)
  if (word !== style.layer.words.at(-1) || Math.abs(place.baseline - word.baseline) > riseMax * size)
    return false
  if (word.text.length >= wordCharactersMax || isMarkBefore(word, code, place, style)) return false
  if (style.size < raisedSizeMin * word.size) return false
  if (isRightToLeft(code)) {
    const gap = Math.max(place.left - word.right, word.left - place.right)
    // A space that stands behind a bracket may be written before it.
    const most = /[()[\]]/.test(word.text.slice(-1)) ? Math.min(widest, bracketGapMax) : widest
    return gap <= most * size && !/[A-Za-z]/.test(word.text.slice(-1))
  }
  // Printed later, at a place that was left free: in scripts without signs that stand before their letters.
  if (code < latinEnd && place.right < word.left + sameGap * size) return false
  const gap = place.left - word.right
  return gap <= widest * size && gap >= -size
}

/** The word is a raised mark, such as that of a footnote, and a word follows on the line. */
const isMarkBefore = (
  { text, left, size, baseline }: Word,
  code: number,
  place: Place,
  style: Style,
): boolean =>
  size < raisedSizeMax * style.size &&
  place.baseline - baseline > exponentRiseMin * style.size &&
  place.left > left &&
  /^(?:\d{1,3}|[*∗†‡§¶]{1,3}|[a-z])$/u.test(text) &&
  /[\p{L}"“(]/u.test(textOf(code))

/**
 * A small raised character behind a digit, which would be read as another one: of a footnote's mark or a power; behind a
 * variable, the sign of a unit or a bracket, which a digit would go on, or what is lowered; or the sign of a power, also
 * behind other letters.
 */
const isExponent = (
  word: Word,
  before: Character | undefined,
  { baseline }: Place,
  { size }: Style,
  code: number,
  isBehindLowered: boolean,
): boolean => {
  const rise = exponentRiseMin * word.size
  // What is raised further may be hardly smaller.
  const isSmaller = size < raisedSizeMax * word.size || (isFarUp(word, baseline) && size < word.size)
  if (!isSmaller || word.baseline - baseline <= rise) return false
  const isRaised = word.baseline - (before?.place.baseline ?? word.baseline) > rise
  if (isRaised) return /[⁰¹²³⁴-⁹⁺⁻·ⁿ]$/u.test(word.text)
  if (isBehindLowered) return true
  return (exponentSigns.has(textOf(code)) ? signedBase : base).test(word.text.slice(-baseCharactersMax))
}

const isFarUp = (word: Word, baseline: number): boolean => word.baseline - baseline > farUpMin * word.size

/** Shares of the size. */
const exponentRiseMin = 0.12
const farUpMin = 0.25

/** Of a power: a number, one or two letters that are no syllables or words, a function of mathematics, or a bracket. */
const base =
  /[\d)\]]$|(?:^|[^\p{L}])(?:(?![\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}])\p{L}){1,2}$|(?:^|[^\p{L}])(?:log|sin|cos|tan)$/u
/** Of a power with a sign: a letter, a bracket, or a whole number, as the limits of errors stand behind others. */
const signedBase = /[\p{L})]$|(?:^|[^\d.,])\d{1,3}$/u
const baseCharactersMax = 5

const plus = 0x2b
const letterD = 0x64

const exponentSigns: ReadonlyMap<string, string> = new Map([
  ["+", "⁺"],
  ["-", "⁻"],
  ["−", "⁻"],
  ["–", "⁻"],
])

const raised = (code: number): string => {
  const text = textOf(code)
  const sign = exponentSigns.get(text)
  if (sign !== undefined) return sign
  // Of a power with decimals.
  if (text === ".") return "·"
  if (text === "n") return "ⁿ"
  return /^\d$/.test(text) ? "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(text)) : text
}

/** A space is printed over a ligature, and the next letter stands right behind that: none is seen. */
const isInGlyph = ({ left }: Place, glyph: Glyph, next: Place, size: number): boolean => {
  const right = glyph.left + glyph.width
  return left < right - sameGap * size && Math.abs(next.left - right) < sameGap * size
}

const latinEnd = 0x250
/** A share of the size: what is nearer touches. */
const sameGap = 0.1
