import { assert, layer as shared, type Vitest } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { StorageError } from "../domain/CoreError.ts"
import type { TaskId, UserId } from "../domain/Ids.ts"
import { defaults, Limits } from "../domain/Limits.ts"
import { type Job, type JobKind, Queue } from "../ports/Queue.ts"
import { Transaction } from "../ports/Transaction.ts"
import { positionIn } from "../services/WaitingTimes.ts"
import { aTaskId, aUserId } from "./fixtures.ts"
import { leaseJobs, moment, runBy } from "./leaseJobs.ts"

type Services = Queue | Transaction

/** The queue as another process on the same storage has it. */
class Other extends Context.Service<Other, Queue["Service"]>()("@atelier/core/testing/Queue/Other") {}

type Methods = Vitest.MethodsNonLive<Services | Other>

/** Long enough that no job is lost only because the machine is busy. */
const realLeaseMs = 6000

/** Between two polls of a queue: where one is waited for, a test does not end. */
const hourMs = 3_600_000

/** How time passes for a queue, in milliseconds. */
interface Time {
  readonly pass: (duration: number) => Effect.Effect<void>
  /** Whether the fiber ends without any time passing that matters. */
  readonly endsNow: <A, E>(fiber: Fiber.Fiber<A, E>) => Effect.Effect<boolean>
  /** The shortest time that makes a difference. */
  readonly tick: number
  /** Shorter than the poll interval; and what passes of it before a look that comes too early. */
  readonly soon: number
  readonly beforeSoon: number
  /** What may pass after the end of a lease until the job can be claimed. */
  readonly takeover: number
}

const endsWithin =
  (turns: number, turn: Effect.Effect<void>): Time["endsNow"] =>
  (fiber) =>
    Effect.gen(function* () {
      for (let count = 0; count < turns && fiber.pollUnsafe() === undefined; count++) yield* turn
      return fiber.pollUnsafe() !== undefined
    })

const virtual: Time = {
  pass: (duration) => TestClock.adjust(duration),
  endsNow: endsWithin(50, Effect.andThen(TestClock.adjust(0), moment)),
  tick: 1,
  soon: 100,
  beforeSoon: 99,
  takeover: 0,
}

const real: Time = {
  pass: (duration) => Effect.sleep(duration),
  endsNow: endsWithin(10, Effect.sleep(20)),
  tick: realLeaseMs / 3,
  soon: 900,
  beforeSoon: 250,
  takeover: 1500,
}

/**
 * What every adapter of `Queue` holds. The storage starts empty; `other` is a second process on the same
 * storage: it must not be shared with `layer`. An adapter whose engine keeps time by a clock of its own is
 * `realTime`: then time passes by waiting, with leases of `realLeaseMs`.
 */
export const queueSuite = (
  name: string,
  layer: Layer.Layer<Services, unknown>,
  other: Layer.Layer<Queue, unknown>,
  { realTime = false }: { readonly realTime?: boolean } = {},
): void => {
  const lease = realTime ? { job_lease_ms: realLeaseMs } : {}
  const limits = Layer.succeed(Limits, { ...defaults, ...lease, queue_poll_ms: hourMs })
  const another = Layer.effect(Other, Queue).pipe(Layer.provide(Layer.fresh(other)))
  const all = Layer.provideMerge(another, layer).pipe(Layer.provideMerge(limits))
  shared(all, { excludeTestServices: realTime })(`${name}: contract of Queue`, (it) => {
    const time = realTime ? real : virtual
    claims(it, time)
    turns(it)
    ages(it)
    order(it)
    leases(it, time)
    fencing(it, time)
    serving(it, time)
  })
}

const enqueue = Effect.fnUntraced(function* (
  runAt: number,
  kind: JobKind = "image",
  taskId = newTaskId(),
  userId = aUserId(),
) {
  const queue = yield* Queue
  const { run } = yield* Transaction
  yield* run(queue.enqueue({ taskId, kind, userId, runAt, traceparent: null }))
  return taskId
})

/** Due jobs of one user, one after another. */
const enqueueMany = (userId: UserId, count: number) =>
  Effect.forEach(Array.from({ length: count }), (_, index) => enqueue(index, "image", newTaskId(), userId))

/** The tasks of this file's tests. */
const made = new Set<TaskId>()

const newTaskId = () => {
  const taskId = aTaskId()
  made.add(taskId)
  return taskId
}

/** Ends every job that the test knows of, so that tests of one storage do not meet each other's. */
const cleared = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.scoped(clearedAfter(test))

const clearedAfter = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { run } = yield* Transaction
    const queue = yield* Queue
    assert.deepStrictEqual(yield* queue.counts, [])
    const clear = Effect.suspend(() => Effect.forEach([...made], (taskId) => run(queue.remove(taskId))))
    return yield* Effect.ensuring(test, Effect.orDie(clear))
  })

const ids = (jobs: ReadonlyArray<Job>) => jobs.map((job) => job.taskId)
const claimOne = Effect.fnUntraced(function* (queue: Queue["Service"]) {
  const [job] = yield* leaseJobs(queue, "image", 1)
  return job ?? assert.fail("no job was due")
})

const claims = (it: Methods, time: Time): void => {
  it.effect("a user's due jobs of a kind are claimed in the order in which they fall due, then by task", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const now = yield* Clock.currentTimeMillis
        const [late, tie2, tie1] = [newTaskId(), newTaskId(), newTaskId()].toReversed() as [
          TaskId,
          TaskId,
          TaskId,
        ]
        const userId = aUserId()
        yield* enqueue(now, "image", late, userId)
        yield* enqueue(now - 5, "image", tie2, userId)
        yield* enqueue(now - 5, "image", tie1, userId)
        yield* enqueue(now + 60_000, "image", newTaskId(), userId)
        const tool = yield* enqueue(now - 9, "tool", newTaskId(), userId)
        assert.deepStrictEqual(ids([yield* claimOne(queue), yield* claimOne(queue)]), [tie1, tie2])
        assert.deepStrictEqual(ids(yield* leaseJobs(queue, "image", 9)), [late])
        assert.deepStrictEqual(yield* leaseJobs(queue, "image", 9), [])
        assert.deepStrictEqual(yield* leaseJobs(queue, "tool", 9), [
          { taskId: tool, kind: "tool", epoch: 1, attempt: 1, lost: 0, traceparent: null },
        ])
      }),
    ),
  )

  it.effect("two processes that serve at once never run a job twice", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const other = yield* Other
        const now = yield* Clock.currentTimeMillis
        const all = yield* Effect.forEach(Array.from({ length: 30 }), () => enqueue(now))
        const claimed: Array<TaskId> = []
        const serving = yield* Effect.forEach([queue, other], (one) =>
          Effect.forkChild(
            one.serve(
              "image",
              5,
              runBy(one, (job) =>
                Effect.suspend(() => {
                  claimed.push(job.taskId)
                  return Effect.ignore(one.complete(job))
                }),
              ),
            ),
          ),
        )
        // Of two processes on one file, one waits for the other's lock. No faster than time passes here: leases last.
        const passing = Effect.andThen(time.pass(1), moment)
        while (claimed.length < all.length) yield* passing
        const ended = yield* Effect.forkChild(Fiber.interruptAll(serving))
        while (ended.pollUnsafe() === undefined) yield* passing
        assert.deepStrictEqual(claimed.toSorted(), all.toSorted())
      }),
    ),
  )

  it.effect("a job is undone with its transaction, and a task has one job at a time", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const { run } = yield* Transaction
        const [taskId, userId] = [newTaskId(), aUserId()]
        const add = queue.enqueue({ taskId, kind: "image", userId, runAt: 0, traceparent: null })
        yield* Effect.flip(run(Effect.andThen(add, Effect.fail("no"))))
        assert.deepStrictEqual(yield* leaseJobs(queue, "image", 9), [])
        yield* run(add)
        assert.strictEqual((yield* Effect.flip(run(add)))._tag, "StorageError")
        assert.deepStrictEqual(ids(yield* leaseJobs(queue, "image", 9)), [taskId])
      }),
    ),
  )

  it.effect("a job keeps the place in a trace that it was added with, through every claim", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const { run } = yield* Transaction
        const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`
        yield* run(
          queue.enqueue({ taskId: newTaskId(), kind: "image", userId: aUserId(), runAt: 0, traceparent }),
        )
        const job = yield* claimOne(queue)
        assert.strictEqual(job.traceparent, traceparent)
        yield* queue.release(job, 0)
        assert.strictEqual((yield* claimOne(queue)).traceparent, traceparent)
      }),
    ),
  )

  it.effect("jobs are counted by kind", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        yield* enqueue(0)
        yield* enqueue(0)
        yield* enqueue(0, "tool")
        yield* enqueue((yield* Clock.currentTimeMillis) + 60_000, "tool")
        yield* leaseJobs(queue, "image", 1)
        assert.deepStrictEqual(
          (yield* queue.counts).map((row) => ({ ...row })).toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
          [
            { kind: "image", ready: 1, leased: 1, due: 1 },
            { kind: "tool", ready: 2, leased: 0, due: 1 },
          ],
        )
      }),
    ),
  )
}

const ages = (it: Methods): void => {
  it.effect("tells how long the longest-waiting due job of a kind has waited, and of no other", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        assert.deepStrictEqual([...(yield* queue.oldest)], [])
        const now = yield* Clock.currentTimeMillis
        yield* enqueue(now + 60_000, "tool")
        yield* enqueue(now - 7000, "image")
        yield* enqueue(now - 5000, "image")
        const first = yield* queue.oldest
        assert.deepStrictEqual([...first.keys()], ["image"])
        assert.isAtLeast(first.get("image") ?? 0, 7000)
        // What is leased waits no more.
        yield* claimOne(queue)
        const second = (yield* queue.oldest).get("image") ?? 0
        assert.isAtLeast(second, 5000)
        yield* claimOne(queue)
        assert.deepStrictEqual([...(yield* queue.oldest)], [])
      }),
    ),
  )
}

const order = (it: Methods): void => {
  const placesOf = Effect.fnUntraced(function* (jobs: ReadonlyArray<readonly [UserId, TaskId]>) {
    const queue = yield* Queue
    const { users } = yield* queue.turns("image")
    return yield* Effect.forEach(jobs, ([userId, taskId]) =>
      Effect.map(queue.ahead(taskId), (ahead) => (ahead === null ? null : positionIn(users, userId, ahead))),
    )
  })

  it.effect("the places that it tells are the order in which jobs start, if none ends", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const users = [aUserId(), aUserId(), aUserId(), aUserId()] as const
        const jobs: Array<readonly [UserId, TaskId]> = []
        const add = Effect.fnUntraced(function* (userId: UserId, count: number) {
          for (const taskId of yield* enqueueMany(userId, count)) jobs.push([userId, taskId])
        })
        yield* add(users[0], 6)
        yield* add(users[1], 4)
        for (let step = 0; step < 3; step++) yield* claimOne(queue)
        yield* add(users[2], 3)
        yield* add(users[3], 1)
        const told = yield* placesOf(jobs)
        const places = new Map(jobs.map(([, taskId], index) => [taskId, told[index]]))
        const started = [...places].filter(([, place]) => place === null)
        assert.strictEqual(started.length, 3)
        assert.strictEqual((yield* queue.turns("image")).running, 3)
        for (let place = 1; place <= 11; place++) {
          assert.strictEqual(places.get((yield* claimOne(queue)).taskId), place)
        }
        assert.deepStrictEqual(yield* queue.turns("image"), { running: 14, users: [] })
      }),
    ),
  )

  it.effect("a job that falls due later, is leased or is of another kind has no place before others", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const now = yield* Clock.currentTimeMillis
        const userId = aUserId()
        yield* enqueue(now + 60_000, "image", newTaskId(), userId)
        yield* enqueue(now + 60_000)
        yield* enqueue(0, "tool", newTaskId(), userId)
        const leased = yield* enqueue(0, "image", newTaskId(), userId)
        assert.deepStrictEqual(ids([yield* claimOne(queue)]), [leased])
        const own = yield* enqueue(0, "image", newTaskId(), userId)
        assert.deepStrictEqual(yield* placesOf([[userId, own]]), [1])
        assert.deepStrictEqual(yield* queue.turns("image"), {
          running: 1,
          users: [{ userId, running: 1, waiting: 1 }],
        })
        assert.isNull(yield* queue.ahead(leased))
        assert.isNull(yield* queue.ahead(newTaskId()))
      }),
    ),
  )
}

const turns = (it: Methods): void => {
  /** Claims one job and ends it, `count` times; which of them were of `chosen`. */
  const workThrough = Effect.fnUntraced(function* (count: number, chosen: ReadonlyArray<TaskId>) {
    const queue = yield* Queue
    const found: Array<boolean> = []
    for (let step = 0; step < count; step++) {
      const job = yield* claimOne(queue)
      found.push(chosen.includes(job.taskId))
      yield* queue.complete(job)
    }
    return found
  })

  it.effect("users take turns, however many jobs of one wait, and whoever came first", () =>
    cleared(
      Effect.gen(function* () {
        const first = aUserId()
        const many = yield* enqueueMany(first, 40)
        assert.notInclude(yield* workThrough(15, many), false)
        const later = yield* enqueueMany(aUserId(), 20)
        const found = yield* workThrough(20, later)
        assert.deepStrictEqual(
          found.slice(1),
          found.slice(0, -1).map((own) => !own),
        )
      }),
    ),
  )

  it.effect("a user who always has another job delays one with many by no more than that job", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const many = yield* enqueueMany(aUserId(), 20)
        yield* workThrough(5, many)
        const steady = aUserId()
        const own = [...(yield* enqueueMany(steady, 1))]
        const turns: Array<boolean> = []
        for (let step = 0; step < 16; step++) {
          const job = yield* claimOne(queue)
          turns.push(own.includes(job.taskId))
          // The next one is there before this one has ended.
          if (turns.at(-1)) own.push(...(yield* enqueueMany(steady, 1)))
          yield* queue.complete(job)
        }
        assert.strictEqual(turns.filter((mine) => mine).length, 8)
      }),
    ),
  )

  it.effect("who runs fewer jobs comes first", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const many = yield* enqueueMany(aUserId(), 20)
        for (let step = 0; step < 4; step++) yield* claimOne(queue)
        const few = yield* enqueueMany(aUserId(), 5)
        const next = yield* Effect.forEach(Array.from({ length: 4 }), () => claimOne(queue))
        assert.deepStrictEqual(ids(next), few.slice(0, 4))
        const both = yield* Effect.forEach(Array.from({ length: 2 }), () => claimOne(queue))
        assert.deepStrictEqual(new Set(ids(both)), new Set([many[4], few[4]]))
      }),
    ),
  )

  it.effect("a user alone gets every place", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const all = yield* enqueueMany(aUserId(), 30)
        assert.deepStrictEqual(ids(yield* leaseJobs(queue, "image", 16)).toSorted(), all.slice(0, 16))
        assert.deepStrictEqual(ids(yield* leaseJobs(queue, "image", 99)).toSorted(), all.slice(16))
      }),
    ),
  )

  it.effect("one claim for several places is shared by those who wait", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const many = yield* enqueueMany(aUserId(), 20)
        const few = yield* enqueueMany(aUserId(), 3)
        const one = yield* enqueueMany(aUserId(), 1)
        const claimed = new Set<TaskId>()
        for (let step = 0; step < 2; step++) {
          for (const job of yield* leaseJobs(queue, "image", 4)) claimed.add(job.taskId)
        }
        assert.deepStrictEqual(claimed, new Set([...many.slice(0, 4), ...few, ...one]))
      }),
    ),
  )

  it.effect("jobs that were given back take turns like new ones", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        yield* enqueueMany(aUserId(), 20)
        yield* Effect.forEach(yield* leaseJobs(queue, "image", 20), (job) => queue.release(job, 0))
        const [one] = yield* enqueueMany(aUserId(), 1)
        const next = [yield* claimOne(queue), yield* claimOne(queue)]
        assert.include(ids(next), one)
      }),
    ),
  )

  it.effect("jobs that were removed, and jobs that are due later, take no turns", () =>
    cleared(
      Effect.gen(function* () {
        const [queue, { run }] = [yield* Queue, yield* Transaction]
        const now = yield* Clock.currentTimeMillis
        const [user, other] = [aUserId(), aUserId()]
        const removed = yield* enqueueMany(user, 3)
        yield* enqueue(now + 60_000, "image", newTaskId(), other)
        const kept = yield* enqueueMany(aUserId(), 2)
        yield* Effect.forEach(removed, (taskId) => run(queue.remove(taskId)))
        assert.deepStrictEqual(ids(yield* leaseJobs(queue, "image", 9)).toSorted(), kept)
        const again = yield* enqueueMany(user, 1)
        assert.deepStrictEqual(ids(yield* leaseJobs(queue, "image", 9)), again)
      }),
    ),
  )
}

const leases = (it: Methods, time: Time): void => {
  it.effect("a job whose holder is silent for its lease goes to another, in front of newer jobs", () =>
    cleared(
      Effect.gen(function* () {
        const [queue, other, limits] = [yield* Queue, yield* Other, yield* Limits]
        const now = yield* Clock.currentTimeMillis
        const taskId = yield* enqueue(now)
        yield* claimOne(queue)
        yield* time.pass(limits.job_lease_ms - time.tick)
        const newer = yield* enqueue(now + 1)
        assert.deepStrictEqual(ids(yield* leaseJobs(other, "image", 1)), [newer])
        yield* enqueue(now + 2)
        yield* time.pass(time.tick + time.takeover)
        assert.deepStrictEqual(yield* leaseJobs(other, "image", 1), [
          { taskId, kind: "image", epoch: 2, attempt: 2, lost: 1, traceparent: null },
        ])
      }),
    ),
  )

  it.effect("a heartbeat extends and names what this process runs and still holds", () =>
    cleared(
      Effect.gen(function* () {
        const [queue, other, limits] = [yield* Queue, yield* Other, yield* Limits]
        const [kept, lost, ended] = [yield* enqueue(0), yield* enqueue(1), yield* enqueue(2)]
        const jobs = yield* leaseJobs(queue, "image", 3)
        const theirs = yield* enqueue(3)
        yield* leaseJobs(other, "image", 1)
        yield* time.pass(limits.job_lease_ms - time.tick)
        // It runs two of the three, and claims to run one that is another's.
        assert.deepStrictEqual(yield* queue.heartbeat([kept, ended, theirs]), new Set([kept, ended]))
        yield* time.pass(time.tick + time.takeover)
        assert.deepStrictEqual(new Set(ids(yield* leaseJobs(other, "image", 9))), new Set([lost, theirs]))
        yield* Effect.forEach(jobs.slice(2), queue.complete)
        assert.deepStrictEqual(yield* queue.heartbeat([kept, lost, ended]), new Set([kept]))
        assert.deepStrictEqual(yield* other.heartbeat([lost, theirs]), new Set([lost, theirs]))
        assert.deepStrictEqual(yield* other.heartbeat([]), new Set())
      }),
    ),
  )
}

const fencing = (it: Methods, time: Time): void => {
  it.effect("who lost the lease can neither verify, complete nor give back", () =>
    cleared(
      Effect.gen(function* () {
        const [queue, other, limits] = [yield* Queue, yield* Other, yield* Limits]
        const { run } = yield* Transaction
        yield* enqueue(0)
        const old = yield* claimOne(queue)
        yield* run(queue.verify(old))
        yield* time.pass(limits.job_lease_ms + time.takeover)
        const taken = yield* claimOne(other)
        for (const write of [queue.verify(old), queue.complete(old), queue.release(old, 0)]) {
          assert.strictEqual((yield* Effect.flip(run(write)))._tag, "LeaseLost")
        }
        // A failed transaction may answer before its lock is gone; both processes share this thread.
        yield* run(Effect.void)
        yield* other.verify(taken)
        yield* other.complete(taken)
        assert.strictEqual((yield* Effect.flip(other.complete(taken)))._tag, "LeaseLost")
      }),
    ),
  )

  it.effect("an older claim of the same process is fenced too, and so is another's claim", () =>
    cleared(
      Effect.gen(function* () {
        const [queue, other, limits] = [yield* Queue, yield* Other, yield* Limits]
        yield* enqueue(0)
        const old = yield* claimOne(queue)
        yield* time.pass(limits.job_lease_ms + time.takeover)
        const renewed = yield* claimOne(queue)
        assert.strictEqual(renewed.epoch, old.epoch + 1)
        assert.strictEqual((yield* Effect.flip(queue.verify(old)))._tag, "LeaseLost")
        assert.strictEqual((yield* Effect.flip(other.verify(renewed)))._tag, "LeaseLost")
        yield* queue.verify(renewed)
      }),
    ),
  )

  it.effect("an expired lease holds until another process takes the job", () =>
    cleared(
      Effect.gen(function* () {
        const [queue, limits] = [yield* Queue, yield* Limits]
        yield* enqueue(0)
        const job = yield* claimOne(queue)
        yield* time.pass(limits.job_lease_ms * 2)
        yield* queue.verify(job)
        yield* queue.complete(job)
      }),
    ),
  )

  it.effect("a job that is given back is due at its time, and was not lost", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const now = yield* Clock.currentTimeMillis
        yield* enqueue(now)
        const first = yield* claimOne(queue)
        yield* queue.release(first, now + time.tick)
        assert.deepStrictEqual(yield* leaseJobs(queue, "image", 1), [])
        yield* time.pass(time.tick)
        const second = yield* claimOne(queue)
        assert.deepStrictEqual([second.epoch, second.attempt, second.lost], [2, 2, 0])
        yield* queue.release(second, now)
        const third = yield* claimOne(queue)
        assert.deepStrictEqual([third.epoch, third.attempt, third.lost], [3, 3, 0])
      }),
    ),
  )

  it.effect("remove ends a job whoever holds it, and is undone with its transaction", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const { run } = yield* Transaction
        const taskId = yield* enqueue(0)
        const job = yield* claimOne(queue)
        yield* Effect.flip(run(Effect.andThen(queue.remove(taskId), Effect.fail("no"))))
        yield* queue.verify(job)
        yield* run(queue.remove(taskId))
        assert.strictEqual((yield* Effect.flip(queue.complete(job)))._tag, "LeaseLost")
        yield* queue.remove(taskId)
      }),
    ),
  )
}

const serving = (it: Methods, time: Time): void => {
  /** Serves images one at a time; tells what was leased so far, which goes on until `end` is called with it. */
  const served = Effect.fnUntraced(function* (queue: Queue["Service"], concurrency = 1) {
    const jobs: Array<Job> = []
    const ends = new Map<TaskId, Deferred.Deferred<void>>()
    const fiber = yield* Effect.forkScoped(
      queue.serve(
        "image",
        concurrency,
        runBy(
          queue,
          Effect.fnUntraced(function* (job) {
            const end = yield* Deferred.make<void>()
            ends.set(job.taskId, end)
            jobs.push(job)
            yield* Deferred.await(end)
          }),
        ),
      ),
    )
    return {
      jobs,
      fiber,
      end: (taskId: TaskId) => Effect.asVoid(Deferred.succeed(ends.get(taskId)!, undefined)),
    }
  })

  /** Without any time passing that matters. */
  const leasedNow = Effect.fnUntraced(function* (jobs: ReadonlyArray<Job>, count: number) {
    const waiting = yield* Effect.forkChild(Effect.repeat(moment, { until: () => jobs.length >= count }))
    const ends = yield* time.endsNow(waiting)
    yield* Fiber.interrupt(waiting)
    return ends
  })

  /** However long the machine takes, if its clock does not go on. */
  const leased = (jobs: ReadonlyArray<Job>, count: number) =>
    Effect.repeat(moment, { until: () => jobs.length >= count })

  it.effect("a job is leased when its transaction is committed, and not before", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const { run } = yield* Transaction
        const { jobs } = yield* served(queue)
        assert.isFalse(yield* leasedNow(jobs, 1))
        yield* enqueue(yield* Clock.currentTimeMillis, "tool")
        const add = queue.enqueue({
          taskId: newTaskId(),
          kind: "image",
          userId: aUserId(),
          runAt: 0,
          traceparent: null,
        })
        yield* Effect.flip(run(Effect.andThen(add, Effect.fail("no"))))
        assert.isFalse(yield* leasedNow(jobs, 1))
        yield* run(add)
        yield* leased(jobs, 1)
      }),
    ),
  )

  it.effect("what is written as a job begins is there with its lease, and undone with it", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const count = Effect.map(
          queue.counts,
          (all) => all.find(({ kind }) => kind === "callback")?.ready ?? 0,
        )
        const written = newTaskId()
        const write = queue.enqueue({
          taskId: written,
          kind: "callback",
          userId: aUserId(),
          runAt: 0,
          traceparent: null,
        })
        const fails = Effect.fail(new StorageError({ operation: "begin", cause: "made to fail" }))
        const begun: Array<Job> = []
        const ran: Array<number> = []
        yield* Effect.forkScoped(
          queue.serve("image", 1, (job) =>
            Effect.gen(function* () {
              begun.push(job)
              yield* Effect.orDie(write)
              if (begun.length === 1) yield* fails
              return {
                run: Effect.andThen(
                  Effect.map(Effect.orDie(count), (there) => ran.push(there)),
                  Effect.never,
                ),
                giveBack: Effect.void,
              }
            }),
          ),
        )
        const taskId = yield* enqueue(0)
        yield* leased(begun, 1)
        assert.deepStrictEqual([yield* count, ran], [0, []])
        while (ran.length === 0) yield* Effect.andThen(time.pass(time.tick), moment)
        assert.deepStrictEqual(ran, [1])
        // The lease that was undone is not counted.
        assert.deepStrictEqual(
          begun.map((job) => [job.taskId, job.epoch, job.attempt]),
          [
            [taskId, 1, 1],
            [taskId, 1, 1],
          ],
        )
      }),
    ),
  )

  it.effect("as many run at once as have a place, and the end of one makes room for the next", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const { jobs, end } = yield* served(queue, 2)
        yield* enqueueMany(aUserId(), 5)
        for (let count = 2; count <= 5; count++) {
          yield* leased(jobs, count)
          assert.isFalse(yield* leasedNow(jobs, count + 1))
          const [first] = jobs.slice(count - 2)
          yield* queue.complete(first!)
          yield* end(first!.taskId)
        }
      }),
    ),
  )

  it.effect("where it is ended nothing more is leased, and what runs goes on", () =>
    cleared(
      Effect.gen(function* () {
        const queue = yield* Queue
        const { jobs, fiber, end } = yield* served(queue, 2)
        const [taskId] = yield* enqueueMany(aUserId(), 1)
        yield* leased(jobs, 1)
        yield* Fiber.interrupt(fiber)
        yield* enqueueMany(aUserId(), 1)
        yield* time.pass(time.takeover)
        assert.isFalse(yield* leasedNow(jobs, 2))
        assert.deepStrictEqual(yield* queue.heartbeat([taskId!]), new Set([taskId]))
        yield* queue.complete(jobs[0]!)
        yield* end(taskId!)
      }),
    ),
  )

  it.effect("a job is leased when it falls due, and when another's lease ends", () =>
    cleared(
      Effect.gen(function* () {
        const [queue, other, limits] = [yield* Queue, yield* Other, yield* Limits]
        const { jobs } = yield* served(queue)
        const due = (yield* Clock.currentTimeMillis) + time.soon
        yield* enqueue(due)
        // However late a slow machine looks.
        const isEarly = Effect.zipWith(leasedNow(jobs, 1), Clock.currentTimeMillis, (isLeased, now) => {
          return isLeased && now < due
        })
        assert.isFalse(yield* isEarly)
        yield* time.pass(time.beforeSoon)
        assert.isFalse(yield* isEarly)
        yield* time.pass(time.soon - time.beforeSoon)
        yield* leased(jobs, 1)
        const { jobs: theirs } = yield* served(other)
        yield* time.pass(limits.job_lease_ms)
        yield* leased(theirs, 1)
        assert.deepStrictEqual([theirs[0]?.taskId, theirs[0]?.lost], [jobs[0]?.taskId, 1])
      }),
    ),
  )

  it.effect("a job that another process enqueued is leased within the poll interval", () =>
    cleared(
      Effect.gen(function* () {
        const [queue, other, { queue_poll_ms }] = [yield* Queue, yield* Other, yield* Limits]
        const { jobs } = yield* served(queue)
        assert.isFalse(yield* leasedNow(jobs, 1))
        yield* other.enqueue({
          taskId: newTaskId(),
          kind: "image",
          userId: aUserId(),
          runAt: 0,
          traceparent: null,
        })
        if (time === virtual) yield* time.pass(queue_poll_ms)
        yield* leased(jobs, 1)
      }),
    ),
  )
}
