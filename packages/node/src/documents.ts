import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { appendFile, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import {
  Blobs,
  CoreError,
  fileTooLarge,
  Limits,
  type OutputFormat,
  type Principal,
  refuse,
  StorageError,
  Tasks,
  type ToolEntry,
  type ToolFile,
  ToolFiles,
  type Upload,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { AtelierError, invalid } from "./AtelierError.ts"
import { documentKey, type FileSubmission, principalOf, shown, submitFile } from "./calls.ts"
import type { Services } from "./Live.ts"
import type { DocumentTask } from "./tasks.ts"

/** A document: a path, bytes, a `Blob` or `File`, or a stream of bytes. */
export type DocumentSource =
  | string
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>

/** A document to be uploaded for a tool. */
export interface DocumentUpload {
  readonly user: string
  readonly tool: string
  readonly file: DocumentSource
  /** Its extension tells what the document is. Not needed for a path or a `File`. */
  readonly filename?: string
}

/** An uploaded document. It is kept for two hours. Times are Unix seconds. */
export interface UploadedFile {
  readonly id: string
  readonly tool: string
  readonly filename: string
  readonly bytes: number
  readonly sha256: string
  readonly expires_at: number
}

/** What `documents.submit` takes: a document, or a file that was uploaded before. */
export type DocumentSubmission =
  | FileSubmission
  | (DocumentUpload & {
      readonly formats?: ReadonlyArray<OutputFormat>
      readonly idempotencyKey?: string
      readonly requestId?: string
    })

const nameOf = ({ file, filename }: DocumentUpload): string => {
  const given = typeof file === "string" ? basename(file) : file instanceof File ? file.name : undefined
  const name = filename ?? given
  if (name === undefined || name === "") {
    throw invalid("filename", "is missing: its extension tells what the document is.")
  }
  return name
}

async function* piecesOf(file: DocumentSource): AsyncGenerator<Uint8Array> {
  if (typeof file === "string") return yield* createReadStream(file)
  if (file instanceof Uint8Array) return yield file
  const stream = file instanceof Blob ? file.stream() : file
  for await (const piece of stream as AsyncIterable<unknown>) {
    if (!(piece instanceof Uint8Array)) throw invalid("file", "must be a stream of bytes.")
    yield piece
  }
}

/** The document's bytes: in memory while they are few, in a file beyond. Nothing is read past the tool's limit. */
const receive = Effect.fnUntraced(function* (
  tool: ToolEntry,
  upload: DocumentUpload,
): Effect.fn.Return<Upload, CoreError | StorageError | AtelierError, Services | Scope.Scope> {
  const { small_document_bytes_max: memoryMax } = yield* Limits
  const blobs = yield* Blobs
  const makeFile = yield* Effect.map(Effect.context<Scope.Scope>(), (context) => async () => {
    const scratch = await Effect.runPromiseWith(context)(blobs.scratch)
    return join(scratch, "document")
  })
  const filename = nameOf(upload)
  const read = async (): Promise<Upload> => {
    if (typeof upload.file === "string") await stat(upload.file)
    const hash = createHash("sha256")
    let held: Array<Uint8Array> = []
    let bytes = 0
    let path: string | undefined
    for await (const piece of piecesOf(upload.file)) {
      bytes += piece.length
      if (bytes > tool.maxFileBytes) throw fileTooLarge(tool, bytes)
      hash.update(piece)
      held.push(piece)
      if (path !== undefined || bytes > memoryMax) {
        path ??= await makeFile()
        await appendFile(path, Buffer.concat(held))
        held = []
      }
    }
    const sha256 = hash.digest("hex")
    return path === undefined
      ? { data: Buffer.concat(held), filename, bytes, sha256 }
      : { path, filename, bytes, sha256 }
  }
  return yield* Effect.tryPromise({
    try: read,
    catch: (cause) => {
      if (cause instanceof CoreError || cause instanceof StorageError || cause instanceof AtelierError)
        return cause
      const why = cause instanceof Error ? cause.message : String(cause)
      return new AtelierError("invalid_parameter", `\`file\` cannot be read: ${why}`, {
        param: "file",
        cause,
      })
    },
  })
})

const uploadFor = (principal: Principal, upload: DocumentUpload) =>
  Effect.scoped(
    Effect.gen(function* () {
      const files = yield* ToolFiles
      const tool = yield* files.admit(principal, upload.tool)
      return yield* files.upload(principal, upload.tool, yield* receive(tool, upload))
    }),
  )

export const uploadDocument = (upload: DocumentUpload) =>
  Effect.gen(function* () {
    const principal = yield* principalOf(upload.user)
    const { id, toolId, filename, bytes, sha256, expiresAt } = yield* uploadFor(principal, upload)
    const file: UploadedFile = {
      id,
      tool: toolId,
      filename,
      bytes,
      sha256,
      expires_at: Math.floor(expiresAt / 1000),
    }
    return file
  })

/** The task that was accepted under the key for the same document; refuses another request under the same key. */
const acceptedBefore = Effect.fnUntraced(function* (principal: Principal, key: string, file: ToolFile) {
  const tasks = yield* Tasks
  const files = yield* ToolFiles
  const task = yield* Effect.catchIf(
    tasks.findByIdempotencyKey(principal, key),
    (error) => error instanceof CoreError && error.code === "task_not_found",
    () => Effect.succeed(undefined),
  )
  if (task === undefined) return undefined
  if (task.kind === "tool" && task.toolId === file.toolId) {
    const given = yield* files.get(principal, task.fileId)
    if (given.sha256 === file.sha256) return (yield* shown(task)) as DocumentTask
  }
  return yield* refuse(
    "idempotency_key_reused",
    `The idempotency key ${JSON.stringify(key)} was used for a different request; a new request needs a new key.`,
    { taskId: task.id },
  )
})

/** Uploads and submits. Under one key the same document makes one task, however often it is given. */
export const submitDocument = (submission: DocumentSubmission) =>
  Effect.gen(function* () {
    const principal = yield* principalOf(submission.user)
    if ("fileId" in submission) return yield* submitFile(principal, submission)
    const { tool, formats, requestId } = submission
    const idempotencyKey = documentKey(submission.idempotencyKey)
    const file = yield* uploadFor(principal, submission)
    const files = yield* ToolFiles
    const unneeded = Effect.ignore(files.remove(principal, file.id))
    const before =
      submission.idempotencyKey === undefined
        ? undefined
        : yield* Effect.tapError(acceptedBefore(principal, idempotencyKey, file), () => unneeded)
    if (before !== undefined) {
      yield* unneeded
      return before
    }
    return yield* submitFile(principal, {
      tool,
      fileId: file.id,
      idempotencyKey,
      ...(formats === undefined ? {} : { formats }),
      ...(requestId === undefined ? {} : { requestId }),
    }).pipe(
      // A refused submission leaves the file without use, and so does one that lost to another under its key.
      Effect.tapError(() => unneeded),
      Effect.catchIf(
        (error) => error instanceof CoreError && error.code === "idempotency_key_reused",
        (error) =>
          Effect.flatMap(acceptedBefore(principal, idempotencyKey, file), (other) =>
            other === undefined ? Effect.fail(error) : Effect.succeed(other),
          ),
      ),
    )
  })
