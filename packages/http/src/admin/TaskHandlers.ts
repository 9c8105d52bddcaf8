import {
  AdminTasks,
  isFinal,
  isNotCancelable,
  type KeyId,
  type Task,
  ToolTasks,
  type UserId,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import { json, reply, respond, streamed } from "../Answer.ts"
import { pageOf } from "../Page.ts"
import { Settings } from "../ServerSettings.ts"
import { storedStates, toWireCallback } from "../toWire.ts"
import { toWireOwned, toWireTaskDetail } from "../toWireAdmin.ts"
import type { AdminHandlersOf } from "./AdminEndpoints.ts"
import { makeChange } from "./change.ts"

/** Customers' tasks. */
export const makeTaskHandlers = Effect.gen(function* () {
  const adminTasks = yield* AdminTasks
  const { mediaUrl } = yield* Settings
  const toolTasks = yield* ToolTasks
  const { audited, change, once } = yield* makeChange

  const cancelOnce = (id: string) =>
    once({
      operation: "task.cancel",
      sent: [id],
      id: id as Task["id"],
      prepare: adminTasks.askToCancel,
      commit: adminTasks.cancel,
      replay: adminTasks.get,
    })

  /** A queued one may start meanwhile: then it is what runs that is canceled. */
  const cancelTask = (id: string) =>
    Effect.catchIf(cancelOnce(id), isNotCancelable, (refused) =>
      Effect.flatMap(adminTasks.get(id), ({ state }) =>
        state === "in_progress" ? cancelOnce(id) : Effect.fail(refused),
      ),
    )

  const owned = (task: Task) => toWireOwned(task, mediaUrl)

  const handlers: AdminHandlersOf<"tasks" | "task" | "taskResult" | "cancelTask" | "redeliverCallback"> = {
    tasks: ({ endpoint, query }) => {
      const { state, user, key, model, request_id, idempotency_key, from, until, cursor, limit } = query
      const filter = {
        ...(cursor === undefined ? {} : { after: cursor }),
        ...(state === undefined ? {} : { states: storedStates(state) }),
        ...(user === undefined ? {} : { userId: user as UserId }),
        ...(key === undefined ? {} : { keyId: key as KeyId }),
        ...(model === undefined ? {} : { subject: model }),
        ...(request_id === undefined ? {} : { requestId: request_id }),
        ...(idempotency_key === undefined ? {} : { idempotencyKey: idempotency_key }),
        ...(from === undefined ? {} : { from: from * 1000 }),
        ...(until === undefined ? {} : { until: until * 1000 }),
      }
      return reply(
        endpoint,
        pageOf(
          limit,
          (limit) => adminTasks.list({ ...filter, limit }),
          (task) => task.id,
          owned,
        ),
      )
    },
    task: ({ endpoint, params }) =>
      reply(
        endpoint,
        Effect.map(adminTasks.detail(params.id), (detail) => toWireTaskDetail(detail, mediaUrl)),
      ),
    taskResult: ({ endpoint, params, query }) =>
      respond(
        endpoint,
        Effect.flatMap(toolTasks.openAnyResult(params.id, query.format), ({ result, content }) =>
          streamed(content, { contentType: result.contentType, contentLength: result.bytes }),
        ),
      ),
    cancelTask: ({ endpoint, params }) =>
      respond(
        endpoint,
        Effect.map(audited(endpoint, cancelTask(params.id)), ({ body: task, headers }) =>
          // One that runs ends when its upstream has stopped it (contract, Later decisions).
          json(
            owned(task),
            isFinal(task.state) ? { headers } : { status: 202, headers: { ...headers, "retry-after": "2" } },
          ),
        ),
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
