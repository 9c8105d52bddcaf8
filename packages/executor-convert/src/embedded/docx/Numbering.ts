import { forEachInside, textInFont } from "@atelier/executor/flow"
import { formatNumber } from "@atelier/executor/parsing"
import { readXml, type XmlReader, xmlEnd, xmlStart } from "@atelier/intake/bytes"
import { convertLimits } from "../../Limits.ts"
import { beginOf, type Indentation, indentedOver, noIndentation } from "../flow/Indentation.ts"
import type { ListLabel } from "../flow/writeParagraph.ts"
import type { Part } from "./Part.ts"
import { readIndentation, wholeNumber } from "./properties.ts"
import { numberingLevelMax, type Style, type Styles } from "./Styles.ts"
import { element, vocabulary } from "./vocabulary.ts"

/** The place of a paragraph in a list. */
export interface ListPlace {
  readonly id: string
  /** From 0. */
  readonly level: number
  /** Its own, in the place of what list and style say. */
  readonly indentation: Indentation
}

interface Level {
  start: number
  format: string
  text: string
  /** After which level the count restarts: 0 for never, undefined for any above. */
  restart: number | undefined
  isLegal: boolean
  indentation: Indentation
  styleId: string
  font: string
}

interface Abstract {
  readonly levels: Map<number, Level>
  styleLink: string
  /** The counts so far; undefined where counting restarts. */
  readonly counts: Array<number | undefined>
}

interface Instance {
  abstractId: string
  readonly starts: Map<number, number>
  readonly levels: Map<number, Level>
  /** Levels of which the new start has been used. */
  readonly started: Set<number>
}

/** A bullet that says whether something is done. */
const isBox = /^[☐☑☒]$/

const countMax = 2 ** 31 - 1

/** The lists of a document, which count their paragraphs in the order in which they are asked. */
export class Numbering {
  readonly #abstracts = new Map<string, Abstract>()
  readonly #instances = new Map<string, Instance>()
  readonly #styles: Styles

  constructor(part: Part | undefined, styles: Styles) {
    this.#styles = styles
    if (part === undefined) return
    const xml = readXml(part.bytes, { vocabulary, source: part.name, textIn: [] })
    for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
      if (token !== xmlStart) continue
      if (xml.element === element.abstractNumbering) this.#readAbstract(xml)
      else if (xml.element === element.numberingInstance) this.#readInstance(xml)
    }
  }

  /** The level at which a list numbers the paragraphs of a style, if it names it. */
  levelOfStyle(id: string, styleId: string): number | undefined {
    const levels = this.#abstractOf(this.#instances.get(id))?.levels ?? []
    for (const [level, { styleId: linked }] of levels) if (linked !== "" && linked === styleId) return level
    return undefined
  }

  /** Counts a paragraph; undefined if it has neither number nor bullet. */
  next({ id, level, indentation }: ListPlace, style: Style): ListLabel | undefined {
    const instance = this.#instances.get(id)
    const abstract = this.#abstractOf(instance)
    if (instance === undefined || abstract === undefined) return undefined
    const levelOf = (at: number) => instance.levels.get(at) ?? abstract.levels.get(at)
    const current = levelOf(level)
    if (current === undefined) return undefined
    const { counts } = abstract
    const override = instance.starts.get(level)
    const last = counts[level]
    if (last === undefined || (override !== undefined && !instance.started.has(level))) {
      counts[level] = override ?? current.start
    } else counts[level] = Math.min(countMax, last + 1)
    instance.started.add(level)
    // What is printed of a level that had no paragraph counts as one.
    for (let upper = 0; upper < level; upper++) counts[upper] ??= levelOf(upper)?.start ?? 1
    for (let deeper = level + 1; deeper <= numberingLevelMax; deeper++) {
      const restart = levelOf(deeper)?.restart
      if (restart === undefined || level < restart) counts[deeper] = undefined
    }
    const indented = indentedOver(indentedOver(style.indentation, current.indentation), indentation)
    const place = {
      level,
      list: instance.abstractId,
      indent: beginOf(indented),
      textIndent: indented.left ?? 0,
    }
    if (current.format === "bullet") {
      const shown = textInFont(current.text, current.font, () => {})
      const text = isBox.test(shown) ? shown : ""
      return { ...place, number: undefined, text, isBlank: /^\s+$/.test(current.text) }
    }
    const text = current.text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const format = current.isLegal ? "decimal" : (levelOf(at)?.format ?? "decimal")
      return formatNumber(counts[at] ?? levelOf(at)?.start ?? 1, format)
    })
    if (current.format === "none" && text.trim() === "") return undefined
    return { ...place, number: counts[level], text: text.trim() }
  }

  /** A list may take its levels from a list style, which names another list. */
  #abstractOf(instance: Instance | undefined): Abstract | undefined {
    let abstract = instance === undefined ? undefined : this.#abstracts.get(instance.abstractId)
    for (let links = 0; abstract !== undefined && abstract.styleLink !== "" && links < 8; links++) {
      const linked = this.#instances.get(this.#styles.get(abstract.styleLink).numberingId ?? "")
      abstract = linked === undefined ? undefined : this.#abstracts.get(linked.abstractId)
    }
    return abstract
  }

  #readAbstract(xml: XmlReader): void {
    const abstract: Abstract = { levels: new Map(), styleLink: "", counts: [] }
    this.#abstracts.set(xml.attribute("w:abstractNumId") ?? "", abstract)
    forEachInside(xml, () => {
      if (xml.element === element.numberingLevel) readLevel(xml, abstract.levels)
      else if (xml.element === element.numberingStyleLink) abstract.styleLink = xml.attribute("w:val") ?? ""
    })
  }

  #readInstance(xml: XmlReader): void {
    const instance: Instance = { abstractId: "", starts: new Map(), levels: new Map(), started: new Set() }
    this.#instances.set(xml.attribute("w:numId") ?? "", instance)
    let level = 0
    forEachInside(xml, () => {
      if (xml.element === element.abstractNumberingId) instance.abstractId = xml.attribute("w:val") ?? ""
      else if (xml.element === element.levelOverride) level = levelOf(xml)
      else if (xml.element === element.startOverride)
        instance.starts.set(level, wholeNumber(xml, countMax) ?? 0)
      else if (xml.element === element.numberingLevel) readLevel(xml, instance.levels)
    })
  }
}

const levelOf = (xml: XmlReader): number => {
  const level = Number(xml.attribute("w:ilvl") ?? 0)
  return Number.isInteger(level) ? Math.min(numberingLevelMax, Math.max(0, level)) : 0
}

const readLevel = (xml: XmlReader, levels: Map<number, Level>): void => {
  const level: Level = {
    start: 0,
    format: "decimal",
    text: "",
    restart: undefined,
    isLegal: false,
    indentation: noIndentation,
    styleId: "",
    font: "",
  }
  levels.set(levelOf(xml), level)
  forEachInside(xml, () => {
    switch (xml.element) {
      case element.start:
        level.start = wholeNumber(xml, countMax) ?? 0
        break
      case element.numberFormat:
        level.format = xml.attribute("w:val") ?? "decimal"
        break
      case element.levelText:
        level.text = (xml.attribute("w:val") ?? "").slice(0, convertLimits.list_label_characters_max)
        break
      case element.levelRestart:
        level.restart = wholeNumber(xml, numberingLevelMax)
        break
      case element.legalNumbering:
        level.isLegal = true
        break
      case element.indentation:
        level.indentation = readIndentation(xml)
        break
      case element.paragraphStyle:
        level.styleId = xml.attribute("w:val") ?? ""
        break
      case element.fonts:
        level.font = xml.attribute("w:ascii") ?? ""
    }
  })
}
