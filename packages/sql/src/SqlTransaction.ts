import { StorageError, Transaction } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlError } from "effect/sql/SqlError"

export const layer: Layer.Layer<Transaction, never, SqlClient.SqlClient> = Layer.effect(
  Transaction,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Transaction.of({
      run: (body) =>
        Effect.mapError(sql.withTransaction(body), (error) =>
          error instanceof SqlError
            ? new StorageError({ operation: "Transaction.run", cause: error })
            : error,
        ),
      afterCommit: sql.afterCommit,
    }),
  ),
)
