import { holdOf, IdempotencyStore, KeyStore, LedgerStore, Queue, TaskStore, Transaction } from "@atelier/core"
import {
  aKey,
  anImageTask,
  aRecord,
  atEveryStep,
  aUser,
  failingStores,
  leaseJobs,
} from "@atelier/core/testing"
import { Sql } from "@atelier/sql"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { temporaryDatabase } from "./temporary.ts"

/** A user with 1,000 units, and a submission of 100 with everything that it writes. */
const submission = Effect.gen(function* () {
  const [keys, ledger, tasks] = [yield* KeyStore, yield* LedgerStore, yield* TaskStore]
  const [queue, records, { run }] = [yield* Queue, yield* IdempotencyStore, yield* Transaction]
  const user = aUser()
  const key = aKey({ userId: user.id })
  const owner = { userId: user.id, keyId: key.id }
  const task = anImageTask({ ...owner, held: 100 })
  const record = aRecord({ keyId: key.id, taskId: task.id })
  yield* keys.insertUser(user)
  yield* keys.insertKey(key)
  yield* ledger.openAccount(user.id)
  yield* ledger.post({
    id: `grant:${user.id}`,
    kind: "grant",
    phase: null,
    userId: user.id,
    keyId: null,
    taskId: null,
    debit: "granted",
    credit: "wallet",
    amount: 1000,
    reason: "welcome",
    at: 1,
  })
  const submit = run(
    Effect.gen(function* () {
      yield* records.put(record, 1000)
      yield* ledger.post(holdOf(task, 1))
      yield* tasks.insert(task)
      yield* queue.enqueue({ taskId: task.id, kind: "image", userId: user.id, runAt: 0, traceparent: null })
    }),
  )
  return { owner, task, record, submit }
})

/** What of a submission is stored: the hold, the task, the record, the job. */
const traces = Effect.fnUntraced(function* (made: Effect.Success<typeof submission>) {
  const [ledger, tasks] = [yield* LedgerStore, yield* TaskStore]
  const [queue, records] = [yield* Queue, yield* IdempotencyStore]
  const { held } = yield* ledger.balance(made.owner.userId)
  const task = yield* tasks.get(made.task.id)
  const record = yield* records.get(made.record.keyId, made.record.idempotencyKey, 1000)
  const jobs = yield* leaseJobs(queue, "image", 10)
  yield* Effect.forEach(jobs, queue.complete)
  return [held === 100, Option.isSome(task), Option.isSome(record), jobs.length === 1]
})

const steps = [
  "Transaction.run",
  "IdempotencyStore.put",
  "LedgerStore.post",
  "TaskStore.insert",
  "Queue.enqueue",
  "Transaction.commit",
]

layer(failingStores(Sql.layerSqlite({ filename: temporaryDatabase() })))(
  "a store fails at a chosen call",
  (it) => {
    it.effect.each(["fail", "die", "lose"] as const)(
      "a submission is stored whole or not at all, whatever step ends in: %s",
      (fault) =>
        Effect.gen(function* () {
          const seen = new Set<string>()
          const calls = yield* atEveryStep(fault, (act) =>
            Effect.gen(function* () {
              const made = yield* submission
              const exit = yield* Effect.exit(act(made.submit))
              const found = yield* traces(made)
              seen.add(`${exit._tag} ${found.join()}`)
              if (Exit.isSuccess(exit)) assert.deepStrictEqual(found, [true, true, true, true])
              assert.strictEqual(new Set(found).size, 1, "half of it is there")
            }),
          )
          assert.deepStrictEqual(calls, steps)
          // A lost answer of the transaction itself is the one failure after which everything is there.
          assert.strictEqual(seen.has("Failure true,true,true,true"), fault === "lose")
          assert.deepStrictEqual(yield* (yield* LedgerStore).audit, [])
        }),
    )
  },
)
