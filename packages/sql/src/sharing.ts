import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

/**
 * Makes a read that many ask for at once cost one: a run answers all who asked before it began, and who asks while it
 * runs waits for the next, so that nobody is told what was before they asked.
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
