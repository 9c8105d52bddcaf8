import type { FileHandle } from "node:fs/promises"
import type { StorageError } from "@atelier/core"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import type * as Semaphore from "effect/Semaphore"
import { attempt } from "../attempt.ts"
import type { S3Client } from "./S3Client.ts"
import { type S3Failure, unexpected } from "./S3Failure.ts"
import { partsMax } from "./S3Limits.ts"
import { escaped, hasRoot, textOf } from "./xml.ts"

/** Bytes that can be read again, as often as a part has to be repeated. */
export interface Source {
  readonly bytes: number
  /** From `start`, `length` bytes, all of which are there. */
  readonly read: (start: number, length: number) => Effect.Effect<Uint8Array, StorageError>
}

export const sourceOf = (bytes: Uint8Array): Source => ({
  bytes: bytes.length,
  read: (start, length) => Effect.succeed(bytes.subarray(start, start + length)),
})

/** The file must stay as long as it is when it is opened. */
export const sourceOfFile = (file: FileHandle, bytes: number): Source => ({
  bytes,
  read: (start, length) =>
    attempt("blobs.putFile", async () => {
      const buffer = new Uint8Array(length)
      for (let filled = 0; filled < length; ) {
        const { bytesRead } = await file.read(buffer, filled, length - filled, start + filled)
        if (bytesRead === 0) throw new Error("the file became shorter while it was read")
        filled += bytesRead
      }
      return buffer
    }),
})

/**
 * Uploads an object: in one request, or in parts that become the object only when all are there. `memory` has
 * one permit for each byte that may be held; a part is read when it has its permits.
 */
export const upload = (
  client: S3Client,
  memory: Semaphore.Semaphore,
  key: string,
  source: Source,
): Effect.Effect<void, S3Failure | StorageError> => {
  const { part_bytes: partBytes } = client.limits
  const held = (start: number, length: number, query: Readonly<Record<string, string>>) =>
    memory.withPermits(length)(
      Effect.flatMap(source.read(start, length), (body) => client.call({ method: "PUT", key, query, body })),
    )
  if (source.bytes <= partBytes) return Effect.asVoid(held(0, source.bytes, {}))
  return Effect.retry(
    multipart(client, key, source, held),
    // A repetition of the last step finds no upload where the first one was done and its answer was lost: what
    // is there is not known to be ours, so that all of it is uploaded once more.
    Schedule.recurs(1).pipe(
      Schedule.while(({ input }: { readonly input: S3Failure | StorageError }) => isGone(input)),
    ),
  )
}

const isGone = (error: S3Failure | StorageError): boolean =>
  error._tag === "S3Failure" && error.code === "NoSuchUpload"

type Held = (
  start: number,
  length: number,
  query: Readonly<Record<string, string>>,
) => Effect.Effect<{ readonly headers: { readonly etag?: string | undefined } }, S3Failure | StorageError>

/** What is interrupted or fails is aborted, so that no parts stay; a process that dies leaves them to a lifecycle rule. */
const multipart = (client: S3Client, key: string, source: Source, held: Held) =>
  Effect.acquireUseRelease(
    Effect.interruptible(initiate(client, key)),
    (uploadId) =>
      Effect.flatMap(uploadParts(client, source, uploadId, held), (etags) =>
        complete(client, key, uploadId, etags),
      ),
    (uploadId, exit) => (Exit.isSuccess(exit) ? Effect.void : abort(client, key, uploadId)),
  )

const initiate = Effect.fnUntraced(function* (client: S3Client, key: string) {
  const { text } = yield* client.call({ method: "POST", key, query: { uploads: "" } })
  return textOf(text, "UploadId") ?? (yield* unexpected("a multipart upload without an id", false))
})

/** The ETags of the parts, in their order. */
const uploadParts = ({ limits }: S3Client, source: Source, uploadId: string, held: Held) => {
  const partBytes = Math.max(limits.part_bytes, Math.ceil(source.bytes / partsMax))
  const count = Math.ceil(source.bytes / partBytes)
  return Effect.forEach(
    Array.range(0, count - 1),
    Effect.fnUntraced(function* (index) {
      const start = index * partBytes
      const length = Math.min(partBytes, source.bytes - start)
      const { headers } = yield* held(start, length, { partNumber: String(index + 1), uploadId })
      return headers.etag ?? (yield* unexpected("a part without an ETag", false))
    }),
    { concurrency: limits.parts_concurrent_max },
  )
}

const complete = Effect.fnUntraced(function* (
  client: S3Client,
  key: string,
  uploadId: string,
  etags: ReadonlyArray<string>,
) {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
  )
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`)
  const { text } = yield* client.call({ method: "POST", key, query: { uploadId }, body })
  if (!hasRoot(text, "CompleteMultipartUploadResult")) {
    return yield* unexpected("a multipart upload that did not end", false)
  }
})

const abort = (client: S3Client, key: string, uploadId: string): Effect.Effect<void> =>
  client
    .call({ method: "DELETE", key, query: { uploadId } })
    .pipe(Effect.interruptible, Effect.timeoutOption(client.limits.abort_ms_max), Effect.ignore)
