import type { RateLimiter, StorageError } from "@atelier/core"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"
import { requireWhole } from "../move/Destination.ts"
import { type Stores, layerStores as sharedStores } from "../stores.ts"
import { folding } from "./foldTotals.ts"
import * as GraphileQueue from "./GraphileQueue.ts"
import * as PostgresMigrations from "./Migrations.ts"
import * as PostgresClient from "./PostgresClient.ts"
import * as PostgresRateLimiter from "./PostgresRateLimiter.ts"
import * as PostgresSignals from "./PostgresSignals.ts"

/** A migrated Postgres client: `effect/sql`'s `SqlClient` for an application's own statements next to the stores. */
export const layerClient = (options: PostgresClient.PostgresOptions) =>
  Layer.effectDiscard(requireWhole).pipe(
    Layer.provideMerge(PostgresMigrations.layer(options.url)),
    Layer.provideMerge(PostgresClient.layer(options)),
  )

/** Every store, the queue and the rates of keys over a Postgres client that is migrated. */
export const layerStores = ({ url }: Pick<PostgresClient.PostgresOptions, "url">) =>
  Layer.mergeAll(
    sharedStores,
    GraphileQueue.layer(url),
    PostgresRateLimiter.layer,
    Layer.effectDiscard(folding),
  ).pipe(Layer.provide(layerWebCrypto))

/** Every store, the queue and the rates of keys on one Postgres database, which is migrated where needed. */
export const layer = (
  options: PostgresClient.PostgresOptions,
): Layer.Layer<Stores | RateLimiter, StorageError> =>
  Layer.provide(layerStores(options), layerClient(options))

/** Signals between the processes of one Postgres database; without them a reader learns of its own process only. */
export const layerSignals = PostgresSignals.layer
