import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { CallbackStore } from "../ports/CallbackStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { aDelivery, aKeyId } from "./fixtures.ts"

/** What every adapter of `CallbackStore` holds. */
export const callbackStoreSuite = (
  name: string,
  layer: Layer.Layer<CallbackStore | Transaction, unknown>,
): void => {
  shared(layer)(`${name}: contract of CallbackStore`, (it) => {
    it.effect("a delivery is read as written, and a task has one", () =>
      Effect.gen(function* () {
        const store = yield* CallbackStore
        const delivery = aDelivery()
        yield* store.insert(delivery)
        assert.deepStrictEqual(yield* store.get(delivery.taskId), Option.some(delivery))
        assert.deepStrictEqual(yield* store.get("imgtask_none"), Option.none())
        assert.strictEqual((yield* Effect.flip(store.insert(delivery)))._tag, "StorageError")
      }),
    )

    it.effect(
      "an update writes state, attempts and when it was asked for again, and is undone with its transaction",
      () =>
        Effect.gen(function* () {
          const store = yield* CallbackStore
          const { run } = yield* Transaction
          const delivery = aDelivery()
          yield* store.insert(delivery)
          const attempt = { at: 1, status: null, error: "no answer", durationMs: 15_000 }
          const next = {
            ...delivery,
            state: "failed",
            attempts: [attempt],
            attemptsTotal: 7,
            redeliveredAt: [3, 4],
          } as const
          yield* Effect.flip(run(Effect.andThen(store.update(next), Effect.fail("no"))))
          assert.deepStrictEqual(yield* store.get(delivery.taskId), Option.some(delivery))
          yield* store.update({ ...next, url: "https://example.org", keyId: aKeyId() })
          assert.deepStrictEqual(yield* store.get(delivery.taskId), Option.some(next))
        }),
    )

    it.effect("transactions that lock a delivery take turns: none of their changes is lost", () =>
      Effect.gen(function* () {
        const store = yield* CallbackStore
        const { run } = yield* Transaction
        const { taskId, ...delivery } = aDelivery()
        yield* store.insert({ ...delivery, taskId })
        const ask = Effect.gen(function* () {
          const found = Option.getOrThrow(yield* store.lock(taskId))
          yield* Effect.yieldNow
          const redeliveredAt = [...found.redeliveredAt, found.redeliveredAt.length]
          yield* store.update({ ...found, attemptsTotal: found.attemptsTotal + 1, redeliveredAt })
        })
        yield* Effect.all(
          Array.from({ length: 20 }, () => run(ask)),
          { concurrency: "unbounded", discard: true },
        )
        const { attemptsTotal, redeliveredAt } = Option.getOrThrow(yield* store.get(taskId))
        assert.strictEqual(attemptsTotal, 20)
        assert.deepStrictEqual(
          redeliveredAt,
          Array.from({ length: 20 }, (_, index) => index),
        )
        assert.deepStrictEqual(yield* store.lock("imgtask_none"), Option.none())
      }),
    )
  })
}
