import type { Budget, DocumentWarnings } from "@atelier/executor/flow"
import type { NoteParts } from "./NoteParts.ts"
import type { Numbering } from "./Numbering.ts"
import type { ParagraphProperties } from "./ParagraphProperties.ts"
import type { Styles } from "./Styles.ts"

/** The state that all stories of one document share. */
export interface DocxDocument {
  readonly styles: Styles
  readonly numbering: Numbering
  readonly notes: NoteParts
  readonly warnings: DocumentWarnings
  /** The default of a paragraph without its own properties. */
  readonly plainParagraph: ParagraphProperties
  readonly budget: Budget
  /** Of the whole result. */
  readonly bytesMax: number
}
