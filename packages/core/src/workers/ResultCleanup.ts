import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { Blobs } from "../ports/Blobs.ts"
import { SmallBlobs } from "../ports/SmallBlobs.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { Transitions } from "../services/Transitions.ts"
import { forEachTask } from "./forEachTask.ts"

/** Removes the results of tool tasks after their expiry; the tasks and their accounting stay (document-tools 3, rule 2). */
export const removeResults = Effect.gen(function* () {
  const blobs = yield* Blobs
  const small = yield* SmallBlobs
  const store = yield* TaskStore
  const transaction = yield* Transaction
  const transitions = yield* Transitions
  const now = yield* Clock.currentTimeMillis
  const expired = yield* store.pastExpiry(now, batch)
  return yield* forEachTask(expired, "removing a result failed", (task) =>
    Effect.andThen(
      blobs.remove(task.resultPrefix),
      transaction.run(
        Effect.andThen(
          small.remove(task.resultPrefix),
          transitions.amend(task, { purged: true, results: [] }),
        ),
      ),
    ),
  )
})

/** Tasks looked at in one turn. */
const batch = 200

export const layer = Layer.effectDiscard(
  removeResults.pipe(
    Effect.repeat({ while: (count) => count === batch }),
    Effect.catchCause((cause) => Effect.logError("reading expired results failed", cause)),
    Effect.repeat(Schedule.spaced("1 minute")),
    Effect.forkScoped,
  ),
)
