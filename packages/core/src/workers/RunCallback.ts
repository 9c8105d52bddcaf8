import { createHmac } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { CallbackAttempt, CallbackDelivery } from "../domain/CallbackDelivery.ts"
import { Limits } from "../domain/Limits.ts"
import type { ImageTask } from "../domain/Task.ts"
import { Callback, TaskRendering } from "../ports/Callback.ts"
import { CallbackStore } from "../ports/CallbackStore.ts"
import { KeyStore } from "../ports/KeyStore.ts"
import { type Job, Queue } from "../ports/Queue.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import type { WriteFailure } from "./Outcome.ts"

/**
 * Tells a customer's server of a task's final state, signed by Standard Webhooks, again and again for a day
 * until it answers 2xx; every attempt is recorded (contract, Waiting: callbacks).
 */
export class RunCallback extends Context.Service<
  RunCallback,
  { readonly run: (job: Job) => Effect.Effect<void, WriteFailure> }
>()("@atelier/core/workers/RunCallback") {
  static readonly layer = Layer.effect(
    RunCallback,
    Effect.gen(function* () {
      const callback = yield* Callback
      const keys = yield* KeyStore
      const limits = yield* Limits
      const queue = yield* Queue
      const render = yield* TaskRendering
      const store = yield* CallbackStore
      const tasks = yield* TaskStore
      const transaction = yield* Transaction

      const run = Effect.fnUntraced(function* (job: Job) {
        const delivery = yield* store.get(job.taskId)
        const task = yield* tasks.get(job.taskId)
        if (Option.isNone(delivery) || Option.isNone(task) || task.value.kind !== "image") {
          return yield* transaction.run(queue.complete(job))
        }
        const attempt = yield* deliver(delivery.value, task.value)
        yield* record(job, delivery.value, attempt)
      })

      const deliver = Effect.fnUntraced(function* (delivery: CallbackDelivery, task: ImageTask) {
        const at = yield* Clock.currentTimeMillis
        const key = yield* keys.getKey(delivery.keyId)
        const body = bodyOf(task, render(task))
        const secret = Option.match(key, { onNone: () => "", onSome: ({ webhookSecret }) => webhookSecret })
        const headers = signedHeaders(delivery.eventId, Math.floor(at / 1000), body, secret)
        const answer = yield* Effect.result(callback.post(delivery.url, headers, body))
        const durationMs = (yield* Clock.currentTimeMillis) - at
        const attempt: CallbackAttempt =
          answer._tag === "Success"
            ? { at, status: answer.success, error: null, durationMs }
            : { at, status: null, error: answer.failure.message, durationMs }
        return attempt
      })

      /** The attempt and what follows from it, together. */
      const record = Effect.fnUntraced(function* (
        job: Job,
        delivery: CallbackDelivery,
        attempt: CallbackAttempt,
      ) {
        const attempts = [...delivery.attempts, attempt]
        const delivered = attempt.status !== null && attempt.status >= 200 && attempt.status < 300
        const nextAt = attempt.at + delayAfter(attempts.length)
        const again = !delivered && nextAt < delivery.createdAt + limits.callback_deadline_ms
        const state = delivered ? "delivered" : again ? "pending" : "failed"
        yield* transaction.run(
          Effect.andThen(
            again ? queue.release(job, nextAt) : queue.complete(job),
            store.update({ ...delivery, state, attempts }),
          ),
        )
      })

      return RunCallback.of({ run })
    }),
  )
}

/** Growing delays: 5 s, then by four up to 4 hours. */
const delayAfter = (attempts: number): number => Math.min(5000 * 4 ** (attempts - 1), 4 * 60 * 60 * 1000)

const bodyOf = (task: ImageTask, data: object): string =>
  JSON.stringify({
    type: task.state === "completed" ? "image.task.completed" : "image.task.failed",
    timestamp: Math.floor((task.finishedAt ?? task.createdAt) / 1000),
    data,
  })

/** Standard Webhooks, symmetric signatures: HMAC-SHA256 over id, timestamp (Unix seconds) and body. */
const signedHeaders = (id: string, timestamp: number, body: string, secret: string) => {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${signature}`,
  }
}
