import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

/**
 * Coalesces concurrent reads: a run answers all callers that asked before it began, and one that asks while it
 * runs waits for the next, so that no caller gets a value from before its call.
 */
export const sharing = Effect.fnUntraced(function* <A, E>(read: Effect.Effect<A, E>) {
  const waiting = yield* Queue.unbounded<Deferred.Deferred<A, E>>()
  yield* Queue.takeAll(waiting).pipe(
    Effect.flatMap((asked) =>
      Effect.map(Effect.exit(read), (answer) => {
        for (const one of asked) Deferred.doneUnsafe(one, answer)
      }),
    ),
    Effect.forever,
    Effect.forkScoped,
  )
  return Effect.suspend(() => {
    const answer = Deferred.makeUnsafe<A, E>()
    Queue.offerUnsafe(waiting, answer)
    return Deferred.await(answer)
  })
})
