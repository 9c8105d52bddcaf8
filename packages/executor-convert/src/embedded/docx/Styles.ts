import {
  bold,
  type CharacterFormat,
  forEachInside,
  hidden,
  isFixedWidth,
  italic,
  lowered,
  noFormat,
  over,
  raised,
  strike,
} from "@atelier/executor/flow"
import { readXml, type XmlReader, xmlEnd, xmlStart } from "@atelier/intake/bytes"
import { type Indentation, indentedOver, noIndentation } from "../flow/Indentation.ts"
import { type CodeStyle, codeStyleOf, contentsLevelOf, isCodeSpan, isQuotation } from "../flow/styleNames.ts"
import type { Part } from "./Part.ts"
import { isOn, readIndentation, wholeNumber } from "./properties.ts"
import { element, vocabulary } from "./vocabulary.ts"

/** Level of an outline that means body text. */
export const bodyLevel = 9
const headingMax = 6
export const numberingLevelMax = 8

/** The look of paragraphs or runs of one style, with everything that the style inherits. */
export interface Style {
  readonly id: string
  /** 1 to 6 for headings, 0 for body text. */
  readonly heading: number
  readonly code: CodeStyle | undefined
  /** The level, from 0, of entries in a list of contents. */
  readonly contentsLevel: number | undefined
  /** Characters in it are code. */
  readonly isCodeSpan: boolean
  readonly isQuotation: boolean
  readonly numberingId: string | undefined
  readonly level: number | undefined
  readonly indentation: Indentation
  readonly format: CharacterFormat
  /** Of the font of Latin letters; undefined where none is named. */
  readonly isFixedWidth: boolean | undefined
}

const plainStyle: Style = {
  id: "",
  heading: 0,
  code: undefined,
  contentsLevel: undefined,
  isCodeSpan: false,
  isQuotation: false,
  numberingId: undefined,
  level: undefined,
  indentation: noIndentation,
  format: noFormat,
  isFixedWidth: undefined,
}

/** One style as it is written. */
interface Written {
  name: string
  basedOn: string
  outlineLevel: number | undefined
  numberingId: string | undefined
  level: number | undefined
  indentation: Indentation
  format: CharacterFormat
  font: string
}

/** Chains of inheritance longer than this are cut off, which also ends cycles. */
const inheritanceMax = 32

/** The styles of a document, by id. */
export class Styles {
  readonly #written = new Map<string, Written>()
  readonly #resolved = new Map<string, Style>()
  #defaultId = ""
  #defaultFont = ""

  constructor(part: Part | undefined) {
    if (part === undefined) return
    const xml = readXml(part.bytes, { vocabulary, source: part.name, textIn: [] })
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token !== xmlStart) continue
      if (xml.element === element.style) this.#read(xml)
      // Outside of styles only the document's defaults have some.
      else if (xml.element === element.runProperties) this.#defaultFont = readFormat(xml).font
    }
  }

  /** The style of paragraphs that name none. */
  get byDefault(): Style {
    return this.#defaultId === "" ? plainStyle : this.get(this.#defaultId)
  }

  /**
   * Whether a font of equal widths says something of the text in it: not in a document whose own text has one.
   */
  get tellsCodeByFont(): boolean {
    return !(this.byDefault.isFixedWidth ?? isFixedWidth(this.#defaultFont))
  }

  get(id: string): Style {
    let style = this.#resolved.get(id)
    if (style === undefined) {
      style = this.#resolve(id)
      this.#resolved.set(id, style)
    }
    return style
  }

  #read(xml: XmlReader): void {
    const id = xml.attribute("w:styleId") ?? ""
    if (xml.attribute("w:type") === "paragraph" && /^(1|true|on)$/.test(xml.attribute("w:default") ?? "")) {
      this.#defaultId = id
    }
    const style: Written = {
      name: "",
      basedOn: "",
      outlineLevel: undefined,
      numberingId: undefined,
      level: undefined,
      indentation: noIndentation,
      format: noFormat,
      font: "",
    }
    forEachInside(xml, () => {
      switch (xml.element) {
        case element.styleName:
          style.name = xml.attribute("w:val") ?? ""
          break
        case element.basedOn:
          style.basedOn = xml.attribute("w:val") ?? ""
          break
        case element.outlineLevel:
          style.outlineLevel = wholeNumber(xml, bodyLevel)
          break
        case element.numberingId:
          style.numberingId = xml.attribute("w:val")
          break
        case element.level:
          style.level = wholeNumber(xml, numberingLevelMax)
          break
        case element.indentation:
          style.indentation = readIndentation(xml)
          break
        case element.runProperties:
          ;({ format: style.format, font: style.font } = readFormat(xml))
          break
        case element.paragraphPropertiesChange:
          xml.skip()
      }
    })
    this.#written.set(id, style)
  }

  #resolve(id: string): Style {
    const chain: Array<Written> = []
    for (let at = id; chain.length < inheritanceMax; ) {
      const style = this.#written.get(at)
      if (style === undefined) break
      chain.push(style)
      at = style.basedOn
    }
    const first = <A>(read: (style: Written) => A | undefined): A | undefined =>
      chain.map(read).find((value) => value !== undefined)
    // The level of a document's own text makes no heading of it, nor of what is based on it.
    const ofText = this.#written.get(this.#defaultId)
    return {
      id,
      heading: headingOf(
        first((style) => (style === ofText ? undefined : style.outlineLevel)),
        chain.length === 0 ? [id] : chain.map(({ name }) => name),
      ),
      code: first(({ name }) => codeStyleOf(name)),
      contentsLevel: first(({ name }) => contentsLevelOf(name)),
      isCodeSpan: chain.some(({ name }) => isCodeSpan(name)),
      isQuotation: chain.some(({ name }) => isQuotation(name)),
      numberingId: first(({ numberingId }) => numberingId),
      level: first(({ level }) => level),
      indentation: chain.map(({ indentation }) => indentation).reduceRight(indentedOver, noIndentation),
      format: chain.map(({ format }) => format).reduceRight(over, noFormat),
      isFixedWidth: first(({ font }) => (font === "" ? undefined : isFixedWidth(font))),
    }
  }
}

/** The level of a heading, from the outline or else from the styles' names, of which Word keeps the English ones. */
const headingOf = (outlineLevel: number | undefined, names: ReadonlyArray<string>): number => {
  if (outlineLevel !== undefined) return headingLevel(outlineLevel)
  const [own = ""] = names
  for (const name of names) {
    if (name.toLowerCase() === "title") return belowTitle.test(own) ? 0 : 1
    const level = headingName.exec(name)?.[1]
    if (level !== undefined) return Math.min(headingMax, Number(level))
  }
  return 0
}

/** They inherit the looks of a title. */
const belowTitle = /^(?:sub-?title|author|date|abstract)s?$/i

/** The heading of a level of the outline, which counts from 0; 0 for body text. */
export const headingLevel = (outlineLevel: number): number =>
  outlineLevel >= bodyLevel ? 0 : Math.min(headingMax, outlineLevel + 1)

/** "Heading 1" in the languages in which programs other than Word write it, and as an id; also "Heading 1 numbered". */
const headingName =
  /^(?:heading|überschrift|berschrift|titre|titolo|título|ttulo|titulo|kop|rubrik|overskrift|otsikko|nagłówek|nagwek|nadpis|заголовок|標題|标题|見出し|제목)[ _]?([1-9])(?:[ _-](?!.*(?:body|text|para|char)).*)?$/iu

/** The run properties that have started: what they say of the characters, the character style, and the font. */
export const readFormat = (
  xml: XmlReader,
): { readonly format: CharacterFormat; readonly styleId: string; readonly font: string } => {
  let known = 0
  let bits = 0
  let styleId = ""
  let font = ""
  const set = (bit: number): void => {
    known |= bit
    bits = isOn(xml) ? bits | bit : bits & ~bit
  }
  forEachInside(xml, () => {
    switch (xml.element) {
      case element.bold:
        set(bold)
        break
      case element.italic:
        set(italic)
        break
      case element.vanish:
        set(hidden)
        break
      case element.strike:
      case element.doubleStrike:
        set(strike)
        break
      case element.verticalAlignment: {
        const value = xml.attribute("w:val")
        known |= raised | lowered
        bits &= ~(raised | lowered)
        if (value === "superscript") bits |= raised
        if (value === "subscript") bits |= lowered
        break
      }
      case element.runStyle:
        styleId = xml.attribute("w:val") ?? ""
        break
      case element.fonts:
        font = xml.attribute("w:ascii") ?? ""
        break
      case element.runPropertiesChange:
        xml.skip()
    }
  })
  return { format: { known, bits }, styleId, font }
}
