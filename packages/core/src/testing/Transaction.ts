import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { KeyStore } from "../ports/KeyStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { aUser } from "./fixtures.ts"

/** What every adapter of `Transaction` holds, shown through a store that it spans. */
export const transactionSuite = (name: string, layer: Layer.Layer<Transaction | KeyStore, unknown>): void => {
  shared(layer)(`${name}: contract of Transaction`, (it) => {
    it.effect("a body that fails, dies or is interrupted leaves nothing behind", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const keys = yield* KeyStore
        const ends: ReadonlyArray<Effect.Effect<void, "no">> = [
          Effect.fail("no"),
          Effect.die("no"),
          Effect.interrupt,
        ]
        for (const end of ends) {
          const user = aUser()
          const exit = yield* Effect.exit(run(Effect.andThen(keys.insertUser(user), end)))
          assert.isTrue(Exit.isFailure(exit))
          assert.isTrue(Option.isNone(yield* keys.getUser(user.id)))
        }
      }),
    )

    it.effect("a body that waits without end is undone at its time limit, and others go on", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const keys = yield* KeyStore
        const [user, other] = [aUser(), aUser()]
        const waits = yield* Latch.make()
        const endless = Effect.andThen(
          waits.open,
          Effect.promise(() => new Promise(() => {})),
        )
        const body = Effect.andThen(keys.insertUser(user), endless).pipe(Effect.timeout("3 seconds"))
        const fiber = yield* Effect.forkChild(Effect.exit(run(body)))
        yield* waits.await
        const later = yield* Effect.forkChild(run(keys.insertUser(other)))
        yield* TestClock.adjust("3 seconds")
        assert.isTrue(Exit.isFailure(yield* Fiber.join(fiber)))
        yield* Fiber.join(later)
        assert.isTrue(Option.isNone(yield* keys.getUser(user.id)))
        assert.isTrue(Option.isSome(yield* keys.getUser(other.id)))
      }),
    )

    it.effect("a body's failure passes as it was", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        assert.strictEqual(yield* Effect.flip(run(Effect.fail("refused"))), "refused")
      }),
    )

    it.effect("a body sees its own writes, and others see them once it is done", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const keys = yield* KeyStore
        const user = aUser()
        const seen = yield* run(Effect.andThen(keys.insertUser(user), keys.getUser(user.id)))
        assert.deepStrictEqual(seen, Option.some(user))
        assert.deepStrictEqual(yield* keys.getUser(user.id), Option.some(user))
      }),
    )

    it.effect("of concurrent bodies, one that fails does not touch the others", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const keys = yield* KeyStore
        const users = Array.from({ length: 40 }, () => aUser())
        const exits = yield* Effect.forEach(
          users,
          (user, index) =>
            Effect.exit(
              run(Effect.andThen(keys.insertUser(user), index % 3 === 0 ? Effect.fail("no") : Effect.void)),
            ),
          { concurrency: "unbounded" },
        )
        for (const [index, user] of users.entries()) {
          const kept = index % 3 !== 0
          assert.strictEqual(exits[index]?._tag, kept ? "Success" : "Failure")
          assert.strictEqual(Option.isSome(yield* keys.getUser(user.id)), kept)
        }
      }),
    )

    it.effect("a nested body that fails undoes itself, and the outer one may go on", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const keys = yield* KeyStore
        const [outer, inner, kept] = [aUser(), aUser(), aUser()]
        yield* run(
          Effect.gen(function* () {
            yield* keys.insertUser(outer)
            yield* Effect.flip(run(Effect.andThen(keys.insertUser(inner), Effect.fail("no"))))
            yield* run(keys.insertUser(kept))
          }),
        )
        assert.isTrue(Option.isSome(yield* keys.getUser(outer.id)))
        assert.isTrue(Option.isNone(yield* keys.getUser(inner.id)))
        assert.isTrue(Option.isSome(yield* keys.getUser(kept.id)))
      }),
    )

    it.effect("a nested body is undone with its outer one", () =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const keys = yield* KeyStore
        const user = aUser()
        yield* Effect.flip(run(Effect.andThen(run(keys.insertUser(user)), Effect.fail("no"))))
        assert.isTrue(Option.isNone(yield* keys.getUser(user.id)))
      }),
    )

    it.effect("afterCommit runs after the commit, and never for a body that was undone", () =>
      Effect.gen(function* () {
        const { run, afterCommit } = yield* Transaction
        const told: Array<string> = []
        const tell = (text: string) => afterCommit(Effect.sync(() => void told.push(text)))
        yield* run(
          Effect.gen(function* () {
            yield* tell("first")
            yield* Effect.flip(run(Effect.andThen(tell("undone"), Effect.fail("no"))))
            assert.deepStrictEqual(told, [])
          }),
        )
        yield* Effect.flip(run(Effect.andThen(tell("failed"), Effect.fail("no"))))
        assert.deepStrictEqual(told, ["first"])
        yield* tell("outside")
        assert.deepStrictEqual(told, ["first", "outside"])
      }),
    )

    it.effect("waiting counts the transactions that have not begun, until they do or are given up", () =>
      Effect.gen(function* () {
        const { run, waiting } = yield* Transaction
        const given = yield* Latch.make()
        const until = (holds: () => boolean) =>
          Effect.repeat(Effect.promise(nextTurn), { until: () => holds() })
        assert.strictEqual(waiting().count, 0)
        // More than there are connections; each holds its own until the latch opens.
        let begun = 0
        const body = Effect.andThen(
          Effect.sync(() => begun++),
          given.await,
        )
        const fibers = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(run(body)))
        yield* until(() => begun > 0 && waiting().count > 0 && begun + waiting().count === 20)
        const last = fibers.at(-1)
        const before = waiting().count
        if (last !== undefined) yield* Fiber.interrupt(last)
        yield* until(() => waiting().count < before)
        yield* given.open
        yield* Fiber.awaitAll(fibers)
        assert.deepStrictEqual(waiting(), { count: 0, millis: 0 })
        assert.strictEqual(begun, 19)
      }),
    )
  })
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
