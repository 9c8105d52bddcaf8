import { type FileHandle, open } from "node:fs/promises"

/** Bytes that are held in memory, or lie in a local file. */
export type Bytes = { readonly data: Uint8Array } | { readonly path: string }

/** One attempt of a job to write a file. */
export interface Attempt {
  /** Keeps the piece. */
  readonly write: (piece: Uint8Array) => Promise<void>
  /** Closes what is open. Nothing is written afterwards. */
  readonly end: () => Promise<void>
  /** What was written is the result of the job. */
  readonly keep: () => void
}

/**
 * What a job writes under one name: held in memory up to `heldBytesMax`, in a file of its own beyond. A job that is
 * begun again writes from the beginning.
 */
export class Written {
  #content: Bytes = { data: new Uint8Array() }
  #bytes = 0
  #attempts = 0
  readonly #place: () => Promise<string>
  readonly #heldBytesMax: number

  /** @param place answers the path of the file, to which the number of an attempt is added */
  constructor(place: () => Promise<string>, heldBytesMax: number) {
    this.#place = place
    this.#heldBytesMax = heldBytesMax
  }

  /** Of the attempt that was kept. */
  get content(): Bytes {
    return this.#content
  }

  /** Length of it. */
  get bytes(): number {
    return this.#bytes
  }

  begin(): Attempt {
    const attempt = ++this.#attempts
    let held: Array<Uint8Array> = []
    let bytes = 0
    let file: { readonly path: string; readonly handle: FileHandle } | undefined
    const spill = async () => {
      const path = `${await this.#place()}${attempt > 1 ? `.${attempt}` : ""}`
      const handle = await open(path, "w")
      file = { path, handle }
      for (const piece of held) await writeAll(handle, piece)
      held = []
      return file
    }
    return {
      write: async (piece) => {
        bytes += piece.length
        if (bytes <= this.#heldBytesMax) held.push(piece)
        else await writeAll((file ?? (await spill())).handle, piece)
      },
      end: async () => file?.handle.close(),
      keep: () => {
        this.#bytes = bytes
        this.#content = file === undefined ? { data: Buffer.concat(held, bytes) } : { path: file.path }
      },
    }
  }
}

const writeAll = async (file: FileHandle, bytes: Uint8Array): Promise<void> => {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written)).bytesWritten
  }
}
