import { counter, type GaugeFamily, gauge, histogram, makeMeter } from "@atelier/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/** The limit that a refusal enforced. */
const refusalReasons = [
  "body_bytes",
  "key_body_bytes",
  "key_bodies",
  "slow_body",
  "slow_headers",
  "pipelined",
  "connections",
  "address_connections",
  "readers",
  "key_readers",
] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** What is limited in the process, and its current value. */
const gauges = {
  bodies_arriving: gauge("atelier_http_bodies_arriving", "Request bodies that are arriving."),
  body_bytes: gauge("atelier_http_body_bytes", "Memory held by request bodies that are arriving or in use."),
  connections: gauge("atelier_http_connections", "Open connections."),
  refusals_held: gauge("atelier_http_refusals_held", "Refusals that are delayed before they are sent."),
  readers: gauge("atelier_http_readers", "Event streams and waiting requests."),
} satisfies { readonly [name: string]: GaugeFamily }
export type Gauge = keyof typeof gauges

const refusals = counter(
  "atelier_http_refusals_total",
  "Requests and connections refused to enforce a limit, by the limit.",
  ["reason"],
)
const requests = counter("atelier_http_requests_total", "Answered requests by route and status.", [
  "method",
  "route",
  "status",
])
const durations = histogram(
  "atelier_http_request_duration_seconds",
  "From a request's headers to the head of its answer.",
  ["method", "route"],
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
)

/** Methods that are told apart; callers can send others. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"])
/** The route of a path that is none of the service's. */
const noRoute = "none"

/** Answers of this process. Counting is two look-ups by small keys: it is on every path. */
export class HttpMetrics extends Context.Service<
  HttpMetrics,
  {
    /** `route`: the path of the route, as `/v1/tasks/:task_id`; undefined: the request had none. */
    readonly count: (method: string, route: string | undefined, status: number, seconds: number) => void
    /** Requests and connections that were refused to keep the process within its limits, by reason. */
    readonly refused: (reason: RefusalReason) => void
    /** Shows the value of `read` as a gauge, until the scope ends. */
    readonly watch: (gauge: Gauge, read: () => number) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@atelier/http/HttpMetrics") {
  static readonly layer = Layer.effect(
    HttpMetrics,
    Effect.gen(function* () {
      const meter = yield* makeMeter
      for (const reason of refusalReasons) meter.add(refusals, [reason], 0)
      const names = new Map<string, string>()
      /** `/v1/tasks/:task_id` is `/v1/tasks/{task_id}`, as in the API's own documents. */
      const nameOf = (route: string): string => {
        const known = names.get(route)
        if (known !== undefined) return known
        const name = route.replace(/:(\w+)/g, "{$1}")
        names.set(route, name)
        return name
      }
      return HttpMetrics.of({
        count: (given, path, status, seconds) => {
          const method = methods.has(given) ? given : "other"
          const route = path === undefined ? noRoute : nameOf(path)
          meter.add(requests, [method, route, String(status)])
          meter.observe(durations, [method, route], seconds)
        },
        refused: (reason) => meter.add(refusals, [reason]),
        watch: (name, read) =>
          Effect.asVoid(
            Effect.acquireRelease(
              Effect.sync(() => meter.watch(gauges[name], [], read)),
              (end) => Effect.sync(end),
            ),
          ),
      })
    }),
  )
}
