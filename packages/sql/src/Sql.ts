import { StorageError } from "@atelier/core"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as Migrations from "./sqlite/Migrations.ts"
import * as SqliteClient from "./sqlite/SqliteClient.ts"
import * as SqliteQueue from "./sqlite/SqliteQueue.ts"
import { layerStores, type Stores } from "./stores.ts"

export type { Stores }

/** A migrated SQLite client: `effect/sql`'s `SqlClient` for an application's own statements next to the stores. */
export const layerSqliteClient = (options: SqliteClient.SqliteClientOptions) =>
  Layer.provideMerge(
    Migrations.layer,
    Layer.catchTag(SqliteClient.layer(options), "SqlError", (cause) =>
      Layer.effect(SqlClient, Effect.fail(new StorageError({ operation: "SqliteClient.open", cause }))),
    ),
  )

/** Every store and the queue over a SQLite client that is migrated. */
export const layerSqliteStores = Layer.merge(layerStores, SqliteQueue.layer).pipe(
  Layer.provide(layerWebCrypto),
)

/** Every store and the queue on one SQLite file, which is created and migrated where needed. */
export const layerSqlite = (options: SqliteClient.SqliteClientOptions): Layer.Layer<Stores, StorageError> =>
  Layer.provide(layerSqliteStores, layerSqliteClient(options))
