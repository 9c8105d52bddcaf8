import { open, stat } from "node:fs/promises"
import type { Readable, Writable } from "node:stream"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { frameHeadBytes, replyCharactersMax, replyFrame } from "./frames.ts"
import { type JobHead, type ParsingJob, ParsingReply } from "./ParsingMessages.ts"
import type { Attempt, Bytes } from "./Written.ts"

/** Characters outside of ASCII take up to four bytes. */
const replyBytesMax = 4 * (replyCharactersMax + 1024)

/** Bytes of a document that are sent at a time. */
const chunkBytes = 256 * 1024

/** The process has closed its end; its exit tells why. */
export class ProcessGone extends Error {}

/**
 * The parent's side of a parsing process. Nothing that it sends is trusted: files get the paths that
 * the parent knows, and are bounded; the reply is decoded.
 */
export class ParsingPipes {
  private readonly jobs: Writable
  private readonly frames: AsyncIterator<Buffer>
  private held: Buffer = Buffer.alloc(0)

  constructor(jobs: Writable, frames: Readable) {
    this.jobs = jobs
    // What became of the process is told by its exit.
    jobs.on("error", () => {})
    frames.on("error", () => {})
    this.frames = frames[Symbol.asyncIterator]()
  }

  /** Sends a job with its files, and receives files until the reply. */
  async exchange(job: ParsingJob): Promise<ParsingReply> {
    const files = Object.values(job.writes ?? {}).map((written) => written.begin())
    try {
      const [, reply] = await Promise.all([this.send(job), this.receive(files, job.writeBytesMax ?? 0)])
      for (const file of files) file.keep()
      return reply
    } finally {
      await Promise.all(files.map((file) => file.end()))
    }
  }

  /** Receives files until a reply. */
  async receive(files: ReadonlyArray<Attempt>, bytesMax: number): Promise<ParsingReply> {
    const written = files.map(() => 0)
    for (;;) {
      const head = await this.take(frameHeadBytes)
      const kind = head.readUInt8()
      const length = head.readUInt32BE(1)
      if (kind === replyFrame) return await this.takeReply(length)
      const file = files[kind]
      if (file === undefined) throw new Error(`the process writes to a file ${kind}, which it was not given`)
      written[kind] = (written[kind] ?? 0) + length
      if (written[kind] > bytesMax) throw new Error(`the process writes more than ${bytesMax} bytes`)
      for (let left = length; left > 0; ) {
        const piece = await this.takeSome(left)
        await file.write(piece)
        left -= piece.length
      }
    }
  }

  private async send({ module, function: name, input, reads = {}, writes = {} }: ParsingJob): Promise<void> {
    const sources = Object.entries(reads)
    const sizes = await Promise.all(sources.map(([, source]) => sizeOf(source)))
    const head: JobHead = {
      module,
      function: name,
      input,
      reads: sources.map(([read], at) => ({ name: read, bytes: sizes[at] ?? 0 })),
      writes: Object.keys(writes),
    }
    const json = Buffer.from(JSON.stringify(head))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(json.length)
    // Files in memory are sent with the header, so that the process is woken once.
    let pending: Array<Uint8Array> = [length, json]
    for (const [at, [, source]] of sources.entries()) {
      if ("data" in source) {
        pending.push(source.data)
        continue
      }
      if (pending.length > 0) await this.put(Buffer.concat(pending))
      pending = []
      await this.putFile(source.path, sizes[at] ?? 0)
    }
    if (pending.length > 0) await this.put(Buffer.concat(pending))
  }

  /** Through one buffer: a new one for each chunk is garbage that V8 collects by stopping the process. */
  private async putFile(path: string, bytes: number): Promise<void> {
    const file = await open(path)
    try {
      const buffer = Buffer.allocUnsafeSlow(Math.min(bytes, chunkBytes))
      for (let sent = 0; sent < bytes; ) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, bytes - sent), sent)
        if (bytesRead === 0) throw new Error(`${path} has become shorter`)
        await this.put(buffer.subarray(0, bytesRead))
        sent += bytesRead
      }
    } finally {
      await file.close()
    }
  }

  private put(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.jobs.write(bytes, () => resolve()))
  }

  private async takeReply(length: number): Promise<ParsingReply> {
    if (length > replyBytesMax) throw new Error(`the process sends a reply of ${length} bytes`)
    const reply = decodeReply((await this.take(length)).toString())
    if (Option.isNone(reply)) throw new Error("the process sent no known reply")
    return reply.value
  }

  private async take(bytes: number): Promise<Buffer> {
    const pieces: Array<Buffer> = []
    for (let left = bytes; left > 0; ) {
      const piece = await this.takeSome(left)
      pieces.push(piece)
      left -= piece.length
    }
    return Buffer.concat(pieces, bytes)
  }

  /** At least one byte, at most `bytesMax`. Throws `ProcessGone`. */
  private async takeSome(bytesMax: number): Promise<Buffer> {
    if (this.held.length === 0) {
      const next = await this.frames.next().catch(() => ended)
      if (next.done === true) throw new ProcessGone()
      this.held = next.value
    }
    const piece = this.held.subarray(0, bytesMax)
    this.held = this.held.subarray(piece.length)
    return piece
  }
}

const ended = { done: true, value: undefined } as const

const sizeOf = async (source: Bytes): Promise<number> =>
  "data" in source ? source.data.length : (await stat(source.path)).size

const decodeReply = Schema.decodeUnknownOption(Schema.fromJsonString(ParsingReply))
