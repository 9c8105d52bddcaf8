import { DownloadFailed, Downloads, Limits } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fetchImage } from "./FetchImage.ts"
import { UpstreamHttp } from "./http/UpstreamHttp.ts"

/** Copies of generated images over HTTP, each at most `image_bytes_max` and verified by `fetchImage`. */
export const layer: Layer.Layer<Downloads, never, UpstreamHttp> = Layer.effect(
  Downloads,
  Effect.gen(function* () {
    const http = yield* UpstreamHttp
    const { image_bytes_max } = yield* Limits
    return Downloads.of({
      image: (url) =>
        Effect.mapError(
          fetchImage(http, url, image_bytes_max),
          ({ message, refused }) => new DownloadFailed({ message, refused }),
        ),
    })
  }),
)
