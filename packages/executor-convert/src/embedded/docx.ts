import { Budget, DocumentWarnings, readDiagram } from "@atelier/executor/flow"
import { openPackage, type Relationship, relationshipsOf, type ZipArchive } from "@atelier/intake/bytes"
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
export const convert: ConvertFormat = ({ bytes, markdown, warnings }) => {
  const { archive, mainPart, relationships } = openPackage(bytes, "docx")
  const diagrams = new Set<string>()
  const partsOf = (wanted: string): ReadonlyArray<Part> =>
    [...relationships.values()]
      .filter(({ type, external, target }) => type === wanted && !external && archive.has(target))
      .map(({ target }) => readPart(archive, target, diagrams))
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
  }
  readStory(document, readPart(archive, mainPart, diagrams), markdown)
  notes.writeTo(markdown)
  if ([...partsOf("header"), ...partsOf("footer")].some(holdsText)) document.warnings.headersAndFooters()
}

/** `diagrams` are those that were read: each is shown once. */
const readPart = (archive: ZipArchive, name: string, diagrams: Set<string>): Part => {
  let known: ReadonlyMap<string, Relationship> | undefined
  const relationships = () => {
    known ??= relationshipsOf(archive, name)
    return known
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
      const related = relationships().get(id)
      if (related === undefined || related.external || diagrams.has(related.target)) return []
      diagrams.add(related.target)
      const bytes = archive.read(related.target)
      return bytes === undefined ? [] : readDiagram(bytes, related.target)
    },
  }
}
