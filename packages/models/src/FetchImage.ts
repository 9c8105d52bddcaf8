import type { ImageBytes } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readImageHeader } from "./http/ImageHeader.ts"
import type { UpstreamHttp } from "./http/UpstreamHttp.ts"
import { showUrl } from "./http/UrlPolicy.ts"

/**
 * An image could not be fetched. `temporary`: it may come at another time; else the link leads to nothing, or
 * to what is no image. `refused`: by our own rules, whatever its server would say. `message` names the link without
 * its query.
 */
export class FetchImageFailed extends Schema.TaggedError<FetchImageFailed>()("FetchImageFailed", {
  temporary: Schema.Boolean,
  refused: Schema.Boolean,
  message: Schema.String,
}) {}

/** The whole download; as long as 64 MiB take at 1 MiB a second, and as much again. */
const fetchTimeoutMs = 120_000
/** Until a server begins to answer. */
const headersTimeoutMs = 30_000
/** Short links and moved hosts; more is a loop or abuse. */
const redirectsMax = 3

/**
 * Fetches an image from an address that a user or an upstream names, and verifies it: signature, readable
 * header, dimensions, at most `bytesMax`; a body shorter than its `content-length` is a failure.
 */
export const fetchImage = (
  http: UpstreamHttp["Service"],
  url: string,
  bytesMax: number,
): Effect.Effect<ImageBytes, FetchImageFailed> => {
  const fail = (temporary: boolean, problem: string, refused = false) =>
    new FetchImageFailed({ temporary, refused, message: `${showUrl(url)} gives no image: ${problem}.` })
  return http
    .request({
      method: "GET",
      url,
      policy: "public",
      headers: { accept: "image/*" },
      timeoutMillis: fetchTimeoutMs,
      headersTimeoutMillis: headersTimeoutMs,
      maxResponseBytes: bytesMax,
      redirects: redirectsMax,
      allowDowngrade: true,
    })
    .pipe(
      Effect.mapError(({ message, reason }) => fail(!lasting.has(reason), message, refusing.has(reason))),
      Effect.flatMap(({ body, status }) => {
        if (status < 200 || status > 299) {
          return Effect.fail(fail(status >= 500 || waiting.has(status), `its server answered ${status}`))
        }
        const image = readImage(body)
        return image === undefined ? Effect.fail(fail(false, notAnImage)) : Effect.succeed(image)
      }),
    )
}

/** An image whose header can be read; undefined for anything else. */
export const readImage = (bytes: Uint8Array): ImageBytes | undefined => {
  const reading = readImageHeader(bytes)
  if (reading._tag !== "Image") return undefined
  const { height, type, width } = reading.header
  return { bytes, contentType: type, width, height }
}

const notAnImage = "it is not a whole PNG, JPEG, WebP, GIF or AVIF file"

/** Reasons that do not pass with time. */
const refusing: ReadonlySet<string> = new Set(["InvalidUrl", "AddressRefused", "TooLarge"])
const lasting: ReadonlySet<string> = new Set([...refusing, "TooManyRedirects"])
/** Temporary statuses: time-out, too early, too many requests. */
const waiting: ReadonlySet<number> = new Set([408, 425, 429])
