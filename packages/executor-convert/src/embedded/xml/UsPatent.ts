import type { DocumentWarnings } from "@atelier/executor/flow"
import type { Blocks } from "@atelier/executor/html"
import { escapeMarkdown } from "@atelier/executor/parsing"
import { CalsTables, findGrids } from "./CalsTables.ts"
import { type Attributes, type End, nothing, Translation } from "./Translation.ts"

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "))

/** The elements of HTML that look like them. */
const lookingLike: ReadonlyMap<string, string> = new Map([
  ...[..."b i p br ul ol li dl dt dd pre math sub sup".split(" ")].map((name) => [name, name] as const),
  ["claim-text", "p"],
  ["maths", "div"],
  ["sub2", "sub"],
  ["sup2", "sup"],
  ["us-claim-statement", "p"],
])

/** What of the bibliographic data is looked into. */
const bibliography = set(
  "publication-reference document-id technical-data us-parties parties inventors inventor us-applicants applicants " +
    "us-applicant applicant assignees assignee addressbook",
)
const fields = ["country", "doc-number", "kind", "date"] as const
const names = set("first-name middle-name last-name orgname")

/** Patents and applications for them as the patent office of the United States publishes them (since 2005). */
export class UsPatent extends Translation {
  private readonly tables: CalsTables
  private isBibliography = false
  private readonly publication = new Map<string, string>()
  private readonly inventors: Array<string> = []
  private readonly owners: Array<string> = []
  private person = new Map<string, string>()
  private isHead = false
  /** A part of the description that has begun; its name counts if it has no heading. */
  private partName = ""
  /** The number that a claim repeats at its beginning, empty once it was passed. */
  private claimNumber = ""

  constructor(xml: string, to: Blocks, bytesMax: number, warnings: DocumentWarnings) {
    super(to, bytesMax, warnings)
    this.tables = new CalsTables(findGrids(xml))
  }

  override text(text: string): void {
    super.text(this.claimNumber === "" ? text : this.withoutNumber(text))
  }

  /** Parts of the description are marked by instructions: `<?summary-of-invention description="…" end="lead"?>`. */
  override instruction(text: string): void {
    if (this.parent !== "description") return
    const isLead = /\send\s*=\s*["']lead["']/.test(text)
    this.partName = isLead ? (/\sdescription\s*=\s*"([^"]{1,200})"/.exec(text)?.[1] ?? "") : ""
  }

  protected begin(name: string, attributes: Attributes): End | undefined {
    if (this.isCollecting) return nothing
    if (this.isBibliography) return this.beginBibliography(name)
    this.namePart(name)
    const looks = lookingLike.get(name)
    if (looks !== undefined) return this.element(looks, attributes)
    switch (name) {
      case "us-bibliographic-data-application":
      case "us-bibliographic-data-grant":
        this.isBibliography = true
        return () => this.endBibliography()
      case "abstract":
        this.block("h2", "ABSTRACT")
        return nothing
      case "heading":
        return this.element(`h${1 + Math.min(5, Math.max(1, Number(attributes.get("level")) || 1))}`)
      case "claims":
        this.block("h2", "CLAIMS")
        return this.element("ol")
      case "claim":
        return this.beginClaim(attributes.get("num") ?? attributes.get("id") ?? "")
      case "img":
        return this.element("img")
      default:
        return this.beginTable(name, attributes)
    }
  }

  private namePart(name: string): void {
    if (this.partName === "" || this.parent !== "description") return
    if (name !== "heading" && name !== "description-of-drawings") this.block("h2", this.partName)
    this.partName = ""
  }

  private beginBibliography(name: string): End | undefined {
    if (name === "invention-title") return this.element("h1")
    if (this.isInside("invention-title")) return this.element(lookingLike.get(name) ?? "span")
    if (this.parent === "document-id") {
      const isKept = fields.some((field) => field === name)
      return isKept ? this.collect((text) => this.publication.set(name, text)) : undefined
    }
    if (names.has(name)) return this.collect((text) => this.person.set(name, text))
    if (name === "addressbook") return this.beginPerson()
    if (lookingLike.has(name)) return this.element(lookingLike.get(name) ?? name)
    return bibliography.has(name) ? nothing : undefined
  }

  private beginPerson(): End {
    const isInventor = this.isInside("inventor") || this.isInside("applicant")
    this.person = new Map()
    return () => {
      const of = (name: string): string => this.person.get(name) ?? ""
      const parts = ["first-name", "middle-name", "last-name"].map(of).filter((part) => part !== "")
      const name = of("orgname") || parts.join(" ")
      const list = isInventor && of("orgname") === "" ? this.inventors : this.owners
      if (name !== "" && !list.includes(name)) list.push(name)
    }
  }

  private endBibliography(): void {
    this.isBibliography = false
    const [country = "", number = "", kind = "", date = ""] = fields.map((field) =>
      this.publication.get(field),
    )
    const day = date.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3")
    const id = [country, number, kind].filter((part) => part !== "").join(" ")
    this.line("Publication", [id, day])
    this.line("Inventors", this.inventors)
    this.line("Applicants and assignees", this.owners)
  }

  private line(name: string, parts: ReadonlyArray<string>): void {
    const text = parts.filter((part) => part !== "").join(", ")
    if (text !== "") this.paragraph(`**${name}:** ${escapeMarkdown(text)}`)
  }

  private beginClaim(number: string): End {
    const value = String(Number(number.replace(/\D/g, "").slice(0, 9)) || "")
    this.claimNumber = value
    const end = this.element("li", value === "" ? undefined : new Map([["value", value]]))
    return () => {
      this.claimNumber = ""
      end()
    }
  }

  /** The number of a claim stands there once as an attribute and once as text, also in bold: `<b>1</b>.` */
  private withoutNumber(text: string): string {
    const begun = text.trim()
    if (begun === "" || begun === this.claimNumber) return begun === "" ? text : ""
    const [number = ""] = /^\s*0*(\d*)\s*\.\s*/.exec(text) ?? []
    const isRepeated =
      number !== "" && ["", this.claimNumber].includes(number.replace(/\D/g, "").replace(/^0+/, ""))
    this.claimNumber = ""
    return isRepeated ? text.slice(number.length) : text
  }

  private beginTable(name: string, attributes: Attributes): End {
    const { tables } = this
    switch (name) {
      case "table":
        tables.startTable()
        return this.element("table")
      case "tgroup":
        tables.startGroup()
        return nothing
      case "colspec":
        tables.specify(attributes)
        return nothing
      case "thead":
        this.isHead = true
        return () => {
          this.isHead = false
        }
      case "row":
        tables.startRow()
        return this.element("tr")
      case "entry":
        return this.beginEntry(attributes)
      default:
        return nothing
    }
  }

  private beginEntry(attributes: Attributes): End {
    const { gap, span } = this.tables.cell(attributes)
    const name = this.isHead ? "th" : "td"
    for (let column = 0; column < gap; column++) this.element(name)()
    return this.element(name, span)
  }
}
