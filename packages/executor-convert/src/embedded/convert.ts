/** The parsing module of the embedded converter: it loads the module of the one format that a document has. */
import {
  type DocumentOutput,
  MarkdownWriter,
  type ParseInput,
  type PartKind,
  Warnings,
  writeResults,
} from "@atelier/executor/parsing"
import type { Extension } from "../formats.ts"
import { warnOfNoText } from "../noText.ts"
import { readChecked } from "../readChecked.ts"
import type { ConvertFormat } from "./Format.ts"

const spreadsheet = () => import("./sheets.ts")
const html = () => import("./html.ts")

const formats: Readonly<Record<Extension, () => Promise<{ readonly convert: ConvertFormat }>>> = {
  ".pdf": () => import("./pdf.ts"),
  ".docx": () => import("./docx.ts"),
  ".xlsx": spreadsheet,
  ".xls": spreadsheet,
  ".csv": () => import("./csv.ts"),
  ".html": html,
  ".htm": html,
  ".xml": () => import("./xml.ts"),
  ".odt": () => import("./odt.ts"),
  ".ods": spreadsheet,
}

/** What formats that have parts call them. */
const partKinds: { readonly [extension in Extension]?: PartKind } = {
  ".pdf": "pages",
  ".xlsx": "sheets",
  ".xls": "sheets",
  ".ods": "sheets",
}

/**
 * Writes `result.md` and `result.json`, as far as they are wanted. Throws a `Refusal`: what is refused at
 * upload is refused here as well, because libraries are safe only behind these checks.
 */
export const parse = async (input: ParseInput): Promise<DocumentOutput> => {
  const { bytes, extension } = await readChecked(input)
  const markdown = new MarkdownWriter(input.resultBytesMax)
  const warnings = new Warnings()
  const partKind = partKinds[extension]
  const { convert } = await formats[extension]()
  await convert({ bytes, filename: input.filename, markdown, warnings })
  if (markdown.isEmpty) warnOfNoText(extension, warnings, input.recognizer)
  return writeResults(input, {
    markdown,
    structureSource: "converter:embedded",
    warnings: warnings.list,
    inputBytes: bytes.length,
    ...(partKind === undefined ? {} : { parts: { [partKind]: markdown.parts } }),
  })
}
