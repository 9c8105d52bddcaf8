import type { Box } from "./Box.ts"
import { besideOf, type Clusters, isIndic, mayBeInCluster, noClusters, ObjectsOfWords } from "./clusters.ts"
import { type CharactersOfPage, glyphCharactersMax } from "./glyphs.ts"
import { textOf } from "./ligatures.ts"
import { boundsOf } from "./objectBounds.ts"
import { type Place, readPlace, type Style } from "./readCharacter.ts"
import type { Word } from "./Word.ts"

/** The sine of the direction of writing: nothing is known of what is drawn of text that is turned further. */
const uprightMax = 0.01
/** A share of the size: how wide a gap is between clusters of one word. */
const gapOfClustersMax = 0.15

/** Finds the clusters of a page while its words are read. */
export class WordClusters {
  readonly #page: CharactersOfPage
  readonly #known: Clusters
  readonly #objects = new ObjectsOfWords<Word>()
  #last: { readonly object: number; readonly extent: Box | undefined } | undefined
  #mayHave = false

  constructor(page: CharactersOfPage, known: Clusters) {
    this.#page = page
    this.#known = known
  }

  /** Some of the characters that were seen may be drawn in clusters. */
  get mayHave(): boolean {
    return this.#mayHave
  }

  /** Whether two objects are of one word, as `besideOf`. */
  beside(one: number, other: number): ReturnType<typeof besideOf> {
    return besideOf(this.#known, one, other)
  }

  /** PDFium repeats another object with it, or it is a sign, which now stands behind its letter. */
  isOfOther(object: number, code: number): boolean {
    if (this.#known.repeated.has(object)) return true
    const letter = this.#known.signsOf.get(object)
    return letter !== undefined && this.#objects.addTo(letter, textOf(code))
  }

  /** Sees an object that goes on with a word, or begins it, `at` a place in its text. */
  begin(object: number, word: Word, at: number): void {
    if (this.#known.signsOf.size > 0) this.#objects.begin(object, word, at)
  }

  /** A part of the cluster that the object begins is hidden. */
  isHidden(object: number): boolean {
    return this.#known.hidden.has(object)
  }

  /** How wide the gap before a character may be within a word, `widest` for one that is in no cluster. */
  gapMost(code: number, widest: number): number {
    return this.#known !== noClusters && isIndic(code) ? Math.min(widest, gapOfClustersMax) : widest
  }

  /** What is drawn of a cluster, or of such a character that is an object of its own; undefined for any other. */
  extentAt(index: number, code: number, place: Place, style: Style): Box | undefined {
    if (!mayBeInCluster(code)) return undefined
    this.#mayHave = true
    if (this.#known === noClusters) return undefined
    const { object } = style
    if (this.#last?.object !== object) this.#last = { object, extent: this.#drawnAt(index, place, style) }
    return this.#last.extent
  }

  #drawnAt(index: number, place: Place, style: Style): Box | undefined {
    const { pdfium, textPage, count, scratch } = this.#page
    if (Math.abs(style.layer.sin) > uprightMax) return undefined
    for (const step of [-1, 1]) {
      for (
        let at = index + step;
        at >= 0 && at < count && Math.abs(at - index) < glyphCharactersMax;
        at += step
      ) {
        if (pdfium.FPDFText_GetTextObject(textPage, at) !== style.object) break
        if (readPlace(pdfium, textPage, at, scratch, style).left !== place.left) return undefined
      }
    }
    return this.#known.extents.get(style.object) ?? boundsOf(pdfium, style.object, scratch)
  }
}
