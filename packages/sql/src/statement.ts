import { StorageError } from "@atelier/core"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Fiber } from "effect/Fiber"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import { Connection } from "effect/sql/SqlConnection"
import { SqlError } from "effect/sql/SqlError"
import { isRepeated, lockedStatementRepetitionsMax, repeating } from "./repeating.ts"

/** What a column may hold. */
export type Param = string | number | null

/** A statement of fixed text. Gives the rows that it selects or returns. */
export type Statement<Row> = (params: ReadonlyArray<Param>) => Effect.Effect<ReadonlyArray<Row>, StorageError>

/** Wraps a failure once, where the foreign cause enters; `operation` names what was attempted. */
export const wrapped =
  (operation: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, StorageError, R> =>
    Effect.mapError(effect, (cause) => new StorageError({ operation, cause }))

/** The databases that there are statements for. */
export type Dialect = "sqlite" | "postgres"

/** The dialect of a client. */
export const dialectOf = (sql: SqlClient.SqlClient): Dialect =>
  sql.onDialectOrElse({ pg: (): Dialect => "postgres", orElse: (): Dialect => "sqlite" })

/**
 * A statement's text for a dialect. Texts are written once, in what both understand but for three things: SQLite
 * has no `FOR UPDATE` (its only writer belongs to the transaction), Postgres numbers its parameters, and each
 * has its own function for the values of a JSON array.
 */
export const inDialect = (text: string, dialect: Dialect): string => {
  if (dialect === "sqlite") return text.replace(/ FOR (NO KEY )?UPDATE$/, "")
  let count = 0
  return text.replaceAll("json_each(?)", "json_array_elements_text(?::json)").replace(/\?/g, () => {
    count += 1
    return `$${count}`
  })
}

/** Postgres stores every character but U+0000, which no id has and no name needs. */
export const storable = (param: Param): Param =>
  typeof param === "string" && param.includes("\0") ? param.replaceAll("\0", "\ufffd") : param

/**
 * Makes statements that run on the enclosing transaction's connection, or where there is none, on the driver's
 * own, repeated there as transactions are. They skip what `sql` does for every execution of a template (a span,
 * compiling): that is most of the time of a short query. Row types are trusted: the tables are STRICT and only this
 * package writes them.
 */
export const makeStatements = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const outside = Option.getOrUndefined(yield* Effect.serviceOption(Connection))
  const dialect = dialectOf(sql)
  return <Row extends object>(operation: string, written: string): Statement<Row> => {
    const wrap = wrapped(operation)
    const text = inDialect(written, dialect)
    return (given) =>
      Effect.withFiber((fiber) => {
        const params = dialect === "postgres" ? given.map(storable) : given
        const connection = Context.getOrUndefined(fiber.context, sql.transactionService)?.[0] ?? outside
        if (connection !== undefined) return wrap(connection.execute(text, params, undefined))
        const alone = wrap(sql.unsafe<Row>(text, params))
        return Effect.catchIf(alone, isRepeated, () => repeating(alone, lockedStatementRepetitionsMax))
      })
  }
})

/** Whether an effect runs in a transaction, where it sees what is not committed. */
export const makeIsInTransaction = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    ({ context }: Fiber<unknown, unknown>): boolean =>
      Context.getOrUndefined(context, sql.transactionService) !== undefined,
)

/** Makes `atomic`: runs an effect in the enclosing transaction, or where there is none, in one of its own. */
export const makeAtomic = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    <A, E, R>(operation: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
      Effect.withFiber((fiber) =>
        Context.getOrUndefined(fiber.context, sql.transactionService) === undefined
          ? inTransaction(sql, operation, effect)
          : effect,
      ),
)

/**
 * Runs the effect in a transaction and wraps the failures that are the database's. Where the connection was lost,
 * the driver's ROLLBACK fails too, and dies: nothing was written then, and storage is away.
 */
export const inTransaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  operation: string,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | StorageError, R> =>
  sql.withTransaction(effect).pipe(
    Effect.mapError((error) =>
      error instanceof SqlError ? new StorageError({ operation, cause: error }) : error,
    ),
    Effect.catchCause((cause): Effect.Effect<never, E | StorageError> => {
      const lost = cause.reasons.filter(Cause.isDieReason).find(({ defect }) => defect instanceof SqlError)
      return lost === undefined
        ? Effect.failCause(cause)
        : Effect.fail(new StorageError({ operation, cause: lost.defect }))
    }),
  )

/**
 * Runs the effect after the commit. What waits for the commit keeps the context in which it was asked for, less the
 * transaction: of a context with nothing but the transaction nothing has to be copied.
 */
export const afterCommit =
  (sql: SqlClient.SqlClient) =>
  (effect: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.withFiber((fiber) => {
      const transaction = Context.getOrUndefined(fiber.context, sql.transactionService)
      if (transaction === undefined) return sql.afterCommit(effect)
      const alone = Context.make(sql.transactionService, transaction)
      return Effect.updateContext(sql.afterCommit(effect), (_: Context.Context<never>) => alone)
    })

/** The first row, if there is one. */
export const first = <Row>(rows: ReadonlyArray<Row>): Option.Option<Row> => Option.fromUndefinedOr(rows[0])

/** Whether the statement touched a row; it must end in `RETURNING`. */
export const hasRows = (rows: ReadonlyArray<unknown>): boolean => rows.length > 0
