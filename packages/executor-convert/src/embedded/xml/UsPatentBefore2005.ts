import { type Attributes, type End, nothing } from "./Translation.ts"
import { UsPatent } from "./UsPatent.ts"
import type { XmlAttribute } from "./XmlTags.ts"

/** What an element is called since 2005, by its name before; one that is not named here only holds others. */
const namesSince2005: ReadonlyMap<string, string> = new Map(
  [
    // Applications, from 2001.
    ["subdoc-bibliographic-information", "us-bibliographic-data-application"],
    ["kind-code", "kind"],
    ["document-date", "date"],
    ["technical-information", "technical-data"],
    ["title-of-invention", "invention-title"],
    ["first-named-inventor", "inventor"],
    ["name", "addressbook"],
    ["assignee", "addressbook"],
    ["given-name", "first-name"],
    ["family-name", "last-name"],
    ["organization-name", "orgname"],
    ["subdoc-abstract", "abstract"],
    ["subdoc-claims", "claims"],
    ["paragraph", "p"],
    ["bold", "b"],
    ["italic", "i"],
    ["superscript", "sup"],
    ["subscript", "sub"],
    ["unordered-list", "ul"],
    ["ordered-list", "ol"],
    ["list-item", "li"],
    ["image", "img"],
    ["math-cwu", "maths"],
    // Grants, from 2002 (WIPO ST.32).
    ["sdobi", "us-bibliographic-data-grant"],
    ["b100", "document-id"],
    ["b110", "doc-number"],
    ["b130", "kind"],
    ["b140", "date"],
    ["b190", "country"],
    ["b500", "technical-data"],
    ["b540", "invention-title"],
    ["b700", "parties"],
    ["b720", "inventors"],
    ["b721", "inventor"],
    ["b730", "assignees"],
    ["b731", "assignee"],
    ["party-us", "parties"],
    ["nam", "addressbook"],
    ["fnm", "first-name"],
    ["snm", "last-name"],
    ["onm", "orgname"],
    ["sdoab", "abstract"],
    ["h", "heading"],
    ["para", "p"],
    ["sb", "sub"],
    ["sp", "sup"],
    ["cl", "claims"],
    ["clm", "claim"],
    ["clmstep", "p"],
    ["emi", "img"],
    ["math-us", "maths"],
  ].map(([before = "", since = ""]) => [before, since]),
)

/** Numbers of paragraphs, another program's form of an equation, and the number of a drawing for the first page. */
const passedOver: ReadonlySet<string> = new Set([
  "number",
  "mathematica",
  "mathematica-file",
  "representative-figure",
])

/**
 * Applications (2001 to 2004) and grants (2002 to 2004) of the United States, which have other names for the same: they
 * are read by the names of today.
 */
export class UsPatentBefore2005 extends UsPatent {
  override start(name: string, attributes: ReadonlyArray<XmlAttribute>): void {
    const lower = name.toLowerCase()
    const renamed = attributes.map((attribute) => {
      const before = attribute.name.toLowerCase()
      return { name: before === "lvl" ? "level" : before, value: attribute.value }
    })
    super.start(namesSince2005.get(lower) ?? lower, renamed)
  }

  protected override begin(name: string, attributes: Attributes): End | undefined {
    if (passedOver.has(name)) return undefined
    // A picture beside the equation that it shows.
    if (name === "img" && this.parent === "maths") return undefined
    // What is claimed is a sentence, before the claims.
    if (name === "heading" && this.parent === "sdocl") return this.element("p")
    // A reference to another claim.
    if (name === "claim-text" && this.parent === "dependent-claim-reference") return nothing
    return super.begin(name, attributes)
  }
}
