import { type ParseInput, WrittenResults } from "@atelier/executor"
import { Refusal } from "@atelier/intake/bytes"
import { inspect, parse } from "../src/parse.ts"

export interface Parsed {
  readonly markdown: string
  readonly json: Readonly<Record<string, unknown>>
  readonly warnings: ReadonlyArray<{ readonly code: string; readonly message: string }>
}

const fileBytesMax = 10 * 1024 * 1024
const resultBytesMax = 20 * 1024 * 1024

/** Takes a presentation the way of an upload and a task: inspects it, then parses it into both formats. */
export const parsed = (bytes: Uint8Array, more: Partial<ParseInput> = {}): Parsed => {
  const written = new WrittenResults()
  const input = { document: bytes, filename: "deck.pptx", fileBytesMax }
  inspect(input)
  const { warnings } = parse({
    ...input,
    write: written.write,
    outputFormats: ["markdown", "json"],
    resultBytesMax,
    ...more,
  })
  return {
    markdown: written.bytes("markdown").toString(),
    json: JSON.parse(written.bytes("json").toString()),
    warnings,
  }
}

/** Why a presentation is refused. */
export const refusalOf = (bytes: Uint8Array): Refusal => {
  try {
    parsed(bytes)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error("the presentation was accepted")
}
