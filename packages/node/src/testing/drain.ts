import {
  CurrentFinishedHandler,
  FinishedTasks,
  type JobKind,
  Queue,
  type TaskId,
  Workers,
} from "@atelier/core"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberMap from "effect/FiberMap"
import type { Parked } from "./Parked.ts"

const kinds: ReadonlyArray<JobKind> = ["image", "tool", "callback"]

/** More than a test has: a job whose answer does not come takes the place of no other. */
const placesMax = 1_000_000

/** What runs is given the turns of the event loop that it needs to see the new time. */
const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
})

/**
 * Runs what is due, as the workers do, and ends when nothing is: neither a job nor a notice of a final task. Jobs whose
 * scripted answer does not come stay as they are.
 */
export const makeDrain = Effect.fnUntraced(function* (parked: Parked) {
  const queue = yield* Queue
  const runJob = yield* Workers.RunJob
  const notices = yield* FinishedTasks
  const current = yield* CurrentFinishedHandler
  const running = yield* FiberMap.make<TaskId, void, never>()
  const context = yield* Effect.context<Effect.Services<typeof Workers.duties>>()

  const busy = Effect.map(FiberMap.size(running), (size) => size - parked.count)
  const due = Effect.map(queue.counts, (counts) => counts.reduce((sum, each) => sum + each.due, 0))

  /** Leases are kept, as by a worker; what lost its lease, because its task was ended, is stopped. */
  const keepLeases = Effect.gen(function* () {
    const taskIds = Array.from(running, ([taskId]) => taskId)
    const held = yield* queue.heartbeat(taskIds)
    for (const taskId of taskIds) if (!held.has(taskId)) yield* FiberMap.remove(running, taskId)
  })

  const serve = Effect.gen(function* () {
    const quiet = yield* Deferred.make<void>()
    const look = Effect.gen(function* () {
      if ((yield* busy) === 0 && (yield* due) === 0) yield* Deferred.succeed(quiet, undefined)
    })
    parked.changed = () =>
      void Effect.runForkWith(context)(Effect.andThen(Effect.yieldNow, Effect.ignore(look)))
    const served = yield* Effect.forEach(kinds, (kind) =>
      Effect.forkChild(
        queue.serve(kind, placesMax, (job, task) =>
          Effect.map(runJob.begin(job, task), ({ giveBack, run }) => ({
            run: Effect.flatMap(FiberMap.run(running, job.taskId, run), (fiber) =>
              // A job may end in a later drain than the one that began it.
              Effect.andThen(
                Fiber.await(fiber),
                Effect.sync(() => parked.changed()),
              ),
            ),
            giveBack,
          })),
        ),
      ),
    )
    yield* look
    yield* Deferred.await(quiet)
    yield* Fiber.interruptAll(served)
  })

  const turn = Effect.gen(function* () {
    yield* settle
    yield* keepLeases
    yield* Workers.duties
    if ((yield* busy) > 0 || (yield* due) > 0) yield* serve
    const clock = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const told = current.handler === undefined || (yield* notices.due(clock, 1)).length === 0
    return told && (yield* due) === 0
  })

  return Effect.provideContext(Effect.repeat(turn, { until: (isDone) => isDone }), context)
})
