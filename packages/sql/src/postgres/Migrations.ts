import { StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { runMigrations } from "../migrations.ts"
import { inTransaction, wrapped } from "../statement.ts"
import { makeGraphilePool } from "./GraphilePool.ts"
import initial from "./migrations/0001_initial.ts"
import rateBuckets from "./migrations/0002_rate_buckets.ts"
import orderedIndexes from "./migrations/0003_ordered_indexes.ts"
import fairQueue from "./migrations/0004_fair_queue.ts"
import requestIds from "./migrations/0005_request_ids.ts"
import admin from "./migrations/0006_admin.ts"
import callbackAttempts from "./migrations/0007_callback_attempts.ts"
import taskImages from "./migrations/0008_task_images.ts"
import totals from "./migrations/0009_totals.ts"
import principalsVersion from "./migrations/0010_principals_version.ts"
import smallBlobs from "./migrations/0011_small_blobs.ts"
import finishedTasks from "./migrations/0012_finished_tasks.ts"
import adminConsole from "./migrations/0014_console.ts"
import traces from "./migrations/0015_traces.ts"
import failedByModel from "./migrations/0016_failed_by_model.ts"

/** An arbitrary number that no other advisory lock uses. */
const lock = 4_180_120_261

/** How long our transaction waits for graphile-worker's migrations, which have a connection of their own. */
const idleMsMax = 60_000

const kinds = "unnest(ARRAY['atelier_image', 'atelier_tool', 'atelier_callback']) AS kind"

/**
 * Names every kind of job to graphile-worker, which would do so where the first one is added: in an application's own
 * transaction, that would hold up everybody else's first jobs until its end.
 */
const nameKinds = `BEGIN;
  SELECT graphile_worker.add_job(kind, job_key => kind, run_at => 'infinity') FROM ${kinds};
  SELECT graphile_worker.remove_job(kind) FROM ${kinds};
  COMMIT`

/** graphile-worker's tables, in a schema of their own. */
const graphile = (url: string) =>
  Effect.tryPromise({
    try: async () => {
      const { Logger, runMigrations } = await import("graphile-worker")
      const { pool, end } = await makeGraphilePool({
        url,
        connections: 1,
        idleInTransactionMs: idleMsMax,
        lost: () => {},
      })
      try {
        await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
        await pool.query(nameKinds)
      } finally {
        await end()
      }
    },
    catch: (cause) => new StorageError({ operation: "Migrations.run", cause }),
  })

/** Brings both schemas up to date. Processes that start at once take turns. */
export const migrate = Effect.fnUntraced(function* (url: string) {
  const sql = yield* SqlClient.SqlClient
  const patient = Effect.andThen(
    sql.unsafe(`SET LOCAL idle_in_transaction_session_timeout = ${idleMsMax}`),
    sql.unsafe("SET LOCAL lock_timeout = 0"),
  )
  const take = sql.unsafe(`SELECT 1 AS locked FROM pg_advisory_xact_lock(${lock})`)
  const turn = wrapped("Migrations.run")(Effect.andThen(patient, take))
  const migrations = runMigrations({
    "0001_initial": initial,
    "0002_rate_buckets": rateBuckets,
    "0003_ordered_indexes": orderedIndexes,
    "0004_fair_queue": fairQueue,
    "0005_request_ids": requestIds,
    "0006_admin": admin,
    "0007_callback_attempts": callbackAttempts,
    "0008_task_images": taskImages,
    "0009_totals": totals,
    "0010_principals_version": principalsVersion,
    "0011_small_blobs": smallBlobs,
    "0012_finished_tasks": finishedTasks,
    "0014_console": adminConsole,
    "0015_traces": traces,
    "0016_failed_by_model": failedByModel,
  })
  yield* inTransaction(
    sql,
    "Migrations.run",
    turn.pipe(Effect.andThen(migrations), Effect.andThen(graphile(url))),
  )
})

/** Runs `migrate` when it is built. */
export const layer = (url: string) => Layer.effectDiscard(migrate(url))
