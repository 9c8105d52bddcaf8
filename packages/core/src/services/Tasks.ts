import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { requireRequestId } from "../domain/Ids.ts"
import type { Principal } from "../domain/Principal.ts"
import type { Task } from "../domain/Task.ts"
import { taskFailure } from "../domain/TaskFailure.ts"
import { isFinal } from "../domain/TaskState.ts"
import { IdempotencyStore } from "../ports/IdempotencyStore.ts"
import { ImageModels } from "../ports/ImageModel.ts"
import { TaskSignals } from "../ports/TaskSignals.ts"
import { type TaskQuery, TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { Access, mayUseTool, quote } from "./Access.ts"
import { Transitions } from "./Transitions.ts"

type Failure = CoreError | StorageError

/** Which tasks a key's lists show (document-tools 5.2 and 5.5). */
export const readableBy = ({ key }: Principal): Pick<TaskQuery, "keyId" | "tools"> => ({
  keyId: key.id,
  ...(key.tools.length === 0 ? {} : { tools: key.tools }),
})

/** Whether a task of this key, and of this tool if it has one, is one that `Tasks.get` gives the principal. */
export const mayRead = (
  principal: Principal,
  { keyId, toolId }: Pick<Task, "keyId"> & { readonly toolId?: string },
): boolean => keyId === principal.key.id && (toolId === undefined || mayUseTool(principal, toolId))

/** Reading and cancelling a key's own tasks of both services (contract, Waiting). Reading never writes. */
export class Tasks extends Context.Service<
  Tasks,
  {
    /**
     * A task of this key; refuses with `task_not_found` for any other (document-tools 5.4), and with
     * `tool_not_allowed` where the key lost its authorization for the task's tool (document-tools 5.5).
     */
    readonly get: (principal: Principal, id: string) => Effect.Effect<Task, Failure>
    /** The task once it is final (or `until` holds), or its current state after `seconds`. */
    readonly wait: (
      principal: Principal,
      id: string,
      seconds: number,
      until?: (task: Task) => boolean,
    ) => Effect.Effect<Task, Failure>
    /** The task now and after every change, the final state last; then it ends. */
    readonly changes: (principal: Principal, id: string) => Stream.Stream<Task, Failure>
    /**
     * Newest first, without the tasks of tools that the key may no longer use. Refuses an `after` that is not one
     * of this key's tasks with `invalid_parameter`.
     */
    readonly list: (
      principal: Principal,
      query: Omit<TaskQuery, "keyId" | "userId" | "tools">,
    ) => Effect.Effect<ReadonlyArray<Task>, Failure>
    /** The task that this key submitted under an idempotency key; refuses with `task_not_found`. */
    readonly findByIdempotencyKey: (principal: Principal, key: string) => Effect.Effect<Task, Failure>
    /**
     * Ends a queued task and gives its fee back. One that runs on a channel that can cancel is asked to stop, and
     * comes back as it is: it becomes `failed` with `canceled` when the upstream has stopped it, or is delivered and
     * paid where that was too late. Refuses with `task_not_cancelable` otherwise.
     */
    readonly cancel: (
      principal: Principal,
      id: string,
      requestId?: string | null,
    ) => Effect.Effect<Task, Failure>
    /** For operators: a task of any key; refuses with `task_not_found`. */
    readonly getAny: (id: string) => Effect.Effect<Task, Failure>
    /** For operators and applications: ends a queued task of any key; refuses with `task_not_cancelable`. */
    readonly cancelQueued: (id: string, requestId?: string | null) => Effect.Effect<Task, Failure>
    /**
     * For operators: asks the upstream of a running task of any key to stop, which is no part of a transaction.
     * Refuses with `task_not_cancelable`, also what does not run.
     */
    readonly cancelRunning: (id: string, requestId?: string | null) => Effect.Effect<Task, Failure>
  }
>()("@atelier/core/services/Tasks") {
  static readonly layer = Layer.effect(
    Tasks,
    Effect.gen(function* () {
      const access = yield* Access
      const idempotency = yield* IdempotencyStore
      const models = yield* ImageModels
      const signals = yield* TaskSignals
      const store = yield* TaskStore
      const transaction = yield* Transaction
      const transitions = yield* Transitions

      const get = Effect.fnUntraced(function* (principal: Principal, id: string) {
        const task = yield* store.get(id)
        if (Option.isNone(task) || task.value.keyId !== principal.key.id) {
          return yield* refuse("task_not_found", `There is no task ${quote(id)} of this API key.`)
        }
        if (task.value.kind === "tool") yield* access.requireTool(principal, task.value.toolId)
        return task.value
      })

      const changes = (principal: Principal, id: string) =>
        Stream.unwrap(
          Effect.map(get(principal, id), (first) =>
            signals.changes(first.id).pipe(
              Stream.mapEffect(() => get(principal, id)),
              Stream.changesWith((a, b) => a.version === b.version),
              Stream.takeUntil((task) => isFinal(task.state)),
            ),
          ),
        )

      const wait = Effect.fnUntraced(function* (
        principal: Principal,
        id: string,
        seconds: number,
        until: (task: Task) => boolean = () => false,
      ) {
        const over = (task: Task) => isFinal(task.state) || until(task)
        if (seconds <= 0) return yield* get(principal, id)
        // Each change is read after its signal, and the first one after the subscription: none is missed.
        const last = yield* signals.changes(id).pipe(
          Stream.mapEffect(() => get(principal, id)),
          Stream.takeUntil(over),
          Stream.runLast,
          Effect.timeoutOption(Duration.seconds(seconds)),
        )
        return Option.getOrUndefined(Option.flatten(last)) ?? (yield* get(principal, id))
      })

      const list = Effect.fnUntraced(function* (
        principal: Principal,
        query: Omit<TaskQuery, "keyId" | "userId" | "tools">,
      ) {
        const { after } = query
        if (after !== undefined) {
          const last = yield* store.get(after)
          if (Option.isNone(last) || last.value.keyId !== principal.key.id) {
            return yield* refuse(
              "invalid_parameter",
              `\`after\` must be the id of a task of this API key; got ${quote(after)}.`,
              {
                param: "after",
              },
            )
          }
        }
        return yield* store.list({ ...query, ...readableBy(principal) })
      })

      const findByIdempotencyKey = Effect.fnUntraced(function* (principal: Principal, key: string) {
        const now = yield* Clock.currentTimeMillis
        const record = yield* idempotency.get(principal.key.id, key, now)
        if (Option.isNone(record) || record.value.outcome._tag !== "Accepted") {
          return yield* refuse(
            "task_not_found",
            `This API key accepted no task under the idempotency key ${quote(key)}.`,
          )
        }
        return yield* get(principal, record.value.taskId)
      })

      const getAny = Effect.fnUntraced(function* (id: string) {
        const task = yield* store.get(id)
        return Option.isSome(task)
          ? task.value
          : yield* refuse("task_not_found", `There is no task ${quote(id)}.`)
      })

      const notCancelable = (task: Task, why: string) =>
        refuse("task_not_cancelable", `The task ${quote(task.id)} ${why}.`, { taskId: task.id })

      const cancelTask = Effect.fnUntraced(function* (task: Task, requestId: string | null) {
        yield* requireRequestId(requestId)
        const started = notCancelable(task, "is not queued any more")
        if (task.state !== "queued") return yield* started
        const error = taskFailure("canceled", "The task was canceled before it started.")
        return yield* transaction
          .run(transitions.apply(task, "cancel", { error }, requestId))
          .pipe(Effect.catchTag("StepRefused", () => Effect.fail(started)))
      })

      /** In the history of the task, once, unless it has ended: the worker writes beside it, so it may take several tries. */
      const noteAsked = Effect.fnUntraced(function* (asked: Task, requestId: string | null) {
        const task = yield* getAny(asked.id)
        if (task.state !== "in_progress" || wasAskedToCancel(task)) return asked
        return yield* transaction.run(transitions.apply(task, "cancel", {}, requestId))
      })

      /** The upstream decides: its answer ends the task, in whichever process polls it. */
      const cancelRunning = Effect.fnUntraced(function* (task: Task, requestId: string | null) {
        yield* requireRequestId(requestId)
        const { channel, upstreamId } = (task.kind === "image" ? task.upstream : null) ?? nowhere
        const cancel = models.channel(channel)?.cancel
        if (task.state !== "in_progress" || upstreamId === null || cancel === undefined) {
          return yield* notCancelable(task, "is not queued any more")
        }
        const isAsked = yield* Effect.catch(cancel(upstreamId), ({ message }) =>
          Effect.as(
            Effect.logWarning("an upstream could not be asked to cancel", { channel, message }),
            false,
          ),
        )
        if (!isAsked) return yield* notCancelable(task, "runs, and the upstream does not cancel it")
        return yield* noteAsked(task, requestId).pipe(
          Effect.retry({ times: 10, while: ({ _tag }) => _tag === "StepRefused" }),
          Effect.catchTag("StepRefused", () => Effect.succeed(task)),
        )
      })

      return Tasks.of({
        get,
        wait,
        changes,
        list,
        findByIdempotencyKey,
        cancel: Effect.fnUntraced(function* (principal: Principal, id: string, requestId = null) {
          const task = yield* get(principal, id)
          if (task.state !== "queued") return yield* cancelRunning(task, requestId)
          // It may start meanwhile: then it is what runs that is canceled.
          return yield* Effect.catchIf(cancelTask(task, requestId), isNotCancelable, () =>
            Effect.flatMap(get(principal, id), (running) => cancelRunning(running, requestId)),
          )
        }),
        getAny,
        cancelQueued: (id, requestId = null) =>
          Effect.flatMap(getAny(id), (task) => cancelTask(task, requestId)),
        cancelRunning: (id, requestId = null) =>
          Effect.flatMap(getAny(id), (task) => cancelRunning(task, requestId)),
      })
    }),
  )
}

/** An entry for each of a million requests would make the task larger with each. */
const wasAskedToCancel = ({ history }: Task): boolean => history.some(({ event }) => event === "cancel")

const nowhere = { channel: "", upstreamId: null }

/** Whether a task could not be canceled as it was when it was read. */
export const isNotCancelable = (error: unknown): boolean =>
  error instanceof CoreError && error.code === "task_not_cancelable"
