import { StorageError, Transaction } from "@atelier/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"
import { dialectOf, inTransaction } from "./statement.ts"

/** How often a transaction is repeated that Postgres ended in favour of another. */
const repetitions_max = 8

const backoff = Schedule.jittered(Schedule.exponential("5 millis"))

/** Postgres ended the transaction, all of it, because of another one: the same again may succeed. */
const isConflict = (error: unknown): boolean =>
  error instanceof StorageError &&
  error.cause instanceof SqlError &&
  (error.cause.reason._tag === "DeadlockError" || error.cause.reason._tag === "SerializationError")

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const mayConflict = dialectOf(sql) === "postgres"
  const once = <A, E, R>(body: Effect.Effect<A, E, R>) => inTransaction(sql, "Transaction.run", body)
  /** Only the outermost is repeated: what encloses a nested one has ended with it. */
  const run = <A, E, R>(body: Effect.Effect<A, E, R>) =>
    Effect.withFiber<A, E | StorageError, R>((fiber) =>
      Context.getOrUndefined(fiber.context, sql.transactionService) === undefined
        ? Effect.retry(once(body), { schedule: backoff, times: repetitions_max, while: isConflict })
        : once(body),
    )
  return Transaction.of({ run: mayConflict ? run : once, afterCommit: sql.afterCommit })
})

export const layer: Layer.Layer<Transaction, never, SqlClient.SqlClient> = Layer.effect(Transaction, make)
