import { unlink } from "node:fs/promises"
import { resolve } from "node:path"
import { type BlobStat, Blobs, StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { attempt, requireKey } from "./attempt.ts"
import { isPrefix } from "./BlobKey.ts"
import { temporaryPath } from "./Durable.ts"
import { checkBucket } from "./s3/checkBucket.ts"
import { download } from "./s3/download.ts"
import { openSource, save } from "./s3/localFile.ts"
import { removeBelow, removeObject } from "./s3/remove.ts"
import { makeClient, type S3Bucket, type S3Client } from "./s3/S3Client.ts"
import { type S3Failure, unexpected } from "./s3/S3Failure.ts"
import { defaultS3Limits, objectKeyCharsMax, type S3Limits } from "./s3/S3Limits.ts"
import { type Source, sourceOf, upload } from "./s3/upload.ts"
import { makeScratch, openTemporary, removeTemporary } from "./Temporary.ts"

export interface S3Options extends S3Bucket {
  /** The start of every object's key: empty, or a key with a slash at its end. */
  readonly prefix: string
  /** A local folder of this machine, for scratch directories and local paths. */
  readonly directory: string
  readonly limits?: Partial<S3Limits>
}

/**
 * Blobs as objects of an S3 bucket, each under its key. What is uploaded is there whole or not at all; what is read
 * is whole, or fails. Requests that can succeed on repetition are repeated for a bounded time. The bucket is tried
 * when it starts; local files left by processes that are gone are removed then.
 */
export const layer = (options: S3Options): Layer.Layer<Blobs, StorageError> =>
  Layer.effect(Blobs, make(options))

const make = Effect.fnUntraced(function* (options: S3Options) {
  const temporary = resolve(options.directory, "temporary")
  yield* openTemporary(temporary)
  const limits = { ...defaultS3Limits, ...options.limits }
  const client = yield* makeClient(options, limits)
  const memory = yield* Semaphore.make(limits.upload_buffer_bytes_max)
  yield* stored("blobs.open", checkBucket(client, options, options.prefix))

  const objectKey = (operation: string, key: string) =>
    Effect.andThen(requireKey(operation, key), whole(operation, options.prefix, key))
  const put = (operation: string, key: string, source: Source) =>
    Effect.flatMap(objectKey(operation, key), (at) => stored(operation, upload(client, memory, at, source)))
  const read: Blobs["Service"]["read"] = (key, range) =>
    Stream.unwrap(
      Effect.map(objectKey("blobs.read", key), (at) =>
        Stream.mapError(download(client, at, range), (cause) => storageError("blobs.read", cause)),
      ),
    )

  return Blobs.of({
    put: (key, bytes) => put("blobs.put", key, sourceOf(bytes)),
    putFile: Effect.fnUntraced(function* (key, path) {
      yield* put("blobs.putFile", key, yield* openSource(path))
      yield* attempt("blobs.putFile", () => unlink(path))
    }, Effect.scoped),
    stat: (key) =>
      Effect.flatMap(objectKey("blobs.stat", key), (at) => stored("blobs.stat", statOf(client, at))),
    read,
    localPath: Effect.fnUntraced(function* (key) {
      const made = Effect.sync(() => temporaryPath(temporary))
      const path = yield* Effect.acquireRelease(made, removeTemporary)
      yield* save(path, read(key))
      return path
    }),
    scratch: makeScratch(temporary),
    writable: Effect.void,
    remove: (key) =>
      isPrefix(key)
        ? Effect.flatMap(whole("blobs.remove", options.prefix, key), (at) =>
            stored("blobs.remove", removeBelow(client, at)),
          )
        : Effect.flatMap(objectKey("blobs.remove", key), (at) =>
            stored("blobs.remove", removeObject(client, at)),
          ),
  })
})

const storageError = (operation: string, cause: S3Failure): StorageError =>
  new StorageError({ operation, cause })

const stored = <A, R>(
  operation: string,
  attempted: Effect.Effect<A, S3Failure | StorageError, R>,
): Effect.Effect<A, StorageError, R> =>
  Effect.catchTag(attempted, "S3Failure", (failure) => Effect.fail(storageError(operation, failure)))

/** The key in the bucket. */
const whole = (operation: string, prefix: string, key: string): Effect.Effect<string, StorageError> => {
  const at = `${prefix}${key}`
  if (at.length <= objectKeyCharsMax) return Effect.succeed(at)
  const cause = new Error(`S3 takes keys of at most ${objectKeyCharsMax} characters, not of ${at.length}`)
  return Effect.fail(new StorageError({ operation, cause }))
}

const statOf = (client: S3Client, key: string): Effect.Effect<Option.Option<BlobStat>, S3Failure> =>
  client.call({ method: "HEAD", key }).pipe(
    Effect.flatMap(({ headers: { "content-length": length } }) =>
      length === undefined
        ? Effect.fail(unexpected("an object of unknown length", false))
        : Effect.succeedSome({ bytes: Number(length) }),
    ),
    Effect.catchIf(
      ({ status }) => status === 404,
      () => Effect.succeedNone,
    ),
  )
