import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
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

/** A transaction that inserts, says so, and waits inside for `go`. */
const heldOpen = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, body: string) {
  const inserted = yield* Deferred.make<void>()
  const go = yield* Deferred.make<void>()
  const fiber = yield* insert(sql, body).pipe(
    Effect.andThen(Deferred.succeed(inserted, undefined)),
    Effect.andThen(Deferred.await(go)),
    sql.withTransaction,
    Effect.forkChild,
  )
  yield* Deferred.await(inserted)
  return { fiber, go: Deferred.succeed(go, undefined) }
})

describe("SqliteClient: statements outside a transaction", () => {
  it.effect(
    "makes the folder, and opens WAL with foreign keys, and full synchronisation for what runs alone",
    () =>
      withDatabase(
        Effect.fnUntraced(function* (sql) {
          assert.deepStrictEqual(yield* sql`PRAGMA journal_mode`.values, [["wal"]])
          assert.deepStrictEqual(yield* sql`PRAGMA synchronous`.values, [[2]])
          assert.deepStrictEqual(yield* sql`PRAGMA foreign_keys`.values, [[1]])
          assert.strictEqual(sql.driver, "sqlite-node")
        }),
      ),
  )

  it.effect("finds the writer for all that writes, however it begins", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        yield* sql`-- a comment
          /* and another */ INSERT INTO entry (body) VALUES ('a')`
        yield* sql`WITH source AS (SELECT 'b' AS body) INSERT INTO entry (body) SELECT body FROM source`
        const returned = yield* sql`INSERT INTO entry (body) VALUES ('c') RETURNING id`.values
        assert.deepStrictEqual(returned, [[3]])
        assert.deepStrictEqual(yield* bodies(sql), ["a", "b", "c"])
        const read = yield* sql`WITH all_of AS (SELECT * FROM entry) SELECT count(*) FROM all_of`.values
        assert.deepStrictEqual(read, [[3]])
        const raw = yield* sql`DELETE FROM entry WHERE id > 1`.raw
        assert.deepInclude(raw, { changes: 2 })
        yield* sql`VACUUM`
      }),
    ),
  )

  it.effect("fails alone, and names a doubled key", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const exits = yield* allAtOnce(["a", "b", "a", "c"].map((body) => insert(sql, body)))
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
        assert.deepStrictEqual(yield* bodies(sql), ["a", "b", "c"])
        const doubled = yield* Effect.flip(sql`INSERT INTO entry (id, body) VALUES (1, 'd')`)
        assert.strictEqual(doubled.reason._tag, "UniqueViolation")
      }),
    ),
  )

  it.effect("refuses transaction control and a second statement in the text", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const begun = yield* Effect.flip(sql`BEGIN`)
        assert.match(begun.message, /withTransaction/)
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* insert(sql, "kept")
            assert.match((yield* Effect.flip(sql`COMMIT`)).message, /withTransaction/)
          }),
        )
        const two = yield* Effect.flip(sql`DELETE FROM entry; DELETE FROM reply`)
        assert.match(two.message, /More than one statement/)
        assert.deepStrictEqual(yield* bodies(sql), ["kept"])
      }),
    ),
  )

  it.effect("reads big integers where asked, and streams", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        yield* sql`INSERT INTO entry (id, body) VALUES (${2n ** 60n}, 'big')`
        const read = sql`SELECT id FROM entry`.values
        assert.isTrue(isSqlError(yield* Effect.exit(read)))
        const rows = yield* Effect.provideService(read, SqlClient.SafeIntegers, true)
        assert.deepStrictEqual(rows, [[2n ** 60n]])
        const streamed = yield* Stream.runCollect(sql<{ body: string }>`SELECT body FROM entry`.stream)
        assert.deepStrictEqual(
          streamed.map((row) => row.body),
          ["big"],
        )
      }),
    ),
  )
})

describe("SqliteClient: group commit", () => {
  it.effect("shows a reader what is committed only, and a transaction its own writes", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const held = yield* heldOpen(sql, "a")
        assert.deepStrictEqual(yield* bodies(sql), [])
        yield* held.go
        yield* Fiber.join(held.fiber)
        assert.deepStrictEqual(yield* bodies(sql), ["a"])
        const own = yield* sql.withTransaction(Effect.andThen(insert(sql, "b"), bodies(sql)))
        assert.deepStrictEqual(own, ["a", "b"])
      }),
    ),
  )

  it.effect("answers success after the COMMIT of the group, and failure at once", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const first = yield* Effect.forkChild(sql.withTransaction(insert(sql, "first")))
        const failing = yield* Effect.forkChild(
          Effect.exit(sql.withTransaction(Effect.andThen(insert(sql, "no"), Effect.fail("no")))),
        )
        const last = yield* heldOpen(sql, "last")
        yield* settle
        assert.isUndefined(first.pollUnsafe())
        assert.deepStrictEqual(yield* Fiber.join(failing), Exit.fail("no"))
        assert.deepStrictEqual(yield* bodies(sql), [])
        yield* last.go
        yield* Fiber.join(first)
        assert.deepStrictEqual(yield* bodies(sql), ["first", "last"])
      }),
    ),
  )

  it.effect("undoes a body that fails or dies, and it alone", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const body = (name: string, end: Effect.Effect<void, string>) =>
          sql.withTransaction(Effect.andThen(insert(sql, name), end))
        const exits = yield* allAtOnce([
          body("a", Effect.void),
          body("fails", Effect.fail("no")),
          body("b", Effect.yieldNow),
          body("dies", Effect.die("bug")),
          body("c", Effect.void),
          Effect.asVoid(body("a", Effect.void)),
        ])
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, true, false, true, false])
        assert.deepStrictEqual(exits[3], Exit.die("bug"))
        assert.deepStrictEqual(yield* bodies(sql), ["a", "b", "c"])
      }),
    ),
  )

  it.effect("fails every transaction of a group whose COMMIT fails, and keeps nothing of it", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const told: Array<string> = []
        const tell = (name: string) => sql.afterCommit(Effect.sync(() => told.push(name)))
        const exits = yield* allAtOnce([
          sql.withTransaction(Effect.andThen(insert(sql, "a"), tell("a"))),
          sql.withTransaction(Effect.asVoid(sql`INSERT INTO reply (entry) VALUES (999)`)),
          Effect.asVoid(insert(sql, "b")),
        ])
        assert.deepStrictEqual(exits.map(isSqlError), [true, true, true])
        assert.deepStrictEqual(yield* bodies(sql), [])
        assert.deepStrictEqual(told, [])
        yield* sql.withTransaction(insert(sql, "later"))
        assert.deepStrictEqual(yield* bodies(sql), ["later"])
      }),
    ),
  )

  it.effect(
    "fails the whole group when a full disk ends its transaction, and lets no body go on outside",
    () =>
      withDatabase(
        Effect.fnUntraced(function* (sql) {
          const [[pages]] = (yield* sql`PRAGMA page_count`.values) as [[number]]
          yield* sql.unsafe(`PRAGMA max_page_count = ${pages + 1}`)
          const big = "x".repeat(20_000)
          const stubborn = insert(sql, big).pipe(Effect.ignore, Effect.andThen(insert(sql, "after")))
          const exits = yield* allAtOnce([
            sql.withTransaction(insert(sql, "before")),
            sql.withTransaction(stubborn),
          ])
          assert.deepStrictEqual(exits.map(isSqlError), [true, true])
          assert.match(String(exits[0]), /disk is full/)
          assert.deepStrictEqual(yield* bodies(sql), [])
          assert.isTrue(isSqlError(yield* Effect.exit(insert(sql, big))))
          const nested = yield* Effect.exit(
            sql.withTransaction(Effect.andThen(insert(sql, "n"), sql.withTransaction(insert(sql, big)))),
          )
          assert.isTrue(isSqlError(nested))
          yield* sql.withTransaction(insert(sql, "small"))
          assert.deepStrictEqual(yield* bodies(sql), ["small"])
        }),
      ),
  )

  it.effect("fails the whole group when a script in a body ends its transaction", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const script = sql.unsafe("SAVEPOINT x; ROLLBACK").unprepared
        const exits = yield* allAtOnce([
          Effect.asVoid(sql.withTransaction(insert(sql, "before"))),
          sql.withTransaction(Effect.andThen(script, Effect.fail("no"))),
          Effect.asVoid(sql.withTransaction(insert(sql, "after"))),
        ])
        assert.deepStrictEqual(exits.map(isSqlError), [true, false, false])
        assert.isTrue(isSqlError(yield* Effect.exit(sql.withTransaction(script))))
        assert.isTrue(isSqlError(yield* Effect.exit(script)))
        yield* sql.withTransaction(insert(sql, "later"))
        assert.deepStrictEqual(yield* bodies(sql), ["after", "later"])
      }),
    ),
  )

  it.effect("runs more transactions than one group takes", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const names = Array.from({ length: 1000 }, (_, index) => String(index))
        yield* allAtOnce(names.map((name) => sql.withTransaction(insert(sql, name))))
        assert.deepStrictEqual(yield* bodies(sql), names)
      }),
    ),
  )

  it.effect("waits for another process that writes, and in the end fails", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(schema).unprepared
        yield* sql`PRAGMA busy_timeout = 0`
        const other = yield* otherProcess(filename)
        other.exec("BEGIN IMMEDIATE")
        const patient = yield* Effect.forkChild(sql.withTransaction(insert(sql, "patient")))
        yield* TestClock.adjust("200 millis")
        assert.isUndefined(patient.pollUnsafe())
        other.exec("COMMIT")
        yield* TestClock.adjust("200 millis")
        yield* Fiber.join(patient)
        other.exec("BEGIN IMMEDIATE")
        const refused = yield* Effect.forkChild(Effect.flip(insert(sql, "refused")))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* Fiber.join(refused)).reason._tag, "LockTimeoutError")
        other.exec("COMMIT")
        yield* insert(sql, "next")
        assert.deepStrictEqual(yield* bodies(sql), ["patient", "next"])
      }).pipe(Effect.provide(SqliteClient.layer({ filename })))
    }),
  )

  it.effect("holds the model: what stays is what succeeded, in order, and so is what is told", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), (steps) =>
          Effect.runPromise(Effect.scoped(withDatabase((sql) => holdsModel(sql, steps)))),
        ),
        { numRuns: 30 },
      ),
    ),
  )
})

type Ending = "succeeds" | "fails" | "dies"
interface Step {
  readonly outer: Ending
  readonly inner: Ending
  readonly yields: boolean
  readonly plain: boolean
}

const ending = fc.constantFrom<Ending>("succeeds", "succeeds", "fails", "dies")
const step: fc.Arbitrary<Step> = fc.record({
  outer: ending,
  inner: ending,
  yields: fc.boolean(),
  plain: fc.boolean(),
})

const end: Record<Ending, Effect.Effect<void, string>> = {
  succeeds: Effect.void,
  fails: Effect.fail("no"),
  dies: Effect.die("bug"),
}

const holdsModel = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, steps: ReadonlyArray<Step>) {
  const told: Array<string> = []
  const write = (name: string) =>
    Effect.andThen(insert(sql, name), sql.afterCommit(Effect.sync(() => told.push(name))))
  const run = ({ inner, outer, plain, yields }: Step, index: number): Effect.Effect<unknown, unknown> =>
    plain
      ? insert(sql, `plain ${index}`)
      : sql.withTransaction(
          Effect.gen(function* () {
            yield* write(`outer ${index}`)
            if (yields) yield* Effect.yieldNow
            yield* Effect.exit(sql.withTransaction(Effect.andThen(write(`inner ${index}`), end[inner])))
            yield* end[outer]
          }),
        )
  const exits = yield* allAtOnce(steps.map(run))
  const kept = steps.flatMap(({ inner, outer, plain }, index) => {
    if (plain) return [`plain ${index}`]
    if (outer !== "succeeds") return []
    return inner === "succeeds" ? [`outer ${index}`, `inner ${index}`] : [`outer ${index}`]
  })
  assert.deepStrictEqual(
    exits.map(Exit.isSuccess),
    steps.map(({ outer, plain }) => plain || outer === "succeeds"),
  )
  assert.deepStrictEqual(yield* bodies(sql), kept)
  assert.deepStrictEqual(
    told,
    kept.filter((name) => !name.startsWith("plain")),
  )
})

const otherProcess = (filename: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(filename, { timeout: 0 })),
    (db) => Effect.sync(() => db.close()),
  )

describe("SqliteClient: nested transactions and afterCommit", () => {
  it.effect("undoes a nested transaction alone, with what it was to tell", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const seen: Array<ReadonlyArray<string>> = []
        const tell = sql.afterCommit(Effect.orDie(Effect.map(bodies(sql), (now) => void seen.push(now))))
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* insert(sql, "outer")
            yield* tell
            const nested = Effect.gen(function* () {
              yield* insert(sql, "nested")
              yield* tell
              return yield* Effect.fail("no")
            })
            assert.deepStrictEqual(yield* Effect.exit(sql.withTransaction(nested)), Exit.fail("no"))
            yield* sql.withTransaction(insert(sql, "kept"))
            assert.deepStrictEqual(seen, [])
          }),
        )
        assert.deepStrictEqual(seen, [["outer", "kept"]])
      }),
    ),
  )

  it.effect("lets an afterCommit callback open a transaction of its own", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const follow = Effect.orDie(sql.withTransaction(insert(sql, "follows")))
        yield* sql.withTransaction(
          Effect.andThen(insert(sql, "first"), sql.afterCommit(Effect.asVoid(follow))),
        )
        assert.deepStrictEqual(yield* bodies(sql), ["first", "follows"])
      }),
    ),
  )

  it.effect("refuses the connection of a transaction that has ended", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const go = yield* Deferred.make<void>()
        const late = yield* sql.withTransaction(
          Effect.forkDetach(Effect.exit(Effect.andThen(Deferred.await(go), insert(sql, "late")))),
        )
        yield* Deferred.succeed(go, undefined)
        assert.isTrue(isSqlError(yield* Fiber.join(late)))
        assert.deepStrictEqual(yield* bodies(sql), [])
      }),
    ),
  )
})

describe("SqliteClient: interruption and closing", () => {
  it.effect("never runs a transaction interrupted while it waits", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const held = yield* heldOpen(sql, "held")
        let ran = false
        const transaction = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.sync(() => {
              ran = true
            }),
          ),
        )
        const statement = yield* Effect.forkChild(insert(sql, "statement"))
        const exclusive = yield* Effect.forkChild(sql`PRAGMA user_version = 7`)
        const reserved = yield* Effect.forkChild(Effect.scoped(sql.reserve))
        yield* settle
        yield* Fiber.interruptAll([transaction, statement, exclusive, reserved])
        yield* held.go
        yield* Fiber.join(held.fiber)
        yield* insert(sql, "next")
        assert.isFalse(ran)
        assert.deepStrictEqual(yield* bodies(sql), ["held", "next"])
        assert.deepStrictEqual(yield* sql`PRAGMA user_version`.values, [[0]])
      }),
    ),
  )

  it.effect("undoes a body that is interrupted, and it alone", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const before = yield* Effect.forkChild(sql.withTransaction(insert(sql, "before")))
        const held = yield* heldOpen(sql, "interrupted")
        const after = yield* Effect.forkChild(sql.withTransaction(insert(sql, "after")))
        yield* Fiber.interrupt(held.fiber)
        yield* Fiber.join(before)
        yield* Fiber.join(after)
        assert.deepStrictEqual(yield* bodies(sql), ["before", "after"])
      }),
    ),
  )

  it.effect("commits a transaction interrupted after its body", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const told: Array<string> = []
        const done = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.andThen(insert(sql, "done"), sql.afterCommit(Effect.sync(() => told.push("done")))),
          ),
        )
        const statement = yield* Effect.forkChild(insert(sql, "statement"))
        const held = yield* heldOpen(sql, "held")
        const interrupts = [
          yield* Effect.forkChild(Fiber.interrupt(done)),
          yield* Effect.forkChild(Fiber.interrupt(statement)),
        ]
        yield* settle
        assert.deepStrictEqual(
          interrupts.map((fiber) => fiber.pollUnsafe()),
          [undefined, undefined],
        )
        yield* held.go
        yield* Fiber.joinAll(interrupts)
        assert.deepStrictEqual(yield* bodies(sql), ["done", "statement", "held"])
        assert.deepStrictEqual(told, ["done"])
      }),
    ),
  )

  it.effect("lends the writer outside of a transaction, and only so long", () =>
    withDatabase(
      Effect.fnUntraced(function* (sql) {
        const first = yield* Effect.forkChild(sql.withTransaction(insert(sql, "first")))
        yield* Effect.yieldNow
        const kept = yield* Effect.scoped(
          Effect.gen(function* () {
            const connection = yield* sql.reserve
            const next = yield* Effect.forkDetach(insert(sql, "next"))
            yield* Fiber.join(first)
            yield* connection.execute("PRAGMA wal_checkpoint(TRUNCATE)", [], undefined)
            assert.isUndefined(next.pollUnsafe())
            return { connection, next }
          }),
        )
        yield* Fiber.join(kept.next)
        assert.isTrue(isSqlError(yield* Effect.exit(kept.connection.execute("SELECT 1", [], undefined))))
        assert.deepStrictEqual(yield* bodies(sql), ["first", "next"])
      }),
    ),
  )

  it.effect("finishes what was taken in before it closes, and takes no more", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const taken = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(schema).unprepared
        const fibers = yield* Effect.forEach(["a", "b"], (body) =>
          Effect.forkDetach(sql.withTransaction(Effect.andThen(Effect.yieldNow, insert(sql, body)))),
        )
        yield* Effect.yieldNow
        return { sql, fibers }
      }).pipe(Effect.provide(SqliteClient.layer({ filename })))
      yield* Fiber.joinAll(taken.fibers)
      for (const late of [insert(taken.sql, "late"), bodies(taken.sql)]) {
        assert.isTrue(isSqlError(yield* Effect.exit<unknown, SqlError, never>(late)))
      }
      const again = Effect.flatMap(SqlClient.SqlClient, bodies)
      assert.deepStrictEqual(yield* Effect.provide(again, SqliteClient.layer({ filename })), ["a", "b"])
    }),
  )
})

describe("SqliteClient: migrations", () => {
  it.live("run once when two servers start on one file", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const migrate = Migrator.make({})({
        loader: Migrator.fromRecord({
          "1_schema": Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(schema).unprepared).pipe(
            Effect.asVoid,
          ),
          "2_first": Effect.flatMap(SqlClient.SqlClient, (sql) => insert(sql, "first")).pipe(Effect.asVoid),
        }),
      })
      const server = () => Effect.provide(migrate, SqliteClient.layer({ filename }))
      const ran = yield* Effect.all([server(), server()], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        ran.flat().map(([id]) => id),
        [1, 2],
      )
      assert.deepStrictEqual(yield* server(), [])
    }),
  )

  it.effect("fails where the file cannot be opened", () =>
    Effect.gen(function* () {
      const filename = join(yield* temporaryFile, "..", "..")
      yield* Effect.provide(Effect.void, SqliteClient.layer({ filename: join(filename, "file") }))
      const layer = SqliteClient.layer({ filename: join(filename, "file", "under-a-file.db") })
      assert.isTrue(isSqlError(yield* Effect.exit(Effect.provide(Effect.void, layer))))
    }),
  )
})
