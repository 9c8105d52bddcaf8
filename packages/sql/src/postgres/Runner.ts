import { EventEmitter } from "node:events"
import type { WorkerEvents, WorkerPool } from "graphile-worker"
import type { Pool } from "pg"

/** graphile-worker's workers do not poll one by one, where this is the longest that a timer can wait. */
const neverMs = 2 ** 31 - 1

export interface Runner {
  /** Has idle workers look for jobs at once: one, and a further one for each job that is found. */
  readonly look: () => void
  /** Ends when it has stopped, by itself or because it was asked. */
  readonly ended: Promise<void>
  /** Takes no more jobs; `ended` waits for those that run. */
  readonly stop: () => void
}

/** graphile-worker's runner for one kind of job: its handler runs a job from beginning to end. */
export const startRunner = async (options: {
  readonly pool: Pool
  readonly identifier: string
  readonly concurrency: number
  /** Runs what is due for the named task. A failure is tried again later. */
  readonly handle: (taskId: string) => Promise<void>
  /** A job of the kind was added somewhere, or may have been before the runner listened. */
  readonly notified: () => void
  /** Before each look for a job. What it answers is called where the look found none. */
  readonly looks: () => () => void
  readonly log: (level: "error" | "warning", message: string) => void
}): Promise<Runner> => {
  const { Logger, run } = await import("graphile-worker")
  const events: WorkerEvents = new EventEmitter()
  let workers: WorkerPool | undefined
  let isStopping = false
  events.on("pool:create", ({ workerPool }) => {
    workers = workerPool
  })
  // Also where it stops by itself: a job's end that could not be written is a reason for it.
  events.on("pool:gracefulShutdown", () => {
    isStopping = true
  })
  /** How often a look was asked for, and which of these have found all there was. */
  let asked = 0
  let answered = 0
  const lookOnce = () => {
    if (!isStopping) workers?.nudge(1)
  }
  const look = () => {
    asked += 1
    lookOnce()
  }
  events.on("pool:listen:notification", options.notified)
  events.on("pool:listen:success", () => {
    options.notified()
    look()
  })
  const foundNone = new WeakMap<object, () => void>()
  events.on("worker:getJob:start", ({ worker }) => {
    const [toldIdle, asking] = [options.looks(), asked]
    foundNone.set(worker, () => {
      toldIdle()
      answered = Math.max(answered, asking)
    })
  })
  events.on("worker:getJob:empty", ({ worker }) => foundNone.get(worker)?.())
  events.on("job:start", () => {
    if (answered < asked) lookOnce()
  })
  const runner = await run(
    {
      pgPool: options.pool,
      concurrency: options.concurrency,
      pollInterval: neverMs,
      noHandleSignals: true,
      events,
      logger: new Logger(() => (level, message) => {
        // Jobs hold no connection of this pool, which may be smaller than their number.
        if (message.includes("maxPoolSize")) return
        if (level === "error" || level === "warning") options.log(level, message)
      }),
      // In batches: a failure to end a single job could not be caught.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    },
    { [options.identifier]: (payload) => options.handle(taskIdOf(payload)) },
    [],
  )
  return {
    look,
    ended: runner.promise.catch(() => {}),
    stop: () => {
      // It fails where the runner stops already.
      if (!isStopping) runner.stop().catch(() => {})
    },
  }
}

const taskIdOf = (payload: unknown): string => {
  if (typeof payload === "object" && payload !== null && "task_id" in payload) return String(payload.task_id)
  throw new Error("the job names no task")
}
