import { type CodeLine, codeEvidence, drawingText, Inline, isFixedWidth } from "@atelier/executor/flow"
import type { Bullet } from "./bullets.ts"

/** One paragraph at a time: its text as Markdown, and how it is set. */
export class Paragraph {
  /** From 0. */
  level = 0
  bullet: Bullet | undefined
  /** It holds nothing but fields with the slide's number. */
  isNumber = true
  hasNumber = false
  /** All of its text is in a font of equal widths; undefined while it is empty. */
  #isFixedWidth: boolean | undefined
  #text = new Inline()

  start(): void {
    this.level = 0
    this.bullet = undefined
    this.isNumber = true
    this.hasNumber = false
    this.#isFixedWidth = undefined
  }

  /**
   * @param text what stands in an `a:t`
   * @param format how it looks: a sum of bits
   * @param target the address that a click on the text opens
   * @param font the name of its font, empty for that of its place
   */
  add(text: string, format = 0, target = "", font = ""): void {
    if (this.#isFixedWidth !== false && text.trim() !== "") this.#isFixedWidth = isFixedWidth(font)
    this.#text.add(drawingText(text, text.includes("\n") && isFixedWidth(font)), format, target)
  }

  addMarkdown(markdown: string): void {
    this.#text.addMarkdown(markdown)
  }

  lineBreak(): void {
    this.#text.add("\n", 0, "")
  }

  /** The paragraph as code, if it may be some. */
  get code(): CodeLine | undefined {
    if (this.#isFixedWidth !== true) return undefined
    const evidence = codeEvidence(this.#text)
    return evidence.mayBeCode ? { text: this.#text.text, ...evidence } : undefined
  }

  /** The text as Markdown, without white space around it; empty afterwards. */
  take(): string {
    const markdown = this.#text.toMarkdown()
    this.#text = new Inline()
    return markdown.trim()
  }
}
