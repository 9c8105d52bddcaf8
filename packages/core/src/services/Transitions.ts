import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CoreError, StepRefused, type StorageError } from "../domain/CoreError.ts"
import { makeId } from "../domain/Ids.ts"
import { holdOf, transfersOf } from "../domain/Ledger.ts"
import { type Meter, makeMeter, metrics } from "../domain/Metrics.ts"
import type { Units } from "../domain/Money.ts"
import {
  givenImagesOf,
  type HistoryEntry,
  type ImageTask,
  isKeptApart,
  logAnnotationsOf,
  subjectOf,
  type Task,
  type ToolTask,
} from "../domain/Task.ts"
import { isFinal, stepOf, type TaskEvent } from "../domain/TaskState.ts"
import { traceparent, withSpan } from "../domain/Tracing.ts"
import { CallbackStore } from "../ports/CallbackStore.ts"
import { FileStore } from "../ports/FileStore.ts"
import { Queue } from "../ports/Queue.ts"
import { TaskSignals } from "../ports/TaskSignals.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { Finished } from "./Finished.ts"
import { releaseHeld } from "./HeldImages.ts"
import { Wallet } from "./Wallet.ts"

/** Fields that only the transition table changes, or that never change. */
type Fixed =
  | "id"
  | "kind"
  | "state"
  | "version"
  | "requestId"
  | "held"
  | "charged"
  | "released"
  | "history"
  | "createdAt"

/** Fields that a step may change in addition to state, money and history. */
type Patch<T extends Task> = Partial<Omit<T, Fixed>> & {
  /** Units to charge where the step settles; the whole hold unless fewer were delivered. */
  readonly charged?: Units
}

/**
 * The only place that creates and moves tasks. Every call runs inside a transaction with everything else that
 * belongs to the step, goes through the transition table, writes by compare-and-set and posts the step's ledger
 * rows; a final step ends the task's job and queues its callback. Readers are told after the commit.
 */
export class Transitions extends Context.Service<
  Transitions,
  {
    /**
     * Stores a new task with its hold, its job and the first entry of its history. `imageTasks`: the user's
     * unfinished ones, with this task where it is one; the hold serialises the user's submissions.
     */
    readonly submit: <T extends Task>(
      task: T,
    ) => Effect.Effect<{ readonly task: T; readonly imageTasks: number }, CoreError | StorageError>
    /** `requestId`: the request that asked for the step, where one did. */
    readonly apply: <T extends ImageTask | ToolTask>(
      task: T,
      event: TaskEvent,
      patch?: Patch<T>,
      requestId?: string | null,
    ) => Effect.Effect<T, StepRefused | StorageError>
    /** Changes fields without a step: progress, the upstream's id. */
    readonly amend: <T extends ImageTask | ToolTask>(
      task: T,
      patch: Patch<T>,
    ) => Effect.Effect<T, StepRefused | StorageError>
  }
>()("@atelier/core/services/Transitions") {
  static readonly layer = Layer.effect(
    Transitions,
    Effect.gen(function* () {
      const callbacks = yield* CallbackStore
      const files = yield* FileStore
      const finished = yield* Finished
      const random = yield* SecureRandom
      const tasks = yield* TaskStore
      const wallet = yield* Wallet
      const queue = yield* Queue
      const signals = yield* TaskSignals
      const transaction = yield* Transaction
      const meter = yield* makeMeter
      const counted = (count: () => void) => transaction.afterCommit(Effect.sync(count))

      const submit = Effect.fnUntraced(function* <T extends Task>(task: T) {
        const hold = holdOf(task, task.createdAt)
        const first: HistoryEntry = {
          at: task.createdAt,
          event: "submit",
          from: null,
          to: task.state,
          transfers: [hold.id],
          ...askedBy(task.requestId),
        }
        const stored: T = { ...task, history: [first] }
        yield* tasks.insert(stored)
        yield* queue.enqueue({
          taskId: task.id,
          kind: task.kind,
          userId: task.userId,
          runAt: task.createdAt,
          traceparent: yield* traceparent,
          // Images that came inside the request are held once, by storage, until they are sent.
          ...(stored.kind === "image" && stored.request.images.some(isKeptApart) ? {} : { task: stored }),
        })
        // The hold comes last: it locks the user's balances until the commit, and the user's other submissions wait
        // for it.
        const imageTasks = yield* wallet.hold(hold)
        yield* counted(() => meter.add(metrics.accepted, [task.kind, subjectOf(task)]))
        return { task: stored, imageTasks }
      })

      const write = Effect.fnUntraced(function* <T extends Task>(next: T, seen: number, event: string) {
        if (!(yield* tasks.update(next, seen))) {
          return yield* new StepRefused({ taskId: next.id, event })
        }
        yield* transaction.afterCommit(signals.publish(next.id))
        return next
      })

      const apply = <T extends Task>(
        task: T,
        event: TaskEvent,
        patch?: Patch<T>,
        requestId?: string | null,
      ) =>
        withSpan("Transitions.apply", () => ({
          attributes: { "atelier.event": event, "atelier.state": stepOf(task.kind, task.state, event)?.to },
        }))(applyStep(task, event, patch, requestId))

      const applyStep = Effect.fnUntraced(function* <T extends Task>(
        task: T,
        event: TaskEvent,
        patch?: Patch<T>,
        requestId: string | null = null,
      ) {
        const step = stepOf(task.kind, task.state, event)
        if (step === undefined) return yield* new StepRefused({ taskId: task.id, event })
        const at = yield* Clock.currentTimeMillis
        const charged = step.money === "settle" ? Math.min(patch?.charged ?? task.held, task.held) : 0
        const closes = step.money !== "none"
        // The task is written first: the loser of two racing steps stops there, before any money moves.
        const transfers = transfersOf(task, step.money, charged, at)
        const next: T = {
          ...task,
          ...patch,
          state: step.to,
          version: task.version + 1,
          charged: closes ? charged : task.charged,
          released: closes ? task.held - charged : task.released,
          startedAt: event === "start" ? at : task.startedAt,
          finishedAt: isFinal(step.to) ? at : task.finishedAt,
          history: [
            ...task.history,
            {
              at,
              event,
              from: step.from,
              to: step.to,
              transfers: transfers.map(({ id }) => id),
              ...askedBy(requestId),
            },
          ],
        }
        yield* write(next, task.version, event)
        if (event === "start") {
          yield* counted(() => meter.observe(metrics.waited, [task.kind], (at - task.createdAt) / 1000))
        }
        if (isFinal(step.to)) {
          yield* close(next, at)
          yield* counted(() => countEnd(meter, next, at))
        }
        // As a hold, the money comes last: it locks the user's balances until the commit.
        yield* wallet.close(transfers)
        if (step.to === "failed") yield* transaction.afterCommit(logFailure(next))
        if (isFinal(step.to)) yield* finished.settled(next)
        return next
      })

      /** Ends the task's job, whoever holds it, so that the callback's delivery can take its place. */
      const close = Effect.fnUntraced(function* (task: Task, at: number) {
        yield* queue.remove(task.id)
        if (task.kind !== "image") return
        yield* releaseHeld(files, givenImagesOf(task.request))
        if (task.request.callbackUrl === null) return
        yield* callbacks.insert({
          taskId: task.id,
          keyId: task.keyId,
          url: task.request.callbackUrl,
          eventId: yield* Effect.provideService(makeId("evt"), SecureRandom, random),
          state: "pending",
          attempts: [],
          attemptsTotal: 0,
          redeliveredAt: [],
          createdAt: at,
        })
        yield* queue.enqueue({
          taskId: task.id,
          kind: "callback",
          userId: task.userId,
          runAt: at,
          traceparent: yield* traceparent,
        })
      })

      const amend = Effect.fnUntraced(function* <T extends Task>(task: T, patch: Patch<T>) {
        return yield* write({ ...task, ...patch, version: task.version + 1 }, task.version, "amend")
      })

      return Transitions.of({ submit, apply, amend })
    }),
  )
}

const countEnd = (meter: Meter, task: Task, at: number): void => {
  const { kind, state, error, createdAt } = task
  meter.add(metrics.finished, [kind, subjectOf(task), state, error?.code ?? ""])
  meter.observe(metrics.lasted, [kind, state], (at - createdAt) / 1000)
}

/** Why a task failed is the first thing that customers ask the operator. */
const logFailure = (task: Task) =>
  Effect.annotateLogs(Effect.logInfo("a task failed"), {
    ...logAnnotationsOf(task),
    code: task.error?.code ?? "none",
  })

const askedBy = (requestId: string | null) => (requestId === null ? {} : { requestId })
