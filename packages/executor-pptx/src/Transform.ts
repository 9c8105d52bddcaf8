import type { XmlReader } from "@atelier/intake/bytes"
import type { Place } from "./Arrangement.ts"
import { vocabulary } from "./vocabulary.ts"

const transform = vocabulary.number("a:xfrm")
const frame = vocabulary.number("p:xfrm")
const offset = vocabulary.number("a:off")
const extent = vocabulary.number("a:ext")
const innerOffset = vocabulary.number("a:chOff")
const innerExtent = vocabulary.number("a:chExt")

/** 60,000ths of a degree. */
const quarterTurn = 5_400_000

/** Reads where objects stand: `a:xfrm`, and `p:xfrm` of graphics. */
export class Transform {
  #isOpen = false
  #isOnItsSide = false
  #left = 0
  #top = 0

  /** What a group shows at its place, at the element that completes it. */
  inside(xml: XmlReader): Place | undefined {
    if (xml.element === innerOffset) this.#start(xml)
    if (xml.element !== innerExtent) return undefined
    return { left: this.#left, top: this.#top, width: lengthAt(xml, "cx"), height: lengthAt(xml, "cy") }
  }

  /** The place, at the element that completes it; `xml` stands at the start of an element. */
  start(xml: XmlReader): Place | undefined {
    switch (xml.element) {
      case transform:
      case frame:
        this.#isOpen = true
        this.#isOnItsSide = Math.round(lengthAt(xml, "rot") / quarterTurn) % 2 !== 0
        return undefined
      case offset:
        this.#start(xml)
        return undefined
      case extent:
        return this.#isOpen ? this.#place(lengthAt(xml, "cx"), lengthAt(xml, "cy")) : undefined
      default:
        return undefined
    }
  }

  #start(xml: XmlReader): void {
    this.#left = lengthAt(xml, "x")
    this.#top = lengthAt(xml, "y")
  }

  #place(width: number, height: number): Place {
    this.#isOpen = false
    const [left, top] = [this.#left, this.#top]
    if (!this.#isOnItsSide) return { left, top, width, height }
    const shift = (width - height) / 2
    return { left: left + shift, top: top - shift, width: height, height: width }
  }
}

/** A length in EMU, or an angle. */
const lengthAt = (xml: XmlReader, name: string): number => {
  const value = xml.attribute(name)
  return value !== undefined && /^-?\d{1,12}$/.test(value) ? Number(value) : 0
}
