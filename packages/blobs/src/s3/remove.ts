import * as Effect from "effect/Effect"
import type { S3Client } from "./S3Client.ts"
import { type S3Failure, unexpected } from "./S3Failure.ts"
import { hasRoot, textOf, textsOf } from "./xml.ts"

const deletesConcurrentMax = 8

/** Removes an object; S3 answers the same where it is absent. */
export const removeObject = (client: S3Client, key: string): Effect.Effect<void, S3Failure> =>
  client.call({ method: "DELETE", key }).pipe(
    Effect.asVoid,
    // Some servers say that there is none.
    Effect.catchIf(
      ({ code }) => code === "NoSuchKey",
      () => Effect.void,
    ),
  )

/** Removes every object whose key starts with the prefix, page by page: some servers delete no lists of keys. */
export const removeBelow = Effect.fnUntraced(function* (client: S3Client, prefix: string) {
  for (let token: string | undefined = ""; token !== undefined; ) {
    const page: Page = yield* listPage(client, prefix, token)
    yield* Effect.forEach(page.keys, (key) => removeObject(client, key), {
      concurrency: deletesConcurrentMax,
      discard: true,
    })
    token = page.next
  }
})

interface Page {
  readonly keys: ReadonlyArray<string>
  /** The token of the next page. */
  readonly next: string | undefined
}

/** A page of the keys that start with the prefix; an empty token: the first one. */
export const listPage = Effect.fnUntraced(function* (
  client: S3Client,
  prefix: string,
  token: string,
): Effect.fn.Return<Page, S3Failure> {
  const more = token === "" ? {} : { "continuation-token": token }
  const { text } = yield* client.call({
    method: "GET",
    key: "",
    query: { "list-type": "2", prefix, ...more },
  })
  if (!hasRoot(text, "ListBucketResult")) return yield* unexpected("no list of keys", false)
  const next = textOf(text, "NextContinuationToken")
  if (next === undefined && textOf(text, "IsTruncated") === "true") {
    return yield* unexpected("a page of keys without the way to the next one", false)
  }
  return { keys: textsOf(text, "Key"), next }
})
