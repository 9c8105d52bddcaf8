import type { Font } from "./Fonts.ts"
import type { Gap } from "./NarrowGaps.ts"

/** Characters without a gap. Lengths are points of the page, turned so that the word stands upright. */
export interface Word {
  text: string
  /** That with signs around what is lowered, where some is. */
  marked?: string
  left: number
  right: number
  /** Height of the baseline, growing downwards. */
  baseline: number
  /** Where it is drawn, if it is raised or lowered and stands on the line of another word. */
  drawn?: number
  /** Size of the font as it is shown. */
  size: number
  bold: boolean
  readonly italic: boolean
  readonly font: Font
  /** All characters of its font are equally wide, as in code. */
  mono: boolean
  /** Where code begins in its text, and where it ends, if a part of it alone is in such a font. */
  codeFrom?: number | undefined
  codeTo?: number | undefined
  /** That font, if the word begins in another one. */
  codeFont?: Font
  /** Red, green and blue, a byte each; absent where it is not known. */
  readonly colour?: number
  /** Its place in the order of the document, among the words of its layer. */
  order: number
  /** The number of the marked content that it belongs to, -1 for none, or `artifact`. */
  content: number
  /** Address of the link that lies over it, empty for none. */
  link: string
  /** A hyphen, which is not part of `text`, was set because the line ends. */
  hyphenated: boolean
  /** `left` and `right` are those of the mirror image of its page, which is written from right to left. */
  readonly isMirrored?: boolean
  /** The largest size of what goes on with it in a smaller type, on its line. */
  smaller?: number
  /** Some of its letters are drawn as others, which are wider, such as small capitals. */
  isDrawnWider?: boolean
  /** The gaps between its letters where they stand apart, in points. */
  letterGaps?: Array<number> | undefined
  /** Where numbers may touch in it. */
  joints?: Array<Gap>
  /** It is written and not shown, as what a program recognised in the picture of a page. */
  readonly isUnseen?: boolean
  /** A line is drawn through it. */
  readonly isStruck?: boolean
  /** A line is drawn below it. */
  readonly isUnderlined?: boolean
  /** No space is written before it, where the room around code alone parts it from the word before. */
  isUnspaced?: boolean
  /** No space is written before it, on a page that writes them between words. */
  beginsApart?: boolean
  /** No space is written before it, and it stands nearer to the word before than behind one. */
  isTight?: boolean
  /** The first of a line of code that goes on with the one above, which was broken there. */
  readonly brokenLine?: "at a space" | "within a word"
  /** The number of the drawing of its page that it is written in. */
  drawing?: number
  /** It ends in a script in which gaps alone part no words, and a space is written behind it. */
  spaced: boolean
}

/** Words that are written in the same direction. */
export interface Layer {
  /** In the order of the document. */
  readonly words: Array<Word>
  /** Of the direction of writing. */
  readonly cos: number
  readonly sin: number
}

/** Leaves these words alone in the list, in their order. */
export const keepOnly = <W extends { order: number }>(words: Array<W>, kept: ReadonlyArray<W>): void => {
  words.length = 0
  for (const [order, word] of kept.entries()) {
    word.order = order
    words.push(word)
  }
}

/** All of the words are in a font of equal widths. */
export const areMono = (words: ReadonlyArray<Word>): boolean => words.every(({ mono }) => mono)
