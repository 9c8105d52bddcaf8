import type { DiagramText } from "@atelier/executor/flow"
import type { Blocks } from "../flow/Blocks.ts"

/** One part of a document. */
export interface Part {
  readonly name: string
  readonly bytes: Uint8Array
  /** Targets of its links to the outside, by id. */
  readonly links: () => ReadonlyMap<string, string>
  /** The texts of the diagram that a relationship leads to. */
  readonly diagram: (id: string) => ReadonlyArray<DiagramText>
  /** Writes the HTML or the Word document that a relationship leads to, once; false where it is neither. */
  readonly writeEmbedded: (id: string, to: Blocks) => boolean
}
