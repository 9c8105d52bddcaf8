import { holdOf, KeyStore, LedgerStore, Transaction } from "@atelier/core"
import { aKey, aTaskId, aUser } from "@atelier/core/testing"
import { Postgres } from "@atelier/sql/postgres"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterAll } from "vitest"
import { startPostgres } from "./support/postgresServer.ts"

const server = await startPostgres()
afterAll(() => server.stop())
const databaseUrl = await server.database()

/** A user who was granted `units`; `hold` posts a hold of a new task. */
const account = Effect.fnUntraced(function* (units: number) {
  const [keys, ledger, { run }] = [yield* KeyStore, yield* LedgerStore, yield* Transaction]
  const user = aUser()
  const key = aKey({ userId: user.id })
  yield* keys.insertUser(user)
  yield* keys.insertKey(key)
  yield* ledger.openAccount(user.id)
  yield* run(
    ledger.post({
      id: `grant-${user.id}`,
      kind: "grant",
      phase: null,
      userId: user.id,
      keyId: null,
      taskId: null,
      debit: "granted",
      credit: "wallet",
      amount: units,
      reason: "welcome",
      at: 1,
    }),
  )
  const hold = (held: number) =>
    ledger.post(holdOf({ id: aTaskId(), userId: user.id, keyId: key.id, held }, 1))
  return { user, hold }
})

describe("Postgres: the ledger", () => {
  it.live(
    "a pending hold delays other holds of its user, who see the remaining balance, and never blocks other users",
    () =>
      Effect.gen(function* () {
        const [{ run }, ledger] = [yield* Transaction, yield* LedgerStore]
        const [one, other] = [yield* account(10), yield* account(10)]
        const [posted, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const slow = yield* one
          .hold(6)
          .pipe(
            Effect.andThen(Deferred.succeed(posted, undefined)),
            Effect.andThen(Deferred.await(goOn)),
            run,
            Effect.forkChild,
          )
        yield* Deferred.await(posted)
        const second = yield* Effect.forkChild(Effect.flip(run(one.hold(6))))
        // Other users' holds come to their end, also after the second has begun to wait.
        for (let count = 0; count < 5; count++) yield* run(other.hold(2))
        assert.isUndefined(second.pollUnsafe())
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.join(slow)
        assert.deepInclude(yield* Fiber.join(second), {
          _tag: "HoldRefused",
          account: "wallet",
          available: 4,
        })
        assert.deepInclude(yield* ledger.balance(one.user.id), { wallet: 4, held: 6 })
        assert.deepInclude(yield* ledger.balance(other.user.id), { wallet: 0, held: 10 })
        assert.deepStrictEqual(yield* ledger.audit, [])
      }).pipe(Effect.provide(Postgres.layer({ url: databaseUrl }))),
  )

  it.live(
    "of submissions at once each counts those before it, so that none passes the limit of image tasks",
    () =>
      Effect.gen(function* () {
        const [{ run }, ledger] = [yield* Transaction, yield* LedgerStore]
        const { user, hold } = yield* account(100)
        const submission = () => run(Effect.andThen(hold(1), ledger.imageTasks(user.id)))
        const counts = yield* Effect.all(Array.from({ length: 20 }, submission), { concurrency: "unbounded" })
        assert.deepStrictEqual(
          counts.toSorted((a, b) => a - b),
          Array.from({ length: 20 }, (_, index) => index + 1),
        )
      }).pipe(Effect.provide(Postgres.layer({ url: databaseUrl }))),
  )
})
