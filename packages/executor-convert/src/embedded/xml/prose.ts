import { convertLimits } from "../../Limits.ts"
import { readTags, type XmlHandler } from "./XmlTags.ts"

/**
 * Tells of each element, in the order of their starts, whether it is running text: text with elements inside that
 * mark parts of it, and no deeper structure.
 */
export const findProse = (xml: string): ReadonlyArray<boolean> => {
  const finder = new ProseFinder()
  readTags(xml, finder)
  return finder.isProse
}

interface OpenElement {
  readonly index: number
  hasText: boolean
  /** Elements inside one another inside of it. */
  height: number
}

class ProseFinder implements XmlHandler {
  readonly isProse: Array<boolean> = []
  private readonly open: Array<OpenElement> = []

  start(): void {
    this.open.push({ index: this.isProse.length, hasText: false, height: 0 })
    this.isProse.push(false)
  }

  text(text: string): void {
    const element = this.open.at(-1)
    if (element !== undefined && !element.hasText) element.hasText = text.trim() !== ""
  }

  end(): void {
    const element = this.open.pop()
    if (element === undefined) return
    const { index, hasText, height } = element
    this.isProse[index] = hasText && height > 0 && height <= convertLimits.xml_prose_height_max
    const parent = this.open.at(-1)
    if (parent !== undefined) parent.height = Math.max(parent.height, height + 1)
  }
}
