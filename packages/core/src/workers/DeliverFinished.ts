import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { finishedRetryMillisMax, Limits } from "../domain/Limits.ts"
import { CurrentFinishedHandler, FinishedTasks } from "../ports/FinishedTasks.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { Finished } from "../services/Finished.ts"

/** Notices that one look reads. */
const batch = 100

/**
 * Tells the application of final tasks that it missed: because its process died, its handler failed, or another
 * process without one made them final.
 */
export const deliver = Effect.gen(function* () {
  const current = yield* CurrentFinishedHandler
  const finished = yield* Finished
  const notices = yield* FinishedTasks
  const tasks = yield* TaskStore
  const transaction = yield* Transaction
  if (current.handler === undefined) return 0
  const due = yield* notices.due(yield* Clock.currentTimeMillis, batch)
  for (const { attempts, taskId } of due) {
    const found = yield* Effect.result(tasks.get(taskId))
    if (found._tag === "Failure") {
      // A task that cannot be read holds none of the others back.
      yield* Effect.logError(`the final task ${taskId} could not be read`, found.failure)
      const later = (yield* Clock.currentTimeMillis) + finishedRetryMillisMax
      yield* transaction.run(notices.postpone(taskId, later))
    } else if (Option.isNone(found.success)) yield* transaction.run(notices.take(taskId))
    else if (!(yield* finished.missed(found.success.value, attempts))) return 0
  }
  return due.length
})

export const layer = Layer.effectDiscard(
  Effect.flatMap(Limits, ({ queue_poll_ms }) =>
    deliver.pipe(
      Effect.repeat({ while: (count) => count === batch }),
      Effect.catchCause((cause) => Effect.logError("telling of final tasks failed", cause)),
      Effect.repeat(Schedule.spaced(Duration.millis(queue_poll_ms))),
      Effect.forkScoped,
    ),
  ),
)
