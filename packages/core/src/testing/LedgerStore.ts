import { assert, layer as shared, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { KeyId, UserId } from "../domain/Ids.ts"
import { holdOf, releaseOf, settlementOf, type Transfer } from "../domain/Ledger.ts"
import { unitsMax } from "../domain/Money.ts"
import type { Balance } from "../domain/Principal.ts"
import { KeyStore } from "../ports/KeyStore.ts"
import { LedgerStore } from "../ports/LedgerStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { aKey, aTaskId, aToolTaskId, aUser, aUserId } from "./fixtures.ts"

type Services = LedgerStore | KeyStore | Transaction
type Methods = Vitest.MethodsNonLive<Services>

/** What every adapter of `LedgerStore` holds. The layer starts empty. */
export const ledgerStoreSuite = (name: string, layer: Layer.Layer<Services, unknown>): void => {
  shared(layer)(`${name}: contract of LedgerStore`, (it) => {
    movements(it)
    once(it)
    quotas(it)
    reading(it)
    imageTasks(it)
    property(it)
  })
}

const balanceOf = (wallet: number, held: number, spent: number): Balance => ({
  wallet,
  held,
  spent,
  granted: wallet + held + spent,
})

let grants = 0
const grantOf = (userId: UserId, amount: number, id = `grant-${++grants}`): Transfer => ({
  id,
  kind: "grant",
  phase: null,
  userId,
  keyId: null,
  taskId: null,
  debit: "granted",
  credit: "wallet",
  amount,
  reason: "welcome",
  at: 1,
})

const post = Effect.fnUntraced(function* (...transfers: ReadonlyArray<Transfer>) {
  const { run } = yield* Transaction
  const ledger = yield* LedgerStore
  return yield* run(Effect.forEach(transfers, (transfer) => ledger.post(transfer)))
})

/** A user with an account of `units` and a key with a quota. */
const account = Effect.fnUntraced(function* (units: number, quotaUnits: number | null = null) {
  const keys = yield* KeyStore
  const ledger = yield* LedgerStore
  const user = aUser()
  const key = aKey({ userId: user.id, quotaUnits })
  yield* keys.insertUser(user)
  yield* keys.insertKey(key)
  yield* ledger.openAccount(user.id)
  yield* post(grantOf(user.id, units))
  const task = (held: number) => ({ id: aTaskId(), userId: user.id, keyId: key.id, held })
  return { userId: user.id, keyId: key.id, task }
})

const balance = (userId: UserId) => Effect.flatMap(LedgerStore, (ledger) => ledger.balance(userId))
const usedUnits = Effect.fnUntraced(function* (keyId: KeyId) {
  const keys = yield* KeyStore
  return Option.getOrThrow(yield* keys.getKey(keyId)).usedUnits
})

const assertSound = Effect.gen(function* () {
  const ledger = yield* LedgerStore
  assert.deepStrictEqual(yield* ledger.audit, [])
})

const movements = (it: Methods): void => {
  it.effect("contract, Money: a hold moves from the wallet, a settlement to spent, a release back", () =>
    Effect.gen(function* () {
      const { userId, task } = yield* account(1000)
      const [settled, released, partly] = [task(100), task(200), task(300)]
      yield* post(holdOf(settled, 1), holdOf(released, 1), holdOf(partly, 1))
      assert.deepStrictEqual(yield* balance(userId), balanceOf(400, 600, 0))
      yield* post(...settlementOf(settled, 100, 2))
      assert.deepStrictEqual(yield* balance(userId), balanceOf(400, 500, 100))
      yield* post(releaseOf(released, 2))
      assert.deepStrictEqual(yield* balance(userId), balanceOf(600, 300, 100))
      yield* post(...settlementOf(partly, 120, 3))
      assert.deepStrictEqual(yield* balance(userId), balanceOf(780, 0, 220))
      yield* assertSound
    }),
  )

  it.effect("a hold that the wallet does not cover is refused and leaves nothing behind", () =>
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const { run } = yield* Transaction
      const { userId, keyId, task } = yield* account(100)
      const tooMuch = task(101)
      // The transaction goes on after the refusal and is committed.
      const refused = yield* run(Effect.flip(ledger.post(holdOf(tooMuch, 1))))
      assert.deepInclude(refused, { _tag: "HoldRefused", account: "wallet", needed: 101, available: 100 })
      assert.deepStrictEqual(yield* balance(userId), balanceOf(100, 0, 0))
      assert.strictEqual(yield* usedUnits(keyId), 0)
      assert.strictEqual((yield* ledger.list({ userId, limit: 10 })).length, 1)
      yield* post(holdOf({ ...tooMuch, held: 100 }, 2))
      assert.deepStrictEqual(yield* balance(userId), balanceOf(0, 100, 0))
      yield* assertSound
    }),
  )

  it.effect("a grant that would be more than is counted exactly is refused, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const { run } = yield* Transaction
      const { userId } = yield* account(10)
      yield* post(grantOf(userId, unitsMax - 11))
      assert.deepStrictEqual(yield* balance(userId), balanceOf(unitsMax - 1, 0, 0))
      for (const [needed, available] of [
        [2, 1],
        [unitsMax, 1],
      ] as const) {
        const refused = yield* run(Effect.flip(ledger.post(grantOf(userId, needed))))
        assert.deepInclude(refused, { _tag: "HoldRefused", account: "granted", needed, available })
      }
      yield* post(grantOf(userId, 1))
      assert.deepStrictEqual(yield* balance(userId), balanceOf(unitsMax, 0, 0))
      assert.strictEqual((yield* ledger.list({ userId, limit: 10 })).length, 3)
      yield* assertSound
    }),
  )

  it.effect("a hold of a user without an account is refused", () =>
    Effect.gen(function* () {
      const { task } = yield* account(0)
      const refused = yield* Effect.flip(post(holdOf({ ...task(1), userId: aUserId() }, 1)))
      assert.deepInclude(refused, { _tag: "HoldRefused", account: "wallet", available: 0 })
    }),
  )

  it.effect("free tasks hold and settle nothing", () =>
    Effect.gen(function* () {
      const { userId, task } = yield* account(0)
      const free = task(0)
      yield* post(holdOf(free, 1), ...settlementOf(free, 0, 2))
      assert.deepStrictEqual(yield* balance(userId), balanceOf(0, 0, 0))
    }),
  )

  it.effect("racing holds never take more than there is", () =>
    Effect.gen(function* () {
      const { userId, task } = yield* account(100)
      const exits = yield* Effect.forEach(
        Array.from({ length: 30 }, () => holdOf(task(9), 1)),
        (hold) => Effect.exit(post(hold)),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(exits.filter((exit) => exit._tag === "Success").length, 11)
      assert.deepStrictEqual(yield* balance(userId), balanceOf(1, 99, 0))
      yield* assertSound
    }),
  )
}

const once = (it: Methods): void => {
  it.effect("contract, Money: a hold, and then a settlement or a release, happen at most once", () =>
    Effect.gen(function* () {
      const { userId, task } = yield* account(1000)
      const [settled, released, partly] = [task(100), task(100), task(100)]
      yield* post(holdOf(settled, 1), holdOf(released, 1), holdOf(partly, 1))
      yield* post(...settlementOf(settled, 100, 2), releaseOf(released, 2), ...settlementOf(partly, 40, 2))
      const before = yield* balance(userId)
      // Another hold gives the repetitions something to take, if anything lets them.
      yield* post(holdOf(task(500), 3))
      const repetitions = [
        holdOf(settled, 4),
        ...settlementOf(settled, 100, 4),
        releaseOf(settled, 4),
        releaseOf(released, 4),
        settlementOf(released, 50, 4)[0],
        ...settlementOf(partly, 40, 4),
        releaseOf(partly, 4),
      ]
      for (const transfer of repetitions) {
        if (transfer === undefined) continue
        assert.strictEqual((yield* Effect.flip(post(transfer)))._tag, "StorageError", transfer.id)
      }
      const { wallet, held, spent } = before
      assert.deepStrictEqual(yield* balance(userId), balanceOf(wallet - 500, held + 500, spent))
      yield* assertSound
    }),
  )

  it.effect("a grant's id is taken once", () =>
    Effect.gen(function* () {
      const { userId } = yield* account(5)
      const grant = grantOf(userId, 10, `gift-${userId}`)
      yield* post(grant)
      assert.strictEqual((yield* Effect.flip(post(grant)))._tag, "StorageError")
      assert.deepStrictEqual(yield* balance(userId), balanceOf(15, 0, 0))
    }),
  )

  it.effect("an account is opened once, and nothing can be granted or released without one", () =>
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const { userId, task } = yield* account(5)
      assert.strictEqual((yield* Effect.flip(ledger.openAccount(userId)))._tag, "StorageError")
      assert.strictEqual((yield* Effect.flip(post(grantOf(aUserId(), 1))))._tag, "StorageError")
      assert.strictEqual((yield* Effect.flip(post(releaseOf(task(1), 1))))._tag, "StorageError")
      yield* assertSound
    }),
  )

  it.effect("a transfer outside of a transaction is a transaction of its own", () =>
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const { userId, keyId, task } = yield* account(100)
      const hold = holdOf(task(60), 1)
      yield* ledger.post(hold)
      assert.strictEqual((yield* Effect.flip(ledger.post({ ...hold, amount: 1 })))._tag, "StorageError")
      assert.deepStrictEqual(yield* balance(userId), balanceOf(40, 60, 0))
      assert.strictEqual(yield* usedUnits(keyId), 60)
      yield* assertSound
    }),
  )

  it.effect("what a failing transaction posted is gone", () =>
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const { run } = yield* Transaction
      const { userId, keyId, task } = yield* account(100)
      const hold = holdOf(task(60), 1)
      yield* Effect.flip(run(Effect.andThen(ledger.post(hold), Effect.fail("no"))))
      assert.deepStrictEqual(yield* balance(userId), balanceOf(100, 0, 0))
      assert.strictEqual(yield* usedUnits(keyId), 0)
      yield* post(hold)
      assert.deepStrictEqual(yield* balance(userId), balanceOf(40, 60, 0))
    }),
  )
}

const quotas = (it: Methods): void => {
  it.effect("document-tools 7: a hold counts against the key's quota, a release gives it back", () =>
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const { run } = yield* Transaction
      const { userId, keyId, task } = yield* account(1000, 100)
      const [first, second] = [task(70), task(30)]
      yield* post(holdOf(first, 1), holdOf(second, 1))
      assert.strictEqual(yield* usedUnits(keyId), 100)
      const refused = yield* run(Effect.flip(ledger.post(holdOf(task(1), 1))))
      assert.deepInclude(refused, { _tag: "HoldRefused", account: "key", needed: 1, available: 0 })
      assert.deepStrictEqual(yield* balance(userId), balanceOf(900, 100, 0))
      yield* post(...settlementOf(first, 50, 2))
      assert.strictEqual(yield* usedUnits(keyId), 80)
      yield* post(releaseOf(second, 2))
      assert.strictEqual(yield* usedUnits(keyId), 50)
      yield* post(holdOf(task(50), 3))
      yield* assertSound
    }),
  )
}

const reading = (it: Methods): void => {
  it.effect("transfers are listed newest first, page by page, of one user or of all", () =>
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const { userId, task } = yield* account(1000)
      const held = task(10)
      const posted = [holdOf(held, 7), ...settlementOf(held, 4, 8)]
      yield* post(...posted)
      const all = yield* ledger.list({ userId, limit: 10 })
      const rows = all.map(({ sequence: _sequence, ...transfer }) => transfer)
      assert.deepStrictEqual(rows.slice(0, 3), posted.toReversed())
      const page = yield* ledger.list({ userId, limit: 2 })
      assert.deepStrictEqual(page, all.slice(0, 2))
      const rest = yield* ledger.list({ userId, after: page[1]?.sequence ?? 0, limit: 10 })
      assert.deepStrictEqual([...page, ...rest], all)
      assert.deepStrictEqual(yield* ledger.list({ limit: 4 }), all)
      const ofTask = yield* ledger.list({ taskId: held.id, limit: 10 })
      assert.deepStrictEqual(ofTask, all.slice(0, 3))
      assert.deepStrictEqual(yield* ledger.list({ taskId: held.id, userId: aUserId(), limit: 10 }), [])
      assert.deepStrictEqual(yield* ledger.list({ taskId: aTaskId(), limit: 10 }), [])
    }),
  )

  it.effect("transfers of a time are added up by period and kind, and users by what they were charged", () =>
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const [ada, grace] = [yield* account(1000), yield* account(1000)]
      // Later than everything else in the ledger, as what is appended is.
      const day = 86_400_000
      const start = 40_000 * day
      const [one, two, three, four] = [ada.task(10), ada.task(20), grace.task(70), grace.task(5)]
      yield* post(holdOf(one, start - day), ...settlementOf(one, 10, start - day + 1))
      yield* post(holdOf(two, start), ...settlementOf(two, 15, start + 2))
      yield* post(holdOf(three, start + day), ...settlementOf(three, 70, start + day + 1))
      yield* post(holdOf(four, start + 2 * day), releaseOf(four, start + 2 * day))
      const times = { from: start, until: start + 2 * day, rowsMax: 100 }
      const first = 40_000
      const both = [
        { period: first, kind: "hold" as const, count: 1, amount: 20 },
        { period: first, kind: "release" as const, count: 1, amount: 5 },
        { period: first, kind: "settle" as const, count: 1, amount: 15 },
      ]
      const second = [
        { period: first + 1, kind: "hold" as const, count: 1, amount: 70 },
        { period: first + 1, kind: "settle" as const, count: 1, amount: 70 },
      ]
      assert.deepStrictEqual(yield* ledger.activity({ ...times, periodMillis: day }), [...both, ...second])
      const own = yield* ledger.activity({ ...times, periodMillis: day, userId: ada.userId })
      assert.deepStrictEqual(own, both)
      const newest = yield* ledger.activity({ ...times, periodMillis: day, rowsMax: 2 })
      assert.deepStrictEqual(newest, second)
      assert.deepStrictEqual(yield* ledger.activity({ ...times, from: times.until, periodMillis: day }), [])
      const spenders = [
        { userId: grace.userId, amount: 70, count: 1 },
        { userId: ada.userId, amount: 15, count: 1 },
      ]
      assert.deepStrictEqual(yield* ledger.spenders({ ...times, limit: 10 }), spenders)
      assert.deepStrictEqual(yield* ledger.spenders({ ...times, limit: 1 }), spenders.slice(0, 1))
      const before = yield* ledger.spenders({ from: start - day, until: start, rowsMax: 10, limit: 10 })
      assert.deepStrictEqual(before, [{ userId: ada.userId, amount: 10, count: 1 }])
    }),
  )

  it.effect("balances of many users are read at once; an unknown user has none", () =>
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const [rich, poor] = [yield* account(500), yield* account(0)]
      const balances = yield* ledger.balances([rich.userId, poor.userId, aUserId()])
      assert.deepStrictEqual(
        balances,
        new Map([
          [rich.userId, balanceOf(500, 0, 0)],
          [poor.userId, balanceOf(0, 0, 0)],
        ]),
      )
      assert.deepStrictEqual(yield* ledger.balances([]), new Map())
      assert.deepStrictEqual(yield* balance(aUserId()), balanceOf(0, 0, 0))
    }),
  )
}

const imageTasks = (it: Methods): void => {
  it.effect("image tasks whose hold is open are counted for each user, and nothing else is", () =>
    Effect.gen(function* () {
      const ledger = yield* LedgerStore
      const { run } = yield* Transaction
      const [one, other] = [yield* account(200, 100), yield* account(200)]
      const counts = Effect.all([ledger.imageTasks(one.userId), ledger.imageTasks(other.userId)])
      const tasks = [one.task(20), one.task(20), one.task(0)]
      const [first, second, free] = tasks as [(typeof tasks)[0], (typeof tasks)[0], (typeof tasks)[0]]
      const document = { ...one.task(20), id: aToolTaskId() }
      // Who posts is told of the count that its transfer leaves.
      for (const [index, task] of [...tasks, document].entries()) {
        assert.deepStrictEqual(yield* post(holdOf(task, 1)), [Math.min(index + 1, 3)])
      }
      assert.deepStrictEqual(yield* counts, [3, 0])
      // Neither a wallet nor a key that has too little, nor what is undone.
      for (const units of [1000, 70]) yield* Effect.flip(post(holdOf(one.task(units), 1)))
      const caught = Effect.ignore(ledger.post(holdOf(one.task(70), 1)))
      yield* run(Effect.andThen(caught, ledger.post(holdOf(other.task(1), 1))))
      yield* Effect.exit(post(holdOf(one.task(1), 1), grantOf(one.userId, -1)))
      assert.deepStrictEqual(yield* counts, [3, 1])
      assert.deepStrictEqual(yield* post(...settlementOf(first, 5, 2)), [2, 2])
      assert.deepStrictEqual(yield* post(releaseOf(second, 2)), [1])
      assert.deepStrictEqual(yield* post(releaseOf(document, 2)), [1])
      assert.deepStrictEqual(yield* counts, [1, 1])
      yield* post(...settlementOf(free, 0, 2))
      assert.deepStrictEqual(
        [yield* ledger.imageTasks(one.userId), yield* ledger.imageTasks(aUserId())],
        [0, 0],
      )
      yield* assertSound
    }),
  )
}

const Operation = Schema.Struct({
  act: Schema.Literals(["grant", "hold", "settle", "release", "undone"]),
  user: Schema.Literals([0, 1]),
  /** Which of the user's tasks, among those that there are. */
  task: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 })),
  amount: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 120 })),
})

const property = (it: Methods): void => {
  it.effect.prop(
    "contract, Money: whatever is posted, wallet + held + spent = granted, nothing is negative, and the audit finds nothing",
    { operations: Schema.Array(Operation).check(Schema.isMaxLength(40)) },
    ({ operations }) =>
      Effect.gen(function* () {
        const users = [yield* account(200, 300), yield* account(50)]
        const tasks = users.map(({ task }) => Array.from({ length: 8 }, (_, index) => task(index * 20)))
        for (const { act, user, task: index, amount } of operations) {
          const who = users[user]
          const task = tasks[user]?.[index]
          if (who === undefined || task === undefined) continue
          if (act === "grant") yield* post(grantOf(who.userId, amount))
          if (act === "hold") yield* Effect.exit(post(holdOf(task, 1)))
          if (act === "settle") yield* Effect.exit(post(...settlementOf(task, amount, 2)))
          if (act === "release") yield* Effect.exit(post(releaseOf(task, 2)))
          if (act === "undone") yield* Effect.exit(post(holdOf(task, 1), grantOf(who.userId, -1)))
          const { wallet, held, spent, granted } = yield* balance(who.userId)
          assert.strictEqual(wallet + held + spent, granted)
          assert.isTrue(wallet >= 0 && held >= 0 && spent >= 0)
        }
        yield* assertSound
      }),
    { arbitrary: { runs: 25 } },
  )
}
