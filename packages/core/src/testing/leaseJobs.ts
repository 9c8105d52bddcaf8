import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { BegunJob, Job, JobKind, Queue } from "../ports/Queue.ts"
import { RunJob } from "../workers/RunJob.ts"
import { FailAt } from "./FailAt.ts"

/** Whatever clock a test has, a disk takes its time. */
export const moment = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))

/** For `Queue.serve`, where nothing is written as a job begins. */
export const runBy =
  (queue: Queue["Service"], run: (job: Job) => Effect.Effect<void>): Parameters<typeof queue.serve>[2] =>
  (job) =>
    Effect.succeed({
      run: run(job),
      giveBack: Effect.ignore(Effect.flatMap(Clock.currentTimeMillis, (now) => queue.release(job, now))),
    })

/**
 * Leases the jobs of a kind that are due, up to `most` of them, and holds them until their leases end: a test that
 * steps through a job's life completes it, or gives it back, by itself. No step of it is made to fail.
 */
export const leaseJobs = (queue: Queue["Service"], kind: JobKind, most: number) =>
  Effect.map(
    aside(
      lease(
        queue,
        kind,
        most,
        runBy(queue, () => Effect.void),
      ),
    ),
    (jobs) => jobs.map(({ job }) => job),
  )

/** As `leaseJobs`, of jobs that a worker begins as it leases them; a test runs them by itself. */
export const beginJobs = (queue: Queue["Service"], kind: JobKind, most: number) =>
  Effect.flatMap(RunJob, ({ begin }) => aside(lease(queue, kind, most, begin)))

const aside = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Effect.serviceOption(FailAt),
    Option.match({ onNone: () => effect, onSome: ({ aside }) => aside(effect) }),
  )

const lease = Effect.fnUntraced(function* (
  queue: Queue["Service"],
  kind: JobKind,
  most: number,
  begin: Parameters<typeof queue.serve>[2],
) {
  const jobs: Array<BegunJob & { readonly job: Job }> = []
  const held = (job: Job) =>
    Effect.map(begin(job), (begun) => ({
      ...begun,
      run: Effect.suspend(() => {
        jobs.push({ job, ...begun })
        return Effect.never
      }),
    }))
  const serving = yield* Effect.forkChild(queue.serve(kind, most, held))
  const dueCount = Effect.map(queue.counts, (all) => all.find((counts) => counts.kind === kind)?.due ?? 0)
  while (jobs.length < most && (yield* dueCount) > 0) yield* moment
  yield* Fiber.interrupt(serving)
  return jobs
})
