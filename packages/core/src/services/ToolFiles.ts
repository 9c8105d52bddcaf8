import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type CoreError, refuse, StorageError } from "../domain/CoreError.ts"
import { makeId } from "../domain/Ids.ts"
import { Limits } from "../domain/Limits.ts"
import { newObjectName } from "../domain/ObjectName.ts"
import type { Principal } from "../domain/Principal.ts"
import { type Content, extensionOf, sanitizeFilename, type ToolFile } from "../domain/ToolFile.ts"
import { withSpan } from "../domain/Tracing.ts"
import { Blobs } from "../ports/Blobs.ts"
import { FileStore } from "../ports/FileStore.ts"
import { SmallBlobs } from "../ports/SmallBlobs.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { Access, quote } from "./Access.ts"
import { ToolCatalog, type ToolEntry } from "./ToolCatalog.ts"

type Failure = CoreError | StorageError

/** Uploaded bytes: in memory, at most `small_document_bytes_max`, or in a local file, which is moved. */
export type Upload = Content & {
  readonly filename: string
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
}

/** Uploaded documents (document-tools 2.2, 4.2, 4.6, 4.7). */
export class ToolFiles extends Context.Service<
  ToolFiles,
  {
    /**
     * Whether this key may upload to the tool now, before any byte is read: refuses with `tool_not_found`,
     * `tool_not_allowed`, `too_many_files`. Answers the tool, whose `maxFileBytes` bounds the upload.
     */
    readonly admit: (principal: Principal, toolId: string) => Effect.Effect<ToolEntry, Failure>
    /**
     * Keeps an upload after its signature and structure checks. Refuses as `admit`, then with
     * `file_too_large`, `file_type_not_accepted` (extension), what the tool's own check finds,
     * `executor_unavailable` if the check cannot run, and `too_many_files` again, counted in the transaction.
     */
    readonly upload: (
      principal: Principal,
      toolId: string,
      upload: Upload,
    ) => Effect.Effect<ToolFile, Failure>
    /**
     * Metadata, also after deletion; `deleting` from the moment of its expiry. Refuses with `file_not_found`,
     * `tool_not_allowed`.
     */
    readonly get: (principal: Principal, id: string) => Effect.Effect<ToolFile, Failure>
    /** Asks for background deletion; refuses with `file_in_use` while a task needs the file. Repeatable. */
    readonly remove: (principal: Principal, id: string) => Effect.Effect<ToolFile, Failure>
  }
>()("@atelier/core/services/ToolFiles") {
  static readonly layer = Layer.effect(
    ToolFiles,
    Effect.gen(function* () {
      const access = yield* Access
      const blobs = yield* Blobs
      const catalog = yield* ToolCatalog
      const limits = yield* Limits
      const random = yield* SecureRandom
      const small = yield* SmallBlobs
      const store = yield* FileStore
      const tasks = yield* TaskStore
      const transaction = yield* Transaction

      const requireRoom = Effect.fnUntraced(function* (principal: Principal) {
        const pending = yield* store.countPending(principal.user.id)
        if (pending >= limits.tool_files_per_user_max) {
          return yield* refuse(
            "too_many_files",
            `This user has ${pending} files that are not cleaned up yet; at most ${limits.tool_files_per_user_max} are allowed. Delete one, or wait for its expiry.`,
            { retryAfterSeconds: 60 },
          )
        }
      })

      const admit = Effect.fnUntraced(function* (principal: Principal, toolId: string) {
        const tool = yield* catalog.resolve(principal, toolId)
        yield* requireRoom(principal)
        return tool
      })

      const upload = Effect.fnUntraced(function* (principal: Principal, toolId: string, upload: Upload) {
        const tool = yield* admit(principal, toolId)
        const filename = sanitizeFilename(upload.filename, limits.filename_bytes_max)
        yield* requireSize(tool, upload.bytes)
        yield* requireExtension(tool, filename)
        const recognizer = yield* catalog.recognizer(extensionOf(filename))
        const document = { owner: principal.user.id, filename, bytes: upload.bytes }
        const { contentType } = yield* tool.executor
          .inspect({ ...contentOf(upload), ...document, ...(recognizer === undefined ? {} : { recognizer }) })
          .pipe(
            Effect.catchTags({
              FileRefused: ({ code, message }) => Effect.fail(refuse(code, message, { param: "file" })),
              ExecutorUnavailable: ({ code, message }) => Effect.fail(refuse(code, message)),
            }),
          )
        const now = yield* Clock.currentTimeMillis
        const file: ToolFile = {
          id: yield* Effect.provideService(makeId("toolfile"), SecureRandom, random),
          toolId,
          userId: principal.user.id,
          keyId: principal.key.id,
          filename,
          contentType,
          bytes: upload.bytes,
          sha256: upload.sha256,
          status: "ready",
          blob: yield* newObjectName(random, "files"),
          createdAt: now,
          expiresAt: now + limits.tool_file_retention_ms,
        }
        yield* "data" in upload
          ? keepSmall(principal, file, upload.data)
          : keepLarge(principal, file, upload.path)
        return file
      }, withSpan("ToolFiles.upload"))

      const keepSmall = (principal: Principal, file: ToolFile, data: Uint8Array) =>
        transaction.run(
          Effect.all([requireRoom(principal), store.insert(file), small.put(file.blob, data)], {
            discard: true,
          }),
        )

      /**
       * Row first, then bytes, then `ready`: whichever step the process dies at, cleanup finds the row and its
       * bytes.
       */
      const keepLarge = Effect.fnUntraced(function* (principal: Principal, file: ToolFile, path: string) {
        const uploading: ToolFile = { ...file, status: "uploading" }
        yield* transaction.run(Effect.andThen(requireRoom(principal), store.insert(uploading)))
        yield* blobs.putFile(file.blob, path)
        if (!(yield* transaction.run(store.setStatus(file.id, "uploading", "ready")))) {
          yield* blobs.remove(file.blob)
          const cause = new Error("cleanup considered the upload abandoned")
          return yield* new StorageError({ operation: "ToolFiles.upload", cause })
        }
      })

      const own = Effect.fnUntraced(function* (
        principal: Principal,
        id: string,
        found: Option.Option<ToolFile>,
      ) {
        const missing = refuse("file_not_found", `There is no file ${quote(id)} of this API key.`)
        if (Option.isNone(found) || found.value.status === "uploading") return yield* missing
        if (found.value.keyId !== principal.key.id) return yield* missing
        yield* access.requireTool(principal, found.value.toolId)
        return found.value
      })

      const get = Effect.fnUntraced(function* (principal: Principal, id: string) {
        const file = yield* own(principal, id, yield* store.get(id))
        const now = yield* Clock.currentTimeMillis
        if (file.status !== "ready" || file.expiresAt > now) return file
        const expired: ToolFile = { ...file, status: "deleting" }
        return expired
      })

      const remove = (principal: Principal, id: string) =>
        transaction.run(
          Effect.gen(function* () {
            const file = yield* own(principal, id, yield* store.getForUpdate(id))
            if (file.status !== "ready") return file
            if (yield* tasks.hasUnfinishedForFile(file.id)) {
              return yield* refuse("file_in_use", `An unfinished task uses the file ${quote(id)}.`, {
                retryAfterSeconds: 2,
              })
            }
            yield* store.setStatus(file.id, "ready", "deleting")
            const deleting: ToolFile = { ...file, status: "deleting" }
            return deleting
          }),
        )

      return ToolFiles.of({ admit, upload, get, remove })
    }),
  )
}

/** Only the content: an executor is told no more than it needs. */
const contentOf = (upload: Upload): Content =>
  "data" in upload ? { data: upload.data } : { path: upload.path }

const requireSize = (tool: ToolEntry, bytes: number): Effect.Effect<void, CoreError> =>
  bytes <= tool.maxFileBytes ? Effect.void : Effect.fail(fileTooLarge(tool, bytes))

/** document-tools 7, 413. `bytes` is what arrived before the upload was cut off, or the whole. */
export const fileTooLarge = (tool: ToolEntry, bytes: number): CoreError =>
  refuse(
    "file_too_large",
    `${tool.executor.definition.id} takes files of at most ${tool.maxFileBytes} bytes; this one has ${bytes} or more.`,
    { param: "file" },
  )

const requireExtension = (tool: ToolEntry, filename: string): Effect.Effect<void, CoreError> => {
  const extension = extensionOf(filename)
  const { extensions, id } = tool.executor.definition
  if (extensions.includes(extension)) return Effect.void
  const found = extension === "" ? "no extension" : quote(extension)
  return Effect.fail(
    refuse("file_type_not_accepted", `${id} takes ${extensions.join(" ")}; the file has ${found}.`, {
      param: "file",
    }),
  )
}
