import { readFileSync } from "node:fs"
import {
  ExecutorFailed,
  type ExecutorJob,
  FileRefused,
  type ToolDefinition,
  type ToolExecutor,
} from "@atelier/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Parked } from "./Parked.ts"
import type { Script } from "./Script.ts"

/** A document that the application gave to a tool. */
export interface DocumentRequest {
  readonly tool: string
  readonly filename: string
  readonly data: Uint8Array
}

/** What the tool makes of a document; `{}` is a heading with the file's name. */
export type DocumentAnswer =
  | { readonly markdown?: string; readonly warnings?: ReadonlyArray<{ code: string; message: string }> }
  /** The task fails with this code. */
  | { readonly failed: { readonly code: string; readonly message: string } }
  /** Nothing comes: the task runs until its time-out. */
  | { readonly silent: true }

/** Whether a file is accepted when it is uploaded; `{}` accepts it. */
export type UploadAnswer =
  | { readonly contentType?: string }
  | { readonly refused: { readonly code: FileRefused["code"]; readonly message: string } }

const bytesOf = (content: { readonly data: Uint8Array } | { readonly path: string }): Uint8Array =>
  "data" in content ? content.data : readFileSync(content.path)

const outputOf = (
  { filename, outputFormats, bytes }: ExecutorJob,
  {
    markdown = `# ${filename}\n`,
    warnings = [],
  }: Exclude<DocumentAnswer, { failed: unknown } | { silent: true }>,
) => {
  const json = {
    schema_version: "1.0",
    markdown,
    structure_source: "text",
    capabilities: { ocr: false, page_coordinates: false, bounding_boxes: false, structured_tables: false },
    warnings,
    input_bytes: bytes,
  }
  const texts = {
    markdown: { text: markdown, contentType: "text/markdown; charset=utf-8" },
    json: { text: JSON.stringify(json), contentType: "application/json" },
  }
  const results = outputFormats.map((format) => {
    const { contentType, text } = texts[format]
    const data = new TextEncoder().encode(text)
    return { format, data, bytes: data.length, contentType }
  })
  return { results, warnings }
}

const timedOut = ({ timeoutSeconds }: ToolDefinition) =>
  Effect.andThen(
    Effect.sleep(Duration.seconds(timeoutSeconds)),
    new ExecutorFailed({
      code: "timeout",
      message: `Reading the document took longer than ${timeoutSeconds} s.`,
      retryable: false,
    }),
  )

/** A tool with the definition of a real one, whose answers come from a script. No document is read. */
export const scriptedTool = (
  definition: ToolDefinition,
  documents: Script<DocumentRequest, DocumentAnswer>,
  uploads: Script<DocumentRequest, UploadAnswer>,
  parked: Parked,
): ToolExecutor => {
  const tool = definition.id
  return {
    definition,
    inspect: (document) =>
      Effect.suspend(() => {
        const answer = uploads.answerTo({ tool, filename: document.filename, data: bytesOf(document) })
        return "refused" in answer
          ? Effect.fail(new FileRefused(answer.refused))
          : Effect.succeed({ contentType: answer.contentType ?? "application/octet-stream" })
      }),
    run: (job) =>
      Effect.suspend(() => {
        const answer = documents.answerTo({ tool, filename: job.filename, data: bytesOf(job) })
        if ("failed" in answer) {
          return Effect.fail(new ExecutorFailed({ ...answer.failed, retryable: false }))
        }
        return "silent" in answer ? parked.wait(timedOut(definition)) : Effect.succeed(outputOf(job, answer))
      }),
  }
}
