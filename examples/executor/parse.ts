import {
  type DocumentInput,
  type DocumentOutput,
  escapeMarkdown,
  MarkdownWriter,
  type ParseInput,
  readDocument,
  writeResults,
} from "@atelier/executor/parsing"
import { Refusal, scanText, textFault, withoutByteOrderMark } from "@atelier/intake/bytes"

/** The check at upload. What it throws as a `Refusal` is told to the caller as 400 with that code. */
export const inspect = (input: DocumentInput) => {
  readCues(input)
  return { contentType: "application/x-subrip" }
}

/** Writes one file for each wanted format. */
export const parse = (input: ParseInput): DocumentOutput => {
  const { bytes, cues } = readCues(input)
  const markdown = new MarkdownWriter(input.resultBytesMax)
  for (const { at, text } of cues) markdown.listItem(0, `**${at}** ${escapeMarkdown(text)}`)
  return writeResults(input, { markdown, structureSource: "subtitles", warnings: [], inputBytes: bytes })
}

const cueTime = /^(\d{2}:\d{2}:\d{2}),\d{3} --> \d{2}:\d{2}:\d{2},\d{3}$/

const readCues = (input: DocumentInput) => {
  const bytes = readDocument(input)
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
