import { escapeMarkdown, markdownLink } from "@atelier/executor/parsing"
import type { Bullet } from "./bullets.ts"

/** One paragraph at a time: its text as Markdown, and how it is set. */
export class Paragraph {
  /** From 0. */
  level = 0
  bullet: Bullet | undefined
  /** It holds nothing but fields with the slide's number. */
  isNumber = true
  hasNumber = false
  #markdown = ""
  #text = ""
  #target: string | undefined

  start(): void {
    this.level = 0
    this.bullet = undefined
    this.isNumber = true
    this.hasNumber = false
  }

  /**
   * Neighbouring runs with the same link become one.
   *
   * @param text what stands in an `a:t`
   * @param target the address that a click on the text opens
   */
  add(text: string, target: string | undefined): void {
    if (target !== this.#target) {
      this.#endRun()
      this.#target = target
    }
    this.#text += text
  }

  lineBreak(): void {
    this.#text += lineBreak
  }

  /** The text as Markdown, without white space around it; empty afterwards. */
  take(): string {
    if (this.#markdown === "" && this.#target === undefined) {
      const text = plain(this.#text)
      this.#text = ""
      return escapeMarkdown(text).trim()
    }
    this.#endRun()
    const markdown = this.#markdown
    this.#markdown = ""
    this.#target = undefined
    return markdown.trim()
  }

  #endRun(): void {
    const text = plain(this.#text)
    this.#text = ""
    if (text !== "")
      this.#markdown += this.#target === undefined ? escapeMarkdown(text) : link(text, this.#target)
  }
}

/** White space at the ends of a linked run stays outside of the link. */
const link = (text: string, target: string): string => {
  const trimmed = text.trim()
  if (trimmed === "") return text
  const start = text.indexOf(trimmed)
  const after = text.slice(start + trimmed.length)
  return `${text.slice(0, start)}${markdownLink(escapeMarkdown(trimmed), target)}${after}`
}

/** Line ends in an `a:t` are white space, and controls are written as `_x000B_` there. */
const plain = (text: string): string =>
  special.test(text)
    ? text.replaceAll("\n", " ").replace(controls, controlText).replaceAll(lineBreak, "\n")
    : text

/** Stands for a line break among the characters of a paragraph; XML cannot hold it. */
const lineBreak = "\v"
const special = /[\n\v]|_x00/
const controls = /_x00([01][0-9A-Fa-f])_/g

/** A vertical tab and line ends break the line; other controls have no text. */
const controlText = (_: string, digits: string): string => {
  const code = Number.parseInt(digits, 16)
  if (code === 0x09) return "\t"
  return code >= 0x0a && code <= 0x0d ? lineBreak : ""
}
