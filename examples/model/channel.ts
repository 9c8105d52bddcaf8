import { type ImageChannel, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import { type Vendor, VendorFault } from "./vendor.ts"

/**
 * A channel to the vendor, which takes our reference as its idempotency key, so that a repeated order makes nothing
 * twice.
 */
export const makeChannel = (vendor: Vendor): ImageChannel => ({
  id: "swatch-vendor",
  repeatable: true,
  generate: Effect.fnUntraced(function* ({ reference, request, upstreamId, onAccepted, onProgress }) {
    const { n, prompt } = request
    const edge = request.width ?? 128
    // A run that was interrupted after the vendor accepted goes on with the id that was saved.
    const id = upstreamId ?? (yield* ask(() => vendor.order({ clientKey: reference, prompt, edge, n })))
    yield* onAccepted(id)
    for (;;) {
      const order = yield* ask(() => vendor.status(id))
      if (order.done) {
        const images = order.pictures.map((bytes) => ({
          bytes,
          contentType: "image/png",
          width: edge,
          height: edge,
        }))
        return { images, jobId: id, text: null, seed: null }
      }
      yield* onProgress(order.percent)
      yield* Effect.sleep("20 millis")
    }
  }),
})

/** One call, and what its failure means: was the order certainly not accepted, or is that unknown? */
const ask = <A>(call: () => Promise<A>): Effect.Effect<A, UpstreamError> =>
  Effect.tryPromise({
    try: call,
    catch: (cause) =>
      cause instanceof VendorFault
        ? new UpstreamError({ reason: cause.reason, message: cause.message })
        : new UpstreamError({ reason: "ambiguous", message: "The vendor did not answer." }),
  })
