import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { IdempotencyStore } from "../ports/IdempotencyStore.ts"
import { Transaction } from "../ports/Transaction.ts"

/** Forgets idempotency keys after their 7 days, so that the table does not grow forever (image-tasks 4.5). */
const removeIdempotencyRecords = Effect.gen(function* () {
  const store = yield* IdempotencyStore
  const transaction = yield* Transaction
  const now = yield* Clock.currentTimeMillis
  return yield* transaction.run(store.removeExpired(now, batch))
})

/** Records removed in one transaction. */
const batch = 500

export const layer = Layer.effectDiscard(
  removeIdempotencyRecords.pipe(
    Effect.repeat({ while: (count) => count === batch }),
    Effect.catchCause((cause) => Effect.logError("idempotency cleanup failed", cause)),
    Effect.repeat(Schedule.spaced("10 minutes")),
    Effect.forkScoped,
  ),
)
