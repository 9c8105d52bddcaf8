import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** What is called back where the enclosing transaction, or the part of it that this is, is undone. */
export type Undone = Array<() => void>

/** Absent: outside of a transaction, and where it is the application that commits. */
export const Undone = Context.Reference<Undone | undefined>("@atelier/sql/Undone", {
  defaultValue: () => undefined,
})

/** Around a transaction, or a part of one (`parent`): where it fails, its callbacks are called. */
export const tellingUndone = <A, E, R>(
  transaction: Effect.Effect<A, E, R>,
  parent?: Undone,
): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const callbacks: Undone = []
    return Effect.onExit(Effect.provideService(transaction, Undone, callbacks), (exit) =>
      Effect.sync(() => {
        if (Exit.isSuccess(exit)) parent?.push(...callbacks)
        else for (const callback of callbacks) callback()
      }),
    )
  })
