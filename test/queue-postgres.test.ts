import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type Job, Limits, Queue, type TaskId, TaskSignals, Transaction, type UserId } from "@atelier/core"
import { leaseJobs } from "@atelier/core/testing"
import { migratedPostgresSchema, PostgresClient, Sql } from "@atelier/sql"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll } from "vitest"
import { startPostgres } from "./support/postgresServer.ts"

const server = await startPostgres()
afterAll(() => server.stop())

const database = Effect.promise(() => server.database())

/** Runs SQL of the test's own beside the stores. */
const statement = (url: string, text: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text)).pipe(
    Effect.provide(PostgresClient.layer({ url, connections: 1 })),
  )

const taskId = (name: string | number): TaskId => `imgtask_${String(name).padStart(26, "0")}` as TaskId
const userId = (name: string): UserId => `usr_${name}` as UserId

describe("Postgres: schema", () => {
  it.live("the committed schema is what the migrations make", () =>
    Effect.gen(function* () {
      const committed = readFileSync(new URL("../packages/sql/schema/postgres.sql", import.meta.url), "utf8")
      assert.strictEqual(yield* migratedPostgresSchema(yield* database), committed)
    }),
  )

  it.live("processes that start at once on an empty database all find it migrated", () =>
    Effect.gen(function* () {
      const url = yield* database
      const script = fileURLToPath(new URL("./support/openPostgres.ts", import.meta.url))
      const start = Effect.promise(() =>
        promisify(execFile)(process.execPath, ["--conditions=atelier:source", script, url]),
      )
      yield* Effect.all([start, start, start], { concurrency: "unbounded" })
    }),
  )
})

describe("Postgres: queue", () => {
  const add = (id: TaskId, user: UserId) =>
    Effect.gen(function* () {
      const [{ run }, queue] = [yield* Transaction, yield* Queue]
      yield* run(queue.enqueue({ taskId: id, kind: "image", userId: user, runAt: 0 }))
    })

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
          queue.serve("image", 1, (job) =>
            Effect.andThen(Effect.orDie(queue.complete(job)), Deferred.succeed(leased, job)),
          ),
        )
        assert.deepStrictEqual(yield* Deferred.await(leased), {
          taskId: taskId("orphan"),
          kind: "image",
          epoch: 1,
          attempt: 1,
          lost: 0,
        })
      }).pipe(
        Effect.provide(Sql.layerPostgres({ url })),
        Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 1000 })),
      )
      // What the dead one left is gone, too.
      assert.deepStrictEqual(yield* statement(url, "SELECT id FROM graphile_worker.jobs"), [])
    }),
  )

  it.live("a job that was removed while a dead process had it leaves nothing in graphile-worker", () =>
    Effect.gen(function* () {
      const url = yield* database
      yield* Effect.gen(function* () {
        const queue = yield* Queue
        yield* add(taskId("removed"), userId("one"))
        yield* lockedByTheDead(url)
        yield* queue.remove(taskId("removed"))
        yield* Effect.forkScoped(queue.serve("image", 1, () => Effect.never))
        const left = statement(url, "SELECT id FROM graphile_worker.jobs")
        yield* Effect.repeat(left, {
          schedule: Schedule.spaced("50 millis"),
          while: (rows) => rows.length > 0,
        })
      }).pipe(Effect.scoped, Effect.provide(Sql.layerPostgres({ url })))
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
          yield* queue.remove(job.taskId)
          yield* Deferred.succeed(awake, undefined)
          assert.strictEqual((yield* Fiber.join(fiber))._tag, "Failure")
        }).pipe(
          Effect.provide(Sql.layerPostgres({ url })),
          Effect.updateService(Limits, (limits) => ({ ...limits, job_lease_ms: 1000 })),
        )
      }),
    // Far less than a transaction would be given otherwise.
    20_000,
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
    Effect.map(Layer.build(Sql.layerPostgresSignals({ url })), Context.get(TaskSignals))

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
})

describe("Postgres: signals of the same process", () => {
  it.live("a reader is told once of a change in its own process, and of another's after it", () =>
    Effect.gen(function* () {
      const url = yield* database
      const process = Effect.map(Layer.build(Sql.layerPostgresSignals({ url })), Context.get(TaskSignals))
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
          yield* run(queue.enqueue({ taskId: taskId(name), kind: "image", userId: userId("one"), runAt: 0 }))
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
      }).pipe(Effect.provide(Sql.layerPostgres({ url })))
    }),
  )
})
