import {
  type ChannelError,
  globMatches,
  type ImageChannel,
  type ModelPrice,
  UpstreamError,
} from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as CircuitBreaker from "effect/persistence/CircuitBreaker"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"

/** A channel, the models that it serves, by id or glob, and its place among those that serve the same. */
export interface ChannelRoute {
  readonly channel: ImageChannel
  readonly models: ReadonlyArray<string>
  /** Lower ones are tried first; 0 where none is given. */
  readonly priority?: number
  /** Named for operators; none: an embedder's own channel. */
  readonly adapter?: string
  /** Share among channels of equal priority; 1 where none is given, 0 for one that others go before. */
  readonly weight?: number
  /** What the upstream takes, by model id or glob, in the form of a model's price. */
  readonly costs?: { readonly [modelOrGlob: string]: ModelPrice }
}

export const serves = (route: ChannelRoute, model: string): boolean =>
  route.models.some((pattern) => globMatches(pattern, model))

/** The routes in an order to try them: by priority, and drawn by weight among equals. */
export const inOrder = (routes: ReadonlyArray<ChannelRoute>): Effect.Effect<ReadonlyArray<ChannelRoute>> => {
  if (routes.length < 2) return Effect.succeed(routes)
  return Effect.map(
    // An exponential waiting time for each: the shortest is a route's with the probability of its weight.
    Effect.forEach(routes, (route) =>
      Effect.map(Random.next, (drawn) => ({ route, wait: -Math.log1p(-drawn) / (route.weight ?? 1) })),
    ),
    (drawn) =>
      drawn
        .sort((a, b) => (a.route.priority ?? 0) - (b.route.priority ?? 0) || compareWaits(a.wait, b.wait))
        .map(({ route }) => route),
  )
}

/** Weight 0 waits forever, or, if 0 is drawn, gives NaN. */
const compareWaits = (a: number, b: number): number => {
  if (Number.isFinite(a) && Number.isFinite(b)) return a - b
  return Number(Number.isFinite(b)) - Number(Number.isFinite(a))
}

/**
 * The upstream's name of a public model, for an adapter of a channel with this `models` setting: a model's own
 * entry before that of the longest glob. `*` as upstream name is the public name itself, as is that of a model
 * without an entry.
 */
export const upstreamModelFor = (names: {
  readonly [modelOrGlob: string]: string
}): ((model: string) => string) => {
  const patterns = Object.keys(names).sort((a, b) => b.length - a.length)
  return (model) => {
    const pattern = Object.hasOwn(names, model) ? model : patterns.find((each) => globMatches(each, model))
    const name = pattern === undefined ? "*" : (names[pattern] ?? "*")
    return name === "*" ? model : name
  }
}

/** How a channel is protected from overload. */
export interface ChannelGuard {
  /** Generations at once; null: any number. */
  readonly concurrency: number | null
  /** The circuit opens after `failures` in a row, and lets one generation try again after `pauseMillis`. */
  readonly breaker: { readonly failures: number; readonly pauseMillis: number }
}

export const defaultGuard: ChannelGuard = {
  concurrency: null,
  breaker: { failures: 5, pauseMillis: 30_000 },
}

/** Errors of a channel that are kept, and characters of each. */
const errorsKept = 10
const errorCharsKept = 300

/**
 * The channel with its `calls`: how many generations are under way, and how the last ones failed. A cancellation is the
 * caller's wish, and no failure.
 */
export const watched = (
  channel: ImageChannel,
  limit: number | null,
): ImageChannel & Required<Pick<ImageChannel, "calls">> => {
  let inUse = 0
  let errors: ReadonlyArray<ChannelError> = []
  const keep = (taskId: ChannelError["taskId"], { message, reason }: UpstreamError) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      const error = { at, reason, message: message.slice(0, errorCharsKept), taskId }
      errors = [error, ...errors].slice(0, errorsKept)
    })
  return {
    ...channel,
    calls: Effect.sync(() => ({ inUse, limit, errors })),
    generate: (input) =>
      Effect.acquireUseRelease(
        Effect.sync(() => (inUse += 1)),
        () =>
          Effect.tapError(channel.generate(input), (error) =>
            error.reason === "canceled" ? Effect.void : keep(input.reference, error),
          ),
        () => Effect.sync(() => (inUse -= 1)),
      ),
  }
}

/** When a channel without a free slot is tried again. */
const busyRetryMs = 250
/** When a channel is tried again while its single probe is running. */
const trialRetryMs = 5_000
/** The longest pause that an upstream may ask for. */
const pauseMsMax = 10 * 60 * 1000

/**
 * The channel behind a concurrency limit and a circuit breaker. Without a free slot, and while the circuit is open, it
 * answers `unavailable` at once and sends nothing. `unavailable` and `ambiguous` count against the upstream; a
 * generation and a refusal of content count for it; `failed` says nothing about it.
 */
export const guard = (
  channel: ImageChannel,
  { breaker, concurrency }: ChannelGuard = defaultGuard,
): Effect.Effect<ImageChannel, never, Scope.Scope> =>
  Effect.gen(function* () {
    const circuit = yield* CircuitBreaker.make({
      tripPolicy: CircuitBreaker.consecutive(breaker.failures),
      openDuration: breaker.pauseMillis,
      maxOpenDuration: pauseMsMax,
    })
    const places = concurrency === null ? undefined : Semaphore.makeUnsafe(concurrency)
    const seen = watched(channel, concurrency)
    const guarded: ImageChannel = {
      ...seen,
      // Only a store elsewhere can fail to answer.
      breaker: Effect.map(Effect.orDie(circuit.state(channel.id)), ({ _tag }) => breakers[_tag]),
      generate: (input) => {
        const run = seen.generate(input).pipe(
          circuit.execute({ key: channel.id, classify }),
          Effect.catchTag("CircuitBreakerError", ({ reason }) => spared(channel.id, reason)),
        )
        return places === undefined ? run : inPlace(places, run, channel.id)
      },
    }
    return guarded
  }).pipe(Effect.provide(CircuitBreaker.layerStoreMemory()))

const breakers = { Closed: "closed", Open: "open", HalfOpen: "half_open" } as const

const classify = <A>(exit: Exit.Exit<A, UpstreamError>): CircuitBreaker.Outcome => {
  if (Exit.isSuccess(exit)) return CircuitBreaker.success
  const error = Option.getOrUndefined(Exit.findErrorOption(exit))
  switch (error?.reason) {
    case "rejected":
      return CircuitBreaker.success
    case "unavailable":
      return CircuitBreaker.failure({ retryAfter: error.retryAfterMillis })
    case "ambiguous":
      return CircuitBreaker.failure()
    default:
      return CircuitBreaker.ignored
  }
}

const spared = (id: string, reason: CircuitBreaker.CircuitBreakerErrorReason) =>
  new UpstreamError({
    reason: "unavailable",
    message: `The channel ${id} is paused after failures.`,
    retryAfterMillis: reason._tag === "CircuitOpen" ? Duration.toMillis(reason.retryAfter) : trialRetryMs,
  })

const inPlace = <A>(
  places: Semaphore.Semaphore,
  run: Effect.Effect<A, UpstreamError>,
  id: string,
): Effect.Effect<A, UpstreamError> =>
  Effect.flatMap(
    places.withPermitsIfAvailable(1)(run),
    Option.match({
      onSome: Effect.succeed,
      onNone: () =>
        new UpstreamError({
          reason: "unavailable",
          message: `The channel ${id} has no free place.`,
          retryAfterMillis: busyRetryMs,
        }),
    }),
  )
