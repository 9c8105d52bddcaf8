import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"
import { TaskSignals } from "./ports/TaskSignals.ts"
import * as Services from "./services/Services.ts"
import * as Workers from "./workers/Workers.ts"

/**
 * All of core in one process: every service, and the workers that run accepted jobs. It needs the
 * ports: stores and queue, `Blobs`, `Executors`, `ImageModels`, and those that make outgoing calls:
 * `ReferenceImages`, `Downloads`, `Callback`.
 */
export const layer = Workers.layer.pipe(
  Layer.provideMerge(Services.layer),
  Layer.provideMerge(Layer.merge(SecureRandom.layerWebCrypto, TaskSignals.layerMemory)),
)
