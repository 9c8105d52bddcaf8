import { Queue, type TaskId, Transaction, type UserId } from "@atelier/core"
import { aTaskId, aUserId, leaseJobs } from "@atelier/core/testing"
import { Sql } from "@atelier/sql"
import { assert, layer } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { temporaryDatabase } from "./temporary.ts"

/** What is done to the queue; numbers choose among what there is at that point. */
type Step =
  | { readonly do: "add"; readonly user: number; readonly count: number; readonly inMillis: number }
  | { readonly do: "claim"; readonly limit: number }
  | { readonly do: "complete"; readonly which: number }
  | { readonly do: "remove"; readonly which: number }
  | { readonly do: "giveBack"; readonly which: number; readonly inMillis: number }
  | { readonly do: "wait"; readonly millis: number }

const which = fc.nat({ max: 1000 })
const inMillis = fc.constantFrom(0, 0, 0, 20, 100)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("add"),
    user: fc.nat({ max: 3 }),
    count: fc.integer({ min: 1, max: 6 }),
    inMillis,
  }),
  { arbitrary: fc.record({ do: fc.constant("claim"), limit: fc.constantFrom(1, 1, 1, 2, 5) }), weight: 4 },
  { arbitrary: fc.record({ do: fc.constant("complete"), which }), weight: 3 },
  fc.record({ do: fc.constant("remove"), which }),
  fc.record({ do: fc.constant("giveBack"), which, inMillis }),
  fc.record({ do: fc.constant("wait"), millis: fc.constantFrom(1, 30) }),
)

interface Known {
  readonly taskId: TaskId
  readonly user: UserId
  runAt: number
  epoch: number
  running: boolean
}

/** What the queue must hold, beside the queue itself. */
const makeModel = () => {
  const jobs = new Map<TaskId, Known>()
  /** Jobs of `first` that began while `second`, who ran as many, waited for a turn. */
  const passed = new Map<string, number>()
  const ofUser = (user: UserId) => [...jobs.values()].filter((job) => job.user === user)
  const running = (user: UserId) => ofUser(user).filter((job) => job.running).length
  const due = (user: UserId, now: number) =>
    ofUser(user)
      .filter((job) => !job.running && job.runAt <= now)
      .sort((a, b) => a.runAt - b.runAt || (a.taskId < b.taskId ? -1 : 1))
  const forget = (user: UserId) => {
    for (const pair of passed.keys()) if (pair.endsWith(user)) passed.delete(pair)
  }
  return { jobs, passed, ofUser, running, due, forget }
}
type Model = ReturnType<typeof makeModel>

const holdsTurns = (
  model: Model,
  users: ReadonlyArray<UserId>,
  claimed: ReadonlyArray<TaskId>,
  now: number,
  limit: number,
) => {
  const before = new Map(
    users.map((user) => [user, { due: model.due(user, now), running: model.running(user) }]),
  )
  const of = (user: UserId) => before.get(user) ?? assert.fail("an unknown user")
  const all = users.reduce((sum, user) => sum + of(user).due.length, 0)
  assert.strictEqual(claimed.length, Math.min(limit, all), "no place stays free while a job is due")
  const got = (user: UserId) => claimed.filter((id) => model.jobs.get(id)?.user === user)
  for (const user of users) {
    const first = of(user)
      .due.slice(0, got(user).length)
      .map((job) => job.taskId)
    assert.deepStrictEqual(got(user).toSorted(), first.toSorted(), "a user's own jobs are begun in order")
  }
  for (const first of users) {
    for (const second of users) {
      const waits = of(second).due.length > got(second).length
      if (first === second || got(first).length === 0 || !waits) continue
      const [mine, theirs] = [of(first).running + got(first).length, of(second).running + got(second).length]
      assert.isAtMost(mine, theirs + 1, "who runs fewer jobs comes first")
      if (limit > 1 || of(first).running !== of(second).running) continue
      const times = (model.passed.get(`${first} ${second}`) ?? 0) + 1
      assert.isAtMost(times, 1, "of two who run as many, none begins two jobs while the other waits")
      model.passed.set(`${first} ${second}`, times)
    }
  }
}

const run = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const [queue, transaction] = [yield* Queue, yield* Transaction]
  const users = Array.from({ length: 4 }, aUserId)
  const model = makeModel()
  const chosen = (candidates: ReadonlyArray<Known>, index: number) => candidates[index % candidates.length]
  const jobOf = ({ taskId, epoch }: Known) =>
    ({ taskId, kind: "image", epoch, attempt: 1, lost: 0, traceparent: null }) as const
  for (const step of steps) {
    const now = yield* Clock.currentTimeMillis
    const all = [...model.jobs.values()]
    switch (step.do) {
      case "add": {
        const user = users[step.user] ?? assert.fail("there are four users")
        if (model.ofUser(user).length === 0) model.forget(user)
        for (let count = 0; count < step.count; count++) {
          const taskId = aTaskId()
          const runAt = now + step.inMillis
          yield* transaction.run(
            queue.enqueue({ taskId, kind: "image", userId: user, runAt, traceparent: null }),
          )
          model.jobs.set(taskId, { taskId, user, runAt, epoch: 0, running: false })
        }
        break
      }
      case "claim": {
        const claimed = yield* leaseJobs(queue, "image", step.limit)
        holdsTurns(
          model,
          users,
          claimed.map((job) => job.taskId),
          now,
          step.limit,
        )
        for (const { taskId, epoch } of claimed) {
          const job = model.jobs.get(taskId) ?? assert.fail("an unknown job")
          Object.assign(job, { running: true, epoch })
          model.forget(job.user)
        }
        break
      }
      case "complete": {
        const job = chosen(
          all.filter(({ running }) => running),
          step.which,
        )
        if (job === undefined) break
        yield* queue.complete(jobOf(job))
        model.jobs.delete(job.taskId)
        break
      }
      case "giveBack": {
        const job = chosen(
          all.filter(({ running }) => running),
          step.which,
        )
        if (job === undefined) break
        yield* queue.release(jobOf(job), now + step.inMillis)
        Object.assign(job, { running: false, runAt: now + step.inMillis })
        break
      }
      case "remove": {
        const job = chosen(all, step.which)
        if (job === undefined) break
        yield* transaction.run(queue.remove(job.taskId))
        model.jobs.delete(job.taskId)
        break
      }
      case "wait":
        yield* TestClock.adjust(step.millis)
    }
  }
  yield* Effect.forEach(model.jobs.keys(), (taskId) => transaction.run(queue.remove(taskId)))
})

layer(Sql.layerSqlite({ filename: temporaryDatabase() }))("SQLite: turns", (it) => {
  it.effect("users take turns, whatever is added, begun, given back, ended and removed", () =>
    Effect.gen(function* () {
      const promise = Effect.runPromiseWith(yield* Effect.context<Queue | Transaction>())
      const property = fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), (steps) =>
        // One transaction: it is one commit, and a run that fails leaves nothing to the next.
        promise(Effect.flatMap(Transaction, (transaction) => transaction.run(run(steps)))),
      )
      yield* Effect.promise(() => fc.assert(property, { numRuns: 60 }))
    }),
  )
})
