import { type DocumentOutput, type ParseInput, WrittenResults } from "@atelier/executor"
import { Refusal } from "@atelier/intake/bytes"
import { parse } from "../src/embedded/convert.ts"
import { inspect } from "../src/inspect.ts"

export interface Converted {
  readonly contentType: string
  readonly markdown: string
  readonly json: Readonly<Record<string, unknown>>
  readonly warnings: DocumentOutput["warnings"]
  readonly codes: ReadonlyArray<string>
}

export const fileBytesMax = 10 * 1024 * 1024
const resultBytesMax = 20 * 1024 * 1024

/** Takes a document the way of an upload and a task: inspects it, then converts it into both formats. */
export const converted = async (
  bytes: Uint8Array | string,
  filename: string,
  limits: Partial<ParseInput> = {},
): Promise<Converted> => {
  const written = new WrittenResults()
  const input = { document: Buffer.from(bytes), filename, fileBytesMax }
  const { contentType } = await inspect(input)
  const { warnings } = await parse({
    ...input,
    write: written.write,
    outputFormats: ["markdown", "json"],
    resultBytesMax,
    ...limits,
  })
  return {
    contentType,
    markdown: written.bytes("markdown").toString(),
    json: JSON.parse(written.bytes("json").toString()),
    warnings,
    codes: warnings.map(({ code }) => code),
  }
}

/** Why a document is refused. */
export const refusalOf = async (...document: Parameters<typeof converted>): Promise<Refusal> => {
  try {
    await converted(...document)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error("the document was accepted")
}
