import * as Layer from "effect/Layer"
import * as Archive from "./Archive.ts"
import * as Deadlines from "./Deadlines.ts"
import * as FileCleanup from "./FileCleanup.ts"
import * as IdempotencyCleanup from "./IdempotencyCleanup.ts"
import * as Outcome from "./Outcome.ts"
import * as ResultCleanup from "./ResultCleanup.ts"
import * as RunImage from "./RunImage.ts"
import * as RunTool from "./RunTool.ts"
import * as Worker from "./Worker.ts"

/** Everything that runs by itself in a process: jobs, deadlines and the cleanups. */
export const layer = Layer.mergeAll(
  Worker.layer.pipe(
    Layer.provide([RunImage.RunImage.layer, RunTool.RunTool.layer]),
    Layer.provide([Archive.Archive.layer, Outcome.Outcome.layer]),
  ),
  Deadlines.layer,
  FileCleanup.layer,
  ResultCleanup.layer,
  IdempotencyCleanup.layer,
)
