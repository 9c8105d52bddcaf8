/** How far a paragraph stands from the margin, in twentieths of a point; undefined where nothing is said. */
export interface Indentation {
  readonly left: number | undefined
  /** Of the first line, beyond `left`. */
  readonly first: number | undefined
}

export const noIndentation: Indentation = { left: undefined, first: undefined }

/** The values of `nearer`, and those of `base` where it has none. */
export const indentedOver = (base: Indentation, nearer: Indentation): Indentation => ({
  left: nearer.left ?? base.left,
  first: nearer.first ?? base.first,
})

/** Where the first line begins. */
export const beginOf = ({ left = 0, first = 0 }: Indentation): number => left + first

/** Where the leftmost line begins. */
export const leftmostOf = (indentation: Indentation): number =>
  Math.min(indentation.left ?? 0, beginOf(indentation))
