import { createReadStream, openAsBlob } from "node:fs"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as Stream from "effect/Stream"
import type { ConvertJob } from "../Converter.ts"
import { acceptedExtensionOf, contentTypes } from "../formats.ts"

/** The vendor does not learn the document's name; its extension gives the format. */
export const vendorFilename = ({ filename }: ConvertJob): string =>
  `document${acceptedExtensionOf(filename) ?? ""}`

const contentTypeOf = ({ filename }: ConvertJob): string => {
  const extension = acceptedExtensionOf(filename)
  return extension === undefined ? "application/octet-stream" : contentTypes[extension]
}

/** A form with the document in the field `files`, read from its file while it is sent. */
export const formWith = (
  job: ConvertJob,
  fields: Readonly<Record<string, string>>,
): Effect.Effect<HttpBody.HttpBody> =>
  Effect.map(
    Effect.promise(async () => {
      const type = contentTypeOf(job)
      return "data" in job ? new Blob([Uint8Array.from(job.data)], { type }) : openAsBlob(job.path, { type })
    }),
    (document) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append("files", document, vendorFilename(job))
      return HttpBody.formData(form)
    },
  )

/** The document alone, read from its file, where it lies in one, while it is sent. */
export const streamOf = (job: ConvertJob): HttpBody.HttpBody =>
  "data" in job
    ? HttpBody.uint8Array(job.data, contentTypeOf(job))
    : HttpBody.stream(
        // Not opened before it is read: a request that finds no connection reads nothing.
        Stream.suspend(() => Stream.fromAsyncIterable(createReadStream(job.path), (cause) => cause)),
        contentTypeOf(job),
        job.bytes,
      )
