import { drawingText, Inline } from "@atelier/executor/flow"
import type { Bullet } from "./bullets.ts"

/** One paragraph at a time: its text as Markdown, and how it is set. */
export class Paragraph {
  /** From 0. */
  level = 0
  bullet: Bullet | undefined
  /** It holds nothing but fields with the slide's number. */
  isNumber = true
  hasNumber = false
  #text = new Inline()

  start(): void {
    this.level = 0
    this.bullet = undefined
    this.isNumber = true
    this.hasNumber = false
  }

  /**
   * @param text what stands in an `a:t`
   * @param format how it looks: a sum of bits
   * @param target the address that a click on the text opens
   */
  add(text: string, format = 0, target = ""): void {
    this.#text.add(drawingText(text), format, target)
  }

  addMarkdown(markdown: string): void {
    this.#text.addMarkdown(markdown)
  }

  lineBreak(): void {
    this.#text.add("\n", 0, "")
  }

  /** The text as Markdown, without white space around it; empty afterwards. */
  take(): string {
    const markdown = this.#text.toMarkdown()
    this.#text = new Inline()
    return markdown.trim()
  }
}
