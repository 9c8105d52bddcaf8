import * as Layer from "effect/Layer"
import { type Migrations, nothing, runMigrations } from "../migrations.ts"
import initial from "./migrations/0001_initial.ts"
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

const migrations: Migrations = {
  "0001_initial": initial,
  "0002_rate_buckets": nothing,
  "0003_ordered_indexes": nothing,
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
}

/** In their order. */
export const migrationNames: ReadonlyArray<string> = Object.keys(migrations).map((name) =>
  name.replace(/^0+/, ""),
)

/**
 * Brings the schema up to date. Processes that start at once take turns, since each holds the database's write
 * lock while it looks what is left to do.
 */
export const migrate = runMigrations(migrations)

/** Runs `migrate` when it is built. */
export const layer = Layer.effectDiscard(migrate)
