import { createHash } from "node:crypto"
import type { Readable } from "node:stream"
import {
  type Content,
  type CoreError,
  fileTooLarge,
  Limits,
  StorageError,
  type ToolEntry,
  type Upload,
} from "@atelier/core"
import * as NodeMultipart from "@effect/platform-node/NodeMultipart"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Multipart from "effect/http/Multipart"
import type * as PlatformError from "effect/PlatformError"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Bodies, type Body } from "./Bodies.ts"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"

/** Limits on the number and length of a form's other parts, which are ignored. */
const formPartsMax = 16
const formFieldBytesMax = 64 * 1024
/** How many bytes a form may have around its file: fields, headers, boundaries. */
const formFramingBytesMax = (formPartsMax + 1) * formFieldBytesMax

/** Copies of a growing file are garbage: a few large steps leave little of it. */
const heldGrowth = 4

/** A crashed process may leave its spool behind; a younger one may still be in use by another process. */
const abandonedAfterMs = 60 * 60 * 1000
const spoolPrefix = "atelier-upload-"

/** A folder of this process for uploads while they arrive; gone with the scope. */
export const makeSpool = Effect.fnUntraced(function* (directory: string | null) {
  const fs = yield* FileSystem.FileSystem
  if (directory === null) return yield* fs.makeTempDirectoryScoped({ prefix: spoolPrefix })
  yield* fs.makeDirectory(directory, { recursive: true })
  yield* Effect.forEach(yield* fs.readDirectory(directory), (name) =>
    removeAbandoned(`${directory}/${name}`, name),
  )
  return yield* fs.makeTempDirectoryScoped({ directory, prefix: spoolPrefix })
})

const removeAbandoned = Effect.fnUntraced(
  function* (path: string, name: string) {
    if (!name.startsWith(spoolPrefix)) return
    const fs = yield* FileSystem.FileSystem
    const { mtime } = yield* fs.stat(path)
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    if (mtime._tag === "Some" && mtime.value.getTime() < now - abandonedAfterMs) {
      yield* fs.remove(path, { recursive: true, force: true })
    }
  },
  // Another process may be removing the same leftover.
  (removal) => Effect.ignore(removal),
)

/**
 * The one file of a multipart form, in memory while it is small, on the disk beyond; its bytes are counted and
 * hashed as they arrive; nothing is read beyond the tool's limit (document-tools 4.2; contract, Tools). Refuses, in
 * this order, with 415 `unsupported_media_type`, and while the bytes arrive with 400 `invalid_file` (broken form;
 * none or two files) and 413 `file_too_large`, and with what `Bodies` refuses.
 */
export const receive = Effect.fnUntraced(function* (
  spool: string,
  tool: ToolEntry,
): Effect.fn.Return<
  Upload,
  CoreError | HttpRefusal | StorageError,
  HttpServerRequest.HttpServerRequest | Bodies | FileSystem.FileSystem | Scope.Scope
> {
  const request = yield* HttpServerRequest.HttpServerRequest
  yield* requireForm(request, tool)
  const body = yield* (yield* Bodies).open
  let upload: Upload | undefined
  const arrival = formParts(request).pipe(
    Stream.mapError((error) => brokenForm(error, tool)),
    Stream.runForEach(
      (
        part,
      ): Effect.Effect<void, CoreError | HttpRefusal | StorageError, FileSystem.FileSystem | Scope.Scope> => {
        if (part._tag === "Field") return Effect.void
        // A form whose file input was left empty sends a part without a name.
        if (part.name === "") return Effect.ignore(Stream.runDrain(part.content))
        if (upload !== undefined) return Effect.fail(notOneFile("more than one"))
        return Effect.map(receiveFile(part, spool, tool, body), (received) => {
          upload = received
        })
      },
    ),
    Effect.provideContext(
      Multipart.limitsServices({
        maxParts: formPartsMax,
        maxFieldSize: formFieldBytesMax,
        maxTotalSize: tool.maxFileBytes + formFramingBytesMax,
        // JSON is a document here, not a field.
        fieldMimeTypes: [],
      }),
    ),
  )
  yield* Effect.raceFirst(arrival, refusalOf(body))
  body.arrived()
  return upload ?? (yield* notOneFile("none"))
})

/**
 * The parts of the form. A part whose headers do not end before the next boundary is a broken form: Effect 4.1 takes
 * it for a field without a name, and dies of it.
 */
export const formParts = (request: HttpServerRequest.HttpServerRequest) =>
  request.multipartStream.pipe(
    Stream.catchDefect((defect) => Stream.fail(Multipart.MultipartError.fromReason("Parse", defect))),
  )

/**
 * The bytes of a file of a form, each buffer as it came: `part.content` copies those that wait into a new one, and
 * large buffers are garbage that V8 collects by stopping the process.
 */
export const contentOf = (part: Multipart.File): Stream.Stream<Uint8Array, Multipart.MultipartError> =>
  Stream.unfold(NodeMultipart.fileToReadable(part), (file) =>
    Effect.map(nextBuffer(file), (buffer) => (buffer === undefined ? undefined : ([buffer, file] as const))),
  )

/** Nothing after the last one. In flowing mode one buffer is read at a time. */
const nextBuffer = (file: Readable) =>
  Effect.callback<Uint8Array | undefined, Multipart.MultipartError>((resume) => {
    const stop = (): void => {
      file.pause().off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose)
    }
    const settle = (result: Effect.Effect<Uint8Array | undefined, Multipart.MultipartError>): void => {
      stop()
      resume(result)
    }
    const onData = (buffer: Uint8Array) => settle(Effect.succeed(buffer))
    const onEnd = () => settle(Effect.undefined)
    const onError = (cause: unknown) =>
      settle(Effect.fail(Multipart.MultipartError.fromReason("InternalError", cause)))
    const onClose = () => onError(file.errored ?? new Error("the form was closed"))
    if (file.readableEnded) onEnd()
    else if (file.destroyed) onClose()
    else file.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose).resume()
    return Effect.sync(stop)
  })

/** Fails if the form arrives too slowly. */
export const refusalOf = (body: Body) =>
  Effect.callback<never, HttpRefusal>((resume) => body.onRefusal((refusal) => resume(Effect.fail(refusal))))

const receiveFile = Effect.fnUntraced(function* (
  part: Multipart.File,
  spool: string,
  tool: ToolEntry,
  body: Body,
) {
  const hash = createHash("sha256")
  const { small_document_bytes_max } = yield* Limits
  const kept = yield* makeKept(spool, body, small_document_bytes_max)
  let bytes = 0
  yield* contentOf(part).pipe(
    Stream.mapError((error) => brokenForm(error, tool)),
    Stream.runForEach((chunk): Effect.Effect<void, CoreError | StorageError> => {
      bytes += chunk.length
      if (bytes > tool.maxFileBytes) return Effect.fail(fileTooLarge(tool, bytes))
      hash.update(chunk)
      return kept.add(chunk, bytes)
    }),
  )
  return { ...(yield* kept.end), filename: part.name, bytes, sha256: hash.digest("hex") }
})

/**
 * The received bytes of a file: in memory, counted by `Bodies`, up to the limit; beyond that in a file of the
 * spool.
 */
export const makeKept = Effect.fnUntraced(function* (spool: string, body: Body, inMemoryBytesMax: number) {
  const fs = yield* FileSystem.FileSystem
  const scope = yield* Effect.scope
  // Copied: pieces of a byte would take a hundred times as much, and a piece keeps all that came with it.
  let held = Buffer.alloc(0)
  let length = 0
  let written:
    | { readonly file: FileSystem.File; readonly path: string; readonly close: Effect.Effect<void> }
    | undefined
  const spill = Effect.gen(function* () {
    const path = yield* Scope.provide(fs.makeTempFileScoped({ directory: spool }), scope)
    const opened = yield* Scope.fork(scope)
    const file = yield* Scope.provide(fs.open(path, { flag: "w" }), opened)
    written = { file, path, close: Scope.close(opened, Exit.void) }
    yield* file.writeAll(held.subarray(0, length))
    held = Buffer.alloc(0)
    body.hold(0)
    return file
  })
  const add = (chunk: Uint8Array, bytes: number): Effect.Effect<void, StorageError> =>
    Effect.suspend(() => {
      if (written !== undefined) return written.file.writeAll(chunk)
      if (bytes > inMemoryBytesMax) {
        return Effect.flatMap(spill, (file) => file.writeAll(chunk))
      }
      // The reader of the form gets the refusal.
      if (!body.hold(bytes)) return Effect.never
      if (bytes > held.length) {
        const larger = Buffer.allocUnsafeSlow(
          Math.min(Math.max(bytes, heldGrowth * held.length), inMemoryBytesMax),
        )
        larger.set(held.subarray(0, length))
        held = larger
      }
      held.set(chunk, length)
      length = bytes
      return Effect.void
    }).pipe(Effect.mapError(spoolFailed))
  const end = Effect.suspend((): Effect.Effect<Content> => {
    if (written === undefined) return Effect.succeed({ data: held.subarray(0, length) })
    return Effect.as(written.close, { path: written.path })
  })
  return { add, end }
})

const requireForm = (
  request: HttpServerRequest.HttpServerRequest,
  tool: ToolEntry,
): Effect.Effect<void, CoreError | HttpRefusal> => {
  const { "content-type": type = "", "content-length": length = "0" } = request.headers
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    return Effect.fail(
      refuseHttp(
        "unsupported_media_type",
        `The body must be multipart/form-data with one file; got Content-Type ${JSON.stringify(type)}.`,
      ),
    )
  }
  const leastFileBytes = Number(length) - formFramingBytesMax
  return leastFileBytes > tool.maxFileBytes ? Effect.fail(fileTooLarge(tool, leastFileBytes)) : Effect.void
}

const brokenForm = (error: Multipart.MultipartError, tool: ToolEntry): CoreError | HttpRefusal => {
  switch (error.reason._tag) {
    case "BodyTooLarge":
    case "FileTooLarge":
      return fileTooLarge(tool, tool.maxFileBytes + 1)
    case "FieldTooLarge":
      return refuseHttp(
        "request_too_large",
        `Fields of the form may have at most ${formFieldBytesMax} bytes.`,
      )
    case "TooManyParts":
      return refuseHttp("invalid_file", `The form has more than ${formPartsMax} parts.`, { param: "file" })
    default:
      return refuseHttp("invalid_file", "The form is broken or ended before it was complete.", {
        param: "file",
      })
  }
}

const notOneFile = (found: string): HttpRefusal =>
  refuseHttp("invalid_file", `The form must carry exactly one file, best named \`file\`; it has ${found}.`, {
    param: "file",
  })

const spoolFailed = (cause: PlatformError.PlatformError): StorageError =>
  new StorageError({ operation: "upload.spool", cause })
