import { escapeMarkdown } from "@atelier/executor/parsing"

/** The parts of a person's name. */
export class PersonName {
  private readonly parts = new Map<string, string>()

  set(part: string, text: string): void {
    this.parts.set(part, text)
  }

  /** As people are named, or as lists of references have it. */
  text(isSorted: boolean): string {
    const [given, surname, suffix] = ["given-names", "surname", "suffix"].map(
      (part) => this.parts.get(part) ?? "",
    )
    const names = isSorted ? [surname, given, suffix] : [given, surname, suffix]
    return names.filter((name) => name !== "").join(" ")
  }
}

/** What an article says of itself before its text. */
export class ArticleFront {
  readonly authors: Array<string> = []
  readonly affiliations: Array<string> = []
  readonly notes: Array<string> = []
  readonly keywords: Array<string> = []
  private readonly fields = new Map<string, string>()
  private readonly closing: Array<string> = []
  private isOpened = false

  /** The first that is given counts. */
  set(field: string, text: string): void {
    if (text !== "" && !this.fields.has(field)) this.fields.set(field, text)
  }

  /** Something that is read at the end of the front: a licence, who paid. */
  close(text: string): void {
    if (text !== "") this.closing.push(text)
  }

  /** The paragraphs between the title and the abstract, as inline Markdown; nothing the second time. */
  open(): ReadonlyArray<string> {
    if (this.isOpened) return []
    this.isOpened = true
    const { authors, affiliations, notes, place } = this
    return [authors.join(", "), affiliations.join("; "), place, ...notes].map(escapeMarkdown)
  }

  /** The paragraphs behind the abstract. */
  get footer(): ReadonlyArray<string> {
    const keywords =
      this.keywords.length === 0 ? [] : [`**Keywords:** ${escapeMarkdown(this.keywords.join(", "))}`]
    return [...keywords, ...this.closing.map(escapeMarkdown)]
  }

  /** Journal volume(issue):pages (year). DOI. */
  private get place(): string {
    const of = (field: string): string => this.fields.get(field) ?? ""
    const issue = of("issue") === "" ? "" : `(${of("issue")})`
    const last = of("lpage") === "" || of("lpage") === of("fpage") ? "" : `–${of("lpage")}`
    const pages = of("fpage") === "" ? of("elocation-id") : `${of("fpage")}${last}`
    const volume = `${of("volume")}${issue}`
    const year = of("year") === "" ? "" : `(${of("year")})`
    const numbers = [volume, pages].filter((part) => part !== "").join(":")
    const place = [of("journal-title"), numbers, year].filter((part) => part !== "").join(" ")
    const doi = of("doi") === "" ? "" : `DOI: ${of("doi")}`
    return [place, doi].filter((part) => part !== "").join(". ")
  }
}
