import type { ParseInput } from "./Results.ts"

/** Keeps what a module's `parse` writes, for calls of it outside of a parsing process, as in a test. */
export class WrittenResults {
  private readonly pieces = new Map<string, Array<Uint8Array>>()

  readonly write: ParseInput["write"] = (format, bytes) => {
    const known = this.pieces.get(format) ?? []
    this.pieces.set(format, known)
    known.push(Uint8Array.from(bytes))
  }

  get formats(): ReadonlyArray<string> {
    return [...this.pieces.keys()]
  }

  bytes(format: "markdown" | "json"): Buffer {
    return Buffer.concat(this.pieces.get(format) ?? [])
  }
}
