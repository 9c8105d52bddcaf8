/** Collects the parts of a reference whose punctuation is left to the reader. */
export class Citation {
  private readonly persons: Array<string> = []
  private readonly parts = new Map<string, string>()
  private readonly others: Array<string> = []

  person(name: string): void {
    if (name !== "") this.persons.push(name)
  }

  add(name: string, text: string): void {
    if (text === "") return
    if (placed.has(name) && !this.parts.has(name)) this.parts.set(name, text)
    else this.others.push(text)
  }

  /** Authors. Title. Journal volume(issue):pages (year). What else there is. Identifiers. */
  get text(): string {
    const of = (name: string): string => this.parts.get(name) ?? ""
    const issue = of("issue") === "" ? "" : `(${of("issue")})`
    const last = of("lpage") === "" || of("lpage") === of("fpage") ? "" : `–${of("lpage")}`
    const pages = of("fpage") === "" ? of("elocation-id") : `${of("fpage")}${last}`
    const volume = `${of("volume")}${issue}${pages === "" ? "" : `:${pages}`}`
    const year = of("year") === "" ? "" : `(${of("year")})`
    const place = [of("source"), volume.replace(/^:/, ""), year].filter((part) => part !== "").join(" ")
    const title = of("article-title") || of("data-title") || of("chapter-title") || of("part-title")
    const sentences = [this.persons.join(", "), title, place, this.others.join(", ")]
    const ids = [
      of("doi") && `DOI: ${of("doi")}`,
      of("pmid") && `PMID: ${of("pmid")}`,
      of("pmcid") && `PMCID: ${of("pmcid")}`,
    ]
    return [
      ...sentences.filter((sentence) => sentence !== "").map(asSentence),
      ids.filter((id) => id !== "").join(", "),
    ]
      .join(" ")
      .trim()
  }
}

const asSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

const placed: ReadonlySet<string> = new Set([
  "article-title",
  "chapter-title",
  "data-title",
  "doi",
  "elocation-id",
  "fpage",
  "issue",
  "lpage",
  "part-title",
  "pmcid",
  "pmid",
  "source",
  "volume",
  "year",
])
