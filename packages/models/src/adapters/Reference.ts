import { type ImageBytes, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as DataUrl from "../DataUrl.ts"
import { fetchImage, readImage } from "../FetchImage.ts"
import type { AdapterSettings } from "./Adapter.ts"

/** contract, Images: reference images. */
const referenceBytesMax = 20 * 1024 * 1024
/** A reference that cannot be had now is tried again after 1 s and 4 s. */
const retries = { schedule: Schedule.exponential("1 second", 4), times: 2 }

/**
 * The bytes of a reference image, for upstreams that fetch none: a Data URL's own, or those behind a public
 * URL. One that cannot be had fails the task: `unavailable` would blame the channel for a customer's server.
 */
export const referenceImage = (
  { http }: AdapterSettings,
  url: string,
): Effect.Effect<ImageBytes, UpstreamError> => {
  if (DataUrl.isDataUrl(url)) {
    const data = DataUrl.read(url)
    const image = typeof data === "string" ? undefined : readImage(data.bytes)
    return image === undefined ? failed("The Data URL holds no image.") : Effect.succeed(image)
  }
  return fetchImage(http, url, referenceBytesMax).pipe(
    Effect.retry({ ...retries, while: ({ temporary }) => temporary }),
    Effect.catch(({ message }) => failed(message)),
  )
}

const failed = (message: string) =>
  new UpstreamError({ reason: "failed", message: `The reference image cannot be used. ${message}` })

/** An image as a Base64 Data URL (RFC 2397). */
export const dataUrlOf = ({ bytes, contentType }: ImageBytes): string =>
  `data:${contentType};base64,${Buffer.from(bytes).toString("base64")}`
