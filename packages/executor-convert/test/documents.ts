import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DocumentOutput, ParseInput } from "@atelier/executor"
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
  const folder = mkdtempSync(join(tmpdir(), "file-md-json-"))
  try {
    const path = join(folder, "input")
    writeFileSync(path, bytes)
    const input = { path, filename, fileBytesMax }
    const { contentType } = await inspect(input)
    const { warnings } = await parse({
      ...input,
      outputDirectory: folder,
      outputFormats: ["markdown", "json"],
      resultBytesMax,
      ...limits,
    })
    const result = (name: string) => readFileSync(join(folder, name), "utf8")
    const codes = warnings.map(({ code }) => code)
    return {
      contentType,
      markdown: result("result.md"),
      json: JSON.parse(result("result.json")),
      warnings,
      codes,
    }
  } finally {
    rmSync(folder, { recursive: true })
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
