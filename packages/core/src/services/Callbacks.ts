import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { CallbackDelivery } from "../domain/CallbackDelivery.ts"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { Limits } from "../domain/Limits.ts"
import type { Principal } from "../domain/Principal.ts"
import type { Task } from "../domain/Task.ts"
import { traceparent } from "../domain/Tracing.ts"
import { CallbackStore } from "../ports/CallbackStore.ts"
import { Queue } from "../ports/Queue.ts"
import { Transaction } from "../ports/Transaction.ts"
import { quote } from "./Access.ts"
import { Tasks } from "./Tasks.ts"

type Failure = CoreError | StorageError

/** The state of a task's callback, and redelivery on demand (contract, Waiting: callbacks). */
export class Callbacks extends Context.Service<
  Callbacks,
  {
    /** None: the task has no `callback_url`, or is not final. Refuses as `Tasks.get`. */
    readonly get: (
      principal: Principal,
      taskId: string,
    ) => Effect.Effect<Option.Option<CallbackDelivery>, Failure>
    /**
     * Delivers again now, whatever its state; refuses with `not_found` if there is no callback, and with
     * `rate_limited` beyond `callback_redeliveries_per_minute_max` or `…_per_day_max` in any such period.
     */
    readonly redeliver: (principal: Principal, taskId: string) => Effect.Effect<CallbackDelivery, Failure>
    /** For operators: `get` for a task of any key. */
    readonly getAny: (taskId: string) => Effect.Effect<Option.Option<CallbackDelivery>, Failure>
    /** For operators: `redeliver` for a task of any key. */
    readonly redeliverAny: (taskId: string) => Effect.Effect<CallbackDelivery, Failure>
  }
>()("@atelier/core/services/Callbacks") {
  static readonly layer = Layer.effect(
    Callbacks,
    Effect.gen(function* () {
      const limits = yield* Limits
      const queue = yield* Queue
      const store = yield* CallbackStore
      const tasks = yield* Tasks
      const transaction = yield* Transaction

      const get = Effect.fnUntraced(function* (principal: Principal, taskId: string) {
        const task = yield* tasks.get(principal, taskId)
        return yield* store.get(task.id)
      })

      const redeliverTask = Effect.fnUntraced(function* (task: Task) {
        const taskId = task.id
        return yield* transaction.run(
          Effect.gen(function* () {
            const found = yield* store.lock(task.id)
            const now = yield* Clock.currentTimeMillis
            if (Option.isNone(found)) {
              return yield* refuse("not_found", `The task ${quote(taskId)} has no callback to deliver.`, {
                taskId,
              })
            }
            const delivery: CallbackDelivery = {
              ...found.value,
              state: "pending",
              redeliveredAt: yield* allowed(found.value, now, limits),
            }
            yield* store.update(delivery)
            // A delivery that waits for its next attempt makes it now; one that runs is fenced off.
            yield* queue.remove(task.id)
            yield* queue.enqueue({
              taskId: task.id,
              kind: "callback",
              userId: task.userId,
              runAt: now,
              traceparent: yield* traceparent,
            })
            return delivery
          }),
        )
      })

      return Callbacks.of({
        get,
        getAny: (taskId) => Effect.flatMap(tasks.getAny(taskId), ({ id }) => store.get(id)),
        redeliver: (principal, taskId) => Effect.flatMap(tasks.get(principal, taskId), redeliverTask),
        redeliverAny: (taskId) => Effect.flatMap(tasks.getAny(taskId), redeliverTask),
      })
    }),
  )
}

const minuteMs = 60 * 1000
const dayMs = 24 * 60 * minuteMs

/** The redeliveries that count with this one among them; refuses one past a limit. */
const allowed = (
  { taskId, redeliveredAt }: CallbackDelivery,
  now: number,
  limits: Limits,
): Effect.Effect<ReadonlyArray<number>, CoreError> => {
  const counted = redeliveredAt.filter((at) => at > now - dayMs)
  const windows = [
    { name: "minute", ms: minuteMs, max: limits.callback_redeliveries_per_minute_max },
    { name: "day", ms: dayMs, max: limits.callback_redeliveries_per_day_max },
  ]
  const waits = windows.flatMap(({ name, ms, max }) => {
    // The one that has to leave the window before another is allowed.
    const oldest = counted.filter((at) => at > now - ms).at(-max)
    return oldest === undefined ? [] : [{ name, max, seconds: Math.ceil((oldest + ms - now) / 1000) }]
  })
  const longest = waits.toSorted((a, b) => b.seconds - a.seconds)[0]
  if (longest === undefined) return Effect.succeed([...counted, now])
  const { name, max, seconds } = longest
  return Effect.fail(
    refuse(
      "rate_limited",
      `The callback of a task may be redelivered at most ${max} times a ${name}, which ${quote(taskId)} was; retry after ${seconds} s.`,
      { taskId, retryAfterSeconds: seconds },
    ),
  )
}
