import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Fiber } from "effect/Fiber"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"

/**
 * Where in a trace something happens, as W3C Trace Context writes it: `00-<trace>-<span>-<flags>`. It is kept with a
 * job and sent with outgoing calls, so that a trace goes on in another process or on another server.
 */
export type Traceparent = string

const written = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Whether anything collects spans: Effect's own tracer keeps them nowhere. */
const isCollected = (fiber: Fiber<unknown, unknown>): boolean =>
  fiber.getRef(References.TracerEnabled) && fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer

/** The place of the running span; null where spans are not collected. */
export const traceparent: Effect.Effect<Traceparent | null> = Effect.withFiber((fiber) => {
  if (!isCollected(fiber)) return Effect.succeed(null)
  const span = Context.getOrUndefined(fiber.context, Tracer.ParentSpan)
  if (span === undefined) return Effect.succeed(null)
  const { sampled, spanId, traceId } = span
  return Effect.succeed(`00-${traceId.padStart(32, "0")}-${spanId}-${sampled ? "01" : "00"}`)
})

/** The span that a `traceparent` names, as the parent of others; undefined where it names none. */
export const spanOf = (place: Traceparent | null): Tracer.ExternalSpan | undefined => {
  const [, traceId, spanId, flags] = (place === null ? null : written.exec(place)) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 })
}

const noOptions = () => ({})

/**
 * `Effect.withSpan` that costs nothing where spans are not collected; otherwise it is a tenth of a short effect.
 * `Effect.fn` takes a stack trace at each call, collected or not (decision 21).
 */
export const withSpan =
  (name: string, options: () => Tracer.SpanOptionsNoTrace = noOptions) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
    Effect.withFiber((fiber) =>
      isCollected(fiber)
        ? Effect.withSpan(effect, name, { ...options(), captureStackTrace: false })
        : (effect as Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>>),
    )

/** Attributes of the running span. What leaves the process of them is the server's choice (decision 37). */
export const annotateSpan = (attributes: { readonly [name: string]: unknown }): Effect.Effect<void> =>
  Effect.withFiber((fiber) => (isCollected(fiber) ? Effect.annotateCurrentSpan(attributes) : Effect.void))
