import { forEachInside } from "@atelier/executor/flow"
import { formatNumber } from "@atelier/executor/parsing"
import type { XmlReader } from "@atelier/intake/bytes"
import { convertLimits } from "../../Limits.ts"
import { twentieths } from "./lengths.ts"
import { element } from "./vocabulary.ts"

/** Levels of a list, from 0. */
export const levelMax = 9
export const countMax = 2 ** 31 - 1

/** How one level of a list is numbered. */
export interface ListLevel {
  /** Of `formatNumber`; "bullet", "blank" for a bullet that is a space, or "none". */
  readonly format: string
  readonly prefix: string
  readonly suffix: string
  readonly start: number
  /** Of how many levels, up to this one, the numbers are printed. */
  readonly displayed: number
  /** Where the lines of its text begin, in twentieths of a point. */
  readonly textIndent?: number
}

const bullet: ListLevel = { format: "bullet", prefix: "", suffix: "", start: 1, displayed: 1 }
const blank: ListLevel = { ...bullet, format: "blank" }
const none: ListLevel = { ...bullet, format: "none" }

const formats: Readonly<Record<string, string>> = {
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
  "": "none",
}

/** The lists of a document, by the names of their styles, and the numbering of its headings. */
export class ListStyles {
  readonly #styles = new Map<string, ReadonlyMap<number, ListLevel>>()
  #outline: ReadonlyMap<number, ListLevel> = new Map()

  /** A list whose style is not there has bullets. */
  level(style: string, level: number): ListLevel {
    return this.#styles.get(style)?.get(level) ?? bullet
  }

  outlineLevel(level: number): ListLevel {
    return this.#outline.get(level) ?? none
  }

  /** Reads the list style, or the style of the outline, that has just started. */
  read(xml: XmlReader): void {
    const levels = new Map<number, ListLevel>()
    if (xml.element === element.outlineStyle) this.#outline = levels
    else this.#styles.set(xml.attribute("style:name") ?? "", levels)
    let current = 0
    const set = (level: ListLevel): void => {
      current = levelOf(xml)
      levels.set(current, level)
    }
    const indent = (textIndent: number | undefined): void => {
      const level = levels.get(current)
      if (level !== undefined && textIndent !== undefined) levels.set(current, { ...level, textIndent })
    }
    forEachInside(xml, () => {
      switch (xml.element) {
        case element.imageLevel:
          set(bullet)
          break
        case element.bulletLevel:
          set(/^\s+$/.test(xml.attribute("text:bullet-char") ?? "") ? blank : bullet)
          break
        case element.numberLevel:
        case element.outlineLevel:
          set(readNumbered(xml))
          break
        case element.levelProperties: {
          const [space, label] = ["text:space-before", "text:min-label-width"].map((name) =>
            twentieths(xml.attribute(name)),
          )
          if (space !== undefined || label !== undefined) indent((space ?? 0) + (label ?? 0))
          break
        }
        case element.labelAlignment:
          indent(twentieths(xml.attribute("fo:margin-left")))
      }
    })
  }
}

const readNumbered = (xml: XmlReader): ListLevel => {
  const format = xml.attribute("style:num-format") ?? ""
  return {
    format: formats[format] ?? "decimal",
    prefix: cut(xml.attribute("style:num-prefix")),
    suffix: cut(xml.attribute("style:num-suffix")),
    start: wholeNumber(xml.attribute("text:start-value"), countMax) ?? 1,
    displayed: wholeNumber(xml.attribute("text:display-levels"), levelMax + 1) ?? 1,
  }
}

const cut = (text = ""): string => text.slice(0, convertLimits.list_label_characters_max)

/** Levels are written from 1. */
const levelOf = (xml: XmlReader): number =>
  Math.max(1, wholeNumber(xml.attribute("text:level"), levelMax + 1) ?? 1) - 1

/** A whole number from 0 to `max`, undefined if it is none. */
export const wholeNumber = (value: string | undefined, max: number): number | undefined => {
  const number = Number(value ?? Number.NaN)
  return Number.isInteger(number) && number >= 0 ? Math.min(number, max) : undefined
}

const isNumbered = (format: string): boolean => !["bullet", "blank", "none"].includes(format)

/** A number as it is printed: "2.1)", "Article 5"; empty where the level prints none. */
export const printedNumber = (
  counts: ReadonlyArray<number | undefined>,
  level: number,
  levelAt: (level: number) => ListLevel,
): string => {
  const { format, prefix, suffix, displayed } = levelAt(level)
  if (!isNumbered(format)) return ""
  const numbers: Array<string> = []
  for (let at = Math.max(0, level - displayed + 1); at <= level; at++) {
    const shown = levelAt(at)
    const number = !isNumbered(shown.format) ? "" : formatNumber(counts[at] ?? shown.start, shown.format)
    if (number !== "") numbers.push(number)
  }
  return `${prefix}${numbers.join(".")}${suffix}`.trim()
}
