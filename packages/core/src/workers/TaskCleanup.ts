import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { Limits } from "../domain/Limits.ts"
import type { Task } from "../domain/Task.ts"
import { Blobs } from "../ports/Blobs.ts"
import { SmallBlobs } from "../ports/SmallBlobs.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { forEachTask } from "./forEachTask.ts"

/**
 * Removes tasks that have been final for `finished_task_retention_ms`, where the operator has set it, with their
 * results; the ledger and the balances stay as they are. Results go first: a process that dies in between leaves a task
 * whose results are gone, and the next look removes it.
 */
const removeTasks = Effect.fnUntraced(function* (retentionMs: number) {
  const blobs = yield* Blobs
  const small = yield* SmallBlobs
  const store = yield* TaskStore
  const transaction = yield* Transaction

  const removeOne = Effect.fnUntraced(function* (task: Task) {
    for (const blob of blobsOf(task)) yield* blobs.remove(blob)
    yield* transaction.run(
      Effect.andThen(
        task.kind === "tool" ? small.remove(task.resultPrefix) : Effect.void,
        store.remove(task.id),
      ),
    )
  })

  // Those that cannot be removed hold none of the others back: each is tried once in a sweep.
  for (let after = 0, more = true; more; ) {
    const now: number = yield* Clock.currentTimeMillis
    const acceptedBefore = now - retentionMs
    const found = yield* store.removable({ acceptedBefore, now, after, limit: batch })
    const tasks = found.map(({ task }) => task)
    const over = tasks.filter(({ finishedAt }) => (finishedAt ?? now) <= acceptedBefore)
    yield* forEachTask(over, "removing a task failed", removeOne)
    after = found.at(-1)?.sequence ?? after
    more = found.length === batch
  }
})

/** Blobs that no other task has. Small results are not among them. */
const blobsOf = (task: Task): ReadonlyArray<string> => {
  if (task.kind === "tool") return [task.resultPrefix]
  return (task.result?.assets ?? []).flatMap(({ blob, own }) => (blob !== null && own === true ? [blob] : []))
}

/** Tasks read at once; each is removed in a transaction of its own, so that others write in between. */
const batch = 100

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { finished_task_retention_ms } = yield* Limits
    if (finished_task_retention_ms === 0) return
    yield* removeTasks(finished_task_retention_ms).pipe(
      Effect.catchCause((cause) => Effect.logError("removing old tasks failed", cause)),
      Effect.repeat(Schedule.spaced("1 minute")),
      Effect.forkScoped,
    )
  }),
)
