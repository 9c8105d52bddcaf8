import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { Job, JobKind, Queue } from "../ports/Queue.ts"
import { FailAt } from "./FailAt.ts"

/** Whatever clock a test has, a disk takes its time. */
export const moment = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))

/**
 * Leases the jobs of a kind that are due, up to `most` of them, and holds them until their leases end: a test that
 * steps through a job's life runs it, or gives it back, by itself. No step of it is made to fail.
 */
export const leaseJobs = (queue: Queue["Service"], kind: JobKind, most: number) =>
  Effect.flatMap(
    Effect.serviceOption(FailAt),
    Option.match({
      onNone: () => lease(queue, kind, most),
      onSome: ({ aside }) => aside(lease(queue, kind, most)),
    }),
  )

const lease = Effect.fnUntraced(function* (queue: Queue["Service"], kind: JobKind, most: number) {
  const jobs: Array<Job> = []
  const serving = yield* Effect.forkChild(
    queue.serve(kind, most, (job) =>
      Effect.suspend(() => {
        jobs.push(job)
        return Effect.never
      }),
    ),
  )
  const dueCount = Effect.map(queue.counts, (all) => all.find((counts) => counts.kind === kind)?.due ?? 0)
  while (jobs.length < most && (yield* dueCount) > 0) yield* moment
  yield* Fiber.interrupt(serving)
  return jobs
})
