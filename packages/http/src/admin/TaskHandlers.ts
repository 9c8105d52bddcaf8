import { AdminTasks, type Task, type UserId } from "@atelier/core"
import * as Effect from "effect/Effect"
import { reply } from "../Answer.ts"
import { pageOf } from "../Page.ts"
import { Settings } from "../ServerSettings.ts"
import { storedStates, toWireCallback, toWireTask } from "../toWire.ts"
import type { AdminHandlersOf } from "./AdminEndpoints.ts"
import { makeChange } from "./change.ts"

/** Customers' tasks. */
export const makeTaskHandlers = Effect.gen(function* () {
  const adminTasks = yield* AdminTasks
  const { mediaUrl } = yield* Settings
  const { change, once } = yield* makeChange

  const toWireOwned = (task: Task) => ({
    user_id: task.userId,
    key_id: task.keyId,
    request_id: task.requestId,
    task: toWireTask(task, mediaUrl),
  })

  const handlers: AdminHandlersOf<"tasks" | "cancelTask" | "redeliverCallback"> = {
    tasks: ({ endpoint, query: { state, user, request_id, cursor, limit } }) => {
      const filter = {
        ...(cursor === undefined ? {} : { after: cursor }),
        ...(state === undefined ? {} : { states: storedStates(state) }),
        ...(user === undefined ? {} : { userId: user as UserId }),
        ...(request_id === undefined ? {} : { requestId: request_id }),
      }
      return reply(
        endpoint,
        pageOf(
          limit,
          (limit) => adminTasks.list({ ...filter, limit }),
          (task) => task.id,
          toWireOwned,
        ),
      )
    },
    cancelTask: ({ endpoint, params }) =>
      change(
        endpoint,
        once({
          operation: "task.cancel",
          sent: [params.id],
          id: params.id as Task["id"],
          commit: (id) => Effect.map(adminTasks.cancel(id), toWireOwned),
          replay: (id) => Effect.map(adminTasks.get(id), toWireOwned),
        }),
      ),
    redeliverCallback: ({ endpoint, params }) =>
      change(
        endpoint,
        once({
          operation: "task.redeliver",
          sent: [params.id],
          id: params.id as Task["id"],
          commit: (id) => Effect.map(adminTasks.redeliver(id), toWireCallback),
          replay: (id) => Effect.map(adminTasks.callback(id), toWireCallback),
        }),
      ),
  }
  return handlers
})
