import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { StepRefused } from "../domain/CoreError.ts"
import { logAnnotationsOf, type Task } from "../domain/Task.ts"

/**
 * Does `work` for each task, whatever becomes of the others; a task that was moved meanwhile needs none. Of those
 * that failed one is logged, with their number, so that storage that is down fills no log. Answers how many went well.
 */
export const forEachTask = Effect.fnUntraced(function* <T extends Task, E, R>(
  tasks: ReadonlyArray<T>,
  failure: string,
  work: (task: T) => Effect.Effect<unknown, E | StepRefused, R>,
) {
  const failed: Array<{ readonly task: T; readonly cause: Cause.Cause<unknown> }> = []
  for (const task of tasks) {
    yield* work(task).pipe(
      Effect.catchTag("StepRefused", () => Effect.void),
      Effect.catchCause((cause) => Effect.sync(() => failed.push({ task, cause }))),
      Effect.annotateLogs(logAnnotationsOf(task)),
    )
  }
  const [first] = failed
  if (first !== undefined) {
    yield* Effect.annotateLogs(Effect.logError(failure, first.cause), {
      ...logAnnotationsOf(first.task),
      failed: failed.length,
    })
  }
  return tasks.length - failed.length
})
