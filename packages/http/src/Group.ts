import { AdminAuthentication, Authentication } from "@atelier/api"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"

/**
 * A group of routes, made with a context that holds nothing but the authentications. Effect merges the context in
 * which routes are made into that of each of their requests; handlers close over the services that they use
 * (decision 21).
 */
export const withMinimalContext = <A, E, R>(group: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.updateContext(Layer.build(group), (context: Context.Context<R | Scope.Scope>) =>
      Context.makeUnsafe<R | Scope.Scope>(kept(context).mapUnsafe),
    ),
  )

const kept = Context.pick(Authentication, AdminAuthentication, Layer.CurrentMemoMap, Scope.Scope)
