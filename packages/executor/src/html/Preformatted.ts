import type { Flow } from "./Flow.ts"

const languageClass = /(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]+)/

/** Text whose white space counts: a `pre`, from its start to its end. */
export class Preformatted {
  private text = ""
  private language: string | undefined

  add(text: string): void {
    this.text += text
  }

  /** An element begins or ends that has its own lines. */
  endLine(): void {
    if (this.text !== "" && !this.text.endsWith("\n")) this.text += "\n"
  }

  /** Takes the language from the classes of the `pre` or of an element inside. */
  classes(classes: string | undefined): void {
    this.language ??= languageClass.exec(classes ?? "")?.[1]
  }

  writeTo(flow: Flow): void {
    const text = this.text.replace(/^\r?\n/, "").trimEnd()
    if (text !== "") flow.codeBlock(text, this.language ?? "")
  }
}
