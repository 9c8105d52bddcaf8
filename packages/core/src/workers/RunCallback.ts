import { createHmac } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { CallbackAttempt, CallbackDelivery } from "../domain/CallbackDelivery.ts"
import type { TaskId } from "../domain/Ids.ts"
import { Limits } from "../domain/Limits.ts"
import { makeMeter, metrics } from "../domain/Metrics.ts"
import type { ApiKey } from "../domain/Principal.ts"
import type { ImageTask, Task } from "../domain/Task.ts"
import { traceparent, withSpan } from "../domain/Tracing.ts"
import { Callback, CallbackFailed, TaskRendering } from "../ports/Callback.ts"
import { CallbackStore } from "../ports/CallbackStore.ts"
import { KeyStore } from "../ports/KeyStore.ts"
import { type Job, Queue } from "../ports/Queue.ts"
import { SecretBox } from "../ports/SecretBox.ts"
import { Transaction } from "../ports/Transaction.ts"
import type { WriteFailure } from "./LeasedWrites.ts"

/**
 * Tells a customer's server of a task's final state, signed by Standard Webhooks, again and again for a day
 * until it answers 2xx; every attempt is counted, and the newest are kept (contract, Waiting: callbacks).
 */
export class RunCallback extends Context.Service<
  RunCallback,
  { readonly run: (job: Job, task: Task) => Effect.Effect<void, WriteFailure> }
>()("@atelier/core/workers/RunCallback") {
  static readonly layer = Layer.effect(
    RunCallback,
    Effect.gen(function* () {
      const box = yield* SecretBox
      const callback = yield* Callback
      const keys = yield* KeyStore
      const limits = yield* Limits
      const meter = yield* makeMeter
      const queue = yield* Queue
      const render = yield* TaskRendering
      const store = yield* CallbackStore
      const transaction = yield* Transaction

      const run = Effect.fnUntraced(function* (job: Job, task: Task) {
        const delivery = yield* store.get(job.taskId)
        if (Option.isNone(delivery) || task.kind !== "image") {
          return yield* transaction.run(queue.complete(job))
        }
        const attempt = yield* deliver(delivery.value, task)
        const state = yield* Effect.catchTag(conclude(job, attempt), "LeaseLost", (lost) =>
          // Another delivery was asked for meanwhile and decides the state; this attempt was made all the same.
          Effect.andThen(
            transaction.run(record(job.taskId, attempt, ({ state }) => state)),
            Effect.fail(lost),
          ),
        )
        if (state !== undefined) meter.add(metrics.callbacks, [state === "pending" ? "retried" : state])
      }, withSpan("RunCallback.run"))

      /** The webhook secrets of a key: the present one first, then the one before it while it is good. */
      const secretsOf = (key: Option.Option<ApiKey>, now: number) => {
        if (Option.isNone(key)) return Effect.succeed([""])
        const { id, webhookSecret, previousWebhookSecret, previousWebhookUntil } = key.value
        const overlaps = previousWebhookSecret !== null && (previousWebhookUntil ?? 0) > now
        const stored = overlaps ? [webhookSecret, previousWebhookSecret] : [webhookSecret]
        return Effect.forEach(stored, (secret) => box.open(secret, id)).pipe(
          Effect.tapError(({ message }) => Effect.logError(`the webhook secret of ${id}: ${message}`)),
          Effect.mapError(() => new CallbackFailed({ message: "The webhook secret cannot be read." })),
        )
      }

      const deliver = Effect.fnUntraced(function* (delivery: CallbackDelivery, task: ImageTask) {
        const at = yield* Clock.currentTimeMillis
        const key = yield* keys.getKey(delivery.keyId)
        const body = bodyOf(task, render(task))
        const place = yield* traceparent
        const answer = yield* Effect.result(
          Effect.flatMap(secretsOf(key, at), (secrets) =>
            callback.post(
              delivery.url,
              {
                ...signedHeaders(delivery.eventId, Math.floor(at / 1000), body, secrets),
                ...(place === null ? {} : { traceparent: place }),
              },
              body,
            ),
          ),
        )
        const durationMs = (yield* Clock.currentTimeMillis) - at
        const attempt: CallbackAttempt =
          answer._tag === "Success"
            ? { at, status: answer.success, error: null, durationMs }
            : { at, status: null, error: answer.failure.message, durationMs }
        return attempt
      })

      /** The attempt and what follows from it, together; the state of the delivery afterwards. */
      const conclude = (job: Job, attempt: CallbackAttempt) =>
        transaction.run(
          Effect.flatMap(record(job.taskId, attempt, stateAfter), (delivery) =>
            Effect.as(
              delivery?.state === "pending"
                ? queue.release(job, nextAt(delivery, attempt))
                : queue.complete(job),
              delivery?.state,
            ),
          ),
        )

      const stateAfter = (
        delivery: CallbackDelivery,
        attempt: CallbackAttempt,
      ): CallbackDelivery["state"] => {
        const { status } = attempt
        if (status !== null && status >= 200 && status < 300) return "delivered"
        const end = delivery.createdAt + limits.callback_deadline_ms
        return nextAt(delivery, attempt) < end ? "pending" : "failed"
      }

      const record = Effect.fnUntraced(function* (
        taskId: TaskId,
        attempt: CallbackAttempt,
        stateOf: typeof stateAfter,
      ) {
        const found = yield* store.lock(taskId)
        if (Option.isNone(found)) return
        const { attempts, attemptsTotal } = found.value
        const counted: CallbackDelivery = {
          ...found.value,
          attempts: [...attempts, attempt].slice(-limits.callback_attempts_kept_max),
          attemptsTotal: attemptsTotal + 1,
        }
        const delivery = { ...counted, state: stateOf(counted, attempt) }
        yield* store.update(delivery)
        return delivery
      })

      return RunCallback.of({ run })
    }),
  )
}

/** Growing delays: 5 s, then by four up to 4 hours. */
const nextAt = ({ attemptsTotal }: CallbackDelivery, { at }: CallbackAttempt): number =>
  at + Math.min(5000 * 4 ** (attemptsTotal - 1), 4 * 60 * 60 * 1000)

const bodyOf = (task: ImageTask, data: object): string =>
  JSON.stringify({
    type: task.state === "completed" ? "image.task.completed" : "image.task.failed",
    timestamp: Math.floor((task.finishedAt ?? task.createdAt) / 1000),
    data,
  })

/**
 * Standard Webhooks, symmetric signatures: HMAC-SHA256 over id, timestamp (Unix seconds) and body, one for each
 * secret, separated by spaces: a receiver that knows one of them is content.
 */
const signedHeaders = (id: string, timestamp: number, body: string, secrets: ReadonlyArray<string>) => {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`
  })
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  }
}
