import { isDiskFull, StorageError, Transaction } from "@atelier/core"
import { Clock } from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { isRepeated, repeating } from "./repeating.ts"
import { afterCommit, dialectOf, inTransaction, makeStatements } from "./statement.ts"
import { tellingUndone, Undone } from "./Undone.ts"
import { WaitingTransactions } from "./WaitingTransactions.ts"

/** 64 KiB, more than a submission takes, that hardly compress. */
const trialText = (): string =>
  Array.from({ length: 8192 }, (_, index) =>
    (Math.imul(index * index + index, 2_654_435_761) >>> 0).toString(36).padStart(8, "0"),
  ).join("")

/** A row that belongs to no setting, and exists only briefly. */
const queries = {
  put: `INSERT INTO settings (kind, id, value) VALUES ('trial', 'disk', ?)
    ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value`,
  remove: "DELETE FROM settings WHERE kind = 'trial'",
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const waiting = new WaitingTransactions(yield* Clock)
  const mayConflict = dialectOf(sql) === "postgres"
  const once = <A, E, R>(body: Effect.Effect<A, E, R>) => inTransaction(sql, "Transaction.run", body)
  /** SQLite's connection tells by itself. */
  const begun = <A, E, R>(body: Effect.Effect<A, E, R>) =>
    mayConflict ? tellingUndone(body, once, isRepeated) : once(body)
  const queued = <A, E, R>(body: Effect.Effect<A, E, R>) => waiting.around(body, begun)
  /** What encloses a nested one has the writer, and has ended where this one met a conflict: only it is repeated. */
  const outermost = <A, E, R>(body: Effect.Effect<A, E, R>) =>
    mayConflict ? repeating(queued(body)) : queued(body)
  let diskFull = false
  const watched = <A, E, R>(transaction: Effect.Effect<A, E, R>) =>
    Effect.tapError(transaction, (error) =>
      Effect.sync(() => {
        diskFull ||= error instanceof StorageError && isDiskFull(error)
      }),
    )
  const nested = <A, E, R>(body: Effect.Effect<A, E, R>, parent: Undone | undefined) =>
    parent === undefined ? once(body) : tellingUndone(body, once, isRepeated, parent)
  const run = <A, E, R>(body: Effect.Effect<A, E, R>) =>
    Effect.withFiber<A, E | StorageError, R>((fiber) =>
      Context.getOrUndefined(fiber.context, sql.transactionService) === undefined
        ? watched(outermost(body))
        : nested(body, Context.get(fiber.context, Undone)),
    )
  const statement = yield* makeStatements
  const put = statement("Transaction.writable", queries.put)
  const remove = statement("Transaction.writable", queries.remove)
  const trial = Effect.gen(function* () {
    yield* run(put([trialText()]))
    diskFull = false
    yield* run(remove([]))
  })
  return Transaction.of({
    run,
    afterCommit: afterCommit(sql),
    waiting: waiting.now,
    writable: Effect.suspend(() => (diskFull ? trial : Effect.void)),
  })
})

export const layer: Layer.Layer<Transaction, never, SqlClient.SqlClient> = Layer.effect(Transaction, make)
