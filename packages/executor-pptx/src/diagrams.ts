import { readDiagram } from "@atelier/executor/flow"
import type { ZipArchive } from "@atelier/intake/bytes"
import type { Block } from "./blocks.ts"

/** The texts of diagrams (SmartArt) as lists, each diagram once. */
export class Diagrams {
  readonly #archive: ZipArchive
  readonly #read = new Set<string>()

  constructor(archive: ZipArchive) {
    this.#archive = archive
  }

  /** @param part the diagram's data */
  blocks(part: string): ReadonlyArray<Block> {
    if (this.#read.has(part)) return []
    this.#read.add(part)
    const bytes = this.#archive.read(part)
    const texts = bytes === undefined ? [] : readDiagram(bytes, part)
    return texts.map(({ depth, markdown }) => ({ kind: "item", depth, markdown, list: texts }))
  }
}
