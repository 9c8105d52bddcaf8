import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { root } from "../../scripts/workspace.ts"

/** A parsing module, as a parsing process runs it. */
interface Converter {
  readonly parse: (input: {
    readonly document: Buffer
    readonly filename: string
    readonly fileBytesMax: number
    readonly outputFormats: ReadonlyArray<string>
    readonly resultBytesMax: number
    readonly write: (format: string, bytes: Uint8Array) => void
  }) => unknown
}

const bytesMax = 20 * 1024 * 1024

export type ToMarkdown = (document: Buffer, filename: string) => Promise<string>

/** The embedded converter's module among the packages. */
export const embedded = "executor-convert/src/embedded/convert.ts"

/** What a parsing module of a checkout makes of documents; rejects with its refusals. */
export const converterOf = async (
  module: string = embedded,
  checkout: string = root,
): Promise<ToMarkdown> => {
  const { parse }: Converter = await import(pathToFileURL(join(checkout, "packages", module)).href)
  return async (document, filename) => {
    const pieces: Array<Uint8Array> = []
    await parse({
      document,
      filename,
      fileBytesMax: bytesMax,
      write: (_format, bytes) => pieces.push(bytes.slice()),
      outputFormats: ["markdown"],
      resultBytesMax: bytesMax,
    })
    return Buffer.concat(pieces).toString()
  }
}
