import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import {
  type Job,
  type JobKind,
  Limits,
  Queue,
  StorageError,
  type TaskId,
  TaskSignals,
  Transaction,
  type UserId,
} from "@atelier/core"
import { leasedAsAddedSuite, leaseJobs, runBy } from "@atelier/core/testing"
import { migratedPostgresSchema, Postgres, PostgresClient } from "@atelier/sql/postgres"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import pg from "pg"
import { afterAll, vi } from "vitest"
import { openLosingProxy } from "./support/losingProxy.ts"
import { startPostgres } from "./support/postgresServer.ts"
import { failOnWarnings } from "./support/warnings.ts"

const server = await startPostgres()
afterAll(() => server.stop())
failOnWarnings()

const database = Effect.promise(() => server.database())
const emptyDatabase = Effect.promise(() => server.emptyDatabase())

/** Runs SQL of the test's own beside the stores. */
const statement = (url: string, text: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text)).pipe(
    Effect.provide(PostgresClient.layer({ url, connections: 1 })),
  )

const taskId = (name: string | number): TaskId => `imgtask_${String(name).padStart(26, "0")}` as TaskId
const userId = (name: string): UserId => `usr_${name}` as UserId

leasedAsAddedSuite("Postgres", Layer.unwrap(Effect.map(database, (url) => Postgres.layer({ url }))))

describe("Postgres: schema", () => {
  it.live("the committed schema is what the migrations make", () =>
    Effect.gen(function* () {
      const committed = readFileSync(new URL("../packages/sql/schema/postgres.sql", import.meta.url), "utf8")
      assert.strictEqual(yield* migratedPostgresSchema(yield* emptyDatabase), committed)
    }),
  )

  it.live("processes that start at once on an empty database all find it migrated", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase
      const script = fileURLToPath(new URL("./support/openPostgres.ts", import.meta.url))
      const start = Effect.promise(() =>
        promisify(execFile)(process.execPath, ["--conditions=atelier:source", script, url]),
      )
      yield* Effect.all([start, start, start], { concurrency: "unbounded" })
    }),
  )
})

describe("Postgres: queue", () => {
  const until = <E>(holds: Effect.Effect<boolean, E>) =>
    Effect.repeat(holds, { schedule: Schedule.spaced("20 millis"), until: (is) => is })

  const open = (url: string) =>
    Effect.map(Layer.build(Layer.fresh(Postgres.layer({ url }))), (services) => {
      const { run } = Context.get(services, Transaction)
      const queue = Context.get(services, Queue)
      const enqueue = (name: string | number) =>
        queue.enqueue({
          taskId: taskId(name),
          kind: "image",
          userId: userId("one"),
          runAt: 0,
          traceparent: null,
        })
      /** As soon as the process knows that nothing waits, so that the job is leased as it is added. */
      const leasedAsAdded = (name: string | number, leased: number) =>
        run(
          Effect.gen(function* () {
            yield* enqueue(name)
            const [images] = yield* queue.counts
            if (images?.leased !== leased) return yield* Effect.fail("it is not idle yet")
          }),
        ).pipe(Effect.result, Effect.map(Result.isSuccess), until)
      return { queue, run, enqueue, leasedAsAdded }
    })

  const add = (id: TaskId, user: UserId) =>
    Effect.gen(function* () {
      const [{ run }, queue] = [yield* Transaction, yield* Queue]
      yield* run(queue.enqueue({ taskId: id, kind: "image", userId: user, runAt: 0, traceparent: null }))
    })

  /** What is added to graphile-worker is numbered. */
  const lastNumber = (url: string) =>
    Effect.map(
      statement(
        url,
        `SELECT last_value AS number FROM pg_sequences
        WHERE schemaname || '.' || sequencename = pg_get_serial_sequence('graphile_worker._private_jobs', 'id')`,
      ),
      (rows) => Number(Object.values(rows[0] ?? {})[0]),
    )

  /** What a process leaves that dies while graphile-worker gives it a job. */
  const lockedByTheDead = (url: string) =>
    statement(
      url,
      `UPDATE graphile_worker._private_jobs SET locked_by = 'pool-dead', attempts = 1,
        locked_at = now() - interval '1 minute'`,
    )

  it.live("a job whose process died while graphile-worker gave it the job is given to another", () =>
    Effect.gen(function* () {
      const url = yield* database
      yield* Effect.gen(function* () {
        const queue = yield* Queue
        yield* add(taskId("orphan"), userId("one"))
        yield* lockedByTheDead(url)
        const leased = yield* Deferred.make<Job>()
        yield* Effect.forkChild(
          queue.serve(
            "image",
            1,
            runBy(queue, (job) =>
              Effect.andThen(Effect.orDie(queue.complete(job)), Deferred.succeed(leased, job)),
            ),
          ),
        )
        assert.deepStrictEqual(yield* Deferred.await(leased), {
          taskId: taskId("orphan"),
          kind: "image",
          epoch: 1,
          attempt: 1,
          lost: 0,
          traceparent: null,
        })
      }).pipe(
        Effect.provide(Postgres.layer({ url })),
        Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 1000 })),
      )
      // What the dead one left is gone, too.
      assert.deepStrictEqual(yield* statement(url, "SELECT id FROM graphile_worker.jobs"), [])
    }),
  )

  it.live("a process whose places are all taken leaves what waits to the others", () =>
    Effect.gen(function* () {
      const url = yield* database
      const [full, other] = [yield* open(url), yield* open(url)]
      yield* Effect.forkScoped(
        full.queue.serve(
          "image",
          1,
          runBy(full.queue, () => Effect.never),
        ),
      )
      yield* full.leasedAsAdded("running", 1)
      yield* full.run(full.enqueue("waiting"))
      const given = statement(url, "SELECT id FROM graphile_worker._private_jobs WHERE locked_by IS NOT NULL")
      yield* until(Effect.map(given, (rows) => rows.length > 0))

      const begun = yield* Deferred.make<TaskId>()
      const work = ({ taskId }: Job) => Effect.andThen(Deferred.succeed(begun, taskId), Effect.never)
      yield* Effect.forkScoped(other.queue.serve("image", 1, runBy(other.queue, work)))
      assert.strictEqual(yield* Deferred.await(begun), taskId("waiting"))
    }).pipe(
      Effect.scoped,
      // Nothing here is taken for lost.
      Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 600_000 })),
    ),
  )

  it.live(
    "a place that frees is taken by a worker that waits for it, and the job is not dispatched again",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const places = 8
        const names = Array.from({ length: places }, (_, index) => index)
        const { queue, run, enqueue, leasedAsAdded } = yield* open(url)
        const begun = new Set<TaskId>()
        const ends = new Map<TaskId, Deferred.Deferred<void>>()
        const work = Effect.fnUntraced(function* (job: Job) {
          const end = yield* Deferred.make<void>()
          begun.add(job.taskId)
          ends.set(job.taskId, end)
          yield* Deferred.await(end)
          yield* Effect.orDie(queue.complete(job))
        })
        yield* Effect.forkScoped(queue.serve("image", places, runBy(queue, work)))
        for (const name of names) yield* leasedAsAdded(`running${name}`, name + 1)
        for (const name of names) yield* run(enqueue(`waiting${name}`))
        // Each worker has put its job back.
        const blocked = statement(
          url,
          "SELECT id FROM graphile_worker._private_jobs WHERE locked_by IS NOT NULL AND key IS NULL",
        )
        yield* until(Effect.map(blocked, (rows) => rows.length === places))

        const before = yield* lastNumber(url)
        for (const name of names) {
          const end = ends.get(taskId(`running${name}`))
          if (end === undefined) return assert.fail("it runs")
          yield* Deferred.succeed(end, undefined)
          yield* until(Effect.sync(() => begun.size === places + name + 1))
        }
        // One for each place at most, where the worker that took it had another job's name.
        const added = (yield* lastNumber(url)) - before
        assert.isAtMost(added, places)
      }).pipe(
        Effect.scoped,
        // Nothing here is taken for lost.
        Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 600_000 })),
      ),
  )

  it.live("a waiting job is given by graphile-worker once, however many wait", () =>
    Effect.gen(function* () {
      const url = yield* database
      const { queue, run, enqueue } = yield* open(url)
      const [waiting, whole] = [20, 100]
      let added = 0
      let ended = 0
      const addOne = Effect.suspend(() => run(enqueue(added++)))
      for (let count = 0; count < waiting; count++) yield* addOne
      const before = yield* lastNumber(url)
      const work = (job: Job) =>
        Effect.gen(function* () {
          yield* queue.complete(job)
          if (added < whole) yield* addOne
          ended++
        }).pipe(Effect.orDie)
      yield* Effect.forkScoped(queue.serve("image", 4, runBy(queue, work)))
      yield* until(Effect.sync(() => ended === whole))
      assert.strictEqual((yield* lastNumber(url)) - before, whole - waiting)
    }).pipe(
      Effect.scoped,
      // Nothing here is taken for lost.
      Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 600_000 })),
    ),
  )

  it.live(
    "of jobs that are given back, removed and added while processes take them, none is left waiting",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const processes = [yield* open(url), yield* open(url), yield* open(url)]
        const [first] = processes
        if (first === undefined) return assert.fail("there are three")
        const names = Array.from({ length: 120 }, (_, index) => index)
        const [given, removed, ended] = [new Set<TaskId>(), new Set<TaskId>(), new Set<TaskId>()]
        for (const { queue, run } of processes) {
          const work = (job: Job) =>
            Effect.gen(function* () {
              const now = yield* Clock.currentTimeMillis
              const isGivenBack = !given.has(job.taskId) && Number(job.taskId.at(-1)) % 3 === 0
              given.add(job.taskId)
              if (isGivenBack)
                return yield* run(queue.release(job, now + (Number(job.taskId.at(-1)) % 2) * 200))
              yield* run(queue.complete(job))
              ended.add(job.taskId)
            }).pipe(Effect.orDie)
          yield* Effect.forkScoped(queue.serve("image", 3, runBy(queue, work)))
        }
        const add = (name: number) =>
          first.run(
            first.queue.enqueue({
              taskId: taskId(name),
              kind: "image",
              userId: userId(String(name % 7)),
              runAt: 0,
              traceparent: null,
            }),
          )
        const remove = Effect.fnUntraced(function* (name: number) {
          if (given.has(taskId(name))) return
          yield* first.run(first.queue.remove(taskId(name)))
          removed.add(taskId(name))
        })
        yield* Effect.forEach(
          names,
          (name) => Effect.andThen(add(name), name % 5 === 1 ? remove(name - 1) : Effect.void),
          { concurrency: 8 },
        )
        yield* until(Effect.sync(() => new Set([...ended, ...removed]).size === names.length))
        yield* until(Effect.map(first.queue.counts, (counts) => counts.length === 0))
      }).pipe(
        Effect.scoped,
        // Nothing here is taken for lost.
        Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 600_000 })),
      ),
  )

  it.live("a waiting job costs one or two looks of its own kind's runner, and none of the others'", () =>
    Effect.gen(function* () {
      const url = yield* database
      const looks = new Map<unknown, number>()
      const query = vi.spyOn(pg.Client.prototype, "query")
      yield* Effect.addFinalizer(() => Effect.sync(() => query.mockRestore()))
      const places = 8
      const whole = 300
      const { queue, run } = yield* open(url)
      const kinds = ["image", "tool", "callback"] as const
      let ended = 0
      for (const kind of kinds) {
        const work = (job: Job) =>
          Effect.andThen(
            Effect.orDie(queue.complete(job)),
            Effect.sync(() => ended++),
          )
        yield* Effect.forkScoped(queue.serve(kind, places, runBy(queue, work)))
      }
      const add = (name: number) =>
        queue.enqueue({
          taskId: taskId(name),
          kind: "image",
          userId: userId("one"),
          runAt: 0,
          traceparent: null,
        })
      // Two at once in a transaction: what is told of them must not count as one.
      const addTwo = (name: number) => run(Effect.andThen(add(2 * name), add(2 * name + 1)))
      const names = Array.from({ length: whole / 2 }, (_, index) => index)
      yield* Effect.forEach(names, addTwo, { concurrency: 16 })
      yield* until(Effect.sync(() => ended === whole))
      for (const [asked] of query.mock.calls as ReadonlyArray<ReadonlyArray<unknown>>) {
        if (typeof asked !== "object" || asked === null || !("name" in asked) || !("values" in asked))
          continue
        if (!String(asked.name).startsWith("get_job") || !Array.isArray(asked.values)) continue
        const kind = String(asked.values[1])
        looks.set(kind, (looks.get(kind) ?? 0) + 1)
      }
      const [most = 0, ...others] = [...looks.values()].toSorted((a, b) => b - a)
      // Every worker looks when it starts, and when it is told that its runner listens.
      const atStart = 3 * places
      assert.isAtMost(most, 2 * whole + atStart)
      assert.lengthOf(others, 2)
      for (const other of others) assert.isAtMost(other, atStart)
    }).pipe(
      Effect.scoped,
      Effect.updateService(Limits, (limits) => ({
        ...limits,
        job_lease_ms: 600_000,
        queue_poll_ms: 3_600_000,
      })),
    ),
  )

  it.live("of jobs that fall due at once without a word, each is taken without waiting for a poll", () =>
    Effect.gen(function* () {
      const url = yield* database
      const { queue, run } = yield* open(url)
      const started = new Set<TaskId>()
      const work = (job: Job) =>
        Effect.andThen(
          Effect.sync(() => started.add(job.taskId)),
          Effect.never,
        )
      yield* Effect.forkScoped(queue.serve("image", 8, runBy(queue, work)))
      const runAt = (yield* Clock.currentTimeMillis) + 1_000
      for (const name of [1, 2, 3, 4, 5, 6, 7, 8])
        yield* run(
          queue.enqueue({
            taskId: taskId(name),
            kind: "image",
            userId: userId("one"),
            runAt,
            traceparent: null,
          }),
        )
      yield* until(Effect.sync(() => started.size === 8))
    }).pipe(
      Effect.scoped,
      Effect.updateService(Limits, (limits) => ({
        ...limits,
        job_lease_ms: 600_000,
        queue_poll_ms: 3_600_000,
      })),
    ),
  )

  it.live("a job that could not be begun is tried again without waiting for a poll", () =>
    Effect.gen(function* () {
      const { queue, run, enqueue } = yield* open(yield* database)
      let begun = 0
      const begin = () =>
        Effect.suspend(() => {
          begun += 1
          return begun < 3
            ? Effect.fail(new StorageError({ operation: "begin", cause: "made to fail" }))
            : Effect.succeed({ run: Effect.never, giveBack: Effect.void })
        })
      yield* Effect.forkScoped(queue.serve("image", 1, begin))
      yield* run(enqueue(1))
      yield* until(Effect.sync(() => begun === 3))
      yield* until(Effect.map(queue.counts, ([images]) => images?.leased === 1))
    }).pipe(
      Effect.scoped,
      Effect.updateService(Limits, (limits) => ({
        ...limits,
        job_lease_ms: 600_000,
        queue_poll_ms: 3_600_000,
      })),
    ),
  )

  it.live(
    "a due job that an application has locked is tried again with pauses, and runs when it is free",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const { queue, run, enqueue } = yield* open(url)
        yield* run(enqueue("locked"))
        const application = new pg.Client({ connectionString: url })
        yield* Effect.promise(() => application.connect())
        yield* Effect.addFinalizer(() => Effect.promise(() => application.end()))
        yield* Effect.promise(() => application.query("BEGIN; SELECT 1 FROM jobs FOR UPDATE"))
        const before = yield* lastNumber(url)
        const transactions = Effect.map(
          statement(
            url,
            "SELECT xact_commit::int AS number FROM pg_stat_database WHERE datname = current_database()",
          ),
          (rows) => Number(Object.values(rows[0] ?? {})[0]),
        )
        const committed = yield* transactions
        const ended = yield* Deferred.make<void>()
        yield* Effect.forkScoped(
          queue.serve(
            "image",
            1,
            runBy(queue, (job) =>
              Effect.andThen(Effect.orDie(queue.complete(job)), Deferred.succeed(ended, undefined)),
            ),
          ),
        )
        // Postgres counts with a second's delay.
        yield* Effect.sleep("2500 millis")
        assert.isBelow((yield* transactions) - committed, 100)
        assert.strictEqual((yield* lastNumber(url)) - before, 0)
        yield* Effect.promise(() => application.query("COMMIT"))
        yield* Deferred.await(ended)
      }).pipe(
        Effect.scoped,
        Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 600_000 })),
      ),
  )

  it.live("a user whose last waiting job was removed has no turn any more", () =>
    Effect.gen(function* () {
      const url = yield* database
      const { queue, run } = yield* open(url)
      for (const name of ["first", "second", "gone"])
        yield* run(
          queue.enqueue({
            taskId: taskId(name),
            kind: "image",
            userId: userId(name),
            runAt: 0,
            traceparent: null,
          }),
        )
      yield* run(queue.remove(taskId("gone")))
      yield* Effect.forkScoped(
        queue.serve(
          "image",
          1,
          runBy(queue, () => Effect.never),
        ),
      )
      const users = statement(url, "SELECT user_id FROM job_users ORDER BY user_id")
      yield* until(Effect.map(users, (rows) => rows.length === 1))
      assert.deepStrictEqual(yield* users, [{ user_id: "usr_second" }])
    }).pipe(
      Effect.scoped,
      Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 1000 })),
    ),
  )

  it.live("a process has at most 12 connections, and one of them listens for all kinds of jobs", () =>
    Effect.gen(function* () {
      const url = yield* database
      const { queue, run, enqueue } = yield* open(url)
      yield* Layer.build(Postgres.layerSignals({ url }))
      let done = 0
      const work = (job: Job) =>
        Effect.andThen(
          Effect.orDie(queue.complete(job)),
          Effect.sync(() => done++),
        )
      for (const kind of ["image", "tool", "callback"] as const) {
        yield* Effect.forkScoped(queue.serve(kind, 16, runBy(queue, work)))
      }
      const names = Array.from({ length: 200 }, (_, index) => index)
      yield* Effect.forEach(names, (name) => run(enqueue(name)), { concurrency: "unbounded" })
      yield* until(Effect.sync(() => done === names.length))
      const connections = yield* statement(
        url,
        `SELECT query LIKE '%LISTEN%atelier:jobs%' AS listens FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )
      assert.isAtMost(connections.length, 12)
      assert.lengthOf(
        connections.filter((row) => "listens" in row && row.listens === true),
        1,
      )
    }).pipe(Effect.scoped),
  )

  it.live("a serving that has ended starts nothing that it is given late, and leaves it to the others", () =>
    Effect.gen(function* () {
      const url = yield* database
      const { queue, run } = yield* open(url)
      const serving = yield* Effect.forkScoped(
        queue.serve(
          "image",
          2,
          runBy(queue, () => Effect.never),
        ),
      )
      const looks = (state: string) =>
        statement(
          url,
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND ${state}
            AND query LIKE '%locked_at%' AND pid <> pg_backend_pid()`,
        )
      yield* until(Effect.map(looks("state = 'idle'"), (rows) => rows.length > 0))
      // A look for a job waits for this transaction, which adds one, and longer than the serving lasts.
      const client = new pg.Client({ connectionString: url })
      yield* Effect.promise(() => client.connect())
      const ask = (text: string) => Effect.promise(() => client.query(text))
      yield* ask("BEGIN; LOCK TABLE graphile_worker._private_jobs IN ACCESS EXCLUSIVE MODE")
      yield* ask(`INSERT INTO jobs (task_id, kind, user_id, run_at, attempt, lost, epoch)
        VALUES ('${taskId("late")}', 'image', 'usr_one', 0, 0, 0, 0)`)
      yield* ask(`SELECT graphile_worker.add_job('atelier_image',
        json_build_object('task_id', '${taskId("late")}'), job_key => '${taskId("late")}:0')`)
      yield* statement(url, `NOTIFY "jobs:insert", '{"r":"1","count":1}'`)
      yield* until(Effect.map(looks("wait_event_type = 'Lock'"), (rows) => rows.length > 0))
      yield* Fiber.interrupt(serving)
      yield* ask("COMMIT")
      yield* Effect.promise(() => client.end())

      const jobs = statement(
        url,
        `SELECT leased_by FROM jobs WHERE leased_by IS NOT NULL OR EXISTS (
          SELECT 1 FROM graphile_worker._private_jobs WHERE locked_by IS NULL AND id > 1)`,
      )
      yield* until(Effect.map(jobs, (rows) => rows.length > 0))
      assert.deepStrictEqual(yield* jobs, [{ leased_by: null }])
      const next = yield* Deferred.make<TaskId>()
      yield* Effect.forkScoped(
        queue.serve(
          "image",
          2,
          runBy(queue, (job) => Deferred.succeed(next, job.taskId)),
        ),
      )
      assert.strictEqual(yield* Deferred.await(next), taskId("late"))
      yield* run(queue.remove(taskId("late")))
    }).pipe(
      Effect.scoped,
      Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 600_000 })),
    ),
  )

  it.live(
    "a lease that waits for another process longer than a statement may is asked for again at once",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const { queue, run, enqueue } = yield* open(url)
        for (const name of ["first", "second"]) yield* run(enqueue(name))
        // As a process leaves them that is frozen while it takes a lease of this user's.
        const client = new pg.Client({ connectionString: url })
        yield* Effect.promise(() => client.connect())
        yield* Effect.promise(() => client.query("BEGIN; SELECT turn FROM job_users FOR UPDATE"))
        const begun: Array<TaskId> = []
        const work = ({ taskId }: Job) =>
          Effect.andThen(
            Effect.sync(() => begun.push(taskId)),
            Effect.never,
          )
        yield* Effect.forkScoped(queue.serve("image", 1, runBy(queue, work)))
        const waits = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%job_users%'`
        const waiting = Effect.map(statement(url, waits), (rows) => rows.map((row) => Object.values(row)[0]))
        // Statements give up after a sixth of a lease: two of them do.
        for (let tries = 0; tries < 2; tries++) {
          yield* until(Effect.map(waiting, (pids) => pids.length > 0))
          yield* until(Effect.map(waiting, (pids) => pids.length === 0))
        }
        yield* Effect.promise(() => client.query("ROLLBACK"))
        yield* until(Effect.sync(() => begun.length > 0))
        // graphile-worker puts off what fails.
        const failed = statement(
          url,
          "SELECT id FROM graphile_worker._private_jobs WHERE last_error IS NOT NULL",
        )
        assert.deepStrictEqual(yield* failed, [])
        yield* Effect.promise(() => client.end())
      }).pipe(
        Effect.scoped,
        Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 3000 })),
      ),
  )

  it.live("a job whose adding was committed, and its answer lost, is given back", () =>
    Effect.gen(function* () {
      const url = yield* database
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => openLosingProxy(url)),
        ({ close }) => Effect.sync(close),
      )
      const { queue, run, enqueue, leasedAsAdded } = yield* open(proxy.url)
      const begun: Array<Job> = []
      const work = (job: Job) =>
        Effect.andThen(
          Effect.sync(() => begun.push(job)),
          Effect.orDie(queue.complete(job)),
        )
      yield* Effect.forkScoped(queue.serve("image", 1, runBy(queue, work)))
      yield* leasedAsAdded("first", 1)
      yield* until(Effect.map(queue.counts, (jobs) => jobs.length === 0))
      proxy.watch(taskId("lost"))
      const lost = run(
        Effect.gen(function* () {
          yield* enqueue("lost")
          const [images] = yield* queue.counts
          if (images?.leased !== 1) return yield* Effect.fail("it is not idle yet")
          // All that is left is the commit.
          proxy.loseNextAnswer()
        }),
      ).pipe(Effect.flip)
      yield* until(Effect.map(lost, (error) => error !== "it is not idle yet"))
      yield* until(Effect.sync(() => begun.some(({ taskId: id }) => id === taskId("lost"))))
      const [job] = begun.filter(({ taskId: id }) => id === taskId("lost"))
      assert.deepInclude(job, { attempt: 2, lost: 0 })
    }).pipe(
      Effect.scoped,
      // Nothing here is taken for lost.
      Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 600_000 })),
    ),
  )

  it.live("a job that was removed while a dead process had it leaves nothing in graphile-worker", () =>
    Effect.gen(function* () {
      const url = yield* database
      yield* Effect.gen(function* () {
        const queue = yield* Queue
        yield* add(taskId("removed"), userId("one"))
        yield* lockedByTheDead(url)
        yield* queue.remove(taskId("removed"))
        yield* Effect.forkScoped(
          queue.serve(
            "image",
            1,
            runBy(queue, () => Effect.never),
          ),
        )
        const left = statement(url, "SELECT id FROM graphile_worker.jobs")
        yield* Effect.repeat(left, {
          schedule: Schedule.spaced("50 millis"),
          while: (rows) => rows.length > 0,
        })
      }).pipe(Effect.scoped, Effect.provide(Postgres.layer({ url })))
    }),
  )

  it.live(
    "a transaction of a frozen process holds its locks no longer than a lease",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        yield* Effect.gen(function* () {
          const [{ run }, queue] = [yield* Transaction, yield* Queue]
          yield* add(taskId("frozen"), userId("one"))
          const [job] = yield* leaseJobs(queue, "image", 1)
          if (job === undefined) return assert.fail("a job is due")
          const [frozen, awake] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const writing = queue
            .verify(job)
            .pipe(
              Effect.andThen(Deferred.succeed(frozen, undefined)),
              Effect.andThen(Deferred.await(awake)),
              Effect.andThen(queue.complete(job)),
              run,
            )
          const fiber = yield* Effect.forkChild(Effect.result(writing))
          yield* Deferred.await(frozen)
          yield* run(queue.remove(job.taskId))
          yield* Deferred.succeed(awake, undefined)
          assert.strictEqual((yield* Fiber.join(fiber))._tag, "Failure")
        }).pipe(
          Effect.provide(Postgres.layer({ url })),
          Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 1000 })),
        )
      }),
    // Far less than a transaction would be given otherwise.
    20_000,
  )

  it.live("a connection that listens for one serving after another keeps nothing of those that ended", () =>
    Effect.gen(function* () {
      // Warnings fail this file at its end.
      const { queue, enqueue } = yield* open(yield* database)
      for (let serving = 0; serving < 20; serving++) {
        const ran = yield* Deferred.make<void>()
        yield* enqueue(serving)
        const serve = queue.serve(
          "image",
          1,
          runBy(queue, (job) =>
            Effect.andThen(Effect.orDie(queue.complete(job)), Deferred.succeed(ran, undefined)),
          ),
        )
        yield* Effect.raceFirst(serve, Deferred.await(ran))
      }
    }),
  )

  it.live("a serving that ends while it waits for its connection leaves that to the others", () =>
    Effect.gen(function* () {
      const url = yield* database
      const { queue, run } = yield* open(url)
      const done = new Set<string>()
      const serve = (kind: JobKind) =>
        Effect.forkScoped(
          queue.serve(
            kind,
            4,
            runBy(queue, (job) =>
              Effect.andThen(
                Effect.orDie(queue.complete(job)),
                Effect.sync(() => done.add(job.taskId)),
              ),
            ),
          ),
        )
      const runJob = (name: string, kind: JobKind) =>
        Effect.andThen(
          run(
            queue.enqueue({ taskId: taskId(name), kind, userId: userId("one"), runAt: 0, traceparent: null }),
          ),
          until(Effect.sync(() => done.has(taskId(name)))),
        )
      const [images, tools] = [yield* serve("image"), yield* serve("tool")]
      yield* runJob("an image", "image")
      yield* runJob("a document", "tool")
      const backends = (which: string) =>
        statement(
          url,
          `SELECT pid, CASE WHEN query LIKE '%LISTEN%atelier:jobs%' THEN pg_terminate_backend(pid) END
            FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${which}`,
        )
      const listens = "query LIKE '%LISTEN%atelier:jobs%'"
      const client = new pg.Client({ connectionString: url })
      yield* Effect.promise(() => client.connect())
      const ask = (text: string) => Effect.promise(() => client.query(text))
      const listening = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${listens}`
      yield* until(Effect.map(ask(listening), ({ rows }) => rows.length === 1))
      // One connection listens for both, and each one that is left looks for a job, and waits for this transaction.
      yield* ask("BEGIN; LOCK TABLE graphile_worker._private_jobs IN ACCESS EXCLUSIVE MODE")
      const looks = "wait_event_type = 'Lock' AND query LIKE '%locked_at%'"
      const areLooking = (count: number) =>
        statement(url, `NOTIFY "atelier:jobs", 'image:'`).pipe(
          Effect.andThen(backends(looks)),
          Effect.map((rows) => rows.length === count),
          until,
        )
      yield* areLooking(2)
      yield* backends(listens)
      yield* areLooking(3)
      // Longer than the runners wait before they ask for another connection, which they get after the looks.
      yield* Effect.sleep("200 millis")
      yield* Effect.forkScoped(Fiber.interrupt(images))
      yield* ask("COMMIT")
      yield* Effect.promise(() => client.end())
      yield* runJob("the next", "tool")
      // A connection that is given back twice ends the process.
      yield* Fiber.interrupt(tools)
    }).pipe(
      Effect.scoped,
      Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 600_000 })),
    ),
  )
})

describe("Postgres: signals", () => {
  /** Waits for a second word of the task; `told` is done after the first, the one that every reader gets. */
  const secondWord = Effect.fnUntraced(function* (signals: TaskSignals["Service"], id: TaskId) {
    const told = yield* Deferred.make<void>()
    const reading = signals.changes(id).pipe(
      Stream.tap(() => Deferred.succeed(told, undefined)),
      Stream.take(2),
      Stream.runDrain,
    )
    const fiber = yield* Effect.forkChild(reading)
    yield* Deferred.await(told)
    return Fiber.join(fiber)
  })
  const processOf = (url: string) =>
    Effect.map(Layer.build(Postgres.layerSignals({ url })), Context.get(TaskSignals))

  it.live("a reader is told of another process's change, and once after a lost connection", () =>
    Effect.gen(function* () {
      const url = yield* database
      const [here, there] = [yield* processOf(url), yield* processOf(url)]
      const changed = yield* secondWord(here, taskId("changed"))
      yield* there.publish(taskId("changed"))
      yield* changed
      const missed = yield* secondWord(here, taskId("missed"))
      yield* statement(
        url,
        `SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
          WHERE application_name = 'atelier' AND datname = current_database() AND pid <> pg_backend_pid()`,
      )
      yield* missed
    }),
  )

  it.live("a reader is told of a change whose signal was one too many to wait", () =>
    Effect.gen(function* () {
      const url = yield* database
      const [here, there] = [yield* processOf(url), yield* processOf(url)]
      const changed = yield* secondWord(here, taskId("changed"))
      // In one turn, so that none is sent meanwhile.
      for (let n = 0; n < 100_000; n++) Effect.runSync(there.publish(taskId(n)))
      Effect.runSync(there.publish(taskId("changed")))
      yield* changed
    }),
  )
})

describe("Postgres: signals of the same process", () => {
  it.live("a reader is told once of a change in its own process, and of another's after it", () =>
    Effect.gen(function* () {
      const url = yield* database
      const process = Effect.map(Layer.build(Postgres.layerSignals({ url })), Context.get(TaskSignals))
      const [here, there] = [yield* process, yield* process]
      const told = { here: 0, there: 0, marker: 0 }
      const count = (signals: TaskSignals["Service"], id: TaskId, name: keyof typeof told) =>
        Effect.forkScoped(Stream.runForEach(signals.changes(id), () => Effect.sync(() => told[name]++)))
      const until = (name: keyof typeof told, times: number) =>
        Effect.repeat(Effect.sleep("5 millis"), { until: () => told[name] >= times })
      yield* count(here, taskId("changed"), "here")
      yield* count(there, taskId("changed"), "there")
      yield* count(here, taskId("marker"), "marker")
      for (const name of ["here", "there", "marker"] as const) yield* until(name, 1)
      yield* here.publish(taskId("changed"))
      yield* until("here", 2)
      yield* until("there", 2)
      yield* there.publish(taskId("changed"))
      yield* until("here", 3)
      // Postgres tells of everything in one order: what was said before the marker has arrived with it.
      yield* there.publish(taskId("marker"))
      yield* until("marker", 2)
      assert.deepStrictEqual(told, { here: 3, there: 3, marker: 2 })
    }).pipe(Effect.scoped),
  )
})

describe("Postgres: transactions", () => {
  it.live("of two that wait for each other, the one that Postgres ends is repeated", () =>
    Effect.gen(function* () {
      const url = yield* database
      yield* Effect.gen(function* () {
        const [{ run }, queue] = [yield* Transaction, yield* Queue]
        for (const name of ["a", "b"]) {
          yield* run(
            queue.enqueue({
              taskId: taskId(name),
              kind: "image",
              userId: userId("one"),
              runAt: 0,
              traceparent: null,
            }),
          )
        }
        const [a, b] = yield* leaseJobs(queue, "image", 2)
        if (a === undefined || b === undefined) return assert.fail("two jobs are due")
        const [first, second] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const both = (one: Job, other: Job, mine: Deferred.Deferred<void>, theirs: Deferred.Deferred<void>) =>
          queue
            .verify(one)
            .pipe(
              Effect.andThen(Deferred.succeed(mine, undefined)),
              Effect.andThen(Deferred.await(theirs)),
              Effect.andThen(queue.verify(other)),
              run,
            )
        yield* Effect.all([both(a, b, first, second), both(b, a, second, first)], { concurrency: 2 })
      }).pipe(Effect.provide(Postgres.layer({ url })))
    }),
  )
})
