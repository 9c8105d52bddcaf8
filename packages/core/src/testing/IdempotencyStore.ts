import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { CoreError } from "../domain/CoreError.ts"
import { type IdempotencyRecord, IdempotencyStore } from "../ports/IdempotencyStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { aKeyId, aRecord, aTaskId } from "./fixtures.ts"

/** What every adapter of `IdempotencyStore` holds. The layer starts empty. */
export const idempotencyStoreSuite = (
  name: string,
  layer: Layer.Layer<IdempotencyStore | Transaction, unknown>,
): void => {
  const reserved = (given: Partial<IdempotencyRecord> = {}) =>
    aRecord({ outcome: { _tag: "Reserved", reservedUntil: 31_000 }, ...given })
  const get = (record: IdempotencyRecord, now: number) =>
    Effect.flatMap(IdempotencyStore, (store) => store.get(record.keyId, record.idempotencyKey, now))

  shared(layer)(`${name}: contract of IdempotencyStore`, (it) => {
    it.effect("a record is read as written, for its key alone", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const refused = aRecord({
          outcome: {
            _tag: "Refused",
            error: new CoreError({ code: "invalid_parameter", message: "`n` is 11", param: "n" }),
          },
        })
        for (const record of [aRecord(), reserved(), refused]) {
          assert.isTrue(yield* store.put(record, 1000))
          assert.deepStrictEqual(yield* get(record, 1000), Option.some(record))
          assert.deepStrictEqual(yield* get({ ...record, keyId: aKeyId() }, 1000), Option.none())
          assert.deepStrictEqual(yield* get({ ...record, idempotencyKey: "Order 1" }, 1000), Option.none())
        }
      }),
    )

    it.effect("a record in force is never replaced", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const record = aRecord()
        yield* store.put(record, 1000)
        assert.isFalse(yield* store.put({ ...record, taskId: aTaskId() }, 2000))
        assert.isFalse(yield* store.put({ ...record, fingerprint: "other" }, 2000))
        assert.deepStrictEqual(yield* get(record, 2000), Option.some(record))
      }),
    )

    it.effect("a reservation keeps others out, and becomes what its owner makes of it", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const mine = reserved()
        yield* store.put(mine, 1000)
        assert.isFalse(yield* store.put({ ...mine, taskId: aTaskId() }, 30_999))
        const accepted: IdempotencyRecord = { ...mine, outcome: { _tag: "Accepted" } }
        assert.isTrue(yield* store.put(accepted, 2000))
        assert.deepStrictEqual(yield* get(mine, 2000), Option.some(accepted))
      }),
    )

    it.effect("contract, Images: a reservation is void once its time is over", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const dead = reserved()
        yield* store.put(dead, 1000)
        assert.isTrue(Option.isSome(yield* get(dead, 30_999)))
        assert.deepStrictEqual(yield* get(dead, 31_000), Option.none())
        const next = { ...dead, taskId: aTaskId(), outcome: { _tag: "Accepted" } } as const
        assert.isTrue(yield* store.put(next, 31_000))
        // Who comes back from the dead finds the key taken.
        assert.isFalse(yield* store.put({ ...dead, outcome: { _tag: "Accepted" } }, 31_001))
        assert.deepStrictEqual(yield* get(dead, 31_001), Option.some(next))
      }),
    )

    it.effect("a record is forgotten when it expires", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const record = aRecord()
        yield* store.put(record, 1000)
        assert.isTrue(Option.isSome(yield* get(record, 99_999)))
        assert.deepStrictEqual(yield* get(record, 100_000), Option.none())
        const next = { ...record, taskId: aTaskId(), createdAt: 100_000, expiresAt: 200_000 }
        assert.isTrue(yield* store.put(next, 100_000))
        assert.deepStrictEqual(yield* get(record, 100_000), Option.some(next))
      }),
    )

    it.effect("of racing requests with one key exactly one is recorded", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const { run } = yield* Transaction
        const record = reserved()
        const put = yield* Effect.forEach(
          Array.from({ length: 20 }, () => ({ ...record, taskId: aTaskId() })),
          (one) => run(store.put(one, 1000)),
          { concurrency: "unbounded" },
        )
        assert.strictEqual(put.filter((one) => one).length, 1)
      }),
    )

    it.effect("release removes one's own reservation and nothing else", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const [mine, accepted] = [reserved(), aRecord()]
        yield* store.put(mine, 1000)
        yield* store.put(accepted, 1000)
        yield* store.release(mine.keyId, mine.idempotencyKey, aTaskId())
        assert.isTrue(Option.isSome(yield* get(mine, 1000)))
        yield* store.release(mine.keyId, mine.idempotencyKey, mine.taskId)
        assert.deepStrictEqual(yield* get(mine, 1000), Option.none())
        yield* store.release(mine.keyId, mine.idempotencyKey, mine.taskId)
        yield* store.release(accepted.keyId, accepted.idempotencyKey, accepted.taskId)
        assert.isTrue(Option.isSome(yield* get(accepted, 1000)))
      }),
    )

    it.effect("a record is undone with its transaction", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const { run } = yield* Transaction
        const record = aRecord()
        yield* Effect.flip(run(Effect.andThen(store.put(record, 1000), Effect.fail("no"))))
        assert.deepStrictEqual(yield* get(record, 1000), Option.none())
      }),
    )

    it.effect("expired records are removed a number at a time", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const old = Array.from({ length: 5 }, () => aRecord({ expiresAt: 10, createdAt: 1 }))
        yield* Effect.forEach(old, (record) => store.put(record, 1))
        const living = aRecord()
        yield* store.put(living, 1)
        assert.strictEqual(yield* store.removeExpired(10, 3), 3)
        assert.strictEqual(yield* store.removeExpired(10, 3), 2)
        assert.strictEqual(yield* store.removeExpired(10, 3), 0)
        assert.isTrue(Option.isSome(yield* get(living, 10)))
      }),
    )
  })
}
