import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { Limits } from "../domain/Limits.ts"
import { CurrentFinishedHandler, FinishedTasks } from "../ports/FinishedTasks.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Finished } from "../services/Finished.ts"

/** Notices that one look reads. */
const batch = 100

/**
 * Tells the application of final tasks that it missed: because its process died, its handler failed, or another
 * process without one made them final.
 */
const deliver = Effect.gen(function* () {
  const current = yield* CurrentFinishedHandler
  const finished = yield* Finished
  const notices = yield* FinishedTasks
  const tasks = yield* TaskStore
  if (current.handler === undefined) return 0
  const due = yield* notices.due(yield* Clock.currentTimeMillis, batch)
  for (const { attempts, taskId } of due) {
    const task = yield* tasks.get(taskId)
    if (Option.isSome(task)) yield* finished.missed(task.value, attempts)
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
