import { ImageTasks, type Principal, TaskStore } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { balanceOf, freshAtelier, principalWith, TestScript } from "../support/atelier.ts"

const submit = (principal: Principal, idempotencyKey: string | null, body: object = {}) =>
  Effect.flatMap(ImageTasks, (images) =>
    images.submit({
      principal,
      body: { model: "test-model", prompt: "a", ...body },
      idempotencyKey,
    }),
  )

const fiftyThousand = { wallet: 950_000, held: 50_000, spent: 0 }

describe("image-tasks 4.5: idempotent submission", () => {
  it.effect("1: without a key every submission is a task of its own", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("2")
      const first = yield* submit(principal, null)
      const second = yield* submit(principal, null)
      assert.notStrictEqual(first.value.id, second.value.id)
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 900_000, held: 100_000, spent: 0 })
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("3: a key is unique within one API key, not between two", () =>
    Effect.gen(function* () {
      const one = yield* principalWith("2")
      const other = yield* principalWith("2")
      const first = yield* submit(one, "k")
      const second = yield* submit(other, "k")
      assert.notStrictEqual(first.value.id, second.value.id)
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("3: a key longer than 128 characters, empty or outside printable ASCII is refused", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("2")
      for (const key of ["x".repeat(129), "", "é", "a\tb"]) {
        const error = yield* Effect.flip(submit(principal, key))
        assert.strictEqual(error._tag === "CoreError" && error.code, "invalid_idempotency_key", key)
      }
      assert.strictEqual((yield* submit(principal, "x".repeat(128))).replayed, false)
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("4: a key is free again after 7 days, and not before", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("2")
      const first = yield* submit(principal, "k")
      yield* TestClock.adjust(7 * 24 * 60 * 60 * 1000 - 1)
      assert.strictEqual((yield* submit(principal, "k")).value.id, first.value.id)
      yield* TestClock.adjust(1)
      const later = yield* submit(principal, "k")
      assert.notStrictEqual(later.value.id, first.value.id)
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("5: the same key and request answer the first task, and charge once", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("2")
      const first = yield* submit(principal, "k")
      yield* TestClock.adjust("6 days")
      const again = yield* submit(principal, "k")
      assert.deepStrictEqual([first.replayed, again.replayed], [false, true])
      assert.strictEqual(again.value.id, first.value.id)
      assert.deepStrictEqual(yield* balanceOf(principal), fiftyThousand)
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("6: while the first is being checked a duplicate is told the reserved task and to wait 2 s", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("2")
      const script = yield* TestScript
      const entered = yield* Deferred.make<void>()
      const leave = yield* Deferred.make<void>()
      script.checkReferences = () =>
        Effect.andThen(Deferred.succeed(entered, undefined), Deferred.await(leave))
      const body = { images: ["https://example.org/a.png"] }
      const first = yield* Effect.forkChild(submit(principal, "k", body))
      yield* Deferred.await(entered)
      const error = yield* Effect.flip(submit(principal, "k", body))
      const other = yield* Effect.flip(submit(principal, "k", { ...body, n: 2 }))
      yield* Deferred.succeed(leave, undefined)
      const accepted = yield* Fiber.join(first)
      assert.ok(error._tag === "CoreError" && other._tag === "CoreError")
      assert.strictEqual(error.code, "idempotency_request_in_progress")
      assert.strictEqual(error.taskId, accepted.value.id)
      assert.strictEqual(error.retryAfterSeconds, 2)
      assert.strictEqual(other.code, "idempotency_key_reused")
      assert.strictEqual((yield* submit(principal, "k", body)).value.id, accepted.value.id)
      assert.deepStrictEqual(yield* balanceOf(principal), fiftyThousand)
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("6: a caller that disconnects while its request is checked leaves the key free", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("2")
      const script = yield* TestScript
      const entered = yield* Deferred.make<void>()
      script.checkReferences = () => Effect.andThen(Deferred.succeed(entered, undefined), Effect.never)
      const body = { images: ["https://example.org/a.png"] }
      const first = yield* Effect.forkChild(submit(principal, "k", body))
      yield* Deferred.await(entered)
      yield* Fiber.interrupt(first)
      script.checkReferences = () => Effect.void
      assert.strictEqual((yield* submit(principal, "k", body)).replayed, false)
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("7: the same key with a different request is refused, whatever differs", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("2")
      yield* submit(principal, "k")
      for (const body of [{ n: 2 }, { prompt: "b" }, { extra: null }, { model: "gone" }]) {
        const error = yield* Effect.flip(submit(principal, "k", body))
        assert.strictEqual(error._tag === "CoreError" && error.code, "idempotency_key_reused")
      }
      assert.deepStrictEqual(yield* balanceOf(principal), fiftyThousand)
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("8: a refusal is repeated unchanged, even when the reason is gone", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("0.05")
      const error = yield* Effect.flip(submit(principal, "k"))
      assert.ok(error._tag === "CoreError" && error.code === "insufficient_balance" && !error.replayed)
      const richer = yield* principalWith("2")
      const wallet = { ...principal, user: richer.user }
      const again = yield* Effect.flip(submit(wallet, "k"))
      assert.ok(
        again._tag === "CoreError" && again.code === "insufficient_balance" && again.replayed === true,
      )
      assert.strictEqual(again.message, error.message)
      const bad = yield* Effect.flip(submit(richer, "bad", { n: 9 }))
      const badAgain = yield* Effect.flip(submit(richer, "bad", { n: 9 }))
      assert.ok(bad._tag === "CoreError" && badAgain._tag === "CoreError")
      assert.deepStrictEqual([badAgain.code, badAgain.param, badAgain.replayed], [bad.code, "n", true])
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("8: an internal error records nothing: the key is free for the retry", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("2")
      const script = yield* TestScript
      script.checkReferences = () => Effect.die(new Error("broken"))
      const body = { images: ["https://example.org/a.png"] }
      yield* Effect.exit(submit(principal, "k", body))
      script.checkReferences = () => Effect.void
      assert.strictEqual((yield* submit(principal, "k", body)).replayed, false)
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("64 concurrent submissions with one key make one task", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("2")
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 64 }),
        () => Effect.result(submit(principal, "k")),
        { concurrency: "unbounded" },
      )
      const ids = new Set<string>()
      for (const outcome of outcomes) {
        if (outcome._tag === "Success") ids.add(outcome.success.value.id)
        else {
          assert.ok(outcome.failure._tag === "CoreError")
          assert.strictEqual(outcome.failure.code, "idempotency_request_in_progress")
        }
      }
      assert.strictEqual(ids.size, 1)
      const store = yield* TaskStore
      assert.strictEqual((yield* store.list({ keyId: principal.key.id, limit: 100 })).length, 1)
      assert.deepStrictEqual(yield* balanceOf(principal), fiftyThousand)
    }).pipe(Effect.provide(freshAtelier)),
  )
})
