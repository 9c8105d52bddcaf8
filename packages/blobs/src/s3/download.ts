import type { IncomingMessage } from "node:http"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { S3Client } from "./S3Client.ts"
import { S3Failure, unanswered, unexpected } from "./S3Failure.ts"
import { chunksOf } from "./S3Http.ts"

export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** The progress of a reader. */
interface Progress {
  /** The next byte that is wanted. */
  next: number
  /** The last byte that is wanted; known from the first answer on. */
  last: number | undefined
  etag: string | undefined
}

/**
 * The bytes of an object. A body that breaks off is taken up where it ended, as long as the object is the same and
 * each connection brings more: what is read is whole, or the stream fails.
 */
export const download = (
  client: S3Client,
  key: string,
  range: ByteRange | undefined,
): Stream.Stream<Uint8Array, S3Failure> =>
  Stream.suspend(() => {
    const progress: Progress = { next: range?.start ?? 0, last: undefined, etag: undefined }
    const rest = Stream.suspend(() => Stream.unwrap(open(client, key, range, progress)))
    return Stream.retry(rest, client.retry)
  })

const open = Effect.fnUntraced(
  function* (client: S3Client, key: string, range: ByteRange | undefined, progress: Progress) {
    const { next, last = range?.end } = progress
    if (progress.last !== undefined && next > progress.last) return Stream.empty
    const partial = range !== undefined || next > 0
    const answer = yield* client.open({
      method: "GET",
      key,
      headers: {
        ...(partial && { range: `bytes=${next}-${last ?? ""}` }),
        ...(progress.etag !== undefined && { "if-match": progress.etag }),
      },
    })
    yield* check(answer, partial, progress)
    return bodyOf(client, answer, progress)
  },
  // The object ends before the range begins.
  (opening, _client, _key, _range, progress) =>
    Effect.catchIf(
      opening,
      ({ status }) => status === 416 && progress.last === undefined,
      () => Effect.succeed(Stream.empty),
    ),
)

/** Takes from the first answer how long the object is, and which; a later one must go on with the same. */
const check = Effect.fnUntraced(function* (answer: IncomingMessage, partial: boolean, progress: Progress) {
  const { "content-length": length, "content-range": range, etag } = answer.headers
  if (length === undefined) return yield* unexpected("a body of unknown length", false)
  const start = answer.statusCode === 206 ? Number(/^bytes (\d+)-/.exec(range ?? "")?.[1]) : 0
  if (partial !== (answer.statusCode === 206) || start !== progress.next) {
    return yield* unexpected(`other bytes than those from ${progress.next} on`, false)
  }
  const last = progress.next + Number(length) - 1
  if (progress.last === undefined) {
    progress.last = last
    progress.etag = etag
  } else if (progress.etag === undefined || progress.etag !== etag || progress.last !== last) {
    return yield* unexpected("another object than the one whose reading began", false)
  }
})

const bodyOf = (client: S3Client, answer: IncomingMessage, progress: Progress) =>
  Stream.fromAsyncIterable(chunksOf(answer, client.limits.idle_ms_max), (error) =>
    unanswered(client.host, error),
  ).pipe(
    Stream.tap((chunk) =>
      Effect.sync(() => {
        progress.next += chunk.length
      }),
    ),
    Stream.concat(Stream.suspend(() => (progress.next > (progress.last ?? 0) ? Stream.empty : brokenOff))),
  )

const brokenOff = Stream.fail(
  new S3Failure({ message: "the body ended early", status: 0, code: "ECONNRESET", retry: true }),
)
