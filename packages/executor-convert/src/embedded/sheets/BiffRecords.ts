const headBytes = 4
const continuation = 0x003c

/**
 * Walks over the records of a stream in the Binary Interchange File Format, in which Excel wrote workbooks until
 * 2003: a number, a length, and that many bytes. What reaches beyond the end of the stream is cut.
 */
export class BiffRecords {
  private readonly stream: Buffer
  private next: number
  /** Number of the current record. */
  type = 0
  data: Buffer = Buffer.alloc(0)

  constructor(stream: Buffer, at = 0) {
    this.stream = stream
    this.next = at
  }

  /** Where the next record begins. */
  get position(): number {
    return this.next
  }

  /** Goes to the next record; false if there is none. */
  advance(): boolean {
    const { stream, next } = this
    if (next + headBytes > stream.length) return false
    this.type = stream.readUInt16LE(next)
    this.next = next + headBytes + stream.readUInt16LE(next + 2)
    this.data = stream.subarray(next + headBytes, this.next)
    return true
  }

  /** The data of the current record and of those that continue it, which are passed. */
  continued(): ReadonlyArray<Buffer> {
    const parts = [this.data]
    while (
      this.next + headBytes <= this.stream.length &&
      this.stream.readUInt16LE(this.next) === continuation
    ) {
      this.advance()
      parts.push(this.data)
    }
    return parts
  }
}
