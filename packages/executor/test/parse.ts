import process from "node:process"
import {
  type DocumentInput,
  escapeMarkdown,
  MarkdownWriter,
  type ParseInput,
  readDocument,
  writeResults,
} from "@atelier/executor/parsing"
import { Refusal } from "@atelier/intake/bytes"

/** A parsing module whose documents say what becomes of them. */
const read = (input: DocumentInput): string => {
  const text = Buffer.from(readDocument(input)).toString()
  const [verb, code = ""] = text.split(" ")
  if (verb === "refuse") throw new Refusal(code, "The document asks to be refused.")
  if (verb === "throw") throw new TypeError(`fault in ${input.filename}`)
  if (verb === "die") process.abort()
  while (verb === "hang") {}
  return text
}

export const inspect = (input: DocumentInput) => {
  read(input)
  return { contentType: "text/x-verb" }
}

export const parse = (input: ParseInput) => {
  const text = read(input)
  const markdown = new MarkdownWriter(input.resultBytesMax)
  markdown.paragraph(escapeMarkdown(text))
  return writeResults(input, {
    markdown,
    structureSource: "verb",
    warnings: [{ code: "read", message: "It was read." }],
    inputBytes: text.length,
    capabilities: { verbs: true },
  })
}
