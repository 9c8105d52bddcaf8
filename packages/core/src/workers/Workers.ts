import * as Layer from "effect/Layer"
import { type TaskKind, taskKinds } from "../domain/TaskState.ts"
import * as Deadlines from "./Deadlines.ts"
import * as DeliverFinished from "./DeliverFinished.ts"
import * as FileCleanup from "./FileCleanup.ts"
import * as FinishedCleanup from "./FinishedCleanup.ts"
import * as IdempotencyCleanup from "./IdempotencyCleanup.ts"
import * as ResultCleanup from "./ResultCleanup.ts"
import { RunJob } from "./RunJob.ts"
import * as Worker from "./Worker.ts"

/** What runs by itself in a process: jobs of these kinds of tasks, callbacks, deadlines and the cleanups. */
export const layerOf = (kinds: ReadonlyArray<TaskKind>) =>
  Layer.mergeAll(
    Layer.provide(Worker.layer(kinds), RunJob.layer),
    Deadlines.layer,
    FileCleanup.layer,
    FinishedCleanup.layer,
    ResultCleanup.layer,
    IdempotencyCleanup.layer,
  )

/**
 * Tells an application of final tasks through its `CurrentFinishedHandler`, in the process that has one, whether it
 * runs jobs or not.
 */
export const finishedLayer = DeliverFinished.layer

/** Everything that runs by itself. */
export const layer = layerOf(taskKinds)
