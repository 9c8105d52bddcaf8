import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { feeFor, imagesIn, type Task } from "../domain/Task.ts"
import { type TaskFailure, taskFailure } from "../domain/TaskFailure.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { Transitions } from "../services/Transitions.ts"
import { forEachTask } from "./forEachTask.ts"

/** Ends tasks whose deadline passed, even while a worker holds them (document-tools 3, contract, Images). */
export const expireTasks = Effect.gen(function* () {
  const store = yield* TaskStore
  const transaction = yield* Transaction
  const transitions = yield* Transitions
  const now = yield* Clock.currentTimeMillis
  const overdue = yield* store.pastDeadline(now, batch)
  yield* forEachTask(overdue, "ending an overdue task failed", (task) =>
    transaction.run(transitions.apply(task, "expire", { error: overdueFailure(task), ...chargeOf(task) })),
  )
})

/** Tasks looked at in one turn. */
const batch = 100

/** Images that exist stay billed when their copying is given up (image-tasks 3, rule 1). */
const chargeOf = (task: Task) =>
  task.kind === "image" && task.archive !== null ? { charged: feeFor(task, imagesIn(task.archive)) } : {}

/** Why a task fails that is past its deadline. */
export const overdueFailure = (task: Task): TaskFailure => {
  const seconds = Math.round((task.deadlineAt - task.createdAt) / 1000)
  switch (task.state) {
    case "unknown":
      return taskFailure("upstream_unknown", "The upstream's outcome could not be learned in 24 hours.")
    case "archiving":
      return taskFailure("result_archive_failed", "The generated images could not be copied.")
    default:
      return taskFailure("timeout", `The task was not done ${seconds} seconds after its acceptance.`)
  }
}

export const layer = Layer.effectDiscard(
  expireTasks.pipe(
    Effect.catchCause((cause) => Effect.logError("reading overdue tasks failed", cause)),
    Effect.repeat(Schedule.spaced("1 second")),
    Effect.forkScoped,
  ),
)
