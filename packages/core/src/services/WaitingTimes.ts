import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type { StorageError } from "../domain/CoreError.ts"
import { pollSecondsMax, queuePositionMax } from "../domain/Limits.ts"
import { RecentRuns } from "../domain/RecentRuns.ts"
import { subjectOf, type Task } from "../domain/Task.ts"
import type { TaskKind } from "../domain/TaskState.ts"
import { Queue, type Turns } from "../ports/Queue.ts"
import { TaskStore } from "../ports/TaskStore.ts"

/** Where a queued task stands (contract, Waiting). */
export interface QueuePlace {
  /** 1: next; 0: starting; null: beyond `queuePositionMax`. */
  readonly position: number | null
  /** Until it starts; null where nothing is known. */
  readonly estimatedSeconds: number | null
}

/** How long a task that is not final will presumably take. */
export interface Expectation {
  /** Only while the task is queued. */
  readonly queue?: QueuePlace
  /** When to look again: 1 to `pollSecondsMax`. */
  readonly retryAfterSeconds: number
}

/** Between two looks at what ran lately. */
const runsReadEveryMs = 10_000
/** Finished tasks that one look reads. */
const runsReadMax = 100
/** The order of turns is read again after this, and half a millisecond more for every job that was counted. */
const turnsReadEveryMs = 1000
const turnsReadPerJobMs = 0.5
/** Where nothing is known (contract, Errors: 202 answers). */
const unknownSeconds = 2

/**
 * Tells how long tasks wait: from the order of the queue, in which users take turns, and from what finished tasks took.
 * Both are read at most once in a while for all requests of the process; what is told is an estimate.
 */
export class WaitingTimes extends Context.Service<
  WaitingTimes,
  {
    /** For a task that was just read and is not final. */
    readonly of: (task: Task) => Effect.Effect<Expectation, StorageError>
  }
>()("@atelier/core/services/WaitingTimes") {
  static readonly layer = Layer.effect(
    WaitingTimes,
    Effect.gen(function* () {
      const queue = yield* Queue
      const store = yield* TaskStore

      const readRuns = Effect.fnUntraced(function* (kind: TaskKind, runs: RecentRuns) {
        const states = [kind === "image" ? "completed" : "succeeded"]
        runs.add(yield* store.list({ kind, states, limit: runsReadMax }))
        return runs
      })
      const runsOf = (kind: TaskKind) =>
        Effect.cachedWithTTL(readRuns(kind, new RecentRuns()), (exit) =>
          Duration.millis(Exit.isSuccess(exit) ? runsReadEveryMs : 0),
        )
      const turnsOf = (kind: TaskKind) =>
        Effect.cachedWithTTL(queue.turns(kind), (exit) =>
          Duration.millis(
            Exit.isSuccess(exit) ? turnsReadEveryMs + turnsReadPerJobMs * waitingIn(exit.value) : 0,
          ),
        )
      const runs = { image: yield* runsOf("image"), tool: yield* runsOf("tool") }
      const turns = { image: yield* turnsOf("image"), tool: yield* turnsOf("tool") }

      const ofQueued = Effect.fnUntraced(function* (task: Task) {
        const ahead = yield* queue.ahead(task.id)
        const { running, users } = yield* turns[task.kind]
        const recent = yield* runs[task.kind]
        const position = ahead === null ? 0 : positionIn(users, task.userId, ahead)
        const start = startIn(position, recent.mean, running)
        const run = recent.median(subjectOf(task)) ?? recent.mean
        const seconds = start === null || run === undefined ? unknownSeconds : pollSeconds(start + run)
        return {
          queue: { position, estimatedSeconds: start === null ? null : Math.ceil(start / 1000) },
          retryAfterSeconds: position === null ? pollSecondsMax : seconds,
        }
      })

      const ofRunning = Effect.fnUntraced(function* (task: Task) {
        const recent = yield* runs[task.kind]
        const now = yield* Clock.currentTimeMillis
        const elapsed = Math.max(0, now - (task.startedAt ?? now))
        const rest = recent.rest(subjectOf(task), elapsed)
        // Where a task takes longer than all before, it is asked for less and less often.
        const seconds =
          rest === undefined ? Math.max(unknownSeconds, pollSeconds(elapsed / 10)) : pollSeconds(rest)
        return { retryAfterSeconds: seconds }
      })

      return WaitingTimes.of({ of: (task) => (task.state === "queued" ? ofQueued(task) : ofRunning(task)) })
    }),
  )
}

/** Milliseconds until a position is reached, if places are freed as often as runs of the mean duration end. */
const startIn = (position: number | null, mean: number | undefined, running: number): number | null => {
  if (position === 0) return 0
  return position === null || mean === undefined ? null : (position * mean) / Math.max(1, running)
}

const pollSeconds = (millis: number): number =>
  Math.min(Math.max(1, Math.ceil(millis / 1000)), pollSecondsMax)

const waitingIn = ({ users }: Turns): number => users.reduce((sum, { waiting }) => sum + waiting, 0)

/**
 * The place of a user's job that has `ahead` others of the same user before it, if no job ended meanwhile (decision 10):
 * the user who runs the fewest jobs comes first, so that a user's next jobs stand on levels, from the number that runs;
 * on one level those who started there come first, then those who came to it, both in the order of their turns.
 */
export const positionIn = (users: Turns["users"], userId: string, ahead: number): number | null => {
  const own = users.findIndex((user) => user.userId === userId)
  // Past the users who were read, or new since then: behind all others.
  const running = users[own]?.running ?? 0
  const level = running + ahead
  let position = ahead + 1
  for (const [index, user] of users.entries()) {
    if (index === own) continue
    const before = Math.min(Math.max(level - user.running, 0), user.waiting)
    const isTied = level >= user.running && before < user.waiting
    const goesFirst = user.running > running || (user.running === running && (own === -1 || index < own))
    position += before + (isTied && goesFirst ? 1 : 0)
  }
  return position > queuePositionMax ? null : position
}
