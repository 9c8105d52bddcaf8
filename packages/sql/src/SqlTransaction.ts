import { Transaction } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { inTransaction } from "./statement.ts"

export const layer: Layer.Layer<Transaction, never, SqlClient.SqlClient> = Layer.effect(
  Transaction,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Transaction.of({
      run: (body) => inTransaction(sql, "Transaction.run", body),
      afterCommit: sql.afterCommit,
    }),
  ),
)
