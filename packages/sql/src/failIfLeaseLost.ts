import { type Job, LeaseLost } from "@atelier/core"
import * as Effect from "effect/Effect"
import { hasRows } from "./statement.ts"

/** Fails with `LeaseLost` where a statement under the job's lease touched no row. */
export const failIfLeaseLost =
  (job: Job) =>
  (rows: ReadonlyArray<unknown>): Effect.Effect<void, LeaseLost> =>
    hasRows(rows) ? Effect.void : Effect.fail(new LeaseLost({ jobId: job.taskId }))
