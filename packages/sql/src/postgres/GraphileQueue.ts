import {
  type Job,
  type JobCounts,
  type JobKind,
  Limits,
  makeMeter,
  metrics,
  Queue,
  type TaskId,
} from "@atelier/core"
import * as Cause from "effect/Cause"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import type * as SqlClient from "effect/sql/SqlClient"
import { failIfLeaseLost } from "../failIfLeaseLost.ts"
import { type OldestRow, toOldest, toTurns, type WaitingRow } from "../queueOrder.ts"
import { makeStatements } from "../statement.ts"
import { type GraphilePool, makeGraphilePool } from "./GraphilePool.ts"
import { queries } from "./queueQueries.ts"
import { type Runner, startRunner } from "./Runner.ts"

/** The shortest time between two looks at what falls due next: notifications may come by the thousand. */
const lookIntervalMsMin = 100
/** Jobs of a kind that one look makes due again; more follow in the next. */
const recoveredJobsMax = 100
/** A sweep goes through all of graphile-worker's table. */
const sweepIntervalLeases = 10
/** graphile-worker's connections: what listens, one for each kind of job, and what all runners share. */
const graphileConnectionsMax = 3 + 4
/** After Postgres was away, or a runner ended. */
const retryMs = 1000
/** How long graphile-worker may take to stop; its jobs are safe without. */
const stopMsMax = 1000

interface TakenRow {
  /** Null: none was taken. */
  readonly task_id: TaskId | null
  readonly epoch: number
  readonly attempt: number
  readonly lost: number
  /** Its holder went silent. */
  readonly lapsed: boolean | null
}

/**
 * The queue on graphile-worker. The table `jobs` is the truth: who holds a job, until when, under which epoch.
 * graphile-worker pushes: it has a job of its own, under the task's id as key, for every row that waits for a lease;
 * it knows when that is due, wakes the processes, and has the handler of one of them run it. The handler takes a
 * lease by compare-and-set, of that row or of the one whose turn it is, and runs it to its end. A row whose lease is
 * given back, or runs out, gets another of graphile-worker's jobs. So nothing that graphile-worker does, or does
 * twice, runs a job that is held.
 */
const make = Effect.fnUntraced(function* (url: string) {
  const limits = yield* Limits
  const random = yield* SecureRandom
  const processId = yield* random.uuidV4()
  const statement = yield* makeStatements
  const insert = statement("Queue.enqueue", queries.enqueue)
  const take = statement<TakenRow>("Queue.serve", queries.take)
  const nextDue = statement<{ wait_ms: number | null }>("Queue.serve", queries.nextDue)
  /** For what graphile-worker names to a runner that takes no more. */
  const again = statement("Queue.serve", queries.again)
  const heartbeat = statement<{ task_id: TaskId }>("Queue.heartbeat", queries.heartbeat)
  const verify = statement("Queue.verify", queries.verify)
  const complete = statement("Queue.complete", queries.complete)
  const release = statement("Queue.release", queries.release)
  const remove = statement("Queue.remove", queries.remove)
  const counts = statement<JobCounts>("Queue.counts", queries.counts)
  const turns = statement<WaitingRow>("Queue.turns", queries.turns)
  const countRunning = statement<{ count: number }>("Queue.turns", queries.countRunning)
  const oldest = statement<OldestRow>("Queue.oldest", queries.oldest)
  const meter = yield* makeMeter
  const ahead = statement<{ count: number }>("Queue.ahead", queries.ahead)
  const recover = statement("Queue.recover", queries.recover)
  const unlock = statement("Queue.sweep", queries.unlock)
  const forget = statement("Queue.sweep", queries.forget)
  const run = Effect.runPromiseWith(yield* Effect.context<never>())

  /** Open: what falls due next may be sooner than was known. */
  const changed: { readonly [K in JobKind]: Latch.Latch } = {
    image: Latch.makeUnsafe(),
    tool: Latch.makeUnsafe(),
    callback: Latch.makeUnsafe(),
  }
  const lease = ({ taskId, epoch }: Job) => [taskId, epoch, processId]

  const takeLease = Effect.fnUntraced(function* (kind: JobKind, taskId: string) {
    const [row] = yield* take([taskId, kind, kind, kind, kind, processId, limits.job_lease_ms])
    if (row === undefined || row.task_id === null) return undefined
    if (row.lapsed === true) meter.add(metrics.leasesRecovered, [kind])
    return { taskId: row.task_id, kind, epoch: row.epoch, attempt: row.attempt, lost: row.lost }
  })

  const log = (level: "error" | "warning", message: string) =>
    void run((level === "error" ? Effect.logError : Effect.logWarning)(`graphile-worker: ${message}`))

  const runners = new Set<Runner>()
  const closePool = (graphile: GraphilePool) =>
    Effect.tryPromise(async () => {
      await Promise.all([...runners].map(({ ended }) => ended))
      await graphile.end()
    }).pipe(Effect.timeoutOption(Duration.millis(stopMsMax)), Effect.ignore)
  const makePool = Effect.promise(() =>
    makeGraphilePool({
      url,
      connections: graphileConnectionsMax,
      idleInTransactionMs: limits.job_lease_ms,
      lost: ({ message }) => log("warning", `a connection was lost: ${message}`),
    }),
  )
  const { pool } = yield* Effect.acquireRelease(makePool, closePool)

  /** Makes jobs due again whose holder went silent, or whose dispatch was lost. */
  const recoverJobs = (kind: JobKind) => {
    const { job_lease_ms } = limits
    const most = recoveredJobsMax
    return recover([kind, most, kind, job_lease_ms, most, job_lease_ms])
  }

  /**
   * graphile-worker itself frees what a dead process locked only after four hours, and keeps forever what was
   * replaced or removed while the dead process had locked it.
   */
  const sweep = (kind: JobKind) =>
    Effect.andThen(unlock([`atelier_${kind}`, limits.job_lease_ms]), forget([`atelier_${kind}`]))

  const startOne = (kind: JobKind, concurrency: number, handle: (taskId: string) => Promise<void>) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const runner = await startRunner({
          pool,
          identifier: `atelier_${kind}`,
          concurrency,
          pollMs: limits.queue_poll_ms,
          handle,
          notified: () => changed[kind].openUnsafe(),
          log,
        })
        runners.add(runner)
        void runner.ended.then(() => runners.delete(runner))
        return runner
      }),
      (runner) => Effect.sync(runner.stop),
    )

  /**
   * Wakes graphile-worker when a job falls due, of which it is notified only when the job is added, and makes due again
   * what was lost.
   */
  const watch = Effect.fnUntraced(function* (kind: JobKind, runner: Runner) {
    let isTime = true
    while (true) {
      yield* changed[kind].close
      if (isTime) {
        yield* recoverJobs(kind)
        runner.look()
      }
      const wait = (yield* nextDue([kind, kind]))[0]?.wait_ms ?? Number.POSITIVE_INFINITY
      yield* Effect.sleep(lookIntervalMsMin)
      const rest = Math.min(wait, limits.queue_poll_ms) - lookIntervalMsMin
      isTime =
        rest <= 0 || Option.isNone(yield* Effect.timeoutOption(changed[kind].await, Duration.millis(rest)))
    }
  })

  const keepSwept = (kind: JobKind) =>
    sweep(kind).pipe(
      Effect.catchCause((cause) => Effect.logError("sweeping jobs failed", cause)),
      Effect.repeat(Schedule.spaced(Duration.millis(sweepIntervalLeases * limits.job_lease_ms))),
    )

  /**
   * One runner, until it or Postgres fails. graphile-worker's own workers wait for longer than Postgres was away, by
   * up to two minutes; those of another runner do not.
   */
  const serveOnce = (kind: JobKind, concurrency: number, handle: (taskId: string) => Promise<void>) =>
    Effect.scoped(
      Effect.gen(function* () {
        // Those of silent holders come first.
        yield* recoverJobs(kind)
        const runner = yield* startOne(kind, concurrency, handle)
        const ended = Effect.andThen(
          Effect.promise(() => runner.ended),
          Effect.fail(new Error("graphile-worker's runner ended")),
        )
        yield* Effect.raceFirst(watch(kind, runner), ended)
      }),
    ).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.andThen(Effect.logError("serving jobs failed", cause), Effect.sleep(retryMs)),
      ),
    )

  const serve: Queue["Service"]["serve"] = (kind, concurrency, work) =>
    Effect.gen(function* () {
      const places = Semaphore.makeUnsafe(concurrency)
      const taking = new Set<Promise<unknown>>()
      // Leases that are taken at the same moment do not see whose turn it is after each other.
      const oneAtATime = Semaphore.makeUnsafe(1)
      const start = Effect.fnUntraced(function* (taskId: string) {
        const job = yield* oneAtATime.withPermit(takeLease(kind, taskId))
        return job === undefined ? undefined : { ended: run(work(job)) }
      })
      let hasEnded = false
      const handle = (taskId: string) =>
        hasEnded
          ? run(Effect.asVoid(again([taskId])))
          : run(
              places.withPermit(
                Effect.promise(async () => {
                  const starting = run(start(taskId))
                  taking.add(starting)
                  const started = await starting.finally(() => taking.delete(starting))
                  await started?.ended
                }),
              ),
            )
      yield* Effect.forkChild(keepSwept(kind))
      // What is leased by then is started.
      yield* Effect.ensuring(
        Effect.forever(serveOnce(kind, concurrency, handle)),
        Effect.promise(() => {
          hasEnded = true
          return Promise.allSettled(taking)
        }),
      )
      return yield* Effect.never
    })

  return Queue.of({
    enqueue: ({ taskId, kind, userId, runAt }) => Effect.asVoid(insert([taskId, kind, userId, runAt])),
    serve,
    heartbeat: Effect.fnUntraced(function* (running) {
      if (running.length === 0) return new Set<TaskId>()
      const rows = yield* heartbeat([limits.job_lease_ms, processId, JSON.stringify(running)])
      return new Set(rows.map((row) => row.task_id))
    }),
    verify: (job) => Effect.flatMap(verify(lease(job)), failIfLeaseLost(job)),
    complete: (job) => Effect.flatMap(complete(lease(job)), failIfLeaseLost(job)),
    release: (job, runAt) => Effect.flatMap(release([runAt, ...lease(job)]), failIfLeaseLost(job)),
    remove: (taskId) => Effect.asVoid(remove([taskId])),
    counts: counts([]),
    oldest: Effect.map(oldest([]), toOldest),
    turns: (kind) => Effect.zipWith(countRunning([kind]), turns([kind, kind]), toTurns),
    ahead: (taskId) => Effect.map(ahead([taskId]), (rows) => rows[0]?.count ?? null),
  })
})

/** The queue of a migrated database, whose `url` graphile-worker connects to by itself. */
export const layer = (url: string): Layer.Layer<Queue, never, SqlClient.SqlClient | SecureRandom> =>
  Layer.effect(Queue, make(url))
