import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { ImageTask } from "../domain/Task.ts"

/** The receiver did not answer, or its address may not be called. */
export class CallbackFailed extends Schema.TaggedError<CallbackFailed>()("CallbackFailed", {
  message: Schema.String,
}) {}

/** One POST to a customer's server. Never to an address that is not public, also after DNS and redirects. */
export class Callback extends Context.Service<
  Callback,
  {
    /** Refuses a URL to which no delivery could ever be made; makes no network call. */
    readonly check: (url: string) => Effect.Effect<void, CallbackFailed>
    /** Answers the HTTP status. */
    readonly post: (
      url: string,
      headers: { readonly [name: string]: string },
      body: string,
    ) => Effect.Effect<number, CallbackFailed>
  }
>()("@atelier/core/ports/Callback") {
  /** For an application without outgoing calls: callbacks are refused, and none is delivered. */
  static readonly layerOffline = Layer.sync(Callback, () => {
    const refused = Effect.fail(new CallbackFailed({ message: "This service makes no outgoing calls." }))
    return { check: () => refused, post: () => refused }
  })
}

/**
 * The task object as callers see it, in JSON. Core knows no wire format: without a server in front of it, it is
 * core's own record; the server puts the object of its contract here.
 */
export const TaskRendering = Context.Reference<(task: ImageTask) => object>(
  "@atelier/core/ports/TaskRendering",
  { defaultValue: () => (task) => task },
)
