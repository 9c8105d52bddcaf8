import { writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  Blobs,
  Callbacks,
  defaultLimits,
  type ImageTask,
  ImageTasks,
  LedgerStore,
  Limits,
  type Principal,
  type Task,
  TaskStore,
  Tasks,
  ToolFiles,
  ToolTasks,
  TotalsStore,
  Transaction,
  Workers,
} from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { balanceOf, freshAtelier, principalWith, temporaryDirectory } from "../support/atelier.ts"

const submit = Effect.fnUntraced(function* (
  principal: Principal,
  { callbackUrl, idempotencyKey = null }: { callbackUrl?: string; idempotencyKey?: string | null } = {},
) {
  const images = yield* ImageTasks
  const { value } = yield* images.submit({
    principal,
    body: {
      model: "test-model",
      prompt: "a lighthouse",
      ...(callbackUrl === undefined ? {} : { callback_url: callbackUrl }),
    },
    idempotencyKey,
  })
  return value
})

const parse = Effect.fnUntraced(function* (principal: Principal) {
  const path = join(yield* temporaryDirectory, "upload")
  writeFileSync(path, "hello")
  const files = yield* ToolFiles
  const given = { path, filename: "a.txt", bytes: 5, sha256: "" }
  const { id: fileId } = yield* files.upload(principal, "test-tool", given)
  const tools = yield* ToolTasks
  const idempotencyKey = "a-document"
  return (yield* tools.invoke({ principal, toolId: "test-tool", fileId, idempotencyKey })).value
}, Effect.scoped)

const retention = (duration: Duration.Input) =>
  Effect.provideService(Limits, {
    ...defaultLimits,
    finished_task_retention_ms: Duration.toMillis(Duration.fromInputUnsafe(duration)),
  })

/** Disks go on, the clock does not. */
const moment = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Runs the workers until all tasks are as they are wanted. */
const workUntil = Effect.fnUntraced(
  function* (tasks: ReadonlyArray<Task>, isWanted: (found: Option.Option<Task>) => boolean) {
    const store = yield* TaskStore
    for (const { id } of tasks) while (!isWanted(yield* store.get(id))) yield* moment
  },
  (run) => Effect.provide(run, Workers.layer),
)

/** Runs the workers until no job is left of these tasks, so that a callback was delivered too. */
const finish = Effect.fnUntraced(function* (principal: Principal, ...tasks: ReadonlyArray<Task>) {
  const all = yield* Tasks
  yield* Effect.provide(
    Effect.gen(function* () {
      for (const { id } of tasks) yield* Stream.runDrain(all.changes(principal, id))
      const callbacks = yield* Callbacks
      for (const { id } of tasks) {
        const isPending = Effect.map(
          callbacks.get(principal, id),
          Option.exists(({ state }) => state === "pending"),
        )
        while (yield* isPending) yield* moment
      }
    }),
    Workers.layer,
  )
})

const blobOf = Effect.fnUntraced(function* ({ id }: Task) {
  const task = Option.getOrThrow(yield* (yield* TaskStore).get(id)) as ImageTask
  return task.result?.assets[0]?.blob ?? ""
})

const codeOf = <A, E, R>(refused: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(refused), (error) => (error as { readonly code?: string }).code)

const isThere = (key: string) =>
  Effect.map(
    Effect.flatMap(Blobs, ({ stat }) => stat(key)),
    Option.isSome,
  )

describe("retention of finished tasks", () => {
  it.effect("tasks, results and callbacks are gone after it; ledger, balances and totals stay exact", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const tasks = yield* Tasks
      const ledger = yield* LedgerStore
      const image = yield* submit(principal, { callbackUrl: "https://example.com/hook" })
      const document = yield* parse(principal)
      yield* finish(principal, image, document)
      const blob = yield* blobOf(image)
      const balance = yield* balanceOf(principal)
      const transfers = yield* ledger.list({ userId: principal.user.id, limit: 100 })
      assert.isTrue(yield* isThere(blob))

      yield* TestClock.adjust("29 days")
      const young = yield* submit(principal)
      yield* finish(principal, young)
      assert.strictEqual((yield* tasks.get(principal, image.id)).state, "completed")

      yield* TestClock.adjust("1 day")
      yield* workUntil([image, document], Option.isNone)
      assert.strictEqual(yield* codeOf(tasks.get(principal, image.id)), "task_not_found")
      assert.strictEqual(yield* codeOf(tasks.get(principal, document.id)), "task_not_found")
      assert.strictEqual(yield* codeOf((yield* ToolTasks).result(principal, document.id)), "task_not_found")
      assert.strictEqual(yield* codeOf((yield* Callbacks).get(principal, image.id)), "task_not_found")
      assert.isFalse(yield* isThere(blob))
      assert.deepStrictEqual(
        (yield* tasks.list(principal, { limit: 10 })).map(({ id }) => id),
        [young.id],
      )
      assert.isTrue(yield* isThere(yield* blobOf(young)), "the same bytes, of another task")

      const { wallet, spent } = yield* balanceOf(principal)
      assert.deepStrictEqual([wallet, spent], [balance.wallet - 50_000, balance.spent + 50_000])
      const kept = yield* ledger.list({ userId: principal.user.id, limit: 100 })
      assert.includeDeepMembers([...kept], [...transfers])
      assert.deepStrictEqual(yield* (yield* TotalsStore).differences, [])
    }).pipe(retention("30 days"), Effect.provide(freshAtelier)),
  )

  it.effect("a task stays as long as its idempotency key is good: a repetition makes no second one", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const [keyed, free] = [
        yield* submit(principal, { idempotencyKey: "order-1" }),
        yield* submit(principal),
      ]
      yield* finish(principal, keyed, free)
      yield* TestClock.adjust("6 days")
      yield* workUntil([free], Option.isNone)
      assert.strictEqual((yield* submit(principal, { idempotencyKey: "order-1" })).id, keyed.id)
      yield* TestClock.adjust("1 day")
      yield* workUntil([keyed], Option.isNone)
      assert.notStrictEqual((yield* submit(principal, { idempotencyKey: "order-1" })).id, keyed.id)
    }).pipe(retention("1 hour"), Effect.provide(freshAtelier)),
  )

  it.effect("what is under way stays: a task that is not final, and a callback that is still tried", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const store = yield* TaskStore
      const queued = yield* submit(principal)
      const removable = Effect.flatMap(TestClock.adjust("2 hours"), () =>
        store.removable({ acceptedBefore: 1, now: 7_200_000, after: 0, limit: 10 }),
      )
      assert.deepStrictEqual(yield* removable, [])
      yield* workUntil(
        [queued],
        Option.exists(({ state }) => state === "failed"),
      )
      assert.deepStrictEqual(
        (yield* removable).map(({ task }) => task.id),
        [queued.id],
      )
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("a page goes on behind the one before, also where its last task is gone", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const [store, transaction] = [yield* TaskStore, yield* Transaction]
      const [one, two, three] = [yield* submit(principal), yield* submit(principal), yield* submit(principal)]
      yield* finish(principal, one, two, three)
      const page = (after: number) => store.removable({ acceptedBefore: 1, now: 7_200_000, after, limit: 2 })
      const [first, second] = yield* page(0)
      assert.deepStrictEqual([first?.task.id, second?.task.id], [one.id, two.id])
      yield* transaction.run(store.remove(two.id))
      assert.deepStrictEqual(
        (yield* page(second?.sequence ?? 0)).map(({ task }) => task.id),
        [three.id],
      )
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("one whose images went before a crash is removed by the next look", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const task = yield* submit(principal)
      yield* finish(principal, task)
      yield* (yield* Blobs).remove(yield* blobOf(task))
      yield* TestClock.adjust("1 day")
      yield* workUntil([task], Option.isNone)
    }).pipe(retention("1 day"), Effect.provide(freshAtelier)),
  )

  it.effect("nothing is removed unless it is set", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const task = yield* submit(principal)
      yield* finish(principal, task)
      yield* TestClock.adjust("3650 days")
      const later = yield* submit(principal)
      yield* finish(principal, later)
      assert.isTrue(yield* isThere(yield* blobOf(task)))
    }).pipe(Effect.provide(freshAtelier)),
  )
})
