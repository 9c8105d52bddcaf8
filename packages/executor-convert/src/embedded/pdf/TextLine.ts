import type { Segment } from "./Lines.ts"
import type { ListMark } from "./ListMark.ts"
import type { Word } from "./Word.ts"

export interface Line {
  readonly words: ReadonlyArray<Word>
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly size: number
  readonly bold: boolean
  readonly italic: boolean
  readonly underlined: boolean
  readonly family: string
  readonly segments: ReadonlyArray<Segment>
  readonly mark?: ListMark | undefined
  /** Where its text begins, after the mark. */
  readonly textLeft: number
}

/** A share of the size: the height between lines of a paragraph. */
export const leadingMax = 1.7
