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

    it.effect("an update writes state and attempts, and is undone with its transaction", () =>
      Effect.gen(function* () {
        const store = yield* CallbackStore
        const { run } = yield* Transaction
        const delivery = aDelivery()
        yield* store.insert(delivery)
        const attempt = { at: 1, status: null, error: "no answer", durationMs: 15_000 }
        const next = { ...delivery, state: "failed", attempts: [attempt] } as const
        yield* Effect.flip(run(Effect.andThen(store.update(next), Effect.fail("no"))))
        assert.deepStrictEqual(yield* store.get(delivery.taskId), Option.some(delivery))
        yield* store.update({ ...next, url: "https://example.org", keyId: aKeyId() })
        assert.deepStrictEqual(yield* store.get(delivery.taskId), Option.some(next))
      }),
    )
  })
}
