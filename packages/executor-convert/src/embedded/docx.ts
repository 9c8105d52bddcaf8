import { Budget, DocumentWarnings, readDiagram } from "@atelier/executor/flow"
import { decodeText } from "@atelier/executor/parsing"
import {
  intakeLimits,
  type OfficePackage,
  openPackage,
  Refusal,
  type Relationship,
  relationshipsOf,
  verifyPackage,
} from "@atelier/intake/bytes"
import { convertLimits } from "../Limits.ts"
import { archivedPages } from "./docx/archivedPages.ts"
import type { DocxDocument } from "./docx/DocxDocument.ts"
import { writeEmbeddedHtml } from "./docx/embeddedHtml.ts"
import { NoteParts } from "./docx/NoteParts.ts"
import { Numbering } from "./docx/Numbering.ts"
import { propertiesOf } from "./docx/ParagraphProperties.ts"
import type { Part } from "./docx/Part.ts"
import { holdsText, readNotes, readStory } from "./docx/readParts.ts"
import { Styles } from "./docx/Styles.ts"
import type { ConvertFormat } from "./Format.ts"
import type { Blocks } from "./flow/Blocks.ts"
import { Notes } from "./flow/Notes.ts"

/**
 * Word documents: headings, paragraphs with bold and italic text and links, lists with their numbers, tables,
 * text boxes and notes, in the order of the text. What is left out becomes a warning.
 */
export const convert: ConvertFormat = async ({ bytes, markdown, warnings }) => {
  const opened = openPackage(bytes, "docx")
  const whole: Whole = {
    notes: new Notes(),
    warnings: new DocumentWarnings(warnings),
    budget: new Budget(markdown.bytesMax),
    bytesMax: markdown.bytesMax,
    embeddedBytesLeft: convertLimits.embedded_documents_bytes_max,
  }
  const pages = await archivedPages(opened.archive, opened.relationships)
  const { partsOf } = readDocument(opened, pages, whole, markdown)
  whole.notes.writeTo(markdown)
  if ([...partsOf("header"), ...partsOf("footer")].some(holdsText)) whole.warnings.headersAndFooters()
}

/** What a document shares with those inside of it. */
interface Whole extends Pick<DocxDocument, "warnings" | "budget" | "bytesMax"> {
  readonly notes: Notes
  /** Expanded bytes that further documents may have together. */
  embeddedBytesLeft: number
}

/** The HTML of archived web pages, by their parts. */
type ArchivedPages = ReadonlyMap<string, string>

/** Writes the text of a document; its notes are collected. Gives the parts to which its main part leads. */
const readDocument = (opened: OfficePackage, pages: ArchivedPages, whole: Whole, to: Blocks) => {
  const { archive, mainPart, relationships } = opened
  const { notes, warnings, budget, bytesMax } = whole
  const shown = new Set<string>()
  const read = (name: string) => readPart(opened, name, { shown, pages, whole })
  const partsOf = (wanted: string): ReadonlyArray<Part> =>
    [...relationships.values()]
      .filter(({ type, external, target }) => type === wanted && !external && archive.has(target))
      .map(({ target }) => read(target))
  const styles = new Styles(partsOf("styles")[0])
  const numbering = new Numbering(partsOf("numbering")[0], styles)
  const document: DocxDocument = {
    styles,
    numbering,
    notes: new NoteParts(notes, (type) => readNotes(document, partsOf(type)[0])),
    plainParagraph: propertiesOf(styles.byDefault, numbering),
    warnings,
    budget,
    bytesMax,
  }
  readStory(document, read(mainPart), to)
  return { partsOf }
}

interface Reading {
  /** The diagrams and the documents inside of this one that were read: each is shown once. */
  readonly shown: Set<string>
  readonly pages: ArchivedPages
  readonly whole: Whole
}

const readPart = ({ archive }: OfficePackage, name: string, { shown, pages, whole }: Reading): Part => {
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
    writeEmbedded: (id, to) => {
      const target = first(id) ?? ""
      const bytes = archive.read(target)
      if (bytes === undefined) return false
      const html = pages.get(target) ?? (/\.x?html?$/i.test(target) ? textOfHtml(bytes) : undefined)
      if (html !== undefined) writeEmbeddedHtml(html, to, whole)
      return html !== undefined || writeWord(bytes, whole, to)
    },
  }
}

/** Writes a Word document that is a part of another; false where it is none, or where it cannot be read. */
const writeWord = (bytes: Uint8Array, whole: Whole, to: Blocks): boolean => {
  const opened = openEmbedded(bytes, whole)
  if (opened !== undefined) readDocument(opened, new Map(), whole, to)
  return opened !== undefined
}

const openEmbedded = (bytes: Uint8Array, whole: Whole): OfficePackage | undefined => {
  const limits = { ...intakeLimits, archive_expanded_bytes_max: whole.embeddedBytesLeft }
  try {
    const opened = openPackage(bytes, "docx", limits)
    whole.embeddedBytesLeft -= opened.archive.expandedBytes
    verifyPackage(opened, limits)
    return opened
  } catch (error) {
    if (!Refusal.is(error)) throw error
    return undefined
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
