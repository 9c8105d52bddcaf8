import { statSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as SqlClient from "effect/sql/SqlClient"
import { SqliteClient } from "../src/index.ts"
import {
  allAtOnce,
  bodies,
  insert,
  isSqlError,
  schema,
  settle,
  temporaryFile,
  withDatabase,
} from "./entries.ts"
import { heldDisk } from "./heldDisk.ts"

/** So much has passed whenever the clock is looked at. */
const steps = { nanos: 0n }
const hurried: Effect.Effect<Clock.Clock> = Effect.map(Clock.Clock, (clock) => {
  let nanos = 0n
  return { ...clock, monotonicTimeNanosUnsafe: () => (nanos += steps.nanos) }
})

describe("SqliteClient: the disk", () => {
  it.effect("answers and shows a transaction once it is on the disk, and goes on meanwhile", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        yield* insert(sql, "before")
        const disk = yield* heldDisk
        const told: Array<string> = []
        const body = Effect.andThen(insert(sql, "a"), sql.afterCommit(Effect.sync(() => told.push("a"))))
        const transaction = yield* Effect.forkChild(sql.withTransaction(body))
        const statement = yield* Effect.forkChild(insert(sql, "b"))
        yield* settle
        assert.strictEqual(disk.waiting.length, 1)
        const late = yield* Effect.forkChild(insert(sql, "late"))
        yield* settle
        assert.deepStrictEqual(
          [transaction, statement, late].map((fiber) => fiber.pollUnsafe()),
          [undefined, undefined, undefined],
        )
        assert.deepStrictEqual(yield* bodies(sql), ["before"])
        assert.deepStrictEqual(told, [])
        yield* disk.answer(null)
        yield* Fiber.joinAll([transaction, statement])
        assert.deepStrictEqual(yield* bodies(sql), ["before", "a", "b"])
        assert.deepStrictEqual(told, ["a"])
        yield* settle
        assert.isUndefined(late.pollUnsafe())
        yield* disk.answer(null)
        yield* Fiber.join(late)
        assert.deepStrictEqual(yield* bodies(sql), ["before", "a", "b", "late"])
      }, Effect.scoped),
    ),
  )

  it.effect("what one commit made durable is told over several turns of the event loop, in order", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const disk = yield* heldDisk
        let turn = 0
        const count = () => {
          turn++
          immediate = setImmediate(count)
        }
        let immediate = setImmediate(count)
        yield* Effect.addFinalizer(() => Effect.sync(() => clearImmediate(immediate)))
        const told: Array<readonly [body: string, turn: number]> = []
        const all = Array.from({ length: 11 }, (_, index) => String.fromCharCode(97 + index))
        const group = yield* Effect.forkChild(
          allAtOnce(
            all.map((body) =>
              Effect.andThen(
                sql.withTransaction(insert(sql, body)),
                Effect.sync(() => told.push([body, turn])),
              ),
            ),
          ),
        )
        yield* Effect.repeat(settle, { until: () => disk.waiting.length > 0 })
        steps.nanos = 500_000n
        yield* disk.answer(null)
        yield* Fiber.join(group)
        assert.deepStrictEqual(
          told.map(([body]) => body),
          all,
        )
        assert.isAbove(new Set(told.map(([, turn]) => turn)).size, 1)
      }, Effect.scoped),
    ).pipe(Effect.provideServiceEffect(Clock.Clock, hurried)),
  )

  it.effect("does not wait for it where nothing was written", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        yield* insert(sql, "before")
        const disk = yield* heldDisk
        assert.deepStrictEqual(yield* sql.withTransaction(bodies(sql)), ["before"])
        assert.deepStrictEqual(disk.waiting, [])
      }, Effect.scoped),
    ),
  )

  it.effect(
    "that does not take a commit fails its group and all after it, until the file is opened again",
    () =>
      Effect.gen(function* () {
        const filename = yield* temporaryFile
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql.unsafe(schema).unprepared
          yield* insert(sql, "before")
          const disk = yield* heldDisk
          const group = yield* Effect.forkChild(
            allAtOnce([sql.withTransaction(insert(sql, "a")), insert(sql, "b")]),
          )
          yield* settle
          const waiting = yield* Effect.forkChild(Effect.exit(insert(sql, "waiting")))
          yield* settle
          assert.deepStrictEqual(disk.inodes, [statSync(`${filename}-wal`).ino])
          yield* disk.answer(new Error("EIO: i/o error, fdatasync"))
          assert.deepStrictEqual((yield* Fiber.join(group)).map(isSqlError), [true, true])
          assert.match(String(yield* Fiber.join(waiting)), /EIO.*open the database again/)
          assert.match(String(yield* Effect.flip(insert(sql, "after"))), /open the database again/)
          assert.match(String(yield* Effect.flip(bodies(sql))), /open the database again/)
        }).pipe(Effect.scoped, Effect.provide(SqliteClient.layer({ filename })))
        const again = Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.andThen(insert(sql, "again"), bodies(sql)),
        )
        const found = yield* Effect.provide(again, SqliteClient.layer({ filename }))
        assert.includeMembers([...found], ["before", "again"])
      }),
  )

  it.effect("holds a WAL of a bounded length, however many transactions and reads there are", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(schema).unprepared
        const round = (name: string, length: number) =>
          Effect.all([bodies(sql), insert(sql, name.padEnd(length, "x")), sql`SELECT count(*) FROM entry`], {
            concurrency: "unbounded",
          })
        const lengths: Array<number> = []
        for (let count = 0; count < 1500; count++) {
          yield* round(`small ${count}`, 10)
          lengths.push(statSync(`${filename}-wal`).size)
        }
        assert.isBelow(Math.max(...lengths), 4_000_000)
        for (let count = 0; count < 40; count++) yield* round(`large ${count}`, 1_000_000)
        assert.isBelow(statSync(`${filename}-wal`).size, 12_000_000)
      }).pipe(Effect.provide(SqliteClient.layer({ filename })))
    }),
  )
})
