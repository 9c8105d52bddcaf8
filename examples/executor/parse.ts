import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Refusal, scanText, textFault, withoutByteOrderMark } from "@atelier/intake/bytes"

/** The parsing module: it runs in a process of the pool, and imports nothing but Node and `intake/bytes`. */

interface Input {
  readonly path: string
}

/** The check at upload. What it throws as a `Refusal` is told to the caller as 400 with that code. */
export const inspect = (input: Input) => {
  readCues(input)
  return { contentType: "application/x-subrip" }
}

/** Writes one file for each wanted format into the empty `outputDirectory`. */
export const parse = (
  input: Input & { readonly outputDirectory: string; readonly outputFormats: ReadonlyArray<string> },
) => {
  const { bytes, cues } = readCues(input)
  const markdown = cues.map(({ at, text }) => `- **${at}** ${text}\n`).join("")
  const json = {
    schema_version: "1.0",
    markdown,
    structure_source: "subtitles",
    capabilities: { ocr: false, page_coordinates: false, bounding_boxes: false, structured_tables: false },
    warnings: [],
    input_bytes: bytes,
  }
  const results = input.outputFormats.map((format) =>
    format === "markdown"
      ? write(input, format, "result.md", markdown, "text/markdown; charset=utf-8")
      : write(input, format, "result.json", JSON.stringify(json), "application/json"),
  )
  return { results, warnings: [] }
}

const write = (
  { outputDirectory }: { readonly outputDirectory: string },
  format: string,
  name: string,
  text: string,
  contentType: string,
) => {
  const path = join(outputDirectory, name)
  writeFileSync(path, text)
  return { format, path, bytes: Buffer.byteLength(text), contentType }
}

const cueTime = /^(\d{2}:\d{2}:\d{2}),\d{3} --> \d{2}:\d{2}:\d{2},\d{3}$/

const readCues = ({ path }: Input) => {
  const bytes = readFileSync(path)
  const fault = textFault(bytes, scanText(bytes))
  if (fault !== undefined) throw fault
  const text = Buffer.from(withoutByteOrderMark(bytes)).toString()
  const blocks = text
    .replaceAll("\r\n", "\n")
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== "")
  const cues = blocks.map((block, index) => {
    const [, time = "", ...lines] = block.trim().split("\n")
    const at = cueTime.exec(time)?.[1]
    if (at === undefined) throw new Refusal("file_corrupt", `Cue ${index + 1} has no time line.`)
    return { at, text: lines.join(" ") }
  })
  return { bytes: bytes.length, cues }
}
