/** The parsing module of notebook-md-json: it runs in a parsing process. */
import {
  type DocumentInput,
  type DocumentOutput,
  MarkdownWriter,
  type ParseInput,
  readDocument,
  Warnings,
  writeResults,
} from "@atelier/executor/parsing"
import { detectSignature, JsonExcess, parseJson, Refusal, scanText, textFault } from "@atelier/intake/bytes"
import { closedMarkdown } from "./closedMarkdown.ts"
import { notebookLimits } from "./Limits.ts"
import { type Cell, type Notebook, type Output, readNotebook } from "./Notebook.ts"

/** Checks that the file is a notebook that can be read as a whole. Throws a `Refusal`. */
export const inspect = (input: DocumentInput) => {
  read(input)
  return { contentType: "application/x-ipynb+json" }
}

/** Writes the results as far as they are wanted. Throws a `Refusal`. */
export const parse = (input: ParseInput): DocumentOutput => {
  const { bytes, notebook } = read(input)
  const markdown = new MarkdownWriter(input.resultBytesMax)
  const warnings = new Warnings()
  for (const cell of notebook.cells) writeCell(markdown, warnings, cell, notebook.language)
  if (markdown.isEmpty) warnings.add("no_text", () => "The notebook holds no text.")
  return writeResults(input, {
    markdown,
    structureSource: "ipynb",
    warnings: warnings.list,
    inputBytes: bytes,
  })
}

const read = (input: DocumentInput): { readonly bytes: number; readonly notebook: Notebook } => {
  const bytes = readDocument(input)
  return {
    bytes: bytes.length,
    notebook: readNotebook(readJson(bytes)),
  }
}

const writeCell = (markdown: MarkdownWriter, warnings: Warnings, cell: Cell, language: string): void => {
  if (cell.type === "markdown") markdown.block(closedMarkdown(cell.source))
  else markdown.code(cell.source, cell.type === "code" ? language : "")
  for (let count = cell.attachments; count > 0; count--) warnings.add("attachments_left_out", attachments)
  for (const output of cell.outputs) writeOutput(markdown, warnings, output)
}

const writeOutput = (markdown: MarkdownWriter, warnings: Warnings, output: Output): void => {
  if (output.markdown !== undefined) markdown.block(closedMarkdown(output.markdown))
  else if (output.text !== undefined) markdown.code(terminalText(output.text))
  else if (!output.hasImage && !output.hasHtml) warnings.add("outputs_left_out", others)
  if (output.hasImage) warnings.add("images_not_interpreted", images)
  if (output.hasHtml) warnings.add("html_outputs_left_out", pages)
}

const were = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one} was left out` : `${count} ${many} were left out`

const attachments = (count: number): string =>
  `${were(count, "attachment of a cell", "attachments of cells")}.`

const images = (count: number): string =>
  `${were(count, "image", "images")}: nothing is recognised in images; a text that stands for one is kept.`

const pages = (count: number): string =>
  `${were(count, "HTML output", "HTML outputs")}; a text that stands for one is kept.`

const others = (count: number): string => `${were(count, "output without text", "outputs without text")}.`

/** Colours, cursor movements and titles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const escapeSequences = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g

/** What a line held before it was overwritten, as progress bars do. */
const overwritten = /^[^\n]*\r(?!\n|$)/gm

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\0-\x08\x0b\r\x0e-\x1f\x7f]/g

/** What a program wrote to a terminal, as it stood there in the end: without colours and control characters. */
const terminalText = (output: string): string =>
  output.replaceAll("\r\n", "\n").replace(escapeSequences, "").replace(overwritten, "").replace(controls, "")

/**
 * The value of a JSON document in UTF-8. Throws a `Refusal`: `file_type_not_accepted` for another format,
 * `file_not_utf8`, `file_corrupt`, and `invalid_file` for one that goes beyond a limit.
 */
const readJson = (bytes: Uint8Array): unknown => {
  const signature = detectSignature(bytes)
  if (signature !== undefined) {
    throw new Refusal("file_type_not_accepted", `The file is ${signature.name}, not a notebook.`)
  }
  const fault = textFault(bytes, scanText(bytes))
  if (fault !== undefined) throw fault
  try {
    return parseJson(bytes, notebookLimits)
  } catch (thrown) {
    if (thrown instanceof JsonExcess) throw new Refusal("invalid_file", thrown.message)
    const place = /at position (\d+)/.exec(String(thrown))?.[1]
    const where = place === undefined ? "" : `, near character ${place}`
    throw new Refusal("file_corrupt", `The file is not valid JSON${where}.`)
  }
}
