import * as Context from "effect/Context"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

/**
 * Opens when this process begins to end. From then on waiting readers and event streams are answered with what
 * there is, and connections are closed after their answer.
 */
export class Drain extends Context.Service<Drain, Latch.Latch>()("@atelier/http/Drain") {
  static readonly layer = Layer.effect(Drain, Latch.make())
}
