import {
  type BegunJob,
  type Job,
  type JobCounts,
  type JobKind,
  Limits,
  makeMeter,
  metrics,
  Queue,
  queuePositionMax,
  type StorageError,
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
import * as SqlClient from "effect/sql/SqlClient"
import { failIfLeaseLost } from "../failIfLeaseLost.ts"
import {
  ahead,
  countRunning,
  type OldestRow,
  toOldest,
  toTurns,
  type WaitingRow,
  waitingOf,
} from "../queueOrder.ts"
import { afterCommit, makeAtomic, makeStatements } from "../statement.ts"
import { WriterConnection } from "./connections.ts"

type Added = Parameters<Queue["Service"]["enqueue"]>[0]

interface ClaimedRow {
  readonly task_id: TaskId
  readonly run_at: number
  readonly epoch: number
  readonly attempt: number
  readonly lost: number
  readonly traceparent: string | null
}

const held = "task_id = ? AND epoch = ? AND leased_by = ?"

/** Users whose first waiting job fell due that are noticed in one claim; more follow in the next. */
const noticedUsersMax = 1000

/** One job in one statement: `IN` would make a table for its list, which takes longer than all the rest. */
const take = (taskId: string) => `UPDATE jobs SET leased_by = ?, leased_until = ?, epoch = epoch + 1,
    attempt = attempt + 1, lost = lost + (leased_by IS NOT NULL)
  WHERE task_id = (${taskId} ORDER BY run_at, task_id LIMIT 1) RETURNING task_id, run_at, epoch, attempt, lost,
    traceparent`

/** The user who runs the fewest jobs; of those, the one whose last one began before all others' (decision 10). */
const nextUser = `SELECT user_id FROM job_users
  WHERE due = 1 AND kind = ? AND due_at <= ? ORDER BY running, turn LIMIT 1`

const never = Number.MAX_SAFE_INTEGER

/** Queries; a test checks that their plans use indexes. */
export const queries = {
  enqueue: `INSERT INTO jobs (task_id, kind, user_id, run_at, attempt, lost, epoch, traceparent)
    VALUES (?, ?, ?, ?, 0, 0, 0, ?)`,
  notice: `UPDATE job_users SET due = 1 WHERE turn = (SELECT turn FROM job_users
    WHERE due = 0 AND due_at IS NOT NULL AND kind = ? AND due_at <= ? ORDER BY due_at LIMIT 1) RETURNING turn`,
  leaseNew: `UPDATE jobs SET leased_by = ?, leased_until = ?, epoch = 1, attempt = 1 WHERE task_id = ?`,
  takeOver: take("SELECT task_id FROM jobs WHERE leased_by IS NOT NULL AND kind = ? AND leased_until <= ?"),
  takeNext: take(`SELECT task_id FROM jobs WHERE leased_by IS NULL AND kind = ? AND user_id = (${nextUser})
    AND run_at <= ?`),
  nextDue: `SELECT min(at) AS at FROM (
    SELECT min(due_at) AS at FROM job_users WHERE due = 0 AND due_at IS NOT NULL AND kind = ?
    UNION ALL SELECT min(due_at) AS at FROM job_users WHERE due = 1 AND kind = ?
    UNION ALL SELECT min(leased_until) AS at FROM jobs WHERE leased_by IS NOT NULL AND kind = ?)`,
  heartbeat: `UPDATE jobs SET leased_until = ?
    WHERE leased_by = ? AND task_id IN (SELECT value FROM json_each(?)) RETURNING task_id`,
  verify: `SELECT task_id FROM jobs WHERE ${held}`,
  complete: `DELETE FROM jobs WHERE ${held} RETURNING task_id`,
  release: `UPDATE jobs SET leased_by = NULL, leased_until = NULL, run_at = ?
    WHERE ${held} RETURNING task_id`,
  remove: "DELETE FROM jobs WHERE task_id = ?",
  counts: `SELECT kind, sum(leased_by IS NULL) AS ready, sum(leased_by IS NOT NULL) AS leased,
      sum(CASE WHEN leased_by IS NULL THEN run_at ELSE leased_until END <= ?) AS due
    FROM jobs GROUP BY kind ORDER BY kind`,
  // Users whose due time has come are noticed by the next claim only.
  turns: `SELECT user_id, running, ${waitingOf("merged", "?")} AS waiting FROM (
      SELECT * FROM (SELECT kind, user_id, running, turn FROM job_users
        WHERE due = 1 AND kind = ? AND due_at <= ? ORDER BY running, turn LIMIT ${queuePositionMax})
      UNION ALL
      SELECT * FROM (SELECT kind, user_id, running, turn FROM job_users
        WHERE due = 0 AND due_at IS NOT NULL AND kind = ? AND due_at <= ? ORDER BY due_at LIMIT ${queuePositionMax})
    ) AS merged ORDER BY running, turn LIMIT ${queuePositionMax}`,
  oldest: `SELECT json_each.value AS kind, ? - min(
      coalesce((SELECT min(due_at) FROM job_users WHERE due = 1 AND kind = json_each.value), ${never}),
      coalesce((SELECT min(due_at) FROM job_users
        WHERE due = 0 AND due_at IS NOT NULL AND kind = json_each.value), ${never})
    ) AS waited FROM json_each('["image", "tool", "callback"]')`,
  countRunning,
  ahead,
}

const byDue = (a: ClaimedRow, b: ClaimedRow) =>
  a.run_at - b.run_at || (a.task_id < b.task_id ? -1 : a.task_id > b.task_id ? 1 : 0)

/** What fails is tried again. */
const logged = (turn: Effect.Effect<void, StorageError>): Effect.Effect<void> =>
  Effect.catchCause(turn, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.interrupt
      : Effect.andThen(Effect.logError("leasing jobs failed", cause), Effect.sleep("1 second")),
  )

/** The rows of a statement that gives one at a time, until it gives none or there are enough. */
const repeated = Effect.fnUntraced(function* <Row>(
  most: number,
  statement: Effect.Effect<ReadonlyArray<Row>, StorageError>,
) {
  const rows: Array<Row> = []
  while (rows.length < most) {
    const [row] = yield* statement
    if (row === undefined) break
    rows.push(row)
  }
  return rows
})

/** The serving of a kind of job in this process: how many run, and whether one more may begin first. */
class Server {
  readonly begin: Parameters<Queue["Service"]["serve"]>[2]
  readonly #concurrency: number
  /** Tells that a place is free after all were taken. */
  readonly #freed: () => void
  #taken = 0
  /** No due job waits for a lease. */
  isIdle = false

  constructor(concurrency: number, begin: Server["begin"], freed: () => void) {
    this.#concurrency = concurrency
    this.#freed = freed
    this.begin = begin
  }

  get free(): number {
    return this.#concurrency - this.#taken
  }

  /** Takes a place, for a job that is leased: it is given back where that is undone, or at the end of the job. */
  take(): void {
    this.#taken += 1
    // From now on jobs may wait for a place: those who wait come before those who are added.
    if (this.free <= 0) this.isIdle = false
  }

  readonly leave = (): void => {
    this.#taken -= 1
    if (this.free === 1) this.#freed()
  }
}

/**
 * The jobs table as a queue: leases with an epoch that fences, a wake-up by latch within the process, and users who
 * take turns by a table that triggers keep.
 */
const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const limits = yield* Limits
  const random = yield* SecureRandom
  const scope = yield* Effect.scope
  const context = yield* Effect.context<never>()
  const processId = yield* random.uuidV4()
  const statement = yield* makeStatements
  const atomic = yield* makeAtomic
  const insert = statement("Queue.enqueue", queries.enqueue)
  const leaseNew = statement("Queue.enqueue", queries.leaseNew)
  const notice = statement("Queue.serve", queries.notice)
  const takeOver = statement<ClaimedRow>("Queue.serve", queries.takeOver)
  const takeNext = statement<ClaimedRow>("Queue.serve", queries.takeNext)
  const nextDue = statement<{ at: number | null }>("Queue.serve", queries.nextDue)
  const heartbeat = statement<{ task_id: TaskId }>("Queue.heartbeat", queries.heartbeat)
  const verify = statement("Queue.verify", queries.verify)
  const complete = statement("Queue.complete", queries.complete)
  const release = statement("Queue.release", queries.release)
  const remove = statement("Queue.remove", queries.remove)
  const counts = statement<JobCounts>("Queue.counts", queries.counts)
  const turns = statement<WaitingRow>("Queue.turns", queries.turns)
  const countRunning = statement<{ count: number }>("Queue.turns", queries.countRunning)
  const oldest = statement<OldestRow>("Queue.oldest", queries.oldest)
  const later = afterCommit(sql)
  const meter = yield* makeMeter
  const ahead = statement<{ count: number }>("Queue.ahead", queries.ahead)

  /** Who serves each kind. */
  const servers: { [K in JobKind]?: Server } = {}
  /** Open: something changed since the last claim began, so that waiting would miss it. */
  const changed: { readonly [K in JobKind]: Latch.Latch } = {
    image: Latch.makeUnsafe(),
    tool: Latch.makeUnsafe(),
    callback: Latch.makeUnsafe(),
  }
  const wake = (kind: JobKind) =>
    later(
      Effect.sync(() => {
        const server = servers[kind]
        if (server !== undefined) server.isIdle = false
        changed[kind].openUnsafe()
      }),
    )
  const lease = ({ taskId, epoch }: Job) => [taskId, epoch, processId]

  /** Jobs of silent holders come first, in the order in which they fell due; then users take turns. */
  const take = Effect.fnUntraced(function* (kind: JobKind, limit: number) {
    const now = yield* Clock.currentTimeMillis
    const until = now + limits.job_lease_ms
    const lapsed = yield* repeated(limit, takeOver([processId, until, kind, now]))
    yield* repeated(noticedUsersMax, notice([kind, now]))
    const next = yield* repeated(limit - lapsed.length, takeNext([processId, until, kind, kind, now, now]))
    if (lapsed.length > 0) {
      yield* later(Effect.sync(() => meter.add(metrics.leasesRecovered, [kind], lapsed.length)))
    }
    return [...lapsed, ...next]
  })

  const claimJobs = (kind: JobKind, limit: number, begin: Server["begin"]) =>
    atomic(
      "Queue.serve",
      Effect.flatMap(take(kind, limit), (rows) =>
        Effect.forEach(rows.sort(byDue), ({ task_id, epoch, attempt, lost, traceparent }) =>
          begin({ taskId: task_id, kind, epoch, attempt, lost, traceparent }),
        ),
      ),
    )

  /**
   * Until a job may be due: one was added here, falls due, its lease ends; or it is time to look for other
   * processes'.
   */
  const awaitWork = Effect.fnUntraced(function* (kind: JobKind) {
    const at = (yield* nextDue([kind, kind, kind]))[0]?.at ?? Number.POSITIVE_INFINITY
    const now = yield* Clock.currentTimeMillis
    const wait = Math.min(at - now, limits.queue_poll_ms)
    if (wait > 0) yield* Effect.timeoutOption(changed[kind].await, Duration.millis(wait))
  })

  const startIn = (server: Server, { run }: BegunJob) => {
    const running = Effect.ensuring(run, Effect.sync(server.leave))
    const forked = Effect.forkIn(running, scope, { startImmediately: true })
    // A job keeps nothing of the request that added it.
    return Effect.updateContext(forked, (_: Context.Context<never>) => context)
  }

  const serve: Queue["Service"]["serve"] = (kind, concurrency, begin) =>
    Effect.suspend(() => {
      const server = new Server(concurrency, begin, () => changed[kind].openUnsafe())
      const turn = Effect.gen(function* () {
        changed[kind].closeUnsafe()
        const free = server.free
        if (free <= 0) return yield* changed[kind].await
        server.isIdle = false
        // What was leased is started, even if the serving ends here.
        const jobs = yield* Effect.uninterruptible(
          Effect.tap(claimJobs(kind, free, begin), (jobs) =>
            Effect.forEach(
              jobs,
              (job) => {
                server.take()
                return startIn(server, job)
              },
              { discard: true },
            ),
          ),
        )
        // What was added or given back meanwhile comes before what is added from now on.
        server.isIdle = jobs.length < free && server.free > 0 && !changed[kind].isOpen()
        if (jobs.length === 0) yield* awaitWork(kind)
      })
      servers[kind] = server
      return Effect.ensuring(
        Effect.forever(logged(turn)),
        Effect.sync(() => {
          if (servers[kind] === server) delete servers[kind]
        }),
      )
    })

  const addWaiting = ({ taskId, kind, userId, runAt, traceparent }: Added) =>
    Effect.andThen(insert([taskId, kind, userId, runAt, traceparent]), wake(kind))

  /** A job with nothing ahead of it is leased to this process as it is added, without a later claim. */
  const enqueueLeased = Effect.fnUntraced(function* (
    server: Server,
    connection: WriterConnection,
    added: Added,
  ) {
    const { taskId, kind, userId, runAt, traceparent, task } = added
    const now = yield* Clock.currentTimeMillis
    if (runAt > now) return yield* addWaiting(added)
    server.take()
    connection.onUndone(server.leave)
    yield* insert([taskId, kind, userId, runAt, traceparent])
    yield* leaseNew([processId, now + limits.job_lease_ms, taskId])
    const begun = yield* server.begin({ taskId, kind, epoch: 1, attempt: 1, lost: 0, traceparent }, task)
    yield* later(
      Effect.suspend(() =>
        servers[kind] === server ? Effect.asVoid(startIn(server, begun)) : begun.giveBack,
      ),
    )
  })

  const giveBack = (job: Job, runAt: number) =>
    release([runAt, ...lease(job)]).pipe(Effect.flatMap(failIfLeaseLost(job)), Effect.andThen(wake(job.kind)))

  return Queue.of({
    enqueue: (added) =>
      Effect.withFiber((fiber) => {
        const { kind } = added
        const [connection, depth] = Context.getOrUndefined(fiber.context, sql.transactionService) ?? []
        // A callback's job follows in the place of its task's own, which still runs here. A transaction around that of
        // a submission goes on afterwards: it may cancel the task, and outlast a lease.
        const server = kind === "callback" || depth !== 0 ? undefined : servers[kind]
        if (server === undefined || !server.isIdle || !(connection instanceof WriterConnection)) {
          return addWaiting(added)
        }
        return enqueueLeased(server, connection, added)
      }),
    serve,
    heartbeat: Effect.fnUntraced(function* (running) {
      if (running.length === 0) return new Set<TaskId>()
      const now = yield* Clock.currentTimeMillis
      const rows = yield* heartbeat([now + limits.job_lease_ms, processId, JSON.stringify(running)])
      return new Set(rows.map((row) => row.task_id))
    }),
    // In a transaction this reads on SQLite's only writer, which is exclusive until the transaction ends.
    verify: (job) => Effect.flatMap(verify(lease(job)), failIfLeaseLost(job)),
    complete: (job) => Effect.flatMap(complete(lease(job)), failIfLeaseLost(job)),
    release: giveBack,
    remove: (taskId) => Effect.asVoid(remove([taskId])),
    counts: Effect.flatMap(Clock.currentTimeMillis, (now) => counts([now])),
    oldest: Effect.map(
      Effect.flatMap(Clock.currentTimeMillis, (now) => oldest([now])),
      toOldest,
    ),
    turns: Effect.fnUntraced(function* (kind) {
      const now = yield* Clock.currentTimeMillis
      return toTurns(yield* countRunning([kind]), yield* turns([now, kind, now, kind, now]))
    }),
    ahead: (taskId) => Effect.map(ahead([taskId]), (rows) => rows[0]?.count ?? null),
  })
})

export const layer: Layer.Layer<Queue, never, SqlClient.SqlClient | SecureRandom> = Layer.effect(Queue, make)
