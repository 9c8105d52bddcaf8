import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StorageError } from "../domain/CoreError.ts"
import { finishedRetryMillisMax, finishedRetryMillisMin } from "../domain/Limits.ts"
import { logAnnotationsOf, type Task } from "../domain/Task.ts"
import { CurrentFinishedHandler, FinishedTasks } from "../ports/FinishedTasks.ts"
import { Transaction } from "../ports/Transaction.ts"

/**
 * Tells the application of final tasks: in the transaction that makes a task final, where this process has a handler,
 * or later, from the notice that the database keeps. What the handler writes in that transaction is there exactly
 * once; what else it does, at least once.
 */
export class Finished extends Context.Service<
  Finished,
  {
    /**
     * Part of the final step of a task. A handler that fails undoes its own writes, and is called again later; until
     * it has succeeded there, it is no part of any step, so that it does not hold up the service with each.
     */
    readonly settled: (task: Task) => Effect.Effect<void, StorageError>
    /** From the notice, in a transaction of its own, unless it was taken meanwhile. False: the handler failed. */
    readonly missed: (task: Task, attempts: number) => Effect.Effect<boolean, StorageError>
  }
>()("@atelier/core/services/Finished") {
  static readonly layer = Layer.effect(
    Finished,
    Effect.gen(function* () {
      const current = yield* CurrentFinishedHandler
      const notices = yield* FinishedTasks
      const transaction = yield* Transaction

      let isFailing = false

      const tell = (task: Task, attempts: number, isOwed: (taken: boolean) => boolean) =>
        Effect.suspend(() => {
          const { handler } = current
          if (handler === undefined) return Effect.succeed(true)
          const told = transaction.run(
            Effect.flatMap(notices.take(task.id), (taken) => (isOwed(taken) ? handler(task) : Effect.void)),
          )
          return Effect.matchCauseEffect(told, {
            onSuccess: () =>
              Effect.sync(() => {
                isFailing = false
                return true
              }),
            onFailure: (cause) =>
              Cause.hasInterruptsOnly(cause)
                ? Effect.interrupt
                : Effect.as(failed(task, attempts, cause), false),
          })
        })

      const failed = Effect.fnUntraced(function* (task: Task, attempts: number, cause: Cause.Cause<unknown>) {
        const delay = Math.min(finishedRetryMillisMin * 2 ** attempts, finishedRetryMillisMax)
        isFailing = true
        const now = yield* Clock.currentTimeMillis
        yield* Effect.logError(
          `the handler of final tasks failed; it is called again in ${delay} ms`,
          cause,
        ).pipe(Effect.annotateLogs(logAnnotationsOf(task)))
        yield* transaction.run(notices.postpone(task.id, now + delay))
      })

      return Finished.of({
        settled: (task) => (isFailing ? Effect.void : Effect.asVoid(tell(task, 0, () => true))),
        missed: (task, attempts) => tell(task, attempts, (taken) => taken),
      })
    }),
  )
}
