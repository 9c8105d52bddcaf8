import { createHash } from "node:crypto"
import { type GivenImage, type GivenImages, Limits, type LimitValues, type StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Multipart from "effect/http/Multipart"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Bodies, type Body } from "./Bodies.ts"
import type { JsonObject } from "./Body.ts"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"
import { contentOf, formParts, makeKept, refusalOf } from "./Upload.ts"

/** More than any model takes, and the fields of OpenAI's clients. */
const formPartsMax = 64
const formFieldBytesMax = 64 * 1024
/** Of all fields together, which stay in memory. */
const formFieldsBytesMax = 2 * formFieldBytesMax
/** How many bytes a form may have around its images. */
const formFramingBytesMax = formPartsMax * 1024 + formFieldsBytesMax
/** What a type is told by, and some more. */
const beginBytes = 64

/** A form as it was received: its fields as the JSON endpoint has them, and its files. */
export interface EditForm {
  readonly body: JsonObject
  readonly files: GivenImages
}

/**
 * The form of `POST /v1/images/edits`. Every file goes to the spool as it arrives, counted and hashed; nothing is read
 * beyond the limits. Refuses, in this order, with 415 `unsupported_media_type`, 413 `request_too_large`, and while
 * the bytes arrive with what `Bodies` refuses, 400 `invalid_parameter` (a file in a field that takes none, a broken
 * form) and 413 `file_too_large`, `request_too_large`; then 400 `invalid_parameter` (no image).
 */
export const receiveEdit = Effect.fnUntraced(function* (spool: string) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const limits = yield* Limits
  yield* requireForm(request, limits)
  const body = yield* (yield* Bodies).open
  const fields: Record<string, string> = {}
  const images: Array<GivenImage> = []
  let mask: GivenImage | null = null
  let total = 0
  let fieldBytes = 0
  const receive = Effect.fnUntraced(function* (part: Multipart.File) {
    const param = fileFields.get(part.key)
    if (param === undefined)
      return yield* invalid(part.key, "takes no file; images are sent as `image` or `image[]`")
    const image = yield* receiveImage(part, param, spool, body, limits, total)
    total += image.bytes
    if (param === "image") images.push(image)
    else if (mask === null) mask = image
    else yield* invalid("mask", "must be given once")
  })
  const arrival = formParts(request).pipe(
    Stream.mapError((error) => brokenForm(error, limits)),
    Stream.runForEach(
      (part): Effect.Effect<void, HttpRefusal | StorageError, FileSystem.FileSystem | Scope.Scope> => {
        if (part._tag === "File") return receive(part)
        if (fileFields.has(part.key))
          return invalid(part.key, "must be a file; links go to the JSON endpoints")
        if (Object.hasOwn(fields, part.key)) return invalid(part.key, "must be given once")
        fieldBytes += Buffer.byteLength(part.value)
        if (fieldBytes > formFieldsBytesMax) return Effect.fail(fieldsTooLarge)
        fields[part.key] = part.value
        return Effect.void
      },
    ),
    Effect.provideContext(
      Multipart.limitsServices({
        maxParts: formPartsMax,
        maxFieldSize: formFieldBytesMax,
        maxTotalSize: limits.edit_images_bytes_max + formFramingBytesMax,
        fieldMimeTypes: [],
      }),
    ),
  )
  yield* Effect.raceFirst(arrival, refusalOf(body))
  body.arrived()
  if (images.length === 0) return yield* invalid("image", "must be a file, or several as `image[]`")
  const form: EditForm = { body: toJson(fields), files: { images, mask } }
  return form
})

/** Fields of files, and what refusals call them. */
const fileFields: ReadonlyMap<string, "image" | "mask"> = new Map([
  ["image", "image"],
  ["image[]", "image"],
  ["mask", "mask"],
])

const receiveImage = Effect.fnUntraced(function* (
  part: Multipart.File,
  param: string,
  spool: string,
  body: Body,
  limits: LimitValues,
  before: number,
) {
  const hash = createHash("sha256")
  const kept = yield* makeKept(spool, body, 0)
  let begin = Buffer.alloc(0)
  let bytes = 0
  yield* contentOf(part).pipe(
    Stream.mapError((error) => brokenForm(error, limits)),
    Stream.runForEach((chunk): Effect.Effect<void, HttpRefusal | StorageError> => {
      bytes += chunk.length
      if (bytes > limits.edit_image_bytes_max) {
        const message = `An image may have at most ${limits.edit_image_bytes_max} bytes; this one has ${bytes} or more.`
        return Effect.fail(refuseHttp("file_too_large", message, { param }))
      }
      if (before + bytes > limits.edit_images_bytes_max) return Effect.fail(tooLargeTogether(limits))
      if (begin.length < beginBytes) begin = Buffer.concat([begin, chunk]).subarray(0, beginBytes)
      hash.update(chunk)
      return kept.add(chunk, bytes)
    }),
  )
  const content = yield* kept.end
  if (!("path" in content)) return yield* invalid(param, "must not be empty")
  return { param, path: content.path, filename: part.name, bytes, sha256: hash.digest("hex"), begin }
})

/** The values of a form are texts; those of fields that are numbers or truth values in JSON become such. */
const toJson = (fields: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).map(([name, text]) => {
      if ((name === "n" || name === "seed") && /^-?\d{1,15}$/.test(text)) return [name, Number(text)]
      if (name === "stream" && /^(true|false)$/.test(text)) return [name, text === "true"]
      return [name, text]
    }),
  )

const requireForm = ({ headers }: HttpServerRequest.HttpServerRequest, limits: LimitValues) => {
  const { "content-type": type = "", "content-length": length = "0" } = headers
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    const message = `The body must be multipart/form-data; got Content-Type ${JSON.stringify(type)}.`
    return Effect.fail(refuseHttp("unsupported_media_type", message))
  }
  return Number(length) > limits.edit_images_bytes_max + formFramingBytesMax
    ? Effect.fail(tooLargeTogether(limits))
    : Effect.void
}

const tooLargeTogether = ({ edit_images_bytes_max: max }: LimitValues) =>
  refuseHttp("request_too_large", `The images of a request may have at most ${max} bytes together.`)

const fieldsTooLarge = refuseHttp(
  "request_too_large",
  `The fields of the form may have at most ${formFieldsBytesMax} bytes together.`,
)

const invalid = (param: string, rule: string) =>
  Effect.fail(
    refuseHttp("invalid_parameter", `\`${param.slice(0, 80)}\` ${rule}.`, { param: param.slice(0, 80) }),
  )

const brokenForm = (error: Multipart.MultipartError, limits: LimitValues) => {
  switch (error.reason._tag) {
    case "BodyTooLarge":
    case "FileTooLarge":
      return tooLargeTogether(limits)
    case "FieldTooLarge":
      return refuseHttp(
        "request_too_large",
        `Fields of the form may have at most ${formFieldBytesMax} bytes.`,
      )
    case "TooManyParts":
      return refuseHttp("invalid_parameter", `The form has more than ${formPartsMax} parts.`)
    default:
      return refuseHttp("invalid_parameter", "The form is broken or ended before it was complete.")
  }
}
