/** Fields of a record; the rest is its user's and is 0 in a new record. */
const hashAt = 0
const startAt = 1
const endAt = 2
export const firstFreeAt = 3
const recordSize = 8

const recordsMin = 64
/** Half this many ranges are remembered before all of them are dropped. */
const recordsMax = 2_048

const golden = 0x9e3779b1
const wordBytes = 4

/**
 * Multiplies hashes. It differs from process to process, so that a document cannot be crafted whose names
 * collide.
 */
export const hashMultiplier: number = Math.floor(Math.random() * 2 ** 32) | 1

/**
 * Ranges of a document that are written alike have one record. A hash only finds a record: bytes decide. The
 * memory is bounded, so a record may be forgotten at any `record` call, and offsets hold until then.
 */
export class XmlSpellings {
  readonly #view: DataView
  #count = 0
  #mask = recordsMin - 1
  records: Array<number> = new Array(recordsMin * recordSize).fill(0)

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Offset in `records` of the record of a range that is not empty. */
  record(start: number, end: number, hash: number): number {
    const { records } = this
    const length = end - start
    for (let index = Math.imul(hash, golden) >>> 16; ; index++) {
      const record = (index & this.#mask) * recordSize
      const knownEnd = records[record + endAt] ?? 0
      if (knownEnd === 0) return this.#add(record, start, end, hash)
      if (records[record + hashAt] !== hash) continue
      const knownStart = records[record + startAt] ?? 0
      if (knownEnd - knownStart === length && this.#isSame(knownStart, start, length)) return record
    }
  }

  #isSame(one: number, other: number, length: number): boolean {
    const view = this.#view
    if (length < wordBytes) {
      for (let at = 0; at < length; at++) {
        if (view.getUint8(one + at) !== view.getUint8(other + at)) return false
      }
      return true
    }
    const last = length - wordBytes
    for (let at = 0; at < last; at += wordBytes) {
      if (view.getInt32(one + at, true) !== view.getInt32(other + at, true)) return false
    }
    return view.getInt32(one + last, true) === view.getInt32(other + last, true)
  }

  #add(record: number, start: number, end: number, hash: number): number {
    if (++this.#count > this.#mask / 2) {
      this.#forget()
      return this.record(start, end, hash)
    }
    this.records[record + hashAt] = hash
    this.records[record + startAt] = start
    this.records[record + endAt] = end
    return record
  }

  #forget(): void {
    this.#count = 0
    if (this.#mask + 1 === recordsMax) {
      this.records.fill(0)
      return
    }
    this.#mask = this.#mask * 2 + 1
    this.records = new Array((this.#mask + 1) * recordSize).fill(0)
  }
}
