import type { DiagramText } from "@atelier/executor/flow"

/** One part of a document. */
export interface Part {
  readonly name: string
  readonly bytes: Uint8Array
  /** Targets of its links to the outside, by id. */
  readonly links: () => ReadonlyMap<string, string>
  /** The texts of the diagram that a relationship leads to. */
  readonly diagram: (id: string) => ReadonlyArray<DiagramText>
  /** The HTML that a relationship leads to, once; undefined for any other document. */
  readonly html: (id: string) => string | undefined
}
