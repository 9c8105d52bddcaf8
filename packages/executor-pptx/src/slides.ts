import { type OfficePackage, readXml, relationshipsOf, type ZipArchive } from "@atelier/intake/bytes"
import { Diagrams } from "./diagrams.ts"
import { Notes } from "./notes.ts"
import { slidesOf } from "./presentation.ts"
import { Slide, textElements } from "./Slide.ts"
import type { SlideWarnings } from "./SlideWarnings.ts"
import { Styles } from "./styles.ts"
import { vocabulary } from "./vocabulary.ts"

/** What all slides of a presentation share. */
interface Shared {
  readonly archive: ZipArchive
  readonly styles: Styles
  readonly notes: Notes
  readonly diagrams: Diagrams
  readonly footers: Set<string>
  readonly warnings: SlideWarnings
}

/** The slides in the order in which they are shown, one after the other. Throws a `Refusal`. */
export function* readSlides(presentation: OfficePackage, warnings: SlideWarnings): Generator<Slide> {
  const { archive } = presentation
  const shared = {
    archive,
    styles: new Styles(archive),
    notes: new Notes(archive),
    diagrams: new Diagrams(archive),
    footers: new Set<string>(),
    warnings,
  }
  for (const [index, part] of slidesOf(presentation).entries()) yield readSlide(shared, part, index + 1)
}

const readSlide = (shared: Shared, part: string, number: number): Slide => {
  const { archive, styles, notes, diagrams, footers, warnings } = shared
  const relationships = relationshipsOf(archive, part)
  const partOf = (type: string): string | undefined =>
    [...relationships.values()].find((related) => related.type === type && !related.external)?.target
  const layout = partOf("slideLayout")
  const bytes = archive.read(part) ?? new Uint8Array()
  const slide = new Slide(readXml(bytes, { vocabulary, source: part, textIn: textElements }), {
    number,
    address: (id) => {
      const related = relationships.get(id)
      return related?.external === true ? related.target : undefined
    },
    bullet: (placeholder, level) => styles.bullet(layout, placeholder, level),
    font: (placeholder, level) => styles.font(layout, placeholder, level),
    place: (placeholder) => styles.place(layout, placeholder),
    diagram: (id) => {
      const related = relationships.get(id)
      return related === undefined || related.external ? [] : diagrams.blocks(related.target)
    },
    isNewFooter: (markdown) => {
      const isNew = !footers.has(markdown)
      footers.add(markdown)
      return isNew
    },
    found: (code) => warnings.add(code, number),
  })
  const page = partOf("notesSlide")
  if (page !== undefined && notes.hasText(page)) warnings.add("speaker_notes_left_out", number)
  if (partOf("comments") !== undefined) warnings.add("comments_left_out", number)
  return slide
}
