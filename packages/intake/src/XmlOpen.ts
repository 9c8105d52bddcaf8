/**
 * Fields of an open element in an array of integers: what a lane calls its name, or 0; where its name stands
 * in the document, how long that is, and the vocabulary's number of it.
 */
export const openNameAt = 0
export const openStartAt = 1
export const openLengthAt = 2
export const openElementAt = 3
export const openSize = 4

/** The tag that was read last. */
export interface XmlTag {
  start: number
  end: number
  nameStart: number
  nameEnd: number
  element: number
  isEmpty: boolean
  /** Whether attributes have prefixes. */
  hasPrefixes: boolean
  hasDeclarations: boolean
}
