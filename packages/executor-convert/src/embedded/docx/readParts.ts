import { readXml, type XmlReader, xmlEnd, xmlStart, xmlText } from "@atelier/intake/bytes"
import { type Blocks, KeptBlocks } from "../flow/Blocks.ts"
import type { DocxDocument } from "./DocxDocument.ts"
import type { Note } from "./NoteParts.ts"
import type { Part } from "./Part.ts"
import { Story } from "./Story.ts"
import { element, vocabulary } from "./vocabulary.ts"

const open = ({ bytes, name }: Part): XmlReader =>
  readXml(bytes, {
    vocabulary,
    source: name,
    textIn: [element.text, element.mathText, element.instruction],
  })

/** Reads a whole part as one story. */
export const readStory = (document: DocxDocument, part: Part, blocks: Blocks): void =>
  new Story(document, open(part), part).readInto(blocks)

const noteElements: ReadonlySet<number> = new Set([element.footnote, element.endnote, element.comment])

/** The notes of a part, by id. */
export const readNotes = (document: DocxDocument, part: Part | undefined): ReadonlyMap<string, Note> => {
  const notes = new Map<string, Note>()
  if (part === undefined) return notes
  const xml = open(part)
  const story = new Story(document, xml, part)
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token !== xmlStart || !noteElements.has(xml.element)) continue
    const id = xml.attribute("w:id") ?? ""
    const author = xml.attribute("w:author") ?? ""
    const blocks = new KeptBlocks()
    story.readInto(blocks)
    notes.set(id, { text: blocks.text, author })
  }
  return notes
}

/** Whether a part has text with letters; the text of fields is counted as well. */
export const holdsText = (part: Part): boolean => {
  const xml = open(part)
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlStart && xml.element === element.instruction) xml.skip()
    else if (token === xmlText && /\p{L}/u.test(xml.text())) return true
  }
  return false
}
