interface Field {
  instruction: string
  /** Its result has begun; what comes before is not text. */
  hasResult: boolean
  link: string
}

/** The fields that are open where the reader is: they nest, and may go over several paragraphs. */
export class Fields {
  readonly #open: Array<Field> = []
  #withoutResult = 0
  /** All fields before this one have their result. */
  #settled = 0

  begin(): void {
    this.#open.push({ instruction: "", hasResult: false, link: this.link })
    this.#withoutResult++
  }

  separate(): void {
    const field = this.#open.at(-1)
    if (field === undefined) return
    this.#reveal(field)
    field.link = linkOfField(field.instruction) || field.link
  }

  end(): void {
    const field = this.#open.pop()
    if (field !== undefined) this.#reveal(field)
    this.#settled = Math.min(this.#settled, this.#open.length)
  }

  instruct(text: string): void {
    const field = this.#open.at(-1)
    if (field !== undefined && !field.hasResult) field.instruction += text
  }

  /** A field without a result does not hide the paragraphs after it. */
  endParagraph(): void {
    for (const field of this.#open.slice(this.#settled)) this.#reveal(field)
    this.#settled = this.#open.length
  }

  /** Whether text belongs to a result, or to no field. */
  get isVisible(): boolean {
    return this.#withoutResult === 0
  }

  /** The target of the innermost link, empty if there is none. */
  get link(): string {
    return this.#open.at(-1)?.link ?? ""
  }

  #reveal(field: Field): void {
    if (!field.hasResult) this.#withoutResult--
    field.hasResult = true
  }
}

/** The web address of `HYPERLINK "address" \l "place"`, empty for other fields and for places in the document. */
export const linkOfField = (instruction: string): string => {
  const [, quoted, bare = ""] = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]\S*))/i.exec(instruction) ?? []
  const target = quoted ?? bare
  const place = /\\l\s+"([^"]*)"/i.exec(instruction)?.[1]
  return target === "" || place === undefined ? target : `${target}#${place}`
}
