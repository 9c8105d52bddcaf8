/** One part of a document. */
export interface Part {
  readonly name: string
  readonly bytes: Uint8Array
  /** Targets of its links to the outside, by id. */
  readonly links: () => ReadonlyMap<string, string>
}
