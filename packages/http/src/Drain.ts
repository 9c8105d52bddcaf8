import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

/** How this process ends, in two steps. */
export class Drain extends Context.Service<
  Drain,
  {
    /** When open, the process still answers everything, but is not ready, and closes connections after their answer. */
    readonly leaving: Latch.Latch
    /** When open, waiting readers and event streams get the current state. */
    readonly ending: Latch.Latch
  }
>()("@atelier/http/Drain") {
  static readonly layer = Layer.effect(Drain, Effect.all({ leaving: Latch.make(), ending: Latch.make() }))
}
