import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type TaskKind, taskKinds } from "../domain/TaskState.ts"
import * as Deadlines from "./Deadlines.ts"
import * as DeliverFinished from "./DeliverFinished.ts"
import * as FileCleanup from "./FileCleanup.ts"
import * as FinishedCleanup from "./FinishedCleanup.ts"
import * as IdempotencyCleanup from "./IdempotencyCleanup.ts"
import * as ResultCleanup from "./ResultCleanup.ts"
import { RunJob } from "./RunJob.ts"
import * as TaskCleanup from "./TaskCleanup.ts"
import * as Worker from "./Worker.ts"

/** What runs by itself in a process: jobs of these kinds of tasks, callbacks, deadlines and the cleanups. */
export const layerOf = (kinds: ReadonlyArray<TaskKind>) =>
  Layer.mergeAll(
    Layer.provide(Worker.layer(kinds), RunJob.layer),
    Deadlines.layer,
    FileCleanup.layer,
    FinishedCleanup.layer,
    ResultCleanup.layer,
    TaskCleanup.layer,
    IdempotencyCleanup.layer,
  )

/**
 * Tells an application of final tasks through its `CurrentFinishedHandler`, in the process that has one, whether it
 * runs jobs or not.
 */
export const finishedLayer = DeliverFinished.layer

/**
 * One turn of the duties that an application sees, in place of their layers, where a test decides when they are done:
 * tasks whose time is over fail, the application hears of final tasks, and what has expired is removed.
 */
export const duties = Effect.gen(function* () {
  yield* Deadlines.expireTasks
  yield* DeliverFinished.deliver
  yield* ResultCleanup.removeResults
  yield* FileCleanup.removeFiles(new Set())
})

export { RunJob }

/** Everything that runs by itself. */
export const layer = layerOf(taskKinds)
