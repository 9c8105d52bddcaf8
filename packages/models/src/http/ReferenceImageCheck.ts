import { type CoreError, ReferenceImages, refuse } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { imageTypeOf, signatureBytes } from "./ImageHeader.ts"
import { UpstreamHttp } from "./UpstreamHttp.ts"
import type { UpstreamResponse } from "./UpstreamRequest.ts"
import { showUrl } from "./UrlPolicy.ts"

/** contract, Images: reference images. */
const imageBytesMax = 20 * 1024 * 1024
const imageTimeoutMs = 3000
/** Short links and moved hosts; more is a loop or abuse. */
const redirectsMax = 3
/** Longest `data:` head that is looked at for its end. */
const dataHeadCharsMax = 256

/**
 * Checks reference images before a task is accepted (contract, Images): all at once, and of those that fail
 * the first in the list is named. It tells users of mistakes early, and keeps private addresses from being
 * handed on; the upstream fetches the image itself, later, and may get something else.
 */
export const layer: Layer.Layer<ReferenceImages, never, UpstreamHttp> = Layer.effect(
  ReferenceImages,
  Effect.map(UpstreamHttp, (http) =>
    ReferenceImages.of({
      typeOf: imageTypeOf,
      check: Effect.fnUntraced(function* (urls) {
        const outcomes = yield* Effect.forEach(
          urls,
          (url, index) => Effect.result(checkOne(http, url, `images.${index}`)),
          { concurrency: "unbounded" },
        )
        const refused = outcomes.find(Result.isFailure)
        if (refused !== undefined) return yield* refused.failure
      }),
    }),
  ),
)

const checkOne = (
  http: UpstreamHttp["Service"],
  url: string,
  param: string,
): Effect.Effect<void, CoreError> => {
  if (/^data:/i.test(url)) {
    const problem = dataUrlProblem(url)
    return problem === undefined
      ? Effect.void
      : Effect.fail(
          refuse("reference_image_unavailable", `\`${param}\`: the Data URL ${problem}.`, { param }),
        )
  }
  return fetchProblem(http, url).pipe(
    Effect.catch(({ message }) => Effect.succeed(message)),
    Effect.flatMap((problem) =>
      problem === undefined
        ? Effect.void
        : Effect.fail(
            refuse(
              "reference_image_unavailable",
              `\`${param}\`: ${showUrl(url)} cannot be used: ${problem}.`,
              { param },
            ),
          ),
    ),
  )
}

const fetchProblem = (http: UpstreamHttp["Service"], url: string) =>
  Effect.scoped(
    Effect.flatMap(
      http.stream({
        method: "GET",
        url,
        policy: "public",
        headers: { accept: "image/*" },
        timeoutMillis: imageTimeoutMs,
        maxResponseBytes: imageBytesMax,
        redirects: redirectsMax,
        allowDowngrade: true,
      }),
      (response) =>
        response.status >= 200 && response.status <= 299
          ? bodyProblem(response)
          : Effect.succeed(`the server answered ${response.status}`),
    ),
  )

/**
 * Reads no more than necessary. A response with a `content-length` cannot be longer than that, and one beyond the
 * limit was refused already, so its first bytes suffice; without one, the whole body is counted.
 */
const bodyProblem = Effect.fnUntraced(function* <E>(
  response: UpstreamResponse<Stream.Stream<Uint8Array, E>>,
) {
  const { headers } = response
  const isLengthKnown = headers["content-length"] !== undefined && headers["content-encoding"] === undefined
  let begin: Uint8Array = new Uint8Array()
  yield* Stream.runForEachWhile(response.body, (chunk) =>
    Effect.sync(() => {
      if (begin.length >= signatureBytes) return true
      begin = Buffer.concat([begin, chunk.subarray(0, signatureBytes)])
      return begin.length < signatureBytes || (!isLengthKnown && imageTypeOf(begin) !== undefined)
    }),
  )
  return imageTypeOf(begin) === undefined ? notAnImage : undefined
})

const notAnImage = "it is not a PNG, JPEG, WebP, GIF or AVIF image"

/** What is wrong with a Data URL (RFC 2397); only base64 makes sense of images. */
const dataUrlProblem = (url: string): string | undefined => {
  const comma = url.slice(0, dataHeadCharsMax).indexOf(",")
  if (comma < 0 || !/;base64$/i.test(url.slice(0, comma))) return "is not base64"
  const data = url.slice(comma + 1)
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data) || data.length % 4 !== 0) return "is not base64"
  if (Buffer.byteLength(data, "base64") > imageBytesMax) return `has more than ${imageBytesMax} bytes`
  const begin = Buffer.from(data.slice(0, signatureBytes * 2), "base64")
  return imageTypeOf(begin) === undefined ? "holds no PNG, JPEG, WebP, GIF or AVIF image" : undefined
}
