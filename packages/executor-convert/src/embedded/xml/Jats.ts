import { type DocumentWarnings, Latex } from "@atelier/executor/flow"
import type { Blocks } from "@atelier/executor/html"
import { ArticleFront, PersonName } from "./ArticleFront.ts"
import { CalsTables, findGrids } from "./CalsTables.ts"
import { Citation } from "./Citation.ts"
import { headingName, Sections } from "./Sections.ts"
import { type Attributes, type End, nothing, Translation } from "./Translation.ts"

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "))

/** What has a heading, and how it is called where it does not say. */
const sections: ReadonlyMap<string, string> = new Map([
  ["abstract", "Abstract"],
  ["ack", "Acknowledgments"],
  ["app", ""],
  ["bio", ""],
  ["fn-group", ""],
  ["glossary", "Glossary"],
  ["notes", ""],
  ["ref-list", "References"],
  ["sec", ""],
  ["trans-abstract", "Abstract"],
])

/** The elements of HTML that look like them. */
const lookingLike: ReadonlyMap<string, string> = new Map([
  ["attrib", "p"],
  ["bold", "b"],
  ["break", "br"],
  ["def", "dd"],
  ["def-list", "dl"],
  ["disp-quote", "blockquote"],
  ["italic", "i"],
  ["list-item", "li"],
  ["monospace", "code"],
  ["preformat", "pre"],
  ["speaker", "b"],
  ["strike", "s"],
  ["sub", "sub"],
  ["sup", "sup"],
  ["term", "dt"],
  ["verse-group", "blockquote"],
  ["verse-line", "p"],
])

const tableElements = set("table thead tbody tfoot tr td th")
const citations = set("mixed-citation citation nlm-citation element-citation")
const nameParts = set("given-names surname suffix")
const notCollected = set("xref fn label contrib-group")
/** Their notes stand where they are. */
const blocksOfNotes = set("table-wrap-foot author-notes back sec ref-list app notes")

/** What holds the front's fields. */
const frontContainers = set(
  "journal-meta journal-title-group article-meta title-group permissions license funding-group contrib-group " +
    "aff-alternatives author-notes pub-date kwd-group compound-kwd name-alternatives",
)
const frontFields = set("journal-title volume issue fpage lpage elocation-id year")
const frontTexts = set("copyright-statement license-p funding-statement")

/** Identifiers, dates of the history, counts and the like, which are not read as text. */
const unread = set(
  "object-id sec-meta contrib-id institution-id custom-meta-group alt-title processing-meta private-char " +
    "related-article related-object colgroup col x permissions",
)

/** As HTML calls them. */
const letters: Readonly<Record<string, string>> = {
  "alpha-lower": "a",
  "alpha-upper": "A",
  "roman-lower": "i",
  "roman-upper": "I",
}

const numbered = /^(?:order|number|arabic|alpha|roman)/

/** Articles in JATS, the vocabulary of journals and of PubMed Central (ANSI/NISO Z39.96). */
export class Jats extends Translation {
  private readonly tables: CalsTables
  private readonly sections = new Sections((text) => this.block(headingName(this.sections.level), text))
  private front = new ArticleFront()
  /** Elements of a front are read, and not of an abstract in it. */
  private isFront = false
  private name: PersonName | undefined
  private citation: Citation | undefined
  /** The list of references or of notes that has begun, and the number of the next one. */
  private references: End | undefined
  private referenceNumber = ""
  /** Of the lists that are open, whether they are numbered. */
  private readonly lists: Array<boolean> = []
  /** A printed number that stands before the next paragraph, and how deep what it belongs to is. */
  private label: { readonly text: string; readonly depth: number; readonly isBold: boolean } | undefined
  private formula: Formula | undefined
  private isNote = false
  private isHead = false

  constructor(xml: string, to: Blocks, bytesMax: number, warnings: DocumentWarnings) {
    super(to, bytesMax, warnings)
    this.tables = new CalsTables(findGrids(xml))
  }

  protected begin(name: string, attributes: Attributes): End | undefined {
    if (this.isCollecting) return this.beginCollected(name)
    if (this.isFront) return this.beginFront(name, attributes)
    if (unread.has(name)) return undefined
    if (name !== "title" && name !== "label") this.sections.nameBefore(this.depth)
    if (this.citation !== undefined) return this.beginCited(this.citation, name, attributes)
    return (
      this.beginSection(name) ??
      this.beginReference(name) ??
      this.beginTable(name, attributes) ??
      this.beginContent(name, attributes)
    )
  }

  private beginCollected(name: string): End | undefined {
    if (unread.has(name) || notCollected.has(name)) return undefined
    if (this.isInside("aff") && this.endsInWord && !lookingLike.has(name)) this.separate(", ")
    else if (name === "break" || name === "p") this.separate()
    return nothing
  }

  private beginFront(name: string, attributes: Attributes): End | undefined {
    const { front } = this
    if (nameParts.has(name) && this.name !== undefined) return this.beginNamePart(this.name, name)
    if (frontFields.has(name)) return this.collect((text) => front.set(name, text))
    if (frontTexts.has(name)) return this.collect((text) => front.close(text))
    if (frontContainers.has(name)) return nothing
    const looks = lookingLike.get(name)
    if (looks !== undefined) return this.element(looks)
    switch (name) {
      case "article-title":
        return this.element(headingName(this.sections.level))
      case "subtitle":
      case "trans-title":
        return this.element("p")
      case "article-id":
        return attributes.get("pub-id-type") === "doi"
          ? this.collect((text) => front.set("doi", text))
          : undefined
      case "contrib":
        return (attributes.get("contrib-type") ?? "author") === "author" ? nothing : undefined
      case "name":
        return this.beginName((text) => front.authors.push(text), false)
      case "string-name":
      case "collab":
        return this.collect((text) => front.authors.push(text))
      case "aff":
        return this.collect((text) => front.affiliations.push(text))
      case "corresp":
      case "fn":
        return this.collect((text) => front.notes.push(text))
      case "kwd":
        return this.collect((text) => front.keywords.push(text))
      case "abstract":
      case "trans-abstract":
        return this.beginAbstract(name)
      default:
        return undefined
    }
  }

  /** The abstract is text like that of the body. */
  private beginAbstract(name: string): End {
    this.writeHeader()
    this.isFront = false
    const end = this.sections.begin(sections.get(name) ?? "", this.depth + 1)
    return () => {
      end()
      this.isFront = true
    }
  }

  private writeHeader(): void {
    for (const line of this.front.open()) this.paragraph(line)
  }

  private beginName(done: (text: string) => void, isSorted: boolean): End {
    const name = new PersonName()
    this.name = name
    return () => {
      this.name = undefined
      const text = name.text(isSorted)
      if (text !== "") done(text)
    }
  }

  private beginNamePart(name: PersonName, part: string): End {
    return this.collect((text) => name.set(part, text))
  }

  /** A part of a reference that is given in parts. */
  private beginCited(citation: Citation, name: string, attributes: Attributes): End | undefined {
    if (nameParts.has(name) && this.name !== undefined) return this.beginNamePart(this.name, name)
    switch (name) {
      case "person-group":
        return nothing
      case "name":
        return this.beginName((text) => citation.person(text), true)
      case "string-name":
      case "collab":
        return this.collect((text) => citation.person(text))
      case "etal":
        citation.person("et al")
        return undefined
      case "pub-id":
        return this.collect((text) => citation.add(attributes.get("pub-id-type") ?? name, text))
      default:
        return this.collect((text) => citation.add(name, text))
    }
  }

  private beginSection(name: string): End | undefined {
    switch (name) {
      case "front":
      case "front-stub":
        this.front = new ArticleFront()
        this.isFront = true
        return () => {
          this.isFront = false
          this.writeHeader()
          for (const line of this.front.footer) this.paragraph(line)
        }
      case "sub-article":
      case "response":
        return this.sections.begin("", this.depth + 1, true)
      case "fn-group":
      case "ref-list": {
        const end = this.sections.begin(sections.get(name) ?? "", this.depth + 1)
        return () => {
          this.endReferences()
          end()
        }
      }
      default: {
        const title = sections.get(name)
        return title === undefined ? undefined : this.sections.begin(title, this.depth + 1)
      }
    }
  }

  private beginReference(name: string): End | undefined {
    if (name === "ref") return nothing
    if (this.parent === "ref" && name === "label") {
      return this.collect((text) => {
        this.referenceNumber = /\d{1,9}/.exec(text)?.[0] ?? ""
      })
    }
    if (!citations.has(name)) return undefined
    const endItem = this.isInside("ref") ? this.beginItem() : nothing
    if (name !== "element-citation") return endItem
    const citation = new Citation()
    this.citation = citation
    return () => {
      this.citation = undefined
      this.text(citation.text)
      endItem()
    }
  }

  private beginItem(): End {
    const number = this.referenceNumber
    this.references ??= this.element(number === "" ? "ul" : "ol")
    return this.element("li", number === "" ? undefined : new Map([["value", number]]))
  }

  private endReferences(): void {
    this.references?.()
    this.references = undefined
    this.referenceNumber = ""
  }

  private beginTable(name: string, attributes: Attributes): End | undefined {
    const { tables } = this
    if (tableElements.has(name)) {
      if (name === "table") tables.startTable()
      if (name === "thead") this.isHead = true
      const end = this.element(name, attributes)
      return () => {
        if (name === "thead") this.isHead = false
        end()
      }
    }
    switch (name) {
      case "tgroup":
        tables.startGroup()
        return nothing
      case "colspec":
        tables.specify(attributes)
        return undefined
      case "row":
        tables.startRow()
        return this.element("tr")
      case "entry":
        return this.beginEntry(attributes)
      default:
        return undefined
    }
  }

  private beginEntry(attributes: Attributes): End {
    const { gap, span } = this.tables.cell(attributes)
    const name = this.isHead ? "th" : "td"
    for (let column = 0; column < gap; column++) this.element(name)()
    return this.element(name, span)
  }

  private beginContent(name: string, attributes: Attributes): End | undefined {
    const looks = lookingLike.get(name)
    if (looks !== undefined && name !== "math") return this.element(looks)
    switch (name) {
      case "p":
        return this.beginParagraph()
      case "title":
        return this.beginTitle()
      case "label":
        return this.beginLabel()
      case "list":
        return this.beginList(attributes.get("list-type") ?? "")
      case "fn":
        if (this.parent === "fn-group") return this.beginItem()
        return blocksOfNotes.has(this.parent) ? this.beginLabelled() : this.beginNote()
      case "ext-link":
      case "uri":
        return this.element("a", new Map([["href", attributes.get("href") ?? ""]]))
      case "code":
        return this.element(this.parent === "p" ? "code" : "pre")
      case "graphic":
      case "inline-graphic":
        this.element("img")()
        return nothing
      case "alt-text":
      case "long-desc":
        return this.element("p")
      case "disp-formula":
      case "inline-formula":
        return this.beginFormula(name === "disp-formula")
      case "math":
        return this.beginMath(attributes)
      case "tex-math":
        return this.beginTeX()
      case "given-names":
      case "suffix":
      case "pub-id":
        if (this.endsInWord) this.separate()
        return nothing
      default:
        return this.beginLabelled()
    }
  }

  private beginParagraph(): End {
    const end = this.element("p")
    const { label } = this
    this.label = undefined
    if (label !== undefined) {
      const endBold = label.isBold ? this.element("b") : nothing
      this.text(label.text)
      endBold()
      this.text(" ")
    }
    return end
  }

  private beginTitle(): End {
    if (this.sections.isAt(this.depth)) {
      const end = this.element(headingName(this.sections.level))
      this.text(this.sections.beginTitle())
      return end
    }
    const end = this.beginParagraph()
    if (this.parent === "caption") return end
    const endBold = this.element("b")
    return () => {
      endBold()
      end()
    }
  }

  private beginLabel(): End | undefined {
    if (this.sections.isAt(this.depth))
      return this.collect((text) => {
        this.sections.label = text
      })
    if (this.formula !== undefined) return this.collect((text) => this.formula?.number(text))
    if (this.parent === "list-item" && this.lists.at(-1) !== false) return undefined
    if (this.parent === "fn" && this.isNote) return undefined
    const depth = this.depth
    const isBold = this.parent !== "fn" && this.parent !== "list-item"
    return this.collect((text) => {
      this.label = text === "" ? undefined : { text, depth, isBold }
    })
  }

  /** An element whose label stands alone if nothing in it takes the label. */
  private beginLabelled(): End {
    return () => {
      if (this.label !== undefined && this.label.depth > this.depth) this.beginParagraph()()
    }
  }

  private beginList(type: string): End {
    const isNumbered = numbered.test(type)
    this.lists.push(isNumbered)
    const letter = letters[type]
    const end = this.element(
      isNumbered ? "ol" : "ul",
      letter === undefined ? undefined : new Map([["type", letter]]),
    )
    return () => {
      this.lists.pop()
      end()
    }
  }

  private beginNote(): End {
    if (this.isNote) return nothing
    this.isNote = true
    const end = this.note()
    return () => {
      this.isNote = false
      end()
    }
  }

  private beginFormula(isDisplayed: boolean): End {
    const outer = this.formula
    const formula = new Formula(isDisplayed)
    this.formula = formula
    const end = isDisplayed ? this.element("p") : nothing
    return () => {
      this.markdown(formula.latex)
      if (formula.label !== "") this.text(` ${formula.label}`)
      this.formula = outer
      end()
    }
  }

  /** The same formula may stand there in several forms. */
  private beginMath(attributes: Attributes): End | undefined {
    return this.formula?.take() === false ? undefined : this.element("math", attributes)
  }

  private beginTeX(): End | undefined {
    const { formula } = this
    if (formula?.take() === false) return undefined
    return this.collect((text) => {
      if (formula === undefined) this.markdown(Latex.inlineEquation(plainTeX(text)))
      else formula.teX = text
    })
  }
}

/** A formula that is open: the first of its forms is read. */
class Formula {
  teX = ""
  label = ""
  private isTaken = false
  private readonly isDisplayed: boolean

  constructor(isDisplayed: boolean) {
    this.isDisplayed = isDisplayed
  }

  /** Whether no other form was read. */
  take(): boolean {
    const isFirst = !this.isTaken
    this.isTaken = true
    return isFirst
  }

  number(text: string): void {
    this.label = text
  }

  /** As inline Markdown. */
  get latex(): string {
    const equation = Latex.inlineEquation(plainTeX(this.teX))
    return this.isDisplayed && equation !== "" ? `$${equation}$` : equation
  }
}

/** LaTeX without the document around it, and without dollars. */
const plainTeX = (teX: string): string =>
  (/\\begin\{document\}([\s\S]*?)\\end\{document\}/.exec(teX)?.[1] ?? teX)
    .replace(/^\s*\\\[|\\\]\s*$/g, "")
    .replace(/(?<!\\)\$/g, "")
