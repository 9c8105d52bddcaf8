import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CoreError } from "../domain/CoreError.ts"

/**
 * Checks reference images before a task is accepted; refuses with `reference_image_unavailable`
 * (contract, Images). Takes seconds: the idempotency key is reserved meanwhile.
 */
export class ReferenceImages extends Context.Service<
  ReferenceImages,
  {
    readonly check: (urls: ReadonlyArray<string>) => Effect.Effect<void, CoreError>
    /** The media type that an image's first 64 bytes tell; undefined for what is none. */
    readonly typeOf: (begin: Uint8Array) => string | undefined
  }
>()("@atelier/core/ports/ReferenceImages") {
  /** For channels that never fetch the references: only their form was checked, with the other parameters. */
  static readonly layerUnchecked = Layer.succeed(ReferenceImages, {
    check: () => Effect.void,
    typeOf: () => "image/png",
  })
}
