import { isAscii } from "node:buffer"

const pieceBits = 12
const pieceBytes = 1 << pieceBits

/**
 * Turns ranges of a document into strings. Ranges are asked for mostly in order, so a piece of the document
 * is decoded at once and cut up, which is much quicker than decoding each range; pieces that are not ASCII
 * are decoded range by range.
 */
export class XmlStrings {
  readonly #bytes: Buffer
  #piece = ""
  #pieceStart = 0
  #pieceEnd = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  slice(start: number, end: number): string {
    if (start < this.#pieceStart || start >= this.#pieceEnd) this.#decode(start)
    return end - this.#pieceStart <= this.#piece.length
      ? this.#piece.substring(start - this.#pieceStart, end - this.#pieceStart)
      : this.#bytes.toString("utf8", start, end)
  }

  #decode(at: number): void {
    this.#pieceStart = at & -pieceBytes
    this.#pieceEnd = this.#pieceStart + pieceBytes
    const piece = this.#bytes.subarray(this.#pieceStart, this.#pieceEnd)
    this.#piece = isAscii(piece) ? piece.toString("latin1") : ""
  }
}
