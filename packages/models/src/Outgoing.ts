import type { Callback, Downloads, ReferenceImages } from "@atelier/core"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"
import * as ReferenceImageCheck from "./http/ReferenceImageCheck.ts"
import { UpstreamHttp, type UpstreamHttpOptions } from "./http/UpstreamHttp.ts"
import * as OutgoingCallback from "./OutgoingCallback.ts"
import * as OutgoingDownloads from "./OutgoingDownloads.ts"

/**
 * All outgoing calls of the service, over one client: checks of reference images, downloads
 * of results, callbacks, and the client itself for the channels. `allowPrivate` is `network.allow_private`;
 * `loopbackCallbacks`: callbacks may go to this machine.
 */
export const layer = (
  options: UpstreamHttpOptions & { readonly loopbackCallbacks?: boolean },
): Layer.Layer<ReferenceImages | Downloads | Callback | UpstreamHttp, never, SecureRandom> =>
  Layer.mergeAll(ReferenceImageCheck.layer, OutgoingDownloads.layer, callbacks(options)).pipe(
    Layer.provideMerge(UpstreamHttp.layer(options)),
  )

const callbacks = ({ loopbackCallbacks = false }: { readonly loopbackCallbacks?: boolean }) =>
  loopbackCallbacks ? OutgoingCallback.layerWithLoopback : OutgoingCallback.layer
