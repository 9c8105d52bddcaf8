import { assert, layer as shared, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { holdOf, releaseOf, settlementOf } from "../domain/Ledger.ts"
import type { Task } from "../domain/Task.ts"
import { imageSteps, toolSteps } from "../domain/TaskState.ts"
import { LedgerStore } from "../ports/LedgerStore.ts"
import { Queue } from "../ports/Queue.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { type Totals, TotalsStore } from "../ports/TotalsStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { aKeyId, anImageTask, aToolTask, aUserId } from "./fixtures.ts"

type Services = LedgerStore | Queue | TaskStore | TotalsStore | Transaction
type Methods = Vitest.MethodsNonLive<Services>

/** What every adapter of `TotalsStore` holds, whatever writes the rows. */
export const totalsStoreSuite = (name: string, layer: Layer.Layer<Services, unknown>): void => {
  shared(layer)(`${name}: contract of TotalsStore`, (it) => {
    counting(it)
    undoing(it)
    property(it)
  })
}

/** How many rows of each total came between two readings; what stayed the same is left out. */
const grown = (before: Totals, after: Totals): Readonly<Record<string, number>> => {
  const flat = ({ tasks, jobs, transfers }: Totals) =>
    new Map([
      ...tasks.map(({ kind, state, count }) => [`task ${kind} ${state}`, count] as const),
      ...jobs.flatMap(({ kind, ready, leased }) => [
        [`job ${kind} ready`, ready] as const,
        [`job ${kind} leased`, leased] as const,
      ]),
      ...transfers.flatMap(({ kind, count, amount }) => [
        [`transfer ${kind}`, count] as const,
        [`units of ${kind}`, amount] as const,
      ]),
    ])
  const [old, now] = [flat(before), flat(after)]
  const names = [...new Set([...old.keys(), ...now.keys()])]
  const changes = names.map((name) => [name, (now.get(name) ?? 0) - (old.get(name) ?? 0)] as const)
  return Object.fromEntries(changes.filter(([, change]) => change !== 0))
}

const readTotals = Effect.flatMap(TotalsStore, ({ read }) => read)

const assertSound = Effect.gen(function* () {
  assert.deepStrictEqual(yield* (yield* TotalsStore).differences, [])
})

/** A user with money. */
const fundedUser = Effect.fnUntraced(function* (amount: number) {
  const ledger = yield* LedgerStore
  const userId = aUserId()
  yield* ledger.openAccount(userId)
  yield* ledger.post({
    id: `grant-${userId}`,
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
  return userId
})

/** A task's transfers have no key here, since a key's use is not counted. */
const moneyOf = ({ id, held }: Task, userId: Task["userId"]) => ({ id, held, userId, keyId: aKeyId() })
const withoutKey = <T extends object>(transfer: T) => ({ ...transfer, keyId: null })

const insertTask = (task: Task, userId: Task["userId"]) =>
  Effect.gen(function* () {
    yield* (yield* TaskStore).insert(task)
    yield* (yield* LedgerStore).post(withoutKey(holdOf(moneyOf(task, userId), 1)))
    yield* (yield* Queue).enqueue({ taskId: task.id, kind: task.kind, userId, runAt: 0, traceparent: null })
  })

const counting = (it: Methods): void => {
  it.effect("tasks are counted by kind and state, jobs by kind, transfers by kind with their units", () =>
    Effect.gen(function* () {
      const { run } = yield* Transaction
      const queue = yield* Queue
      const start = yield* readTotals
      const userId = yield* fundedUser(1000)
      const [image, tool] = [anImageTask({ userId }), aToolTask({ userId })]
      yield* run(Effect.andThen(insertTask(image, userId), insertTask(tool, userId)))
      const submitted = yield* readTotals
      assert.deepStrictEqual(grown(start, submitted), {
        "task image queued": 1,
        "task tool queued": 1,
        "job image ready": 1,
        "job tool ready": 1,
        "transfer grant": 1,
        "units of grant": 1000,
        "transfer hold": 2,
        "units of hold": 200,
      })
      yield* run((yield* TaskStore).update({ ...image, state: "in_progress", version: 2 }, 1))
      const started = yield* readTotals
      assert.deepStrictEqual(grown(submitted, started), {
        "task image queued": -1,
        "task image in_progress": 1,
      })
      yield* run(
        Effect.gen(function* () {
          yield* (yield* TaskStore).update({ ...image, state: "completed", version: 3 }, 2)
          const ledger = yield* LedgerStore
          for (const one of settlementOf(moneyOf(image, userId), 30, 2)) yield* ledger.post(withoutKey(one))
          yield* queue.remove(image.id)
          yield* queue.remove(tool.id)
        }),
      )
      assert.deepStrictEqual(grown(started, yield* readTotals), {
        "task image in_progress": -1,
        "task image completed": 1,
        "job image ready": -1,
        "job tool ready": -1,
        "transfer settle": 1,
        "units of settle": 30,
        "transfer release": 1,
        "units of release": 70,
      })
      yield* assertSound
    }),
  )

  it.effect("what is written at once by many is counted, each once", () =>
    Effect.gen(function* () {
      const { run } = yield* Transaction
      const users = yield* Effect.forEach(Array.from({ length: 20 }), () => fundedUser(100))
      const before = yield* readTotals
      yield* Effect.forEach(users, (userId) => run(insertTask(anImageTask({ userId }), userId)), {
        concurrency: "unbounded",
      })
      assert.deepInclude(grown(before, yield* readTotals), {
        "task image queued": 20,
        "job image ready": 20,
        "transfer hold": 20,
      })
      yield* assertSound
    }),
  )
}

const undoing = (it: Methods): void => {
  it.effect("what a failing transaction wrote, and an update that saw another version, are not counted", () =>
    Effect.gen(function* () {
      const { run } = yield* Transaction
      const store = yield* TaskStore
      const userId = yield* fundedUser(1000)
      const task = anImageTask({ userId })
      yield* run(insertTask(task, userId))
      const before = yield* readTotals
      yield* Effect.flip(run(Effect.andThen(insertTask(anImageTask({ userId }), userId), Effect.fail("no"))))
      assert.isFalse(yield* store.update({ ...task, state: "failed", version: 5 }, 4))
      assert.isTrue(yield* store.update({ ...task, progress: 50, version: 2 }, 1))
      assert.deepStrictEqual(grown(before, yield* readTotals), {})
      yield* assertSound
    }),
  )
}

const states = {
  image: [...new Set(imageSteps.map(({ to }) => to))],
  tool: [...new Set(toolSteps.map(({ to }) => to))],
}

const Operation = Schema.Struct({
  act: Schema.Literals(["submit", "move", "move", "settle", "release", "end job"]),
  kind: Schema.Literals(["image", "tool"]),
  /** Which task of the kind, among those that there are. */
  task: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
  state: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })),
  undone: Schema.Boolean,
})
type Operation = typeof Operation.Type

/** One of the things that happen to tasks; what is not possible fails and changes nothing. */
const act = Effect.fnUntraced(function* (operation: Operation, task: Task, userId: Task["userId"]) {
  const ledger = yield* LedgerStore
  const queue = yield* Queue
  const store = yield* TaskStore
  const stored = yield* store.get(task.id)
  const version = stored._tag === "Some" ? stored.value.version : 0
  switch (operation.act) {
    case "submit":
      return yield* insertTask(task, userId)
    case "move": {
      const { image, tool } = states
      const next =
        task.kind === "image"
          ? { ...task, state: image[operation.state % image.length] ?? "queued", version: version + 1 }
          : { ...task, state: tool[operation.state % tool.length] ?? "queued", version: version + 1 }
      return yield* store.update(next, version)
    }
    case "settle":
      for (const one of settlementOf(moneyOf(task, userId), 10 * operation.state, 2)) {
        yield* ledger.post(withoutKey(one))
      }
      return
    case "release":
      return yield* ledger.post(withoutKey(releaseOf(moneyOf(task, userId), 2)))
    case "end job":
      return yield* queue.remove(task.id)
  }
})

const property = (it: Methods): void => {
  it.effect.prop(
    "whatever happens to tasks in whatever order, kept or undone, the totals are what counting gives",
    { operations: Schema.Array(Operation).check(Schema.isMaxLength(40)) },
    ({ operations }) =>
      Effect.gen(function* () {
        const { run } = yield* Transaction
        const userId = yield* fundedUser(350)
        const tasks = {
          image: Array.from({ length: 4 }, () => anImageTask({ userId })),
          tool: Array.from({ length: 4 }, () => aToolTask({ userId })),
        }
        for (const operation of operations) {
          const task = tasks[operation.kind][operation.task]
          if (task === undefined) continue
          const done = act(operation, task, userId)
          yield* Effect.exit(run(operation.undone ? Effect.andThen(done, Effect.fail("undone")) : done))
        }
        yield* assertSound
      }),
    { arbitrary: { runs: 25 } },
  )
}
