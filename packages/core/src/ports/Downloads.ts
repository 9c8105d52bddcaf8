import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { ImageBytes } from "./ImageModel.ts"

/**
 * The image at a link could not be downloaded. `message` holds no secret of the link. `refused`: the link may not be
 * followed, or its target is too large; a retry cannot succeed.
 */
export class DownloadFailed extends Schema.TaggedError<DownloadFailed>()("DownloadFailed", {
  message: Schema.String,
  refused: Schema.optionalKey(Schema.Boolean),
}) {}

/**
 * Fetches generated images from the links that upstreams give. The content is verified: signature, decodable
 * header, dimensions, length, at most `image_bytes_max`; the address is public, or one that the operator permits.
 */
export class Downloads extends Context.Service<
  Downloads,
  { readonly image: (url: string) => Effect.Effect<ImageBytes, DownloadFailed> }
>()("@atelier/core/ports/Downloads") {
  /** For an application without outgoing calls: every download fails. */
  static readonly layerOffline = Layer.succeed(Downloads, {
    image: () => Effect.fail(new DownloadFailed({ message: "This service makes no outgoing calls." })),
  })
}
