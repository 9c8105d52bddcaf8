import { Budget, DocumentWarnings } from "@atelier/executor/flow"
import { openPackage, relationshipsOf, type ZipArchive } from "@atelier/intake/bytes"
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
  const partsOf = (wanted: string): ReadonlyArray<Part> =>
    [...relationships.values()]
      .filter(({ type, external, target }) => type === wanted && !external && archive.has(target))
      .map(({ target }) => readPart(archive, target))
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
  readStory(document, readPart(archive, mainPart), markdown)
  notes.writeTo(markdown)
  if ([...partsOf("header"), ...partsOf("footer")].some(holdsText)) document.warnings.headersAndFooters()
}

const readPart = (archive: ZipArchive, name: string): Part => ({
  name,
  bytes: archive.read(name) ?? new Uint8Array(),
  links: () =>
    new Map(
      [...relationshipsOf(archive, name).values()]
        .filter(({ external }) => external)
        .map(({ id, target }) => [id, target]),
    ),
})
