import { AdminAuthentication, Authentication } from "@atelier/api"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"

/**
 * A group of routes, made with nothing but the authentication in its context. Effect merges the context in which routes are
 * made into that of each of their requests; with every service of the process in it that copying is a quarter of
 * what an answer costs. Handlers close over the services that they use.
 */
export const lean = <A, E, R>(group: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.updateContext(Layer.build(group), (context: Context.Context<R | Scope.Scope>) =>
      Context.makeUnsafe<R | Scope.Scope>(new Map([...context.mapUnsafe].filter(([key]) => kept.has(key)))),
    ),
  )

const kept: ReadonlySet<string> = new Set([
  Authentication.key,
  AdminAuthentication.key,
  Layer.CurrentMemoMap.key,
  Scope.Scope.key,
])
