import { randomUUID } from "node:crypto"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Fiber } from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { OtlpExporter, OtlpSerialization, OtlpTracer } from "effect/observability"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import type { Sampler, TraceSettings } from "./TraceSettings.ts"
import { version } from "./version.ts"

/**
 * Sends spans to a collector by OTLP/HTTP. A collector that is slow or away costs spans and nothing else: at most
 * `exportsMax` batches wait for it, and after one that failed there is a pause of a minute.
 */
export const layer = (settings: TraceSettings): Layer.Layer<never> => {
  const exports = new Exports(settings.timeoutMs)
  const collected = Effect.map(
    OtlpTracer.make({
      url: settings.url.href,
      headers: Redacted.value(settings.headers),
      compression: settings.compression,
      exportInterval: settings.exportIntervalMs,
      maxBatchSize: settings.batchSpansMax,
      resource: {
        serviceName: settings.serviceName,
        serviceVersion: version(),
        attributes: { "service.instance.id": randomUUID() },
      },
    }),
    (tracer) => sampling(tracer, settings.sampler, exports),
  )
  return Layer.effect(Tracer.Tracer, collected).pipe(
    Layer.merge(Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => monitored.has(url))),
    Layer.provide(OtlpExporter.layerFlusher),
    Layer.provide(
      settings.encoding === "json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf,
    ),
    Layer.provide(Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, exports.counted))),
    Layer.provide(FetchHttpClient.layer),
  )
}

/** What machines ask every few seconds. */
const monitored: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"])

/** Batches that wait for the collector. */
const exportsMax = 4

/** Exports that are under way: each is a fiber of the exporter, with the tries that it makes. */
class Exports {
  readonly #fibers = new Set<Fiber<unknown, unknown>>()
  readonly #timeoutMs: number

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** Spans that end now are dropped. */
  get full(): boolean {
    return this.#fibers.size >= exportsMax
  }

  readonly counted = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    client.pipe(
      HttpClient.mapRequestEffect((request) =>
        Effect.withFiber((fiber) => {
          if (!this.#fibers.has(fiber)) {
            this.#fibers.add(fiber)
            fiber.addObserver(() => this.#fibers.delete(fiber))
          }
          return Effect.succeed(request)
        }),
      ),
      HttpClient.transform((response, request) =>
        Effect.timeoutOrElse(response, {
          duration: this.#timeoutMs,
          orElse: () => Effect.fail(late(request)),
        }),
      ),
    )
}

const late = (request: HttpClientRequest.HttpClientRequest) =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.TransportError({ request, description: "no answer in time" }),
  })

/**
 * What leaves the process: spans of traces that begin with a request, or with a job, if they are sampled. Of their
 * attributes only those below, whatever a library adds: no prompt, no URL, no header, and of a failure its code.
 */
const attributes: ReadonlySet<string> = new Set([
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "server.address",
  "db.system.name",
  "atelier.request_id",
  "atelier.task_id",
  "atelier.kind",
  "atelier.attempt",
  "atelier.model",
  "atelier.tool",
  "atelier.channel",
  "atelier.event",
  "atelier.state",
  "atelier.outcome",
])

const sampling = (tracer: Tracer.Tracer, sampler: Sampler, exports: Exports): Tracer.Tracer =>
  Tracer.make({
    span(options) {
      const span = tracer.span(options)
      const sampled = isSampled(span, options, sampler)
      if (!sampled) return Object.assign(span, { sampled, attribute: () => {} })
      const { attribute, end } = span
      return Object.assign(span, {
        sampled,
        attribute(key: string, value: unknown) {
          if (attributes.has(key) && value !== undefined) attribute.call(span, key, value)
        },
        event() {},
        end(endTime: bigint, exit: Exit.Exit<unknown, unknown>) {
          if (exports.full) return
          if (span.kind === "server") Object.assign(span, { name: serverName(span) })
          end.call(span, endTime, withoutWords(exit))
        },
      })
    },
  })

const isSampled = (
  span: Tracer.Span,
  { kind, parent }: { readonly kind: Tracer.SpanKind; readonly parent: Option.Option<Tracer.AnySpan> },
  { followsParent, ratio }: Sampler,
): boolean => {
  const above = Option.getOrUndefined(parent)
  if (above?._tag === "Span") return above.sampled
  // What runs by itself in the background belongs to no request.
  if (kind !== "server" && kind !== "consumer") return false
  if (above !== undefined && followsParent) return above.sampled
  return chosen(span.traceId) < ratio
}

/** From 0 to below 1, the same in every process that sees a part of the trace. */
const chosen = (traceId: string): number => Number.parseInt(traceId.slice(-13), 16) / 16 ** 13

/** `GET /v1/tasks/{task_id}`, as in the API's documents. */
const serverName = ({ attributes, name }: Tracer.Span): string => {
  const route = attributes.get("http.route")
  return typeof route === "string" ? `${name} ${route.replace(/:(\w+)/g, "{$1}")}` : name
}

/** Messages may repeat what a caller sent: only what kind of failure it was is told. */
const withoutWords = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const code = codeOf(Cause.squash(exit.cause))
  return Exit.fail(Object.assign(new Error(code), { name: code, stack: code }))
}

const codeOf = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return "unknown"
  if ("code" in error && typeof error.code === "string") return error.code
  if ("reason" in error && typeof error.reason === "string") return error.reason
  if ("_tag" in error && typeof error._tag === "string") return error._tag
  return error instanceof Error ? error.name : "unknown"
}
