import * as Layer from "effect/Layer"
import * as Deadlines from "./Deadlines.ts"
import * as FileCleanup from "./FileCleanup.ts"
import * as IdempotencyCleanup from "./IdempotencyCleanup.ts"
import * as ResultCleanup from "./ResultCleanup.ts"
import { RunJob } from "./RunJob.ts"
import * as Worker from "./Worker.ts"

/** Everything that runs by itself in a process: jobs, deadlines and the cleanups. */
export const layer = Layer.mergeAll(
  Layer.provide(Worker.layer, RunJob.layer),
  Deadlines.layer,
  FileCleanup.layer,
  ResultCleanup.layer,
  IdempotencyCleanup.layer,
)
