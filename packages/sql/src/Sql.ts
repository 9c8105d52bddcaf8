import {
  type AdminTokenStore,
  type CallbackStore,
  type FileStore,
  type FinishedTasks,
  type IdempotencyStore,
  type KeyStore,
  type LedgerStore,
  type Queue,
  type RateLimiter,
  type SettingsStore,
  type SmallBlobs,
  StorageError,
  type TaskStore,
  type TotalsStore,
  type Transaction,
} from "@atelier/core"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { requireWhole } from "./move/Destination.ts"
import { folding } from "./postgres/foldTotals.ts"
import * as GraphileQueue from "./postgres/GraphileQueue.ts"
import * as PostgresMigrations from "./postgres/Migrations.ts"
import * as PostgresClient from "./postgres/PostgresClient.ts"
import * as PostgresRateLimiter from "./postgres/PostgresRateLimiter.ts"
import * as PostgresSignals from "./postgres/PostgresSignals.ts"
import * as SqlAdminTokenStore from "./SqlAdminTokenStore.ts"
import * as SqlCallbackStore from "./SqlCallbackStore.ts"
import * as SqlFileStore from "./SqlFileStore.ts"
import * as SqlFinishedTasks from "./SqlFinishedTasks.ts"
import * as SqlIdempotencyStore from "./SqlIdempotencyStore.ts"
import * as SqlKeyStore from "./SqlKeyStore.ts"
import * as SqlLedgerStore from "./SqlLedgerStore.ts"
import * as SqlSettingsStore from "./SqlSettingsStore.ts"
import * as SqlSmallBlobs from "./SqlSmallBlobs.ts"
import * as SqlTaskStore from "./SqlTaskStore.ts"
import * as SqlTotalsStore from "./SqlTotalsStore.ts"
import * as SqlTransaction from "./SqlTransaction.ts"
import * as Migrations from "./sqlite/Migrations.ts"
import * as SqliteClient from "./sqlite/SqliteClient.ts"
import * as SqliteQueue from "./sqlite/SqliteQueue.ts"

/** The ports that a database serves. */
export type Stores =
  | AdminTokenStore
  | CallbackStore
  | FileStore
  | FinishedTasks
  | IdempotencyStore
  | KeyStore
  | LedgerStore
  | Queue
  | SettingsStore
  | SmallBlobs
  | TaskStore
  | TotalsStore
  | Transaction

/** The stores that all dialects share; they need a client whose database is migrated. */
const layerStores = Layer.mergeAll(
  SqlAdminTokenStore.layer,
  SqlCallbackStore.layer,
  SqlFileStore.layer,
  SqlFinishedTasks.layer,
  SqlIdempotencyStore.layer,
  SqlKeyStore.layer,
  SqlLedgerStore.layer,
  SqlSettingsStore.layer,
  SqlSmallBlobs.layer,
  SqlTaskStore.layer,
  SqlTotalsStore.layer,
  SqlTransaction.layer,
)

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

/** A migrated Postgres client: `effect/sql`'s `SqlClient` for an application's own statements next to the stores. */
export const layerPostgresClient = (options: PostgresClient.PostgresOptions) =>
  Layer.effectDiscard(requireWhole).pipe(
    Layer.provideMerge(PostgresMigrations.layer(options.url)),
    Layer.provideMerge(PostgresClient.layer(options)),
  )

/** Every store, the queue and the rates of keys over a Postgres client that is migrated. */
export const layerPostgresStores = ({ url }: Pick<PostgresClient.PostgresOptions, "url">) =>
  Layer.mergeAll(
    layerStores,
    GraphileQueue.layer(url),
    PostgresRateLimiter.layer,
    Layer.effectDiscard(folding),
  ).pipe(Layer.provide(layerWebCrypto))

/** Every store, the queue and the rates of keys on one Postgres database, which is migrated where needed. */
export const layerPostgres = (
  options: PostgresClient.PostgresOptions,
): Layer.Layer<Stores | RateLimiter, StorageError> =>
  Layer.provide(layerPostgresStores(options), layerPostgresClient(options))

/** Signals between the processes of one Postgres database; without them a reader learns of its own process only. */
export const layerPostgresSignals = ({ url }: { readonly url: string }) =>
  Layer.provide(PostgresSignals.layer, PostgresClient.layer({ url, connections: 2 }))
