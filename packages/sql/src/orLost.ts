import { type Job, LeaseLost } from "@atelier/core"
import * as Effect from "effect/Effect"
import { touched } from "./statement.ts"

/** Fails with `LeaseLost` where a statement under the job's lease touched no row. */
export const orLost =
  (job: Job) =>
  (rows: ReadonlyArray<unknown>): Effect.Effect<void, LeaseLost> =>
    touched(rows) ? Effect.void : Effect.fail(new LeaseLost({ jobId: job.taskId }))
