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
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import { failIfLeaseLost } from "../failIfLeaseLost.ts"
import { type OldestRow, toOldest, toTurns, type WaitingRow } from "../queueOrder.ts"
import { isLocked, repeatingConflicts } from "../repeating.ts"
import { makeAtomic, makeStatements } from "../statement.ts"
import { Undone } from "../Undone.ts"
import { type GraphilePool, makeGraphilePool } from "./GraphilePool.ts"
import { queries } from "./queueQueries.ts"
import { type Runner, startRunner } from "./Runner.ts"

/** The shortest time between two looks at what falls due next: notifications may come by the thousand. */
const lookIntervalMsMin = 100
/** Jobs of a kind that one look makes due again; more follow in the next. */
const recoveredJobsMax = 100
/** A sweep goes through all of graphile-worker's table. */
const sweepIntervalLeases = 10
/** graphile-worker's connections, which all runners share: one that listens, and those that look for jobs. */
const graphileConnectionsMax = 1 + 2
/** After Postgres was away, a runner ended, or a job could not be begun. */
const retryMs = 1000
/** The pause before another try to lease where others have locked what is due; each further one is twice as long. */
const lockedMsMin = 10
const lockedMsMax = 200
/** How long graphile-worker may take to stop; its jobs are safe without. */
const stopMsMax = 1000

/** The serving of a kind of job in this process. */
class Serving {
  readonly places: Semaphore.Semaphore
  readonly begin: Parameters<Queue["Service"]["serve"]>[2]
  /** graphile-worker's workers that have a job's name and wait: for a place, or to try again. */
  waiting = 0
  #isIdle = false
  #changes = 0
  #uncommitted = 0

  constructor(concurrency: number, begin: Serving["begin"]) {
    this.places = Semaphore.makeUnsafe(concurrency)
    this.begin = begin
  }

  /** No due job waits: a look found none, and none was added since. */
  get isIdle(): boolean {
    return this.#isIdle && this.#uncommitted === 0 && this.waiting === 0
  }

  /** A job may wait: it comes before those that are added from now on. */
  mayWait(): void {
    this.#isIdle = false
    this.#changes += 1
  }

  /** A job is added that may wait. What it answers is called at the end of its transaction: whether it is there. */
  adds(): (isThere: boolean) => void {
    this.#uncommitted += 1
    let isOver = false
    return (isThere) => {
      if (isThere) this.mayWait()
      if (!isOver) this.#uncommitted -= 1
      isOver = true
    }
  }

  /** The effect runs while a job waits that a worker of graphile-worker knows of. */
  whileWaiting<A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      this.waiting += 1
      return Effect.ensuring(
        effect,
        Effect.sync(() => {
          this.waiting -= 1
        }),
      )
    })
  }

  /** A look for a job begins. What it answers is called where it found none. */
  looks(): () => void {
    const changes = this.#changes
    return () => {
      if (changes === this.#changes) this.#isIdle = true
    }
  }
}

type Added = Parameters<Queue["Service"]["enqueue"]>[0]

interface TakenRow {
  /** Null: none was taken. */
  readonly task_id: TaskId | null
  readonly epoch: number
  readonly attempt: number
  readonly lost: number
  /** Its holder went silent. */
  readonly lapsed: boolean
  /** None was taken, although this one is due. */
  readonly missed: string | null
  readonly traceparent: string | null
}

/**
 * The queue on graphile-worker. The table `jobs` is the truth: who holds a job, until when, under which epoch.
 * graphile-worker pushes: it gets a job of its own for every row that waits for a lease; it knows when that is due,
 * wakes the processes, and has the handler of one of them run it. The handler takes a lease by compare-and-set, of the
 * row whose turn it is, and runs it to its end: at any time graphile-worker has at least as many due jobs as rows are
 * due. A row whose lease is given back, or runs out, gets another of graphile-worker's jobs. So nothing that
 * graphile-worker does, or does twice, runs a job that is held.
 */
const make = Effect.fnUntraced(function* (url: string) {
  const limits = yield* Limits
  const random = yield* SecureRandom
  const processId = yield* random.uuidV4()
  const statement = yield* makeStatements
  const atomic = yield* makeAtomic
  const insert = statement("Queue.enqueue", queries.enqueue)
  const insertLeased = statement("Queue.enqueue", queries.enqueueLeased)
  const take = statement<TakenRow>("Queue.serve", queries.take)
  const nextDue = statement<{ wait_ms: number | null }>("Queue.serve", queries.nextDue)
  /** For what graphile-worker names to a runner that has no place for it, or ends before it could take it. */
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
  const forgetUsers = statement("Queue.sweep", queries.forgetUsers)
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const { afterCommit, transactionService } = yield* SqlClient.SqlClient
  const servings: { [K in JobKind]?: Serving } = {}

  /** Open: what falls due next may be sooner than was known. */
  const changed: { readonly [K in JobKind]: Latch.Latch } = {
    image: Latch.makeUnsafe(),
    tool: Latch.makeUnsafe(),
    callback: Latch.makeUnsafe(),
  }
  const lease = ({ taskId, epoch }: Job) => [taskId, epoch, processId]

  const takeLease = Effect.fnUntraced(function* (kind: JobKind, taskId: string) {
    const [row] = yield* take([taskId, kind, kind, kind, kind, kind, processId, limits.job_lease_ms, kind])
    if (row === undefined) return { missed: null }
    if (row.task_id === null) return row
    if (row.lapsed) yield* afterCommit(Effect.sync(() => meter.add(metrics.leasesRecovered, [kind])))
    const { task_id, epoch, attempt, lost, traceparent } = row
    return { job: { taskId: task_id, kind, epoch, attempt, lost, traceparent } }
  })

  /** Takes a lease and begins its job in one transaction. */
  const takeBegun = (kind: JobKind, taskId: string, begin: Serving["begin"]) =>
    repeatingConflicts(
      atomic(
        "Queue.serve",
        Effect.gen(function* () {
          const found = yield* takeLease(kind, taskId)
          return "job" in found ? { begun: yield* begin(found.job) } : { missed: found.missed }
        }),
      ),
    )

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
  const { poolOf } = yield* Effect.acquireRelease(makePool, closePool)

  /** Makes jobs due again whose holder went silent, or whose dispatch was lost. */
  const recoverJobs = (kind: JobKind) => {
    const { job_lease_ms } = limits
    const most = recoveredJobsMax
    return recover([kind, most, kind, job_lease_ms, most, job_lease_ms])
  }

  /**
   * graphile-worker itself frees what a dead process locked only after four hours, and keeps forever what was
   * replaced or removed while the dead process had locked it. Users without a waiting job would be looked at first by
   * every lease that is taken.
   */
  const sweep = (kind: JobKind) =>
    Effect.andThen(unlock([`atelier_${kind}`, limits.job_lease_ms]), forget([`atelier_${kind}`])).pipe(
      Effect.andThen(forgetUsers([kind])),
    )

  const startOne = (
    kind: JobKind,
    concurrency: number,
    serving: Serving,
    handle: (taskId: string) => Promise<void>,
  ) =>
    Effect.acquireRelease(
      Effect.promise(async () => {
        const runner = await startRunner({
          pool: poolOf(kind),
          identifier: `atelier_${kind}`,
          concurrency,
          handle,
          notified: () => {
            serving.mayWait()
            changed[kind].openUnsafe()
          },
          looks: () => serving.looks(),
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
  const serveOnce = (
    kind: JobKind,
    concurrency: number,
    serving: Serving,
    handle: (taskId: string) => Promise<void>,
  ) =>
    Effect.scoped(
      Effect.gen(function* () {
        // Those of silent holders come first.
        yield* recoverJobs(kind)
        const runner = yield* startOne(kind, concurrency, serving, handle)
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

  const serve: Queue["Service"]["serve"] = (kind, concurrency, begin) =>
    Effect.gen(function* () {
      const serving = new Serving(concurrency, begin)
      const taking = new Set<Promise<unknown>>()
      // Leases that are taken at the same moment do not see whose turn it is after each other.
      const oneAtATime = Semaphore.makeUnsafe(1)
      const hasEnded = Latch.makeUnsafe()
      const start = Effect.fnUntraced(function* (given: string) {
        let taskId = given
        for (let pauseMs = lockedMsMin; ; pauseMs = Math.min(2 * pauseMs, lockedMsMax)) {
          const found = yield* oneAtATime.withPermit(
            // A process that is frozen while it takes a lease holds the row of its user's turn.
            Effect.catchIf(takeBegun(kind, taskId, begin), isLocked, () =>
              Effect.succeed({ missed: taskId }),
            ),
          )
          if ("begun" in found) return { ended: run(found.begun.run) }
          if (found.missed === null) return undefined
          taskId = found.missed
          const isOver = yield* Effect.timeoutOption(hasEnded.await, Duration.millis(pauseMs))
          if (Option.isNone(isOver)) continue
          yield* again([null, kind])
          return undefined
        }
      })
      const runHere = (taskId: string) =>
        Effect.promise(async () => {
          if (hasEnded.isOpen()) return
          const starting = run(start(taskId))
          taking.add(starting)
          const started = await starting.finally(() => taking.delete(starting))
          await started?.ended
        })
      // graphile-worker would try again after seconds that get longer, and nothing would wake it then.
      const tryAgain = (taskId: string) => (cause: Cause.Cause<unknown>) =>
        Effect.logError("beginning a job failed", cause).pipe(
          Effect.andThen(Effect.timeoutOption(hasEnded.await, Duration.millis(retryMs))),
          Effect.andThen(again([taskId, kind])),
          (waiting) => serving.whileWaiting(waiting),
        )
      const { places } = serving
      // The end comes first: a serving that has ended may have places.
      const takePlace = Effect.raceFirst(Effect.as(hasEnded.await, false), Effect.as(places.take(1), true))
      // Jobs that were leased as they were added take places, but no worker of graphile-worker. One without a place
      // gives its job to the other processes, and waits, so that it keeps no further ones from them; with the place
      // it takes a job itself, if that is still there: it had to be dispatched once more otherwise.
      const handle = (taskId: string) =>
        run(
          Effect.gen(function* () {
            const isFree = !hasEnded.isOpen() && (yield* places.takeIfAvailable(1))
            if (!isFree) {
              const isTaken = yield* serving.whileWaiting(Effect.andThen(again([taskId, kind]), takePlace))
              if (!isTaken) return
            }
            yield* Effect.ensuring(runHere(taskId), places.release(1)).pipe(
              Effect.catchCause(tryAgain(taskId)),
            )
          }),
        )
      servings[kind] = serving
      yield* Effect.forkChild(keepSwept(kind))
      // What is leased by then is started.
      yield* Effect.ensuring(
        Effect.forever(serveOnce(kind, concurrency, serving, handle)),
        Effect.promise(() => {
          hasEnded.openUnsafe()
          if (servings[kind] === serving) delete servings[kind]
          return Promise.allSettled(taking)
        }),
      )
      return yield* Effect.never
    })

  const giveBack = (job: Job, runAt: number) =>
    Effect.flatMap(release([runAt, ...lease(job)]), failIfLeaseLost(job))

  const addWaiting = Effect.fnUntraced(function* ({ taskId, kind, userId, runAt, traceparent }: Added) {
    const serving = servings[kind]
    const undone = yield* Undone
    if (undone === undefined) serving?.mayWait()
    else if (serving !== undefined) {
      const ended = serving.adds()
      // It may be there.
      undone.push((isCertain) => ended(!isCertain))
      yield* afterCommit(Effect.sync(() => ended(true)))
    }
    yield* insert([taskId, kind, userId, runAt, traceparent])
  })

  /** A job with nothing ahead of it is leased to this process as it is added: graphile-worker never hears of it. */
  const addLeased = Effect.fnUntraced(function* (serving: Serving, undone: Undone, added: Added) {
    const { taskId, kind, userId, runAt, traceparent, task } = added
    const { places } = serving
    const now = yield* Clock.currentTimeMillis
    if (runAt > now || !(yield* places.takeIfAvailable(1))) return yield* addWaiting(added)
    const leave = () => void run(places.release(1))
    undone.push(leave)
    yield* insertLeased([taskId, kind, userId, runAt, traceparent, processId, limits.job_lease_ms])
    const begun = yield* serving.begin({ taskId, kind, epoch: 1, attempt: 1, lost: 0, traceparent }, task)
    undone.push((isCertain) => {
      if (!isCertain) void run(begun.giveBack)
    })
    yield* afterCommit(
      Effect.suspend(() => {
        if (servings[kind] === serving) {
          void run(begun.run).finally(leave)
          return Effect.void
        }
        leave()
        return begun.giveBack
      }),
    )
  })

  return Queue.of({
    enqueue: (added) =>
      Effect.withFiber((fiber) => {
        const depth = Context.getOrUndefined(fiber.context, transactionService)?.[1]
        // A callback's job follows in the place of its task's own, which still runs here. A transaction around that of
        // a submission goes on afterwards: it may cancel the task, and outlast a lease.
        const serving = added.kind === "callback" || depth !== 0 ? undefined : servings[added.kind]
        const undone = Context.get(fiber.context, Undone)
        return serving?.isIdle === true && undone !== undefined
          ? addLeased(serving, undone, added)
          : addWaiting(added)
      }),
    serve,
    heartbeat: Effect.fnUntraced(function* (running) {
      if (running.length === 0) return new Set<TaskId>()
      const rows = yield* heartbeat([limits.job_lease_ms, processId, JSON.stringify(running)])
      return new Set(rows.map((row) => row.task_id))
    }),
    verify: (job) => Effect.flatMap(verify(lease(job)), failIfLeaseLost(job)),
    complete: (job) => Effect.flatMap(complete(lease(job)), failIfLeaseLost(job)),
    release: giveBack,
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
