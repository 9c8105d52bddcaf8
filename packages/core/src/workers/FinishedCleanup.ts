import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { Limits } from "../domain/Limits.ts"
import { FinishedTasks } from "../ports/FinishedTasks.ts"
import { Transaction } from "../ports/Transaction.ts"

/** Notices removed in one transaction. */
const batch = 500

/** Drops notices of final tasks that no application took for a month, so that the table does not grow forever. */
const removeOldNotices = Effect.gen(function* () {
  const { finished_notice_retention_ms } = yield* Limits
  const notices = yield* FinishedTasks
  const transaction = yield* Transaction
  const now = yield* Clock.currentTimeMillis
  const count = yield* transaction.run(notices.removeOld(now - finished_notice_retention_ms, batch))
  if (count > 0)
    yield* Effect.logWarning("notices of final tasks were dropped: no application took them", { count })
  return count
})

export const layer = Layer.effectDiscard(
  removeOldNotices.pipe(
    Effect.repeat({ while: (count) => count === batch }),
    Effect.catchCause((cause) => Effect.logError("cleanup of notices failed", cause)),
    Effect.repeat(Schedule.spaced("10 minutes")),
    Effect.forkScoped,
  ),
)
