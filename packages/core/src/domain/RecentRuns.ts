import { BoundedCache } from "./BoundedCache.ts"
import { subjectOf, type Task } from "./Task.ts"

/** Runs that are remembered of each model or tool, and of how many of these. */
const runsMax = 50
const subjectsMax = 512

interface Runs {
  /** By task, the newest last. */
  readonly byTask: Map<string, number>
  sorted: ReadonlyArray<number>
}

/** How long finished tasks ran, in milliseconds: the last of each model or tool, and all that were read last. */
export class RecentRuns {
  readonly #bySubject = new BoundedCache<Runs>(subjectsMax)
  /** Of the runs that were read last, whatever they were for; undefined where there are none. */
  mean: number | undefined

  /** Newest first; those that are known already count once. */
  add(tasks: ReadonlyArray<Task>): void {
    const changed = new Set<Runs>()
    let [sum, count] = [0, 0]
    for (const task of tasks.toReversed()) {
      const { startedAt, finishedAt } = task
      if (startedAt === null || finishedAt === null) continue
      const duration = Math.max(0, finishedAt - startedAt)
      sum += duration
      count += 1
      const runs = this.#runsOf(subjectOf(task))
      runs.byTask.set(task.id, duration)
      changed.add(runs)
    }
    this.mean = count === 0 ? undefined : sum / count
    for (const runs of changed) {
      for (const oldest of [...runs.byTask.keys()].slice(0, -runsMax)) runs.byTask.delete(oldest)
      runs.sorted = [...runs.byTask.values()].sort((a, b) => a - b)
    }
  }

  #runsOf(subject: string): Runs {
    const known = this.#bySubject.get(subject)
    if (known !== undefined) return known
    const runs: Runs = { byTask: new Map(), sorted: [] }
    this.#bySubject.set(subject, runs, 1)
    return runs
  }

  /** The median of a model's or tool's runs; undefined where none is known. */
  median(subject: string): number | undefined {
    const sorted = this.#bySubject.get(subject)?.sorted ?? []
    return sorted[(sorted.length - 1) >> 1]
  }

  /** What the runs that took longer than `elapsed` took beyond it, as their median; undefined where none did. */
  rest(subject: string, elapsed: number): number | undefined {
    const sorted = this.#bySubject.get(subject)?.sorted ?? []
    const first = sorted.findIndex((duration) => duration > elapsed)
    const middle = first < 0 ? undefined : sorted[(first + sorted.length - 1) >> 1]
    return middle === undefined ? undefined : middle - elapsed
  }
}
