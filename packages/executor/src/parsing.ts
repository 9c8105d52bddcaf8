/**
 * The half of a document tool that runs inside a parsing process. It imports nothing but Node and
 * `@atelier/intake/bytes`, so that such a process boots quickly.
 */
export { decodeText } from "./decodeText.ts"
export { escapeMarkdown } from "./escapeMarkdown.ts"
export { formatNumber } from "./formatNumber.ts"
export { type DocumentPart, MarkdownWriter } from "./MarkdownWriter.ts"
export { markdownLink } from "./markdownLink.ts"
export {
  type DocumentInput,
  type DocumentOutput,
  type MarkdownBytes,
  type ParseInput,
  type PartKind,
  readDocument,
  type Warning,
  Warnings,
  writeResults,
} from "./Results.ts"
export { repeatedCharactersMax, repeatedText } from "./repeatedText.ts"
