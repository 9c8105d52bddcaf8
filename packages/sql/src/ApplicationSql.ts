import { type CoreError, refuse, StorageError } from "@atelier/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError } from "effect/sql/SqlError"
import { ColumnsUnknown, type ForeignClient, foreignConnection } from "./postgres/ForeignConnection.ts"
import { type Dialect, dialectOf, inTransaction } from "./statement.ts"

/** What an embedding application does with its own tables in transactions of the service, and the reverse. */
export class ApplicationSql extends Context.Service<
  ApplicationSql,
  {
    readonly dialect: Dialect
    /** Runs one statement of the application in the enclosing transaction; its rows. */
    readonly query: (
      text: string,
      params: ReadonlyArray<unknown>,
    ) => Effect.Effect<ReadonlyArray<object>, StorageError>
    /**
     * Postgres: runs the service's statements in the transaction that the application has begun on its client; refuses
     * with `invalid_parameter` where it has not, and a client that does not say the types of its columns.
     */
    readonly within: <A, E, R>(
      client: ForeignClient,
      work: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, E | CoreError | StorageError, R>
  }
>()("@atelier/sql/ApplicationSql") {
  static readonly layer = Layer.effect(
    ApplicationSql,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const turnsKey = yield* Effect.cached(turnsKeyOf(sql))
      return ApplicationSql.of({
        dialect: dialectOf(sql),
        query: (text, params) =>
          Effect.withFiber((fiber) => {
            const [connection] = Context.getOrUndefined(fiber.context, sql.transactionService) ?? []
            if (connection === undefined) return Effect.die(new Error("there is no enclosing transaction"))
            return Effect.mapError(
              connection.execute(text, params, undefined) as Effect.Effect<ReadonlyArray<object>, SqlError>,
              (cause) => new StorageError({ operation: "ApplicationSql.query", cause }),
            )
          }),
        within: (client, work) =>
          Effect.gen(function* () {
            const connection = foreignConnection(client)
            yield* requireBegun(connection)
            const turns = Context.Service<Semaphore.Semaphore>(yield* turnsKey)
            return yield* work.pipe(
              Effect.provideService(sql.transactionService, [connection, 0]),
              Effect.provideService(turns, Semaphore.makeUnsafe(1)),
            )
          }),
      })
    }),
  )
}

/**
 * `effect/sql` lets the savepoints of one transaction take turns by a semaphore that the outermost `withTransaction`
 * provides, under a key of the client's own. A transaction that another client began has to bring it along.
 */
const turnsKeyOf = (sql: SqlClient.SqlClient): Effect.Effect<string, StorageError> =>
  Effect.flatMap(inTransaction(sql, "ApplicationSql.within", Effect.context<never>()), ({ mapUnsafe }) => {
    const key = [...mapUnsafe.keys()].find((each) => each.includes("TransactionSemaphore"))
    return key === undefined ? Effect.die(new Error("effect/sql has no semaphore")) : Effect.succeed(key)
  })

const noTransaction = "25P01"

const requireBegun = (connection: Connection): Effect.Effect<void, CoreError | StorageError> =>
  Effect.asVoid(
    Effect.andThen(
      connection.executeUnprepared("SAVEPOINT atelier_begun", [], undefined),
      connection.executeUnprepared("RELEASE SAVEPOINT atelier_begun", [], undefined),
    ),
  ).pipe(
    Effect.mapError((cause) => {
      const error = new StorageError({ operation: "ApplicationSql.within", cause })
      const found = driverErrorOf(error)
      if (found instanceof ColumnsUnknown) {
        return refuse("invalid_parameter", "`client` answers no `fields`: give the client of `pg` itself.", {
          param: "client",
        })
      }
      return codeOf(found) === noTransaction
        ? refuse("invalid_parameter", "`client` has no open transaction: begin one on it first.", {
            param: "client",
          })
        : error
    }),
  )

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined

/** What the driver itself said of a statement that failed; undefined where the failure is not a statement's. */
export const driverErrorOf = (error: StorageError): unknown => {
  const { cause } = error
  return cause instanceof SqlError && hasCause(cause.reason) ? cause.reason.cause : undefined
}

const hasCause = (reason: object): reason is { readonly cause: unknown } => "cause" in reason

/** Failures that say nothing of the statement: of the connection, or because of another transaction. */
const outages: ReadonlySet<string> = new Set([
  "ConnectionError",
  "AuthenticationError",
  "AuthorizationError",
  "LockTimeoutError",
  "StatementTimeoutError",
  "DeadlockError",
  "SerializationError",
])

/** Whether a failure is of storage itself, so that the same transaction can succeed later. */
export const isOutage = ({ cause }: StorageError): boolean =>
  !(cause instanceof SqlError) || outages.has(cause.reason._tag)
