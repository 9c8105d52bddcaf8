import { type CellText, CellTextBuilder } from "./CellText.ts"

const flagWide = 0x01
const flagExtended = 0x04
const flagRich = 0x08

const runBytes = 4

/** Reads values and strings that lie in one record and may go on in the records that continue it. */
export class BiffText {
  private readonly parts: ReadonlyArray<Buffer>
  private part: Buffer
  private index = 0
  private at: number

  constructor(parts: ReadonlyArray<Buffer>, at = 0) {
    this.parts = parts
    this.part = parts[0] ?? Buffer.alloc(0)
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.part.length && this.index + 1 >= this.parts.length
  }

  /** 0 behind the end. */
  byte(): number {
    while (this.at >= this.part.length) {
      if (!this.nextPart()) return 0
    }
    return this.part[this.at++] ?? 0
  }

  word(): number {
    return this.byte() + this.byte() * 0x100
  }

  /** A Unicode string of BIFF 8 whose `length` in UTF-16 units was read: text, without formats and pronunciation. */
  unicode(length: number): string {
    const { text, runs, extension } = this.beginOf(length)
    this.skip(runs * runBytes + extension)
    return text
  }

  /** The same with what the fonts of its runs say, by their numbers, as sums of bits. */
  formatted(length: number, formatOf: (font: number) => number): CellText {
    const { text, runs, extension } = this.beginOf(length)
    const read = new CellTextBuilder()
    let from = 0
    let format = 0
    for (let run = 0; run < runs && !this.isAtEnd; run++) {
      const to = Math.max(from, this.word())
      read.add(text.slice(from, to), format)
      from = to
      format = formatOf(this.word())
    }
    read.add(text.slice(from), format)
    this.skip(extension)
    return read.text
  }

  private beginOf(length: number): { text: string; runs: number; extension: number } {
    const flags = this.byte()
    const runs = (flags & flagRich) === 0 ? 0 : this.word()
    const extension = (flags & flagExtended) === 0 ? 0 : this.word() + this.word() * 0x1_0000
    return { text: this.characters(length, (flags & flagWide) !== 0), runs, extension }
  }

  /** Characters of two bytes, or of one, the Latin ones; where they go on in the next record, a flag says which. */
  characters(length: number, isWide: boolean): string {
    let text = ""
    let wide = isWide
    let left = length
    while (left > 0) {
      const unitBytes = wide ? 2 : 1
      const units = Math.min(left, Math.trunc((this.part.length - this.at) / unitBytes))
      const end = this.at + units * unitBytes
      text += this.part.toString(wide ? "utf16le" : "latin1", this.at, end)
      left -= units
      this.at = end
      if (left > 0) {
        if (!this.nextPart()) break
        wide = (this.byte() & flagWide) !== 0
      }
    }
    return text
  }

  private skip(bytes: number): void {
    let left = bytes
    while (left > this.part.length - this.at) {
      left -= this.part.length - this.at
      if (!this.nextPart()) return
    }
    this.at += left
  }

  private nextPart(): boolean {
    const next = this.parts[this.index + 1]
    if (next === undefined) {
      this.at = this.part.length
      return false
    }
    this.index++
    this.part = next
    this.at = 0
    return true
  }
}
