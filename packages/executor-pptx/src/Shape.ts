import type { CodeLine } from "@atelier/executor/flow"
import type { Block } from "./blocks.ts"
import type { Bullet, ListStyle } from "./bullets.ts"
import { Lists } from "./Lists.ts"
import type { Paragraph } from "./Paragraph.ts"
import type { Placeholder } from "./styles.ts"

/** One shape that holds text, or, without anything set, whatever else holds some. */
export class Shape {
  placeholder: Placeholder | undefined
  /** Where a click on the whole shape leads. */
  address: string | undefined
  /** The slide's heading is read from this shape. */
  holdsTitle = false
  /** What it sets for its levels. */
  readonly style: ListStyle = []
  readonly #lists = new Lists()
  #emptyLines = 0

  emptyLine(): void {
    this.#emptyLines += 1
  }

  /** The name of the font of a level's text that sets none itself; `inherited` as in `block`. */
  font(level: number, inherited: (placeholder: Placeholder, level: number) => string): string {
    return (
      this.style[level]?.font ?? (this.placeholder === undefined ? "" : inherited(this.placeholder, level))
    )
  }

  /**
   * @param code the paragraph as code, if it may be some
   * @param inherited the bullet of a placeholder's level that neither paragraph nor shape set
   */
  block(
    markdown: string,
    code: CodeLine | undefined,
    { level, bullet }: Paragraph,
    inherited: (placeholder: Placeholder, level: number) => Bullet,
  ): Block {
    const own =
      bullet ?? this.style[level]?.bullet ?? (this.placeholder && inherited(this.placeholder, level))
    const block = this.#lists.block(markdown, level, own ?? "none")
    const before = "\n".repeat(this.#emptyLines)
    this.#emptyLines = 0
    if (block.kind !== "paragraph" || code === undefined) return block
    return { ...block, code: { ...code, text: before + code.text }, shape: this }
  }
}
