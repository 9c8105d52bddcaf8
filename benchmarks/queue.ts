/**
 * The embedded queue: jobs a second from enqueueing to completion, each step durable in a transaction of its
 * own, and how long an enqueued job waits for a worker that has nothing else to do.
 *
 * `npm run bench -- benchmarks/queue.ts [jobs] [rounds]`
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Job, Queue, type TaskId, Transaction, type UserId } from "@atelier/core"
import { runBy } from "@atelier/core/testing"
import { Sql } from "@atelier/sql"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { median, report, rounded } from "./support/report.ts"

const jobs = Number(process.argv[2] ?? 10_000)
const rounds = Number(process.argv[3] ?? 3)
const latenciesMax = 1_000
/** Concurrent submissions, and jobs that run at once. */
const submitters = 64
const places = 64

const user: UserId = "usr_00000000000000000000000000"
let made = 0
const newTask = (): TaskId => `imgtask_${String(made++).padStart(26, "0")}`

const enqueue = Effect.fnUntraced(function* (taskId: TaskId) {
  const queue = yield* Queue
  const transaction = yield* Transaction
  yield* transaction.run(
    queue.enqueue({ taskId, kind: "image", userId: user, runAt: Date.now(), traceparent: null }),
  )
})

/** Runs until this many jobs have ended, each completed in its own transaction. */
const work = Effect.fnUntraced(function* (count: number) {
  const queue = yield* Queue
  const transaction = yield* Transaction
  const done = yield* Deferred.make<void>()
  let left = count
  const run = (job: Job) =>
    Effect.orDie(
      Effect.tap(transaction.run(queue.complete(job)), () => {
        left -= 1
        return left === 0 ? Deferred.succeed(done, undefined) : Effect.void
      }),
    )
  yield* Effect.raceFirst(queue.serve("image", places, runBy(queue, run)), Deferred.await(done))
})

const perSecond = (count: number, began: number): number => (count / (performance.now() - began)) * 1000

const throughput = Effect.gen(function* () {
  const ids = Array.from({ length: jobs }, newTask)
  const first = performance.now()
  yield* Effect.forEach(ids, enqueue, { concurrency: submitters, discard: true })
  const enqueued = perSecond(jobs, first)
  const second = performance.now()
  yield* work(jobs)
  return { enqueued, worked: perSecond(jobs, second), both: perSecond(jobs, first) }
})

/** From before the enqueueing transaction to the start of the job on an idle worker, the commit included. */
const latency = Effect.gen(function* () {
  const queue = yield* Queue
  const transaction = yield* Transaction
  const times: Array<number> = []
  let started = yield* Deferred.make<Job>()
  const worker = yield* Effect.forkChild(
    queue.serve(
      "image",
      places,
      runBy(queue, (job) => Effect.asVoid(Deferred.succeed(started, job))),
    ),
  )
  for (let index = 0; index < latenciesMax; index++) {
    // The worker has found nothing and waits.
    yield* Effect.sleep("2 millis")
    started = yield* Deferred.make<Job>()
    const began = performance.now()
    yield* enqueue(newTask())
    const job = yield* Deferred.await(started)
    times.push(performance.now() - began)
    yield* transaction.run(queue.complete(job))
  }
  yield* Fiber.interrupt(worker)
  return times.toSorted((a, b) => a - b)
})

const folder = mkdtempSync(join(tmpdir(), "atelier-queue-"))
const program = Effect.gen(function* () {
  const runs: Array<Effect.Success<typeof throughput>> = []
  for (let round = 0; round < rounds; round++) runs.push(yield* throughput)
  return { runs, times: yield* latency }
})
const { runs, times } = await Effect.runPromise(
  Effect.provide(program, Sql.layerSqlite({ filename: join(folder, "queue.db") })),
)
rmSync(folder, { recursive: true, force: true })

const rate = (of: "enqueued" | "worked" | "both") => rounded(median(runs.map((run) => run[of])))
const at = (share: number): number => rounded(times[Math.floor(share * (times.length - 1))] ?? Number.NaN, 2)
report({
  name: "queue",
  title: "The embedded queue on SQLite",
  rows: [
    { measure: "enqueued, jobs a second", value: rate("enqueued") },
    { measure: "run and completed, jobs a second", value: rate("worked") },
    { measure: "enqueued, run and completed, jobs a second", value: rate("both") },
    { measure: "start latency p50, ms", value: at(0.5) },
    { measure: "start latency p99, ms", value: at(0.99) },
  ],
  notes: [
    `Median of ${rounds} rounds of ${jobs} jobs; ${submitters} concurrent submitters, ${places} jobs at once.`,
    "Every enqueueing and every completion is a transaction of its own, on disk before it is answered.",
    `Start latency over ${latenciesMax} jobs: from before the enqueueing transaction to the start of the job by an idle worker.`,
  ],
})
