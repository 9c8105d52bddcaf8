import { Budget, DocumentWarnings, readDiagram } from "@atelier/executor/flow"
import { decodeText } from "@atelier/executor/parsing"
import {
  openPackage,
  Refusal,
  type Relationship,
  relationshipsOf,
  type ZipArchive,
} from "@atelier/intake/bytes"
import { archivedPages } from "./docx/archivedPages.ts"
import type { DocxDocument } from "./docx/DocxDocument.ts"
import { NoteParts } from "./docx/NoteParts.ts"
import { Numbering } from "./docx/Numbering.ts"
import { propertiesOf } from "./docx/ParagraphProperties.ts"
import type { Part } from "./docx/Part.ts"
import { holdsText, readNotes, readStory } from "./docx/readParts.ts"
import { Styles } from "./docx/Styles.ts"
import type { ConvertFormat } from "./Format.ts"
import { Notes } from "./flow/Notes.ts"

/**
 * Word documents: headings, paragraphs with bold and italic text and links, lists with their numbers, tables,
 * text boxes and notes, in the order of the text. What is left out becomes a warning.
 */
export const convert: ConvertFormat = async ({ bytes, markdown, warnings }) => {
  const { archive, mainPart, relationships } = openPackage(bytes, "docx")
  const shown = new Set<string>()
  const pages = await archivedPages(archive, relationships)
  const partsOf = (wanted: string): ReadonlyArray<Part> =>
    [...relationships.values()]
      .filter(({ type, external, target }) => type === wanted && !external && archive.has(target))
      .map(({ target }) => readPart(archive, target, shown, pages))
  const styles = new Styles(partsOf("styles")[0])
  const numbering = new Numbering(partsOf("numbering")[0], styles)
  const notes = new Notes()
  const document: DocxDocument = {
    styles,
    numbering,
    notes: new NoteParts(notes, (type) => readNotes(document, partsOf(type)[0])),
    warnings: new DocumentWarnings(warnings),
    plainParagraph: propertiesOf(styles.byDefault, numbering),
    budget: new Budget(markdown.bytesMax),
    bytesMax: markdown.bytesMax,
  }
  readStory(document, readPart(archive, mainPart, shown, pages), markdown)
  notes.writeTo(markdown)
  if ([...partsOf("header"), ...partsOf("footer")].some(holdsText)) document.warnings.headersAndFooters()
}

/**
 * `shown` are the diagrams and the documents inside of this one that were read: each is shown once. `pages` are archived
 * web pages by their parts.
 */
const readPart = (
  archive: ZipArchive,
  name: string,
  shown: Set<string>,
  pages: ReadonlyMap<string, string>,
): Part => {
  let known: ReadonlyMap<string, Relationship> | undefined
  const relationships = () => {
    known ??= relationshipsOf(archive, name)
    return known
  }
  /** What a relationship leads to inside of the package, at the first time. */
  const first = (id: string): string | undefined => {
    const related = relationships().get(id)
    if (related === undefined || related.external || shown.has(related.target)) return undefined
    shown.add(related.target)
    return related.target
  }
  return {
    name,
    bytes: archive.read(name) ?? new Uint8Array(),
    links: () =>
      new Map(
        [...relationships().values()]
          .filter(({ external }) => external)
          .map(({ id, target }) => [id, target]),
      ),
    diagram: (id) => {
      const target = first(id)
      const bytes = target === undefined ? undefined : archive.read(target)
      return target === undefined || bytes === undefined ? [] : readDiagram(bytes, target)
    },
    html: (id) => {
      const target = first(id) ?? ""
      const page = pages.get(target)
      if (page !== undefined) return page
      const bytes = /\.x?html?$/i.test(target) ? archive.read(target) : undefined
      return bytes === undefined ? undefined : textOfHtml(bytes)
    },
  }
}

/** Undefined where it is not what its name says. */
const textOfHtml = (bytes: Uint8Array): string | undefined => {
  try {
    return decodeText(bytes, ".html")
  } catch (error) {
    if (!Refusal.is(error)) throw error
    return undefined
  }
}
