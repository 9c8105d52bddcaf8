/** The files of a new document tool: a plugin that works as it is, for text files with an extension of its own. */
export const executorFiles = (name: string, version: string): Readonly<Record<string, string>> => ({
  "package.json": `${JSON.stringify(
    {
      name: `atelier-${name}`,
      version: "0.1.0",
      type: "module",
      exports: { ".": "./src/plugin.ts" },
      scripts: { test: "vitest run --testTimeout 60000" },
      dependencies: {
        "@atelier/core": version,
        "@atelier/executor": version,
        "@atelier/intake": version,
        "@atelier/plugin": version,
      },
      devDependencies: { "@effect/vitest": "*", "fast-check": "*", vitest: "*" },
    },
    null,
    2,
  )}\n`,
  "README.md": `# atelier-${name}

A document tool for Atelier. In the server's configuration: \`"plugins": ["${`./atelier-${name}/src/plugin.ts`}"]\`; the tool is \`${name}-md-json\`.

- \`src/definition.ts\`: what it accepts, and its price.
- \`src/parse.ts\`: reads a document, in a process of the parsing pool. Change \`read\` first.
- \`test/contract.test.ts\`: documents that it reads and refuses; \`npm test\` holds it to the contract of every tool. What it imports is found here or in a folder above.
`,
  "src/plugin.ts": `import { PooledExecutor } from "@atelier/executor"
import { siblingModule } from "@atelier/intake"
import { definePlugin } from "@atelier/plugin"
import { definition } from "./definition.ts"

/** Documents are read in the parsing pool, by the functions of \`parse.ts\`. */
export const make = PooledExecutor.make(definition, siblingModule("parse", import.meta.url))

export default definePlugin({ name: "atelier-${name}", tools: [make] })
`,
  "src/definition.ts": `import type { ToolDefinition } from "@atelier/core"

export const definition: ToolDefinition = {
  id: "${name}-md-json",
  name: "${name} to Markdown",
  description: "Turns ${name} files into Markdown.",
  extensions: [".${name}"],
  maxFileBytes: 10 * 1024 * 1024,
  timeoutSeconds: 30,
  outputFormats: ["markdown", "json"],
  unitPriceUsd: "0.0001",
}
`,
  "src/parse.ts": `import {
  type DocumentInput,
  type DocumentOutput,
  escapeMarkdown,
  MarkdownWriter,
  type ParseInput,
  readDocument,
  writeResults,
} from "@atelier/executor/parsing"
import { Refusal, scanText, textFault, withoutByteOrderMark } from "@atelier/intake/bytes"

/** The check at upload. What it throws as a \`Refusal\` is told to the caller as 400 with that code. */
export const inspect = (input: DocumentInput) => {
  read(input)
  return { contentType: "text/plain" }
}

/** Writes one result for each wanted format. It refuses what \`inspect\` refuses. */
export const parse = (input: ParseInput): DocumentOutput => {
  const { bytes, lines } = read(input)
  const markdown = new MarkdownWriter(input.resultBytesMax)
  for (const line of lines) markdown.listItem(0, escapeMarkdown(line))
  return writeResults(input, { markdown, structureSource: "text", warnings: [], inputBytes: bytes })
}

/** Trust nothing: count what comes out, and name the limit in every refusal. */
const read = (input: DocumentInput) => {
  const bytes = readDocument(input)
  const fault = textFault(bytes, scanText(bytes))
  if (fault !== undefined) throw fault
  const text = Buffer.from(withoutByteOrderMark(bytes)).toString()
  const lines = text.split(/\\r?\\n/).filter((line) => line.trim() !== "")
  if (lines.length === 0) throw new Refusal("file_corrupt", "The file has no line of text.")
  return { bytes: bytes.length, lines }
}
`,
  "test/contract.test.ts": `import { executorContract } from "@atelier/core/testing"
import { ParsingPool } from "@atelier/intake"
import { make } from "../src/plugin.ts"

const document = (name: string, text: string) => ({
  name,
  filename: "a.${name}",
  bytes: Buffer.from(text),
})

executorContract({
  name: "${name}-md-json",
  make,
  layer: ParsingPool.layer(),
  accepted: [document("two lines", "one\\ntwo\\n")],
  refused: [{ ...document("an empty file", ""), code: "file_corrupt" }],
})
`,
})
