import { StorageError, Transaction } from "@atelier/core"
import { Clock } from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"
import { dialectOf, inTransaction } from "./statement.ts"
import { WaitingTransactions } from "./WaitingTransactions.ts"

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
  const waiting = new WaitingTransactions(yield* Clock)
  const mayConflict = dialectOf(sql) === "postgres"
  const once = <A, E, R>(body: Effect.Effect<A, E, R>) => inTransaction(sql, "Transaction.run", body)
  const queued = <A, E, R>(body: Effect.Effect<A, E, R>) => waiting.around(body, once)
  /** What encloses a nested one has the writer, and has ended where this one met a conflict: only it is repeated. */
  const outermost = <A, E, R>(body: Effect.Effect<A, E, R>) =>
    mayConflict
      ? Effect.retry(queued(body), { schedule: backoff, times: repetitions_max, while: isConflict })
      : queued(body)
  const run = <A, E, R>(body: Effect.Effect<A, E, R>) =>
    Effect.withFiber<A, E | StorageError, R>((fiber) =>
      Context.getOrUndefined(fiber.context, sql.transactionService) === undefined
        ? outermost(body)
        : once(body),
    )
  return Transaction.of({ run, afterCommit: sql.afterCommit, waiting: waiting.now })
})

export const layer: Layer.Layer<Transaction, never, SqlClient.SqlClient> = Layer.effect(Transaction, make)
