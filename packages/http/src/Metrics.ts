import { readFileSync } from "node:fs"
import {
  Admin,
  type ChannelEntry,
  Channels,
  type CounterFamily,
  counter,
  type GaugeFamily,
  gauge,
  type JobKind,
  makeMeter,
  metrics,
  Storage,
  statesOf,
  type Totals,
  taskKinds,
  transferKinds,
} from "@atelier/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { Overload } from "./Overload.ts"

/** What storage says when metrics are read; all processes of one database say the same. */
const stored = {
  tasks: gauge("atelier_tasks", "Stored tasks by kind and state.", ["kind", "state"]),
  jobs: gauge("atelier_jobs", "Jobs by kind, ready or leased.", ["kind", "state"]),
  oldest: gauge(
    "atelier_queue_oldest_seconds",
    "How long the longest-waiting job that is due has waited; 0 where none waits.",
    ["kind"],
  ),
  transfers: counter("atelier_ledger_transfers_total", "Ledger transfers by kind.", ["kind"]),
  units: counter("atelier_ledger_units_total", "Account quota units that the transfers moved, by kind.", [
    "kind",
  ]),
  paused: gauge("atelier_channel_paused", "1 where an operator paused the channel.", ["channel"]),
} as const

/** What the process says of itself. */
const own = {
  breaker: gauge("atelier_channel_breaker", "1 for the state of the channel's circuit in this process.", [
    "channel",
    "state",
  ]),
  loop: gauge("atelier_event_loop_delay_seconds", "Largest recent delay of the event loop."),
  delay: gauge("atelier_transaction_delay_seconds", "Longest recent wait of a transaction."),
  waiting: gauge("atelier_transactions_waiting", "Transactions that wait to begin."),
  resident: gauge("process_resident_memory_bytes", "Resident memory."),
  heap: gauge("process_heap_bytes", "Heap in use."),
  cpu: counter("process_cpu_seconds_total", "CPU time."),
  uptime: gauge("process_uptime_seconds", "Time since the start."),
  build: gauge("atelier_build_info", "1, with the version of the service and of Node.", ["version", "node"]),
} as const

const jobKinds: ReadonlyArray<JobKind> = [...taskKinds, "callback"]
const breakers = ["closed", "open", "half_open"] as const

const versionOf = (): string => {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  )
  return manifest.version
}

interface Seen {
  readonly totals: Totals
  /** Milliseconds. */
  readonly oldest: ReadonlyMap<JobKind, number>
  readonly channels: ReadonlyArray<ChannelEntry>
}

/**
 * The state of the service in Prometheus' text format (contract, Running it). Every series that can be foreseen is
 * there from the start, at zero: an alert must not wait for a first event.
 */
export const makeMetrics = Effect.gen(function* () {
  const admin = yield* Admin
  const channels = yield* Channels
  const overload = yield* Overload
  const storage = yield* Storage
  const meter = yield* makeMeter
  const registry = Context.make(Metric.MetricRegistry, yield* Metric.MetricRegistry)
  const look = Effect.all({
    totals: Effect.map(admin.stats({ check: false }), ({ totals }) => totals),
    oldest: storage.oldestJobs,
    channels: channels.entries,
  })
  let seen: Seen = { totals: { tasks: [], jobs: [], transfers: [] }, oldest: new Map(), channels: [] }
  let report = overload.report()

  const ends: Array<() => void> = []
  const show = (family: GaugeFamily, values: ReadonlyArray<string>, read: () => number) =>
    ends.push(meter.watch(family, values, read))
  const total = (family: CounterFamily, values: ReadonlyArray<string>, read: () => number) =>
    ends.push(meter.watchTotal(family, values, read))
  yield* Effect.addFinalizer(() => Effect.sync(() => ends.forEach((end) => end())))

  for (const kind of taskKinds) {
    for (const state of statesOf(kind)) {
      const isIt = (each: Totals["tasks"][number]) => each.kind === kind && each.state === state
      show(stored.tasks, [kind, state], () => seen.totals.tasks.find(isIt)?.count ?? 0)
    }
  }
  for (const kind of jobKinds) {
    for (const state of ["ready", "leased"] as const) {
      const isIt = (each: Totals["jobs"][number]) => each.kind === kind
      show(stored.jobs, [kind, state], () => seen.totals.jobs.find(isIt)?.[state] ?? 0)
    }
    show(stored.oldest, [kind], () => (seen.oldest.get(kind) ?? 0) / 1000)
    meter.add(metrics.leasesRecovered, [kind], 0)
  }
  for (const kind of transferKinds) {
    const isIt = (each: Totals["transfers"][number]) => each.kind === kind
    total(stored.transfers, [kind], () => seen.totals.transfers.find(isIt)?.count ?? 0)
    total(stored.units, [kind], () => seen.totals.transfers.find(isIt)?.amount ?? 0)
  }
  for (const outcome of ["delivered", "retried", "failed"]) meter.add(metrics.callbacks, [outcome], 0)
  meter.add(metrics.archiveRetries, [], 0)
  for (const id of channels.ids) {
    const now = () => seen.channels.find((channel) => channel.id === id)
    show(stored.paused, [id], () => (now()?.pause ? 1 : 0))
    for (const state of breakers) show(own.breaker, [id, state], () => (now()?.breaker === state ? 1 : 0))
  }

  show(own.loop, [], () => report.loopMillis / 1000)
  show(own.delay, [], () => report.waitingMillis / 1000)
  show(own.waiting, [], () => report.waitingCount)
  show(own.resident, [], () => process.memoryUsage.rss())
  show(own.heap, [], () => process.memoryUsage().heapUsed)
  show(own.uptime, [], () => process.uptime())
  show(own.build, [versionOf(), process.versions.node], () => 1)
  total(own.cpu, [], () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })

  return Effect.map(look, (found) => {
    seen = found
    report = overload.report()
    return PrometheusMetrics.formatUnsafe(registry)
  })
})
