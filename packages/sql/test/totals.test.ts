import { TaskStore, TotalsStore } from "@atelier/core"
import { anImageTask, aToolTask } from "@atelier/core/testing"
import { Sql } from "@atelier/sql"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import migration from "../src/sqlite/migrations/0009_totals.ts"
import { temporaryDatabase } from "./temporary.ts"

/** The stores and an application's own SQL on one file. */
const open = (filename: string) =>
  Layer.provideMerge(Sql.layerSqliteStores, Sql.layerSqliteClient({ filename }))

const insertSome = Effect.gen(function* () {
  const { insert } = yield* TaskStore
  yield* insert(anImageTask())
  yield* insert(anImageTask({ state: "completed" }))
  yield* insert(aToolTask())
})

const differences = Effect.flatMap(TotalsStore, (totals) => totals.differences)

describe("totals on SQLite", () => {
  it.effect("a database of the version before gets the totals of what it holds", () =>
    Effect.gen(function* () {
      yield* insertSome
      const sql = yield* SqlClient.SqlClient
      const triggers = yield* sql.unsafe<{ name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%totals%'",
      )
      for (const { name } of triggers) yield* sql.unsafe(`DROP TRIGGER ${name}`)
      yield* sql.unsafe("DROP TABLE totals")
      yield* sql.unsafe(migration).unprepared
      const { tasks } = yield* (yield* TotalsStore).read
      assert.sameDeepMembers(
        [...tasks].map((total) => ({ ...total })),
        [
          { kind: "image", state: "queued", count: 1 },
          { kind: "image", state: "completed", count: 1 },
          { kind: "tool", state: "queued", count: 1 },
        ],
      )
      assert.deepStrictEqual(yield* differences, [])
    }).pipe(Effect.provide(open(temporaryDatabase()))),
  )

  it.effect("a total that is not what counting gives is found, with both numbers", () =>
    Effect.gen(function* () {
      yield* insertSome
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE totals SET count = 5 WHERE kind = 'tool' AND state = 'queued'`
      yield* sql`INSERT INTO totals VALUES ('transfer', 'hold', '', 0, 7)`
      assert.deepStrictEqual(yield* differences, [
        { total: "task tool queued", kept: "5", counted: "1" },
        { total: "units of transfer hold", kept: "7", counted: "0" },
      ])
    }).pipe(Effect.provide(open(temporaryDatabase()))),
  )

  it.effect("a job is ready until a process holds it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const jobs = Effect.map(
        Effect.flatMap(TotalsStore, (totals) => totals.read),
        (totals) => totals.jobs,
      )
      yield* sql`INSERT INTO jobs (task_id, kind, user_id, run_at, attempt, lost, epoch)
        VALUES ('a', 'image', 'usr_1', 0, 0, 0, 0), ('b', 'image', 'usr_1', 0, 0, 0, 0)`
      yield* sql`UPDATE jobs SET leased_by = 'process', leased_until = 1 WHERE task_id = 'a'`
      assert.deepStrictEqual(yield* jobs, [{ kind: "image", ready: 1, leased: 1 }])
      yield* sql`DELETE FROM jobs`
      assert.deepStrictEqual(yield* jobs, [])
      assert.deepStrictEqual(yield* differences, [])
    }).pipe(Effect.provide(open(temporaryDatabase()))),
  )

  it.effect("rows that an application's own SQL adds, changes and deletes are counted as well", () =>
    Effect.gen(function* () {
      yield* insertSome
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE tasks SET state = 'failed' WHERE kind = 'tool'`
      yield* sql`DELETE FROM tasks WHERE kind = 'image' AND state = 'completed'`
      assert.deepStrictEqual(yield* differences, [])
      const { tasks } = yield* (yield* TotalsStore).read
      assert.sameDeepMembers(
        [...tasks].map((total) => ({ ...total })),
        [
          { kind: "image", state: "queued", count: 1 },
          { kind: "tool", state: "failed", count: 1 },
        ],
      )
    }).pipe(Effect.provide(open(temporaryDatabase()))),
  )
})
