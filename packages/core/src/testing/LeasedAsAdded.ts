import { assert, layer } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import { StorageError } from "../domain/CoreError.ts"
import type { TaskId } from "../domain/Ids.ts"
import { type Job, type JobKind, Queue } from "../ports/Queue.ts"
import { Transaction } from "../ports/Transaction.ts"
import { aTaskId, aUserId } from "./fixtures.ts"
import { runBy } from "./leaseJobs.ts"

const addAs = Effect.fnUntraced(function* (taskId: TaskId, kind: JobKind, userId = aUserId()) {
  const queue = yield* Queue
  yield* queue.enqueue({ taskId, kind, userId, runAt: yield* Clock.currentTimeMillis, traceparent: null })
})

const add = (taskId: TaskId, userId = aUserId()) => addAs(taskId, "image", userId)

const committed = Effect.fnUntraced(function* (taskId: TaskId, userId = aUserId()) {
  yield* run(add(taskId, userId))
  return taskId
})

/** The jobs that are leased as the transaction sees them. */
const leased = Effect.gen(function* () {
  const counts = yield* (yield* Queue).counts
  return counts.find(({ kind }) => kind === "image")?.leased ?? 0
})

const turns = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))

const until = (holds: () => boolean) =>
  Effect.gen(function* () {
    while (!holds()) yield* turns
  })

const run = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Transaction, (transaction) => transaction.run(body))

/** A server of images that is idle, the tasks that it began, and a way to end one. */
const serving = Effect.fnUntraced(function* (
  concurrency: number,
  begins: (job: Job) => Effect.Effect<void, StorageError> = () => Effect.void,
) {
  const queue = yield* Queue
  const transaction = yield* Transaction
  const begun: Array<TaskId> = []
  const ends = new Map<TaskId, Deferred.Deferred<void>>()
  const work = (job: Job) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      ends.set(job.taskId, end)
      begun.push(job.taskId)
      yield* Deferred.await(end)
      yield* Effect.orDie(transaction.run(queue.complete(job)))
    })
  const begin = runBy(queue, work)
  const fiber = yield* Effect.forkChild(
    queue.serve("image", concurrency, (job) => Effect.andThen(begins(job), begin(job))),
  )
  // A first job by way of the queue: after it the server has found that nothing waits.
  const first = yield* committed(aTaskId())
  yield* until(() => begun.includes(first))
  // Once nothing waits, which the server finds out by itself: undone, so that nothing is left.
  const asAdded = run(Effect.andThen(add(aTaskId()), Effect.flatMap(leased, Effect.fail)))
  const end = (taskId: TaskId) =>
    Effect.suspend(() => Deferred.succeed(ends.get(taskId) ?? assert.fail("it was not begun"), undefined))
  yield* end(first)
  while ((yield* queue.counts).length > 0) yield* turns
  while ((yield* Effect.flip(asAdded)) !== 1) yield* turns
  begun.length = 0
  return { begun, end, fiber }
})

/** Where no due job waits and a place is free, a job is leased as it is added (decision 17). */
export const leasedAsAddedSuite = <E>(name: string, stores: Layer.Layer<Queue | Transaction, E>) =>
  layer(stores)(`${name}: a job that may run at once is leased as it is added`, (it) => {
    it.effect("and begun after the commit", () =>
      Effect.gen(function* () {
        const { begun, end, fiber } = yield* serving(2)
        const taskId = aTaskId()
        const within = yield* run(
          Effect.gen(function* () {
            yield* add(taskId)
            assert.deepStrictEqual(begun, [])
            return yield* leased
          }),
        )
        assert.strictEqual(within, 1)
        yield* until(() => begun.length > 0)
        assert.deepStrictEqual(begun, [taskId])
        yield* end(taskId)
        yield* Fiber.interrupt(fiber)
      }),
    )

    it.effect("unless every place is taken: then it waits for one, behind those who wait", () =>
      Effect.gen(function* () {
        const { begun, end, fiber } = yield* serving(1)
        const running = yield* committed(aTaskId())
        const waiting = yield* committed(aTaskId())
        assert.strictEqual(yield* leased, 1)
        // In one turn: a place is given back, and another job comes.
        yield* end(running)
        const late = yield* committed(aTaskId())
        yield* until(() => begun.length === 2)
        assert.deepStrictEqual(begun, [running, waiting])
        yield* end(waiting)
        yield* until(() => begun.length === 3)
        yield* end(late)
        yield* Fiber.interrupt(fiber)
      }),
    )

    it.effect("a transaction that is undone gives the place back, and a part of one, too", () =>
      Effect.gen(function* () {
        const { begun, end, fiber } = yield* serving(1)
        const undone = (taskId: TaskId) =>
          Effect.exit(run(Effect.andThen(add(taskId), Effect.fail("undone"))))
        yield* undone(aTaskId())
        yield* run(undone(aTaskId()))
        const taskId = aTaskId()
        assert.strictEqual(yield* run(Effect.andThen(add(taskId), leased)), 1)
        yield* until(() => begun.length > 0)
        assert.deepStrictEqual(begun, [taskId])
        yield* end(taskId)
        yield* Fiber.interrupt(fiber)
      }),
    )

    it.effect("but not in a transaction within another, which goes on: it waits for the commit", () =>
      Effect.gen(function* () {
        const { begun, end, fiber } = yield* serving(2)
        const taskId = aTaskId()
        assert.strictEqual(yield* run(Effect.andThen(run(add(taskId)), leased)), 0)
        yield* until(() => begun.length > 0)
        assert.deepStrictEqual(begun, [taskId])
        yield* end(taskId)
        yield* Fiber.interrupt(fiber)
      }),
    )

    it.effect(
      "what is written as it begins is part of the transaction that adds it, and so is a failure",
      () =>
        Effect.gen(function* () {
          const queue = yield* Queue
          const written = aTaskId()
          let [writes, fails] = [false, false]
          const failure = new StorageError({ operation: "begin", cause: "made to fail" })
          const { begun, end, fiber } = yield* serving(2, () =>
            Effect.gen(function* () {
              if (writes) yield* addAs(written, "callback")
              if (fails) yield* failure
            }).pipe(Effect.provideService(Queue, queue)),
          )
          const callbacks = Effect.map(
            queue.counts,
            (all) => all.find(({ kind }) => kind === "callback")?.ready ?? 0,
          )
          writes = true
          const taskId = aTaskId()
          const seen = yield* Effect.flip(
            run(Effect.flatMap(Effect.andThen(add(taskId), callbacks), (count) => Effect.fail(count))),
          )
          assert.strictEqual(seen, 1)
          assert.strictEqual(yield* callbacks, 0)
          fails = true
          const refused = yield* Effect.flip(run(add(taskId)))
          assert.strictEqual(refused, failure)
          assert.deepStrictEqual(yield* queue.counts, [])
          fails = false
          yield* run(add(taskId))
          yield* until(() => begun.length > 0)
          assert.deepStrictEqual([begun, yield* callbacks], [[taskId], 1])
          yield* end(taskId)
          yield* run(queue.remove(written))
          yield* Fiber.interrupt(fiber)
        }),
    )

    it.effect("where the serving ended before the commit, it is given back", () =>
      Effect.gen(function* () {
        const { begun, fiber } = yield* serving(1)
        const queue = yield* Queue
        const taskId = aTaskId()
        yield* run(Effect.andThen(add(taskId), Fiber.interrupt(fiber)))
        assert.deepStrictEqual(begun, [])
        assert.strictEqual(yield* leased, 0)
        assert.strictEqual((yield* queue.counts)[0]?.due, 1)
        yield* run(queue.remove(taskId))
      }),
    )
  })
