import { Refusal } from "@atelier/intake/bytes"
import { type CellText, cellMarkdown } from "./CellText.ts"

/** The strings that the cells of a workbook share, as Markdown. */
export class SharedStrings {
  private readonly strings: Array<CellText>
  /** 1 for strings that are Markdown already: most workbooks use most strings, some use few of many. */
  private readonly isMarkdown: Uint8Array

  /** @param strings become Markdown in place, each when it is first asked for */
  constructor(strings: Array<CellText>) {
    this.strings = strings
    this.isMarkdown = new Uint8Array(strings.length)
  }

  /** Throws a `Refusal` (`file_corrupt`) if there is none of this number. */
  at(index: number): string {
    const found = this.strings[index]
    if (found === undefined) {
      throw new Refusal(
        "file_corrupt",
        `A cell refers to the shared string ${index}; the workbook has ${this.strings.length}, counted from 0.`,
      )
    }
    if (this.isMarkdown[index] === 1 && typeof found === "string") return found
    const markdown = cellMarkdown(found)
    this.strings[index] = markdown
    this.isMarkdown[index] = 1
    return markdown
  }
}
