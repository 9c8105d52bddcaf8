import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
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
export const parsed = (bytes: Uint8Array): Parsed => {
  const folder = mkdtempSync(join(tmpdir(), "pptx-"))
  try {
    const path = join(folder, "input")
    writeFileSync(path, bytes)
    const input = { path, filename: "deck.pptx", fileBytesMax }
    inspect(input)
    const { warnings } = parse({
      ...input,
      outputDirectory: folder,
      outputFormats: ["markdown", "json"],
      resultBytesMax,
    })
    const result = (name: string) => readFileSync(join(folder, name), "utf8")
    return { markdown: result("result.md"), json: JSON.parse(result("result.json")), warnings }
  } finally {
    rmSync(folder, { recursive: true })
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
