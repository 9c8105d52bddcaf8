import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

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
export type Gauge = "body_bytes" | "bodies_arriving" | "connections" | "readers" | "refusals_held"

/** Answers of this process by status, since it started. Counting is one array access: it is on every path. */
export class HttpMetrics extends Context.Service<
  HttpMetrics,
  {
    readonly count: (status: number) => void
    /** Requests and connections that were refused to keep the process within its limits, by reason. */
    readonly refused: (reason: RefusalReason) => void
    readonly refusals: () => ReadonlyMap<RefusalReason, number>
    /** Shows the value of `read` as a gauge. */
    readonly watch: (gauge: Gauge, read: () => number) => void
    readonly gauges: () => ReadonlyArray<readonly [gauge: Gauge, value: number]>
    readonly answers: () => ReadonlyArray<readonly [status: number, count: number]>
  }
>()("@atelier/http/HttpMetrics") {
  static readonly layer = Layer.sync(HttpMetrics, () => {
    const counts = new Float64Array(600)
    const refusals = new Map<RefusalReason, number>(refusalReasons.map((reason) => [reason, 0]))
    const gauges = new Map<Gauge, () => number>()
    return HttpMetrics.of({
      watch: (gauge, read) => void gauges.set(gauge, read),
      gauges: () => [...gauges].map(([gauge, read]) => [gauge, read()] as const),
      refused: (reason) => void refusals.set(reason, (refusals.get(reason) ?? 0) + 1),
      refusals: () => refusals,
      count: (status) => {
        counts[status] = (counts[status] ?? 0) + 1
      },
      answers: () => [...counts].flatMap((count, status) => (count === 0 ? [] : [[status, count] as const])),
    })
  })
}
