import { type CharacterFormat, forEachInside, isFixedWidth, noFormat, over } from "@atelier/executor/flow"
import type { XmlReader } from "@atelier/intake/bytes"
import { type Indentation, indentedOver, noIndentation } from "../flow/Indentation.ts"
import { type CodeStyle, codeStyleOf, contentsLevelOf, isCodeSpan, isQuotation } from "../flow/styleNames.ts"
import { readTextProperties } from "../flow/textProperties.ts"
import { twentieths } from "./lengths.ts"
import { element } from "./vocabulary.ts"

/** What a style looks like, with all that it inherits. */
export interface OdtStyle {
  readonly format: CharacterFormat
  /** Empty where none is named. */
  readonly font: string
  /** 1 to 6 for the styles of title and headings and what inherits from them, 0 for body text. */
  readonly heading: number
  readonly code: CodeStyle | undefined
  /** The level, from 0, of entries in a list of contents. */
  readonly contentsLevel: number | undefined
  /** Characters in it are code. */
  readonly isCodeSpan: boolean
  readonly isQuotation: boolean
  readonly indentation: Indentation
  /** The list that numbers the paragraphs; empty for none, undefined if nothing is said. */
  readonly listStyle: string | undefined
}

interface Written {
  readonly parent: string
  readonly listStyle: string | undefined
  format: CharacterFormat
  font: string
  indentation: Indentation
}

const plainStyle: OdtStyle = {
  format: noFormat,
  font: "",
  heading: 0,
  code: undefined,
  contentsLevel: undefined,
  isCodeSpan: false,
  isQuotation: false,
  indentation: noIndentation,
  listStyle: undefined,
}

/** Chains of inheritance longer than this are cut off, which also ends cycles. */
const inheritanceMax = 32

/** Styles that the program names have the same names in every language. */
const headingOf = (name: string): number => {
  if (name === "Title") return 1
  return Math.min(headingMax, Number(/^Heading_20_([1-9])$/.exec(name)?.[1] ?? 0))
}

/** Markdown has six levels. */
export const headingMax = 6

/** The styles of a document's paragraphs and texts. */
export class OdtStyles {
  readonly #written = new Map<string, Written>()
  readonly #resolved = new Map<string, OdtStyle>()
  readonly #families = new Map<string, string>()
  #defaultFont = ""

  /** Whether a font of equal widths says something of the text in it: not in a document whose own text has one. */
  get tellsCodeByFont(): boolean {
    const font =
      this.paragraph("Standard").font || (this.#families.get(this.#defaultFont) ?? this.#defaultFont)
    return !isFixedWidth(font)
  }

  paragraph(name: string | undefined): OdtStyle {
    return name === undefined ? plainStyle : this.#get("paragraph", name)
  }

  text(name: string | undefined): OdtStyle {
    return name === undefined ? plainStyle : this.#get("text", name)
  }

  /** Reads the declaration of a font that has just started: styles name it by a name of its own. */
  readFontFace(xml: XmlReader): void {
    const family = (xml.attribute("svg:font-family") ?? "").replace(/^['"]|['"]$/g, "")
    this.#families.set(xml.attribute("style:name") ?? "", family)
  }

  /** Reads the defaults that have just started. */
  readDefault(xml: XmlReader): void {
    const isOfParagraphs = xml.attribute("style:family") === "paragraph"
    forEachInside(xml, () => {
      if (isOfParagraphs && xml.element === element.textProperties)
        this.#defaultFont = xml.attribute("style:font-name") ?? ""
    })
  }

  /** Reads the style that has just started. */
  read(xml: XmlReader): void {
    const family = xml.attribute("style:family")
    const name = xml.attribute("style:name") ?? ""
    if (family !== "paragraph" && family !== "text") {
      xml.skip()
      return
    }
    const style: Written = {
      parent: xml.attribute("style:parent-style-name") ?? "",
      listStyle: xml.attribute("style:list-style-name"),
      format: noFormat,
      font: "",
      indentation: noIndentation,
    }
    this.#written.set(`${family} ${name}`, style)
    forEachInside(xml, () => {
      if (xml.element === element.paragraphProperties) style.indentation = readIndentation(xml)
      if (xml.element !== element.textProperties) return
      style.format = readTextProperties(xml)
      style.font = xml.attribute("style:font-name") ?? ""
    })
  }

  #get(family: "paragraph" | "text", name: string): OdtStyle {
    const key = `${family} ${name}`
    let style = this.#resolved.get(key)
    if (style === undefined) {
      style = this.#resolve(family, name)
      this.#resolved.set(key, style)
    }
    return style
  }

  #resolve(family: string, name: string): OdtStyle {
    const found: { -readonly [field in keyof OdtStyle]: OdtStyle[field] } = { ...plainStyle }
    let at = name
    for (let depth = 0; depth < inheritanceMax && at !== ""; depth++) {
      const shown = at.replaceAll("_20_", " ")
      found.heading ||= headingOf(at)
      found.code ??= codeStyleOf(shown)
      found.contentsLevel ??= contentsLevelOf(shown)
      found.isCodeSpan ||= isCodeSpan(shown)
      found.isQuotation ||= isQuotation(shown)
      const style = this.#written.get(`${family} ${at}`)
      if (style === undefined) break
      found.format = over(style.format, found.format)
      found.font ||= style.font
      found.indentation = indentedOver(style.indentation, found.indentation)
      found.listStyle ??= style.listStyle
      at = style.parent
    }
    return { ...found, font: this.#families.get(found.font) ?? found.font }
  }
}

const readIndentation = (xml: XmlReader): Indentation => ({
  left: twentieths(xml.attribute("fo:margin-left")),
  first: twentieths(xml.attribute("fo:text-indent")),
})
