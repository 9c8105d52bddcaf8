import type { XmlReader } from "@atelier/intake/bytes"

/** How far a paragraph stands from the margin, in twentieths of a point; undefined where nothing is said. */
export interface Indentation {
  readonly left: number | undefined
  /** Of the first line, beyond `left`. */
  readonly first: number | undefined
}

export const noIndentation: Indentation = { left: undefined, first: undefined }

/** Reads the indentation that has started. */
export const readIndentation = (xml: XmlReader): Indentation => {
  const measure = (name: string): number | undefined => {
    const value = Number.parseInt(xml.attribute(name) ?? "", 10)
    return Number.isNaN(value) ? undefined : value
  }
  const hanging = measure("w:hanging")
  return {
    left: measure("w:left") ?? measure("w:start"),
    first: hanging === undefined ? measure("w:firstLine") : -hanging,
  }
}

/** The values of `nearer`, and those of `base` where it has none. */
export const indentedOver = (base: Indentation, nearer: Indentation): Indentation => ({
  left: nearer.left ?? base.left,
  first: nearer.first ?? base.first,
})

/** Where the first line begins. */
export const beginOf = ({ left = 0, first = 0 }: Indentation): number => left + first
