import { Refusal } from "@atelier/intake/bytes"

/**
 * Counts what a document's text comes to while it is collected: all of it is written at the end, so that a
 * document whose text is too large already needs no memory for the rest.
 */
export class Budget {
  readonly #bytesMax: number
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Throws a `Refusal` (`result_too_large`). Characters may be counted as bytes: they are no fewer. */
  spend(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= this.#bytesMax) return
    throw new Refusal(
      "result_too_large",
      `The Markdown result would have ${this.#bytes} bytes or more; at most ${this.#bytesMax} are allowed.`,
    )
  }
}
