import { forEachInside, isFixedWidth } from "@atelier/executor/flow"
import type { XmlReader } from "@atelier/intake/bytes"
import { type Indentation, indentedOver, leftmostOf, noIndentation } from "../flow/Indentation.ts"
import type { ListPlace, Numbering } from "./Numbering.ts"
import { readIndentation, wholeNumber } from "./properties.ts"
import { bodyLevel, headingLevel, numberingLevelMax, type Style, type Styles } from "./Styles.ts"
import { element } from "./vocabulary.ts"

/** The properties of a paragraph, from its style and its own. */
export interface ParagraphProperties {
  readonly style: Style
  /** 1 to 6, 0 for body text. */
  readonly heading: number
  readonly list: ListPlace | undefined
  /** Where the leftmost of its lines begins, in twentieths of a point. */
  readonly left: number
  /** The paragraph after it goes on in its line: it is that one's large first letters, or its end was deleted. */
  readonly isBeginning: boolean
  readonly isEndDeleted: boolean
  /** Of the font of its end, which an empty line has too. */
  readonly isFixedWidth: boolean
}

/** The list of paragraphs that belong to none although their style does. */
const noList = "0"

/** Reads the paragraph properties that have started. */
export const readParagraphProperties = (
  xml: XmlReader,
  styles: Styles,
  numbering: Numbering,
): ParagraphProperties => {
  let style = styles.byDefault
  let outlineLevel: number | undefined
  let id: string | undefined
  let level: number | undefined
  let indentation = noIndentation
  let isDropCap = false
  let isEndDeleted = false
  let font = ""
  forEachInside(xml, () => {
    switch (xml.element) {
      case element.paragraphStyle:
        style = styles.get(xml.attribute("w:val") ?? "")
        break
      case element.outlineLevel:
        outlineLevel = wholeNumber(xml, bodyLevel)
        break
      case element.numberingId:
        id = xml.attribute("w:val")
        break
      case element.level:
        level = wholeNumber(xml, numberingLevelMax)
        break
      case element.indentation:
        indentation = readIndentation(xml)
        break
      case element.frame:
        isDropCap = ["drop", "margin"].includes(xml.attribute("w:dropCap") ?? "")
        break
      case element.fonts:
        font = xml.attribute("w:ascii") ?? ""
        break
      case element.deleted:
      case element.movedAway:
        isEndDeleted = true
        break
      case element.paragraphPropertiesChange:
      case element.runPropertiesChange:
        xml.skip()
    }
  })
  return {
    style,
    heading: outlineLevel === undefined ? style.heading : headingLevel(outlineLevel),
    list: listOf(style, numbering, id, level, indentation),
    left: leftmostOf(indentedOver(style.indentation, indentation)),
    isBeginning: isDropCap || isEndDeleted,
    isEndDeleted,
    isFixedWidth: font === "" ? (style.isFixedWidth ?? false) : isFixedWidth(font),
  }
}

/** The properties of a paragraph of this style without its own. */
export const propertiesOf = (style: Style, numbering: Numbering): ParagraphProperties => ({
  style,
  heading: style.heading,
  list: listOf(style, numbering, undefined, undefined, noIndentation),
  left: leftmostOf(style.indentation),
  isBeginning: false,
  isEndDeleted: false,
  isFixedWidth: style.isFixedWidth ?? false,
})

const listOf = (
  style: Style,
  numbering: Numbering,
  ownId: string | undefined,
  ownLevel: number | undefined,
  indentation: Indentation,
): ParagraphProperties["list"] => {
  const id = ownId ?? style.numberingId
  if (id === undefined || id === noList) return undefined
  const level = ownLevel ?? numbering.levelOfStyle(id, style.id) ?? style.level ?? 0
  return { id, level, indentation }
}
