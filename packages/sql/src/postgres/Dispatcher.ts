import { EventEmitter } from "node:events"
import type { WorkerEvents, WorkerPool } from "graphile-worker"
import type { Pool } from "pg"

/** What one look of graphile-worker for a due job came to; `stale`: it had one that nobody may take any more. */
export type Found<A> =
  | { readonly _tag: "Job"; readonly job: A }
  | { readonly _tag: "Stale" | "Nothing" }
  | { readonly _tag: "Failed"; readonly cause: unknown }

/** Hears what a look came to; false: it does not wait any more. */
export type Look<A> = (found: Found<A>) => boolean

export interface Dispatcher<A> {
  /** Lets graphile-worker look for one job. Gives the way to call a look off that has not begun. */
  readonly look: (look: Look<A>) => () => void
  readonly ended: () => boolean
  /** Ends when graphile-worker has let go of every connection. */
  readonly stop: () => Promise<void>
}

/** How many jobs graphile-worker looks for at once. */
export const looks_concurrent_max = 4
const poll_interval_ms = 1000

/**
 * graphile-worker's runner for one kind of job, which looks for jobs only when it is let to: each of its workers
 * waits at a gate (`forbiddenFlags` is asked before every look), so that it never holds a job that this process
 * did not ask for. A job's handler is over as soon as `take` is: the job's run is not graphile-worker's concern.
 */
export const start = async <A>(options: {
  readonly pool: Pool
  readonly identifier: string
  /** Takes the lease of the task's job; undefined where that must not be. Failures are tried again later. */
  readonly take: (taskId: string) => Promise<A | undefined>
  /** Gives back what was taken for a look that had ended. */
  readonly giveBack: (job: A) => Promise<void>
  /** Some job was added somewhere. */
  readonly notified: () => void
  readonly log: (level: "error" | "warning", message: string) => void
}): Promise<Dispatcher<A>> => {
  const { Logger, run } = await import("graphile-worker")
  const gate = makeGate<A>()
  const events: WorkerEvents = new EventEmitter()
  events.on("pool:create", ({ workerPool }) => gate.opened(workerPool))
  events.on("worker:getJob:empty", () => gate.settle({ _tag: "Nothing" }))
  events.on("worker:getJob:error", ({ error }) => gate.settle({ _tag: "Failed", cause: error }))
  events.on("pool:listen:notification", options.notified)
  // Also where it stops by itself: a job's end that could not be written is a reason for it.
  events.on("pool:gracefulShutdown", () => gate.close())
  const handle = async (payload: unknown) => {
    const job = await options.take(taskIdOf(payload)).catch((cause: unknown) => {
      gate.settle({ _tag: "Failed", cause })
      throw cause
    })
    const heard = gate.settle(job === undefined ? { _tag: "Stale" } : { _tag: "Job", job })
    if (!heard && job !== undefined) await options.giveBack(job)
  }
  const runner = await run(
    {
      pgPool: options.pool,
      concurrency: looks_concurrent_max,
      pollInterval: poll_interval_ms,
      noHandleSignals: true,
      forbiddenFlags: gate.pass,
      events,
      logger: new Logger(() => (level, message) => {
        if (level === "error" || level === "warning") options.log(level, message)
      }),
      // In batches, because the failure of a single one would be nobody's to catch.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    },
    { [options.identifier]: handle },
    [],
  )
  const ended = runner.promise.catch(() => {})
  return {
    look: gate.look,
    ended: gate.closed,
    stop: async () => {
      // It fails where the runner stops already.
      await runner.stop().catch(() => {})
      await ended
    },
  }
}

const taskIdOf = (payload: unknown): string => {
  if (typeof payload === "object" && payload !== null && "task_id" in payload) return String(payload.task_id)
  throw new Error("the job names no task")
}

/** Where workers wait for a look, and looks for a worker. Every worker that passes settles one look. */
const makeGate = <A>() => {
  const workers: Array<() => void> = []
  const looks: Array<Look<A>> = []
  const underway: Array<Look<A>> = []
  let pool: WorkerPool | undefined
  let isClosed = false
  const begin = (look: Look<A>, worker: () => void) => {
    underway.push(look)
    worker()
  }
  return {
    opened: (opened: WorkerPool) => {
      pool = opened
    },
    pass: () =>
      new Promise<null>((resolve) => {
        const worker = () => resolve(null)
        const look = looks.shift()
        if (isClosed) worker()
        else if (look !== undefined) begin(look, worker)
        else workers.push(worker)
      }),
    look: (look: Look<A>) => {
      const worker = workers.shift()
      if (isClosed) look({ _tag: "Failed", cause: new Error("the dispatcher has ended") })
      else if (worker !== undefined) begin(look, worker)
      else {
        looks.push(look)
        pool?.nudge(1)
      }
      return () => {
        const index = looks.indexOf(look)
        if (index >= 0) looks.splice(index, 1)
      }
    },
    settle: (found: Found<A>): boolean => underway.shift()?.(found) ?? false,
    closed: () => isClosed,
    close: () => {
      isClosed = true
      for (const worker of workers.splice(0)) worker()
      const cause = new Error("the dispatcher has ended")
      for (const look of [...looks.splice(0), ...underway.splice(0)]) look({ _tag: "Failed", cause })
    },
  }
}
