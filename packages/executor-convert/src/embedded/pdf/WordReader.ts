import { accentedOf, type Character } from "./accentedWords.ts"
import { accentOf, type MovedAccents } from "./accents.ts"
import type { Box } from "./Box.ts"
import { markBold, markDrawn } from "./boldWords.ts"
import { CharacterCodes, type Kind } from "./CharacterCodes.ts"
import { type Clusters, isIndic, isOverLetter, mayBeInCluster } from "./clusters.ts"
import { noteCode } from "./equalWidths.ts"
import type { Font } from "./Fonts.ts"
import { finishWords, lostIn } from "./finishWords.ts"
import {
  addToGlyph,
  type CharactersOfPage,
  type Glyph,
  isOfGlyph,
  isSpaceInGlyph,
  rightOfGlyph,
} from "./glyphs.ts"
import { addGap } from "./letterspacing.ts"
import { textOf } from "./ligatures.ts"
import { LoweredCharacters } from "./lowered.ts"
import { MixedWeights } from "./mixedWeights.ts"
import { NarrowGaps } from "./NarrowGaps.ts"
import { writtenBehind } from "./raisedCharacters.ts"
import { type Place, readPlace, readStyle, type Style, type ToldByName } from "./readCharacter.ts"
import { isRightToLeft } from "./rightToLeft.ts"
import { hangingOf, unknownShape } from "./shapes.ts"
import { isUndrawnHyphen, shownAt, widen } from "./shownCharacters.ts"
import { addSmaller } from "./smallCapitals.ts"
import { addJoint } from "./touchingNumbers.ts"
import { UnspacedWords } from "./UnspacedWords.ts"
import { keepOnly, type Layer, type Word } from "./Word.ts"
import { WordClusters } from "./WordClusters.ts"
import {
  continues,
  endsWithoutSpaces,
  gapAtLineEndMax,
  gapMax,
  gapOverNothingMax,
  goesOnAt,
  isElsewhere,
  isInLine,
  touches,
  wordCharactersMax,
} from "./wordGaps.ts"

/** What is known of a page that has been read once. */
export interface Known {
  /** Names of fonts that give the numbers of glyphs. */
  readonly ofGlyphs: ReadonlySet<string>
  readonly moved: MovedAccents
  /** Objects whose letter stands there twice, with how far to the right the second one is. */
  readonly leftOut: ReadonlyMap<number, number>
  readonly clusters: Clusters
  /** What is too small to be read is text: most of the page is as small. */
  readonly keepsTiny: boolean
}

/** A page whose words are read. */
interface OpenPage extends CharactersOfPage {
  readonly isTagged: boolean
  /** Letters without a font are drawn where one is to be heavier than it is. */
  readonly areShapesHeavy: boolean
  /** Text objects that are not seen. */
  readonly hidden: ReadonlySet<number>
  /** Text objects of drawings, by the number of the drawing. */
  readonly drawn: ReadonlyMap<number, number>
}

/** The words of a page, and what may call for reading it again. */
interface ReadWords {
  readonly layers: ReadonlyArray<Layer>
  /** Characters of which only the shape is known. */
  readonly lost: number
  /** Characters that are too small to be read. */
  readonly tiny: number
  /** How often the number of the glyph of a space stands there. */
  readonly spaceGlyphs: number
  /** How many accents stand for themselves. */
  readonly accents: number
  /** Behind a letter that is an object of its own there is room for it to stand there twice. */
  readonly hasRoom: boolean
  /** Some of its characters may be drawn in clusters. */
  readonly hasClusters: boolean
}

/** Reads the words of a page once, character by character. */
export class WordReader {
  readonly #page: OpenPage
  readonly #leftOut: Known["leftOut"]
  readonly #keepsTiny: boolean
  /** The layers by their directions, the fonts by their names, and what these say. */
  readonly #layers = new Map<number, Layer>()
  readonly #fonts = new Map<string, Font>()
  readonly #names = new Map<string, ToldByName>()
  readonly #codes: CharacterCodes
  readonly #clusters: WordClusters
  readonly #gaps = new NarrowGaps<Word>()
  readonly #lowered = new LoweredCharacters()
  readonly #weights = new MixedWeights()
  readonly #unspaced = new UnspacedWords()
  readonly #seen = new Set<Word>()
  /** Of the last text object, and how many of its characters were read. */
  #style: Style | undefined
  #ofObject = 0
  #last: Character | undefined
  #glyph: Glyph | undefined
  /** The word that the next character may go on with, behind a gap of at most this share of the size. */
  #word: Word | undefined
  #widest = gapMax
  /** A word before a space that the page does not say, and one before a space that stands elsewhere in the line. */
  #parted: Word | undefined
  #strayed: Word | undefined
  /** The last letter stands there twice. */
  #isBehindTwice = false
  #lost = 0
  #tiny = 0
  #accents = 0
  #hasRoom = false

  constructor(page: OpenPage, known: Known) {
    this.#page = page
    this.#leftOut = known.leftOut
    this.#keepsTiny = known.keepsTiny
    this.#codes = new CharacterCodes(page, known.moved, known.ofGlyphs)
    this.#clusters = new WordClusters(page, known.clusters)
  }

  /** Reads all of the page. To be called once: what was read is kept. */
  read(): ReadWords {
    for (let index = 0; index < this.#page.count; index++) this.#readCharacter(index)
    const layers = [...this.#layers.values()]
    if (this.#page.hidden.size > 0) this.#leaveOutHidden(layers)
    const lost = lostIn(layers, this.#lost)
    const { heavy, drawn } = this.#weights.settle()
    markBold(heavy, layers)
    markDrawn(drawn, layers)
    this.#lowered.mark()
    this.#gaps.split(layers)
    for (const { words } of layers) finishWords(words)
    this.#unspaced.mark(layers)
    return {
      layers: layers.filter(({ words }) => words.length > 0),
      lost,
      tiny: this.#tiny,
      spaceGlyphs: this.#codes.spaceGlyphs,
      accents: this.#accents,
      hasRoom: this.#hasRoom,
      hasClusters: this.#clusters.mayHave,
    }
  }

  #leaveOutHidden(layers: ReadonlyArray<Layer>): void {
    for (const { words } of layers)
      keepOnly(
        words,
        words.filter((word) => this.#seen.has(word)),
      )
  }

  #readCharacter(index: number): void {
    if (this.#codes.isMoved(index) || (this.#isBehindTwice && this.#codes.isAdded(index))) {
      this.#widest = gapAtLineEndMax
      return
    }
    const unicode = this.#codes.at(index)
    const kind = this.#codes.kindOf(unicode, index)
    if (kind === "text" || kind === "lost") this.#readShown(index, unicode, kind === "lost")
    else this.#readGap(index, kind)
  }

  #readGap(index: number, kind: Exclude<Kind, "text" | "lost">): void {
    if (kind === "line end") this.#widest = gapAtLineEndMax
    else if (kind === "nothing") this.#widest = gapOverNothingMax
    else if (kind === "hyphen") {
      if (this.#word !== undefined) this.#word.hyphenated = true
      this.#word = undefined
    } else if (!this.#isInGlyph(index)) {
      if (this.#style !== undefined) this.#addSpace(index, this.#style)
      this.#word = undefined
    }
  }

  #isInGlyph(index: number): boolean {
    const word = this.#word
    const style = this.#style
    const glyph = this.#glyph
    if (word === undefined || style === undefined || glyph === undefined) return false
    return isSpaceInGlyph(this.#page, index, glyph, word.size, style)
  }

  #addSpace(index: number, style: Style): void {
    const { pdfium, textPage, scratch } = this.#page
    const before = style.layer.words.at(-1)
    // PDFium adds spaces of its own where there is a gap.
    const isWritten = !this.#codes.isAdded(index)
    const object = isWritten ? pdfium.FPDFText_GetTextObject(textPage, index) : 0
    const isStrayed =
      before !== undefined &&
      object !== 0 &&
      object !== style.object &&
      isElsewhere(before, readPlace(pdfium, textPage, index, scratch, style))
    if (before !== undefined && endsWithoutSpaces(before.text)) before.spaced = isWritten && !isStrayed
    if (isStrayed) this.#strayed = this.#word
    this.#gaps.addSpace(isWritten)
    this.#unspaced.addSpace(isWritten, isStrayed)
    if (!isWritten) this.#parted = this.#word ?? this.#parted
    else if (!isStrayed) this.#parted = undefined
  }

  #readShown(index: number, unicode: number, isLost: boolean): void {
    const { pdfium, textPage, scratch, hidden } = this.#page
    const object = pdfium.FPDFText_GetTextObject(textPage, index)
    if (this.#clusters.isOfOther(object, unicode)) {
      this.#word ??= this.#parted
      return
    }
    const { joiner, isOneWord } = this.#clusters.beside(this.#style?.object ?? 0, object)
    const isNew = this.#style?.object !== object
    const style = this.#styleOf(index, object)
    if (style.isTiny) {
      this.#tiny++
      if (!this.#keepsTiny) {
        this.#widest = gapOverNothingMax
        return
      }
    }
    const place = readPlace(pdfium, textPage, index, scratch, style)
    const extent = this.#clusters.extentAt(index, unicode, place, style)
    if (extent !== undefined) place.right = extent.right
    if (isOneWord === false && mayBeInCluster(unicode)) this.#endWord(style)
    const isSure = this.#findOpen(unicode, place, style, extent, isOneWord)
    const isDrawnWider = widen(this.#page, index, unicode, place, style, isNew)
    this.#countInObject(place, isNew)
    this.#isBehindTwice = false
    if (isUndrawnHyphen(unicode, place, style)) {
      this.#widest = gapOverNothingMax
      return
    }
    const code = shownAt(this.#page, index, unicode, isLost, place, style, this.#word)
    if (code === undefined) {
      this.#word = undefined
      return
    }
    if (code === unknownShape) {
      this.#addUnknown(unicode, place, style)
      return
    }
    style.font.known++
    place.baseline += hangingOf(style.shapes, unicode) * style.size
    // A ligature is said to be as wide as one of its letters.
    const isAfterLigature = (this.#glyph?.text.length ?? 0) > 1
    if (this.#addToLast(code, place, style, extent !== undefined)) return
    const before = this.#last?.place
    this.#last = { code, place: { ...place } }
    if (isRightToLeft(code) && extent === undefined)
      place.right = Math.max(place.right, rightOfGlyph(this.#page, index, place, style))
    if (accentOf(code) !== undefined) this.#accents++
    let word = this.#word
    if (word !== undefined && isRestOfPair(word, code)) {
      word.text += String.fromCharCode(code)
      word.right = Math.max(word.right, place.right)
    } else if (
      word !== undefined &&
      (isSure || continues(word, place, style, code, this.#clusters.gapMost(unicode, this.#widest)))
    ) {
      if (this.#widest === gapMax && !isAfterLigature)
        this.#gaps.add(word, place, style, code, isNew && word.font === style.font)
      this.#goOn(word, before, place, style, code, isNew, joiner)
    } else word = this.#begin(before, place, style, code)
    if (isDrawnWider) word.isDrawnWider = true
    if (!hidden.has(object) && !this.#clusters.isHidden(object)) this.#seen.add(word)
    this.#widest = gapMax
    this.#unspaced.addCharacter(style, isNew)
    const twin = this.#leftOut.get(object)
    if (twin !== undefined) this.#addTwin(word, code, place.right + twin)
  }

  #styleOf(index: number, object: number): Style {
    if (this.#style?.object === object) return this.#style
    const { pdfium, textPage, scratch, isTagged, areShapesHeavy } = this.#page
    this.#style = readStyle(pdfium, textPage, index, object, scratch, {
      layers: this.#layers,
      fonts: this.#fonts,
      names: this.#names,
      isTagged,
      areShapesHeavy,
    })
    return this.#style
  }

  /** A cluster begins a word: the last one ends as before a space. */
  #endWord(style: Style): void {
    const before = style.layer.words.at(-1)
    if (before !== undefined && endsWithoutSpaces(before.text)) before.spaced = true
    this.#word = undefined
  }

  /** Takes the word up again that a character goes on with behind a space; true where it surely does. */
  #findOpen(
    unicode: number,
    place: Place,
    style: Style,
    extent: Box | undefined,
    isOneWord: boolean | undefined,
  ): boolean {
    // PDFium adds spaces between clusters, and before a letter that stands back below the sign of the one before.
    const open = this.#word ?? this.#parted
    const goesOn =
      isOneWord !== false &&
      open !== undefined &&
      (extent !== undefined || isOneWord === true || isIndic(unicode)) &&
      touches(open, place, extent ?? place, unicode, isOneWord === true)
    if (goesOn) this.#word = open
    const last = style.layer.words.at(-1)
    // PDFium adds a space before a sign that stands back over its letter.
    const isOver = this.#word === undefined && this.#unspaced.isSpaceAdded && isOverLetter(unicode)
    if (isOver && isInLine(last, place)) this.#word = last
    const word = this.#word
    const isSure =
      word !== undefined &&
      word === last &&
      word.text.length < wordCharactersMax &&
      (isOver || (goesOn && isOneWord === true && extent !== undefined))
    if (word === undefined && this.#strayed !== undefined && goesOnAt(this.#strayed, place))
      this.#word = this.#strayed
    this.#parted = undefined
    this.#strayed = undefined
    return isSure
  }

  /** Counts a character of its text object, and looks at the room behind the last one if that was alone in its own. */
  #countInObject(place: Place, isNew: boolean): void {
    if (isNew && this.#ofObject === 1 && this.#last !== undefined && !this.#hasRoom)
      this.#hasRoom = isRoomBehind(this.#last, place)
    this.#ofObject = isNew ? 1 : this.#ofObject + 1
  }

  #addUnknown(unicode: number, place: Place, style: Style): void {
    style.font.lost++
    style.font.shapes.add(unicode)
    const shape = wordOf(textOf(unknownShape), place, style)
    style.layer.words.push(shape)
    if (!this.#page.hidden.has(style.object)) this.#seen.add(shape)
    this.#word = undefined
    this.#glyph = undefined
    this.#last = undefined
    this.#widest = gapMax
    this.#lost++
  }

  /** Adds a character to the glyph or the letter of the last one; false where it is neither one's. */
  #addToLast(code: number, place: Place, style: Style, isCluster: boolean): boolean {
    const word = this.#word
    if (word !== undefined && this.#glyph !== undefined && isOfGlyph(this.#glyph, style.object, place)) {
      addToGlyph(word, this.#glyph, code, place, isCluster)
      return true
    }
    this.#glyph = {
      object: style.object,
      left: place.left,
      width: place.right - place.left,
      from: word?.text.length ?? 0,
      text: textOf(code),
    }
    const accented = word === undefined ? undefined : accentedOf(word, this.#last, code, place)
    if (word === undefined || accented === undefined) return false
    if (accentOf(code) === undefined) this.#accents--
    word.text = accented
    word.right = Math.max(word.right, place.right)
    this.#last = { code, place }
    return true
  }

  /** Adds a character to its word; `before` is the place of the last one. */
  #goOn(
    word: Word,
    before: Place | undefined,
    place: Place,
    style: Style,
    code: number,
    isNew: boolean,
    joiner: string | undefined,
  ): void {
    const written = writtenBehind(word, before, place, style, code, this.#lowered.endsWord(word))
    addGap(word, place)
    if (isNew) addSmaller(word, style.size, place.baseline)
    this.#lowered.add(word, place, style, written)
    noteCode(word, style)
    this.#weights.add(word, style, code)
    if (isNew) {
      this.#clusters.begin(style.object, word, word.text.length)
      addJoint(word, place.left, written)
      this.#unspaced.addObject()
    }
    word.text += (joiner ?? "") + written
    word.left = Math.min(word.left, place.left)
    word.right = Math.max(word.right, place.right)
  }

  /** Begins a word with a character; `before` is the place of the last one. */
  #begin(before: Place | undefined, place: Place, style: Style, code: number): Word {
    const word = wordOf(textOf(code), place, style)
    const drawing = this.#page.drawn.get(style.object)
    if (drawing !== undefined) word.drawing = drawing
    this.#word = word
    if (this.#glyph !== undefined) this.#glyph.from = 0
    this.#unspaced.begin(word)
    this.#lowered.begin(word, before)
    style.layer.words.push(word)
    this.#clusters.begin(style.object, word, 0)
    this.#weights.begin(word, style, code)
    return word
  }

  /** Adds the second of two equal letters, which PDFium leaves out; the spaces that it adds there are passed over. */
  #addTwin(word: Word, code: number, right: number): void {
    word.text += textOf(code)
    word.right = Math.max(word.right, right)
    this.#glyph = undefined
    this.#isBehindTwice = true
  }
}

/** The gap behind a letter or digit is as wide as it is, or wider, or nothing stands there. */
const isRoomBehind = ({ code, place: { left, right, baseline } }: Character, next: Place): boolean =>
  (next.left - right > roomMin * (right - left) || Math.abs(next.baseline - baseline) > 1) &&
  /[\p{L}\p{N}]/u.test(textOf(code))

const roomMin = 0.85

/** The second half of a character that UTF-16 writes as two, of which the word ends with the first one. */
const isRestOfPair = ({ text }: Word, code: number): boolean =>
  isLowSurrogate(code) && isHighSurrogate(text.charCodeAt(text.length - 1))

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
