import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { StorageError } from "../domain/CoreError.ts"
import type { TransferKind } from "../domain/Ledger.ts"
import type { Task } from "../domain/Task.ts"
import { type TaskKind, taskKinds } from "../domain/TaskState.ts"
import { KeyStore } from "../ports/KeyStore.ts"
import { LedgerStore, type Spender } from "../ports/LedgerStore.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { type Totals, TotalsStore } from "../ports/TotalsStore.ts"

const minute = 60_000
/** The time that an overview is of. */
const overviewMillis = 60 * minute
/** Read once in this time, however many look. */
const freshFor = Duration.seconds(2)
/** What is read at most: transfers of the hour, finished tasks of each kind, and failed ones. */
const transfersMax = 200_000
const finishedMax = 200
const failedMax = 100
const spendersMax = 20

/** Milliseconds; null where there is no task to tell it from. */
export interface Percentiles {
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
}

export interface Latencies {
  readonly kind: TaskKind
  /** Finished tasks that they were told from: the newest. */
  readonly tasks: number
  /** From acceptance to the start. */
  readonly waiting: Percentiles
  /** From the start to the end. */
  readonly running: Percentiles
}

export interface FailureCount {
  readonly code: string
  readonly count: number
  /** The last task that failed with it, and when. */
  readonly task: Task
}

/** One minute, by transfers: `hold` accepted a task, `settle` finished one, `release` gave a fee or a part back. */
export interface Minute {
  readonly at: number
  readonly counts: { readonly [K in TransferKind]: number }
  readonly amounts: { readonly [K in TransferKind]: number }
}

/** The last hour of the service, over all processes. */
export interface Hour {
  readonly at: number
  /** The oldest first; the last one is not over. */
  readonly minutes: ReadonlyArray<Minute>
  readonly totals: Totals
  /** When the task that has been queued longest was accepted. */
  readonly oldestQueued: { readonly [K in TaskKind]: number | null }
  readonly latencies: ReadonlyArray<Latencies>
  /** The most frequent first, of the newest `failedMax` failures of each kind. */
  readonly failures: ReadonlyArray<FailureCount>
}

export interface NamedSpender extends Spender {
  readonly name: string
}

/** How the service does, from what is stored: it is the same whichever process is asked, and after a restart. */
export class Overview extends Context.Service<
  Overview,
  {
    readonly hour: Effect.Effect<Hour, StorageError>
    /** Who was charged most in a time, Unix milliseconds, the most first. */
    readonly spenders: (period: {
      readonly from: number
      readonly until: number
    }) => Effect.Effect<ReadonlyArray<NamedSpender>, StorageError>
    /** What a user was charged on each day (UTC) of a time, Unix milliseconds; days without a charge are left out. */
    readonly daily: (period: {
      readonly userId: Spender["userId"]
      readonly from: number
      readonly until: number
    }) => Effect.Effect<
      ReadonlyArray<{ readonly at: number; readonly amount: number; readonly count: number }>,
      StorageError
    >
  }
>()("@atelier/core/services/Overview") {
  static readonly layer = Layer.effect(
    Overview,
    Effect.gen(function* () {
      const keys = yield* KeyStore
      const ledger = yield* LedgerStore
      const tasks = yield* TaskStore
      const totals = yield* TotalsStore

      const since = (now: number) => Math.floor(now / minute) * minute - overviewMillis + minute

      const minutesOf = Effect.fnUntraced(function* (now: number) {
        const from = since(now)
        const rows = yield* ledger.activity({
          from,
          until: now + minute,
          periodMillis: minute,
          rowsMax: transfersMax,
        })
        return Array.from({ length: overviewMillis / minute }, (_, index): Minute => {
          const at = from + index * minute
          const own = rows.filter(({ period }) => period * minute === at)
          const of = (value: "count" | "amount", kind: TransferKind) =>
            own.find((row) => row.kind === kind)?.[value] ?? 0
          return {
            at,
            counts: byKind((kind) => of("count", kind)),
            amounts: byKind((kind) => of("amount", kind)),
          }
        })
      })

      const finished = (kind: TaskKind, states: ReadonlyArray<string>, from: number, limit: number) =>
        Effect.map(tasks.list({ kind, states, limit }), (found) =>
          found.filter(({ finishedAt }) => finishedAt !== null && finishedAt >= from),
        )

      const latenciesOf = Effect.fnUntraced(function* (kind: TaskKind, from: number) {
        const states = [kind === "image" ? "completed" : "succeeded", "failed"]
        const found = yield* finished(kind, states, from, finishedMax)
        const started = found.filter((task) => task.startedAt !== null)
        const latencies: Latencies = {
          kind,
          tasks: started.length,
          waiting: percentilesOf(started.map((task) => (task.startedAt ?? 0) - task.createdAt)),
          running: percentilesOf(started.map((task) => (task.finishedAt ?? 0) - (task.startedAt ?? 0))),
        }
        return latencies
      })

      const read = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const from = since(now)
        const failed = yield* Effect.forEach(taskKinds, (kind) => finished(kind, ["failed"], from, failedMax))
        const oldest = yield* Effect.forEach(taskKinds, (kind) =>
          Effect.map(tasks.oldestQueued(kind), (at): [TaskKind, number | null] => [
            kind,
            Option.getOrNull(at),
          ]),
        )
        const hour: Hour = {
          at: now,
          minutes: yield* minutesOf(now),
          totals: yield* totals.read,
          oldestQueued: Object.fromEntries(oldest) as Hour["oldestQueued"],
          latencies: yield* Effect.forEach(taskKinds, (kind) => latenciesOf(kind, from)),
          failures: failuresOf(failed.flat()),
        }
        return hour
      })

      const spenders = Effect.fnUntraced(function* (period: {
        readonly from: number
        readonly until: number
      }) {
        const found = yield* ledger.spenders({ ...period, rowsMax: transfersMax, limit: spendersMax })
        return yield* Effect.forEach(found, (spender) =>
          Effect.map(
            keys.getUser(spender.userId),
            (user): NamedSpender => ({
              ...spender,
              name: Option.match(user, { onNone: () => "", onSome: ({ name }) => name }),
            }),
          ),
        )
      })

      const day = 24 * 60 * minute
      return Overview.of({
        hour: yield* Effect.cachedWithTTL(read, freshFor),
        spenders,
        daily: (period) =>
          Effect.map(ledger.activity({ ...period, periodMillis: day, rowsMax: transfersMax }), (rows) =>
            rows
              .filter(({ kind }) => kind === "settle")
              .map(({ period: number, amount, count }) => ({ at: number * day, amount, count })),
          ),
      })
    }),
  )
}

const byKind = (value: (kind: TransferKind) => number): Minute["counts"] => ({
  grant: value("grant"),
  hold: value("hold"),
  settle: value("settle"),
  release: value("release"),
})

/** By the nearest rank: each is the time that some task took. */
const percentilesOf = (durations: ReadonlyArray<number>): Percentiles => {
  const sorted = durations.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}

/** The newest task of each code tells it. */
const failuresOf = (failed: ReadonlyArray<Task>): ReadonlyArray<FailureCount> => {
  const byCode = Map.groupBy(failed, ({ error }) => error?.code ?? "unknown")
  return [...byCode]
    .flatMap(([code, found]) => {
      const [task] = found.toSorted((a, b) => (b.finishedAt ?? 0) - (a.finishedAt ?? 0))
      return task === undefined ? [] : [{ code, count: found.length, task }]
    })
    .toSorted((a, b) => b.count - a.count)
}
