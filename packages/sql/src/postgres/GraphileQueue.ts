import { type Job, type JobKind, Limits, Queue, StorageError, type TaskId } from "@atelier/core"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import { orLost } from "../orLost.ts"
import { makeStatements } from "../statement.ts"
import * as Dispatcher from "./Dispatcher.ts"
import { type GraphilePool, makeGraphilePool } from "./GraphilePool.ts"
import { texts } from "./queueTexts.ts"

/** How long a job may wait to be seen whose notification was missed. */
const poll_interval_ms = 1000
/** The shortest wait after a claim that found nothing, though a job is due: its dispatch may be under way. */
const wait_ms_min = 50
/** How often lapsed leases are looked for; a takeover is delayed by at most this. */
const recovery_interval_ms = 1000
/** Jobs of a kind that one recovery makes due again; more follow in the next. */
const recovered_jobs_max = 100
/** A sweep goes through all of graphile-worker's table. */
const sweep_interval_leases = 10
/** graphile-worker's connections: what listens, one for each kind of job, and what all dispatchers share. */
const graphile_connections_max = 3 + Dispatcher.looks_concurrent_max
/** How long graphile-worker may take to stop; its jobs are safe without. */
const stop_ms_max = 1000

interface Taken {
  readonly runAt: number
  readonly job: Job
}

interface TakenRow {
  readonly task_id: TaskId
  readonly run_at: number
  readonly epoch: number
  readonly attempt: number
  readonly lost: number
}

/** What a process has for each kind of job. */
interface Served {
  readonly turn: Semaphore.Semaphore
  /** Open: a job of the kind was added by this process since the last claim began. */
  readonly changed: Latch.Latch
  /** Open: a job of some kind was added by some process since the last claim began. */
  readonly notified: Latch.Latch
  /** The last one that was started. */
  dispatcher: Dispatcher.Dispatcher<Taken> | undefined
}

const makeServed = (): Served => ({
  turn: Semaphore.makeUnsafe(1),
  changed: Latch.makeUnsafe(),
  notified: Latch.makeUnsafe(),
  dispatcher: undefined,
})

const byDue = (a: Taken, b: Taken) =>
  a.runAt - b.runAt || (a.job.taskId < b.job.taskId ? -1 : a.job.taskId > b.job.taskId ? 1 : 0)

/**
 * The queue on graphile-worker. The table `jobs` is the truth: who holds a job, until when, under which epoch.
 * graphile-worker dispatches: it has a job of its own, under the task's id as key, for every row that waits for a
 * lease; it knows when that is due and whose turn it is, wakes the processes, and gives it to one of them. There
 * the lease is taken by compare-and-set, and graphile-worker's job has done its work and goes. From then on the
 * lease decides alone: when it is given back, or runs out, the row gets another of graphile-worker's jobs.
 * So nothing that graphile-worker does, or does twice, runs a job that is held, and none of its locks outlives a
 * dispatch.
 */
const make = Effect.fnUntraced(function* (url: string) {
  const sql = yield* SqlClient.SqlClient
  const limits = yield* Limits
  const random = yield* SecureRandom
  const scope = yield* Effect.scope
  const process = yield* random.uuidV4()
  const statement = yield* makeStatements
  const insert = statement("Queue.enqueue", texts.enqueue)
  const take = statement<TakenRow>("Queue.claim", texts.take)
  const nextDue = statement<{ wait_ms: number | null }>("Queue.awaitWork", texts.nextDue)
  const heartbeat = statement<{ task_id: TaskId }>("Queue.heartbeat", texts.heartbeat)
  const verify = statement("Queue.verify", texts.verify)
  const complete = statement("Queue.complete", texts.complete)
  const release = statement("Queue.release", texts.release)
  const remove = statement("Queue.remove", texts.remove)
  const counts = statement<{ kind: JobKind; ready: number; leased: number }>("Queue.counts", texts.counts)
  const recover = statement("Queue.recover", texts.recover)
  const unlock = statement("Queue.sweep", texts.unlock)
  const forget = statement("Queue.sweep", texts.forget)
  const run = Effect.runPromiseWith(yield* Effect.context<never>())

  const served: { readonly [K in JobKind]: Served } = {
    image: makeServed(),
    tool: makeServed(),
    callback: makeServed(),
  }
  const wake = (kind: JobKind) => sql.afterCommit(Effect.asVoid(served[kind].changed.open))
  const lease = ({ taskId, epoch }: Job) => [taskId, epoch, process]

  const takeLease = Effect.fnUntraced(function* (kind: JobKind, taskId: string) {
    const [row] = yield* take([taskId, kind, kind, kind, kind, process, limits.job_lease_ms])
    if (row === undefined) return undefined
    const { epoch, attempt, lost } = row
    return { runAt: row.run_at, job: { taskId: row.task_id, kind, epoch, attempt, lost } }
  })

  const giveBack = ({ job, runAt }: Taken) => Effect.ignore(release([runAt, ...lease(job)]))

  const log = (level: "error" | "warning", message: string) =>
    void run((level === "error" ? Effect.logError : Effect.logWarning)(`graphile-worker: ${message}`))

  const closePool = (graphile: GraphilePool) =>
    Effect.tryPromise(async () => {
      await Promise.all(Object.values(served).map(({ dispatcher }) => dispatcher?.stop()))
      await graphile.end()
    }).pipe(Effect.timeoutOption(Duration.millis(stop_ms_max)), Effect.ignore)
  const makePool = Effect.promise(() =>
    makeGraphilePool({
      url,
      connections: graphile_connections_max,
      idle_in_transaction_ms: limits.job_lease_ms,
      lost: ({ message }) => log("warning", `a connection was lost: ${message}`),
    }),
  )
  const { pool } = yield* Effect.acquireRelease(makePool, closePool)

  /** Makes jobs due again whose holder went silent, or whose dispatch was lost. */
  const recoverJobs = (kind: JobKind) => {
    const { job_lease_ms } = limits
    const most = recovered_jobs_max
    return recover([kind, most, kind, job_lease_ms, most, job_lease_ms])
  }

  /**
   * graphile-worker itself frees what a dead process locked only after four hours, and keeps for ever what was
   * replaced or removed while the dead process had locked it.
   */
  const sweep = (kind: JobKind) =>
    Effect.andThen(unlock([`atelier_${kind}`, limits.job_lease_ms]), forget([`atelier_${kind}`]))

  const repeated = (name: string, interval_ms: number, work: Effect.Effect<unknown, StorageError>) =>
    work.pipe(
      Effect.catchCause((cause) => Effect.logError(`${name} failed`, cause)),
      Effect.repeat(Schedule.spaced(Duration.millis(interval_ms))),
      Effect.forkIn(scope),
    )

  const startDispatcher = Effect.fnUntraced(function* (kind: JobKind) {
    const dispatcher = yield* Effect.tryPromise({
      try: () =>
        Dispatcher.start<Taken>({
          pool,
          identifier: `atelier_${kind}`,
          take: (taskId) => run(takeLease(kind, taskId)),
          giveBack: (taken) => run(giveBack(taken)),
          notified: () => served[kind].notified.openUnsafe(),
          log,
        }),
      catch: (cause) => new StorageError({ operation: "Queue.claim", cause }),
    })
    if (served[kind].dispatcher === undefined) {
      yield* repeated("recovering jobs", recovery_interval_ms, recoverJobs(kind))
      yield* repeated("sweeping jobs", sweep_interval_leases * limits.job_lease_ms, sweep(kind))
    }
    served[kind].dispatcher = dispatcher
    return dispatcher
  })

  /** The dispatcher of a kind runs from the first claim of it: a process has none for what it does not serve. */
  const dispatcherOf = (kind: JobKind) =>
    Effect.suspend(() => {
      const { dispatcher } = served[kind]
      return dispatcher === undefined || dispatcher.ended()
        ? startDispatcher(kind)
        : Effect.succeed(dispatcher)
    })

  /** One look; one that takes longer than a lease counts as failed. */
  const look = (dispatcher: Dispatcher.Dispatcher<Taken>) =>
    Effect.callback<Dispatcher.Found<Taken>>((resume) => {
      let waits = true
      const callOff = dispatcher.look((found) => {
        const heard = waits
        waits = false
        if (heard) resume(Effect.succeed(found))
        return heard
      })
      return Effect.sync(() => {
        waits = false
        callOff()
      })
    }).pipe(
      Effect.interruptible,
      Effect.timeoutOption(Duration.millis(limits.job_lease_ms)),
      Effect.map(Option.getOrElse((): Dispatcher.Found<Taken> => noAnswer)),
    )

  /** Looks until there is enough or nothing more; twice as many at once every time, since one mostly is enough. */
  const claimJobs = Effect.fnUntraced(function* (kind: JobKind, limit: number) {
    const { changed, notified } = served[kind]
    yield* changed.close
    yield* notified.close
    const dispatcher = yield* dispatcherOf(kind)
    const taken: Array<Taken> = []
    let nothing = false
    for (let step = 1; taken.length < limit && !nothing; step *= 2) {
      const looks = Array.from({ length: Math.min(step, limit - taken.length) }, () => look(dispatcher))
      const found = yield* Effect.all(looks, { concurrency: "unbounded" })
      taken.push(...found.flatMap((one) => (one._tag === "Job" ? one.job : [])))
      // Its workers may wait for longer than Postgres was away, by up to two minutes; another one's do not.
      if (found.includes(noAnswer)) yield* Effect.forkIn(Effect.promise(dispatcher.stop), scope)
      const failed = found.find((one) => one._tag === "Failed")
      if (failed !== undefined && taken.length === 0) {
        return yield* new StorageError({ operation: "Queue.claim", cause: failed.cause })
      }
      nothing = found.some((one) => one._tag === "Nothing" || one._tag === "Failed")
    }
    return taken.sort(byDue).map(({ job }) => job)
  })

  const untilDue = Effect.fnUntraced(function* (kind: JobKind) {
    return (yield* nextDue([kind, kind]))[0]?.wait_ms ?? Number.POSITIVE_INFINITY
  })

  /** A notification does not say of which kind the job is, so that the table is asked. */
  const awaitWork = Effect.fnUntraced(function* (kind: JobKind) {
    const { changed, notified } = served[kind]
    let wait = Math.max(yield* untilDue(kind), wait_ms_min)
    while (wait > 0) {
      const foreign = Effect.as(notified.await, true)
      const own = Effect.as(changed.await, false)
      const some = Effect.timeoutOption(
        Effect.raceFirst(own, foreign),
        Duration.millis(Math.min(wait, poll_interval_ms)),
      )
      if (!Option.getOrElse(yield* some, () => false)) return
      yield* notified.close
      wait = yield* untilDue(kind)
    }
  })

  return Queue.of({
    enqueue: ({ taskId, kind, userId, runAt }) =>
      Effect.andThen(insert([taskId, kind, userId, runAt]), wake(kind)),
    claim: (kind, limit) => Effect.uninterruptible(served[kind].turn.withPermit(claimJobs(kind, limit))),
    awaitWork,
    heartbeat: Effect.fnUntraced(function* (running) {
      if (running.length === 0) return new Set<TaskId>()
      const rows = yield* heartbeat([limits.job_lease_ms, process, JSON.stringify(running)])
      return new Set(rows.map((row) => row.task_id))
    }),
    verify: (job) => Effect.flatMap(verify(lease(job)), orLost(job)),
    complete: (job) => Effect.flatMap(complete(lease(job)), orLost(job)),
    release: (job, runAt) =>
      release([runAt, ...lease(job)]).pipe(Effect.flatMap(orLost(job)), Effect.andThen(wake(job.kind))),
    remove: (taskId) => Effect.asVoid(remove([taskId])),
    counts: counts([]),
  })
})

const noAnswer: Dispatcher.Found<never> = {
  _tag: "Failed",
  cause: new Error("graphile-worker did not answer in time"),
}

/** The queue of a migrated database, whose `url` graphile-worker connects to by itself. */
export const layer = (url: string): Layer.Layer<Queue, never, SqlClient.SqlClient | SecureRandom> =>
  Layer.effect(Queue, make(url))
