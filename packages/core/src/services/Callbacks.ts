import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { CallbackDelivery } from "../domain/CallbackDelivery.ts"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import type { Principal } from "../domain/Principal.ts"
import { CallbackStore } from "../ports/CallbackStore.ts"
import { Queue } from "../ports/Queue.ts"
import { Transaction } from "../ports/Transaction.ts"
import { quote } from "./Access.ts"
import { Tasks } from "./Tasks.ts"

type Failure = CoreError | StorageError

/** What became of a task's callback, and another delivery on demand (contract, Waiting: callbacks). */
export class Callbacks extends Context.Service<
  Callbacks,
  {
    /** None: the task has no `callback_url`, or is not final. Refuses as `Tasks.get`. */
    readonly get: (
      principal: Principal,
      taskId: string,
    ) => Effect.Effect<Option.Option<CallbackDelivery>, Failure>
    /** Delivers again now, whatever became of it; refuses with `not_found` where there is no callback. */
    readonly redeliver: (principal: Principal, taskId: string) => Effect.Effect<CallbackDelivery, Failure>
  }
>()("@atelier/core/services/Callbacks") {
  static readonly layer = Layer.effect(
    Callbacks,
    Effect.gen(function* () {
      const queue = yield* Queue
      const store = yield* CallbackStore
      const tasks = yield* Tasks
      const transaction = yield* Transaction

      const get = Effect.fnUntraced(function* (principal: Principal, taskId: string) {
        const task = yield* tasks.get(principal, taskId)
        return yield* store.get(task.id)
      })

      const redeliver = Effect.fnUntraced(function* (principal: Principal, taskId: string) {
        const task = yield* tasks.get(principal, taskId)
        const now = yield* Clock.currentTimeMillis
        return yield* transaction.run(
          Effect.gen(function* () {
            const found = yield* store.get(task.id)
            if (Option.isNone(found)) {
              return yield* refuse("not_found", `The task ${quote(taskId)} has no callback to deliver.`, {
                taskId,
              })
            }
            const delivery: CallbackDelivery = { ...found.value, state: "pending", createdAt: now }
            yield* store.update(delivery)
            // A delivery that waits for its next attempt makes it now; one that runs is fenced off.
            yield* queue.remove(task.id)
            yield* queue.enqueue({ taskId: task.id, kind: "callback", userId: task.userId, runAt: now })
            return delivery
          }),
        )
      })

      return Callbacks.of({ get, redeliver })
    }),
  )
}
