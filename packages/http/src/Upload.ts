import { createHash } from "node:crypto"
import { type CoreError, fileTooLarge, StorageError, type ToolEntry, type Upload } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Multipart from "effect/http/Multipart"
import type * as PlatformError from "effect/PlatformError"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Bodies, type Body } from "./Bodies.ts"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"

/** Parts of a form besides its file are ignored, and may be so many and so long. */
const formPartsMax = 16
const formFieldBytesMax = 64 * 1024
/** What a form may have around its file: fields, headers, boundaries. */
const formFramingBytesMax = (formPartsMax + 1) * formFieldBytesMax

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
 * The one file of a multipart form, on the disk, its bytes counted and hashed as they arrive; nothing is read
 * beyond the tool's limit (document-tools 4.2; contract, Tools). Refuses, in this order, with 415
 * `unsupported_media_type`, and while the bytes arrive with 400 `invalid_file` (broken form; none or two files)
 * and 413 `file_too_large`, and with what `Bodies` refuses.
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
  const fs = yield* FileSystem.FileSystem
  const path = yield* Effect.mapError(fs.makeTempFileScoped({ directory: spool }), spoolFailed)
  const body = yield* (yield* Bodies).open
  let upload: Upload | undefined
  const arrival = request.multipartStream.pipe(
    Stream.mapError((error) => brokenForm(error, tool)),
    Stream.runForEach(
      (part): Effect.Effect<void, CoreError | HttpRefusal | StorageError, FileSystem.FileSystem> => {
        if (part._tag === "Field") return Effect.void
        // A form whose file input was left empty sends a part without a name.
        if (part.name === "") return Effect.ignore(Stream.runDrain(part.content))
        if (upload !== undefined) return Effect.fail(notOneFile("more than one"))
        return Effect.map(spoolFile(part, path, tool), (received) => {
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

/** Fails where the form comes too slowly. */
const refusalOf = (body: Body) =>
  Effect.callback<never, HttpRefusal>((resume) => body.onRefusal((refusal) => resume(Effect.fail(refusal))))

const spoolFile = (part: Multipart.File, path: string, tool: ToolEntry) =>
  Effect.scoped(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = yield* Effect.mapError(fs.open(path, { flag: "w" }), spoolFailed)
      const hash = createHash("sha256")
      let bytes = 0
      yield* part.content.pipe(
        Stream.mapError((error) => brokenForm(error, tool)),
        Stream.runForEach((chunk): Effect.Effect<void, CoreError | StorageError> => {
          bytes += chunk.length
          if (bytes > tool.maxFileBytes) return Effect.fail(fileTooLarge(tool, bytes))
          hash.update(chunk)
          return Effect.mapError(file.writeAll(chunk), spoolFailed)
        }),
      )
      return { path, filename: part.name, bytes, sha256: hash.digest("hex") }
    }),
  )

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
