import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/**
 * What is called back where the enclosing transaction, or the part of it that this is, is undone. `isCertain`: false
 * where the connection was lost in the commit, which may have been made.
 */
export type Undone = Array<(isCertain: boolean) => void>

/** Absent: outside of a transaction, and where it is the application that commits. */
export const Undone = Context.Reference<Undone | undefined>("@atelier/sql/Undone", {
  defaultValue: () => undefined,
})

/**
 * Around a transaction, or a part of one (`parent`): where it fails, its callbacks are called. `isUndone`: that failure
 * after the body was the database's own decision.
 */
export const tellingUndone = <A, E, R, F>(
  body: Effect.Effect<A, E, R>,
  around: (body: Effect.Effect<A, E, R>) => Effect.Effect<A, F, R>,
  isUndone: (error: unknown) => boolean,
  parent?: Undone,
): Effect.Effect<A, F, R> =>
  Effect.suspend(() => {
    const callbacks: Undone = []
    let isOver = false
    const ending = Effect.tap(body, () =>
      Effect.sync(() => {
        isOver = true
      }),
    )
    return Effect.onExit(Effect.provideService(around(ending), Undone, callbacks), (exit) =>
      Effect.sync(() => {
        if (Exit.isSuccess(exit)) parent?.push(...callbacks)
        else {
          const isCertain = !isOver || isUndone(Cause.squash(exit.cause))
          for (const callback of callbacks) callback(isCertain)
        }
      }),
    )
  })
