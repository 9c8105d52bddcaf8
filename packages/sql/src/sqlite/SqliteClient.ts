import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import { makeCompilerSqlite } from "effect/sql/Statement"
import { awaitTurn, RoutingConnection, WriterConnection } from "./connections.ts"
import { Database, sqlError } from "./Database.ts"
import { beginAttemptsMax, beginRetryMs, GroupCommit, makeTurn } from "./GroupCommit.ts"

export interface SqliteClientOptions {
  /**
   * The database file; it and its folder are made if absent. `:memory:`: a database of this client alone, without a
   * file and gone with it; reads then wait for their turn, as writes do.
   */
  readonly filename: string
}

const inMemory = ":memory:"

const spanAttributes: ReadonlyArray<readonly [string, unknown]> = [["db.system.name", "sqlite"]]
const retryDelay = Duration.millis(beginRetryMs)

/**
 * An `effect/sql` client over `node:sqlite`, with one writing and one reading connection and group commit.
 *
 * - A statement outside a transaction that only reads sees what is on the disk, and never waits for a writer. One
 *   that writes is a transaction of its own.
 * - Transactions run one after another, and those that come together share one COMMIT. Each is answered after
 *   the COMMIT is durable, which the event loop does not wait for. One that fails undoes only itself.
 * - A transaction holds the only writer from its first step to its last: keep to SQL in it, and never wait in it
 *   for another transaction.
 * - When COMMIT fails, or SQLite ends the transaction by itself (full disk, I/O error), every transaction of the
 *   group fails with `SqlError` and nothing of it is kept. A deferred constraint is only found at COMMIT and so
 *   fails its whole group: declare constraints immediate.
 * - When the disk does not take a COMMIT (`fdatasync` fails), its group and all that comes after it, reads too,
 *   fail until the file is opened again.
 * - Parameters are null, number, bigint, string and bytes; SQLite has no booleans and dates.
 * - A text holds one statement. `sql.unsafe(text).unprepared` runs many, as a migration needs.
 * - Streams read all rows before they give the first.
 * - The shortest way for a hot statement in a transaction is the connection in `transactionService`, by its
 *   `execute(text, parameters, undefined)`: no template, no compiler and no span, a third of the time.
 */
export const make = Effect.fnUntraced(function* (
  options: SqliteClientOptions,
): Effect.fn.Return<
  Context.Context<SqlClient.SqlClient | Connection>,
  SqlError,
  Scope.Scope | Reactivity.Reactivity
> {
  const writer = yield* open(options.filename, "write")
  const reader = options.filename === inMemory ? undefined : yield* open(options.filename, "read")
  const groupCommit = yield* makeGroupCommit(writer)
  const routing = new RoutingConnection(reader, writer, groupCommit)
  groupCommit.beforeCommit = routing.holdSnapshot
  groupCommit.afterCommit = routing.releaseSnapshot
  yield* Effect.addFinalizer(() => Effect.sync(routing.releaseSnapshot))
  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(routing),
    borrower: (use) => use(routing),
    transactionAcquirer: reserveWriter(writer, groupCommit),
    compiler: makeCompilerSqlite(),
    driver: "sqlite-node",
    spanAttributes,
  })
  const withTransaction = SqlClient.makeWithTransaction({
    transactionService: client.transactionService,
    spanAttributes,
    acquireConnection: (restore) => takeWriter(writer, groupCommit, false, restore),
    begin: (connection) => owned(connection).begin(),
    commit: (connection) => owned(connection).commit(),
    rollback: (connection) => owned(connection).rollback(),
    savepoint: (connection, id) => owned(connection).savepoint(`nested_${id}`),
    releaseSavepoint: (connection, id) => owned(connection).releaseSavepoint(`nested_${id}`),
    rollbackSavepoint: (connection, id) => owned(connection).rollbackTo(`nested_${id}`),
  })
  return Context.make(SqlClient.SqlClient, Object.assign(client, { withTransaction })).pipe(
    Context.add(Connection, routing),
  )
})

/**
 * Provides the client, and the connection of its statements outside a transaction; fails when the file cannot be
 * opened, made, or had for writing.
 */
export const layer = (
  options: SqliteClientOptions,
): Layer.Layer<SqlClient.SqlClient | Connection, SqlError> =>
  Layer.effectContext(make(options)).pipe(Layer.provide(Reactivity.layer))

const open = (filename: string, access: "write" | "read") =>
  Effect.acquireRelease(
    Effect.try({
      try: () => new Database(filename, access),
      catch: (cause) => sqlError(cause, "open"),
    }).pipe(
      // Two processes that start at once may both want to turn the WAL on.
      Effect.retry({
        while: (error) => error.reason._tag === "LockTimeoutError",
        times: beginAttemptsMax,
        schedule: Schedule.spaced(retryDelay),
      }),
    ),
    (database) => Effect.sync(() => database.close()),
  )

const makeGroupCommit = Effect.fnUntraced(function* (database: Database) {
  const clock = yield* Clock.Clock
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const retryLater = (then: () => void) => {
    runFork(Effect.andThen(Effect.sleep(retryDelay), Effect.sync(then)))
  }
  const groupCommit = new GroupCommit({ database, clock, retryLater })
  yield* Effect.addFinalizer(() => groupCommit.close)
  return groupCommit
})

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Waits for the writer, interruptibly by only by `restore`. `commit`, `rollback` or `release` give it back. */
const takeWriter = (database: Database, groupCommit: GroupCommit, exclusive: boolean, restore: Restore) =>
  Effect.suspend(() => {
    const turn = makeTurn(exclusive)
    const connection = new WriterConnection(database, groupCommit, turn)
    return Effect.as(
      Effect.onError(restore(awaitTurn(groupCommit, turn)), () => connection.release),
      connection,
    )
  })

/** Holds the writer, outside of any transaction, until the scope closes. */
const reserveWriter = (database: Database, groupCommit: GroupCommit) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.tap(takeWriter(database, groupCommit, true, restore), (connection) =>
      Effect.addFinalizer(() => connection.release),
    ),
  )

/** The transaction's connection is always one that `acquireWriter` made. */
const owned = (connection: Connection): WriterConnection => {
  if (connection instanceof WriterConnection) return connection
  throw new TypeError("The transaction service holds a connection of another client")
}
