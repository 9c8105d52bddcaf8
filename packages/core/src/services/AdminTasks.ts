import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { CurrentActor } from "../domain/AdminToken.ts"
import type { CallbackDelivery } from "../domain/CallbackDelivery.ts"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import type { Transfer } from "../domain/Ledger.ts"
import type { Task } from "../domain/Task.ts"
import type { ToolFile } from "../domain/ToolFile.ts"
import { FileStore } from "../ports/FileStore.ts"
import { KeyStore } from "../ports/KeyStore.ts"
import { LedgerStore } from "../ports/LedgerStore.ts"
import { type TaskQuery, TaskStore } from "../ports/TaskStore.ts"
import { quote } from "./Access.ts"
import { Audit } from "./Audit.ts"
import { Callbacks } from "./Callbacks.ts"
import { Tasks } from "./Tasks.ts"

type Failure = CoreError | StorageError

/** A hold, and what closes it. */
const transfersMax = 10

/** A task with its owner, its file, its money and its callback. Names are null where the rows are gone. */
export interface TaskDetail {
  readonly task: Task
  readonly userName: string | null
  readonly keyName: string | null
  readonly file: ToolFile | null
  readonly callback: CallbackDelivery | null
  /** The oldest first. */
  readonly transfers: ReadonlyArray<Transfer & { readonly sequence: number }>
}

/** Administration of customers' tasks; every change is written to the audit log in its own transaction. */
export class AdminTasks extends Context.Service<
  AdminTasks,
  {
    /** A page of the tasks of all users, newest first. */
    readonly list: (query: TaskQuery) => Effect.Effect<ReadonlyArray<Task>, StorageError>
    /** Refuses with `task_not_found`. */
    readonly get: (id: string) => Effect.Effect<Task, Failure>
    /** A task with everything that is known of it. Refuses with `task_not_found`. */
    readonly detail: (id: string) => Effect.Effect<TaskDetail, Failure>
    /**
     * Outside of a transaction: asks the upstream of a task that runs to stop, and gives the task; undefined for one
     * that is queued. Refuses with `task_not_cancelable`.
     */
    readonly askToCancel: (id: string) => Effect.Effect<Task | undefined, Failure>
    /** Ends a queued task, or keeps in the audit log that the upstream of one that runs was `asked`. */
    readonly cancel: (id: string, asked?: Task) => Effect.Effect<Task, Failure>
    /** Refuses with `task_not_found`, and with `not_found` where the task has no callback. */
    readonly callback: (id: string) => Effect.Effect<CallbackDelivery, Failure>
    /** Refuses as `Callbacks.redeliver`. */
    readonly redeliver: (id: string) => Effect.Effect<CallbackDelivery, Failure>
  }
>()("@atelier/core/services/AdminTasks") {
  static readonly layer = Layer.effect(
    AdminTasks,
    Effect.gen(function* () {
      const audit = yield* Audit
      const callbacks = yield* Callbacks
      const files = yield* FileStore
      const keys = yield* KeyStore
      const ledger = yield* LedgerStore
      const store = yield* TaskStore
      const tasks = yield* Tasks

      const detail = Effect.fnUntraced(function* (id: string) {
        const task = yield* tasks.getAny(id)
        const user = yield* keys.getUser(task.userId)
        const key = yield* keys.getKey(task.keyId)
        const file = task.kind === "tool" ? yield* files.get(task.fileId) : Option.none<ToolFile>()
        const delivery = yield* callbacks.getAny(id)
        const transfers = yield* ledger.list({ taskId: task.id, limit: transfersMax })
        const found: TaskDetail = {
          task,
          userName: Option.match(user, { onNone: () => null, onSome: ({ name }) => name }),
          keyName: Option.match(key, { onNone: () => null, onSome: ({ name }) => name }),
          file: Option.getOrNull(file),
          callback: Option.getOrNull(delivery),
          transfers: transfers.toReversed(),
        }
        return found
      })

      const askToCancel = Effect.fnUntraced(function* (id: string) {
        const task = yield* tasks.getAny(id)
        const { requestId } = yield* CurrentActor
        return task.state === "queued" ? undefined : yield* tasks.cancelRunning(id, requestId)
      })

      const cancel = (id: string, asked?: Task) =>
        audit.change(
          "task.cancel",
          id,
          Effect.gen(function* () {
            const before = asked ?? (yield* tasks.getAny(id))
            const { requestId } = yield* CurrentActor
            const task = asked ?? (yield* tasks.cancelQueued(id, requestId))
            return { value: task, before: { state: before.state }, after: { state: task.state } }
          }),
        )

      const callback = Effect.fnUntraced(function* (id: string) {
        const found = yield* callbacks.getAny(id)
        return Option.isSome(found)
          ? found.value
          : yield* refuse("not_found", `The task ${quote(id)} has no callback.`, { taskId: id })
      })

      const redeliver = (id: string) =>
        audit.change(
          "task.redeliver",
          id,
          Effect.map(callbacks.redeliverAny(id), (delivery) => ({
            value: delivery,
            before: null,
            after: { url: withoutSecrets(delivery.url) },
          })),
        )

      return AdminTasks.of({
        list: store.list,
        get: tasks.getAny,
        detail,
        askToCancel,
        cancel,
        callback,
        redeliver,
      })
    }),
  )
}

/** Addresses of customers may hold their secrets: userinfo and query stay out of the log. */
const withoutSecrets = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
