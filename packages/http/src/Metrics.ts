import type { Admin } from "@atelier/core"
import * as Effect from "effect/Effect"
import type { Gauge, HttpMetrics } from "./HttpMetrics.ts"
import type { Overload } from "./Overload.ts"
import type { RefusedCredentials } from "./RefusedCredentials.ts"

/** The state of the service in Prometheus' text format (contract, Running it). */
export const renderMetrics = Effect.fnUntraced(function* (services: {
  readonly http: HttpMetrics["Service"]
  readonly refused: RefusedCredentials["Service"]
  readonly overload: Overload["Service"]
  readonly admin: Admin["Service"]
}) {
  const { totals } = yield* services.admin.stats({ check: false })
  const { tasks, jobs } = totals
  const { refused, loopMillis, waitingMillis, waitingCount } = services.overload.report()
  const memory = process.memoryUsage()
  const cpu = process.cpuUsage()
  return [
    family(
      "atelier_http_responses_total",
      "counter",
      "Answers by status.",
      services.http.answers().map(([status, count]) => [{ status: String(status) }, count] as const),
    ),
    ...services.http
      .gauges()
      .map(([gauge, value]) => family(`atelier_http_${gauge}`, "gauge", gaugeHelp[gauge], [[{}, value]])),
    family(
      "atelier_http_refusals_total",
      "counter",
      "Requests and connections refused to enforce a limit, by the limit.",
      [...services.http.refusals()].map(([reason, count]) => [{ reason }, count] as const),
    ),
    family(
      "atelier_refused_credentials_total",
      "counter",
      "Credentials refused, by what they were for and the code of the answer.",
      services.refused.counts().map(({ surface, code, count }) => [{ surface, code }, count] as const),
    ),
    family(
      "atelier_tasks",
      "gauge",
      "Tasks by kind and state.",
      tasks.map(({ kind, state, count }) => [{ kind, state }, count] as const),
    ),
    family(
      "atelier_jobs",
      "gauge",
      "Jobs by kind, ready or leased.",
      jobs.flatMap(({ kind, ready, leased }) => [
        [{ kind, state: "ready" }, ready] as const,
        [{ kind, state: "leased" }, leased] as const,
      ]),
    ),
    family("atelier_shed_total", "counter", "Submissions refused with `overloaded`.", [[{}, refused]]),
    family("atelier_event_loop_delay_seconds", "gauge", "Largest recent delay of the event loop.", [
      [{}, loopMillis / 1000],
    ]),
    family("atelier_transaction_delay_seconds", "gauge", "Longest recent wait of a transaction.", [
      [{}, waitingMillis / 1000],
    ]),
    family("atelier_transactions_waiting", "gauge", "Transactions that wait to begin.", [[{}, waitingCount]]),
    family("process_resident_memory_bytes", "gauge", "Resident memory.", [[{}, memory.rss]]),
    family("process_heap_bytes", "gauge", "Heap in use.", [[{}, memory.heapUsed]]),
    family("process_cpu_seconds_total", "counter", "CPU time.", [[{}, (cpu.user + cpu.system) / 1e6]]),
    family("process_uptime_seconds", "gauge", "Time since the start.", [[{}, process.uptime()]]),
  ].join("")
})

const gaugeHelp: { readonly [G in Gauge]: string } = {
  bodies_arriving: "Request bodies that are arriving.",
  body_bytes: "Memory held by request bodies that are arriving or in use.",
  connections: "Open connections.",
  refusals_held: "Refusals that are delayed before they are sent.",
  readers: "Event streams and waiting requests.",
}

type Sample = readonly [labels: { readonly [name: string]: string }, value: number]

const family = (
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: ReadonlyArray<Sample>,
): string => {
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
    return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`
}
