import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BadRequest, Conflict, Forbidden, Gone, NotAcceptable, NotFound } from "./ApiError.ts"
import { Authentication } from "./Authentication.ts"
import {
  WireCallback,
  WireCallbackList,
  WireHistory,
  WireTask,
  WireTaskPage,
  WireTaskState,
} from "./WireTask.ts"
import { WireOutputFormat, WireToolResult } from "./WireToolTask.ts"

const params = { task_id: Schema.String }

/** Longest `wait`, in seconds (contract, Waiting). */
export const waitSecondsMax = 60
/** Largest page (contract, Waiting). */
export const pageLimitMax = 100
export const pageLimitDefault = 20

export const PageLimit = Schema.Int.check(
  Schema.isBetween(
    { minimum: 1, maximum: pageLimitMax },
    { expected: `an integer from 1 to ${pageLimitMax}` },
  ),
).annotate({ description: `Entries of one page, ${pageLimitDefault} by default.` })

const TaskEvent = Schema.Struct({
  id: Schema.optionalKey(Schema.String),
  event: Schema.Literal("task"),
  data: Schema.fromJsonString(WireTask),
})

/**
 * Tasks of both services (image-tasks 4.2, document-tools 4.4, 4.5; contract, Waiting). Every endpoint refuses,
 * in this order:
 * 1. what `Authentication` refuses
 * 2. 400 `invalid_parameter` (query)
 * 3. 404 `task_not_found` (unknown, or another key's), 403 `tool_not_allowed` (authorization revoked)
 * 4. cancel: 409 `task_not_cancelable`
 *    redeliver: 404 `not_found` (no callback), 429 `rate_limited` (too often for this task)
 *    result: 406 `format_not_requested`, 409 `task_failed`, 409 `result_not_ready`, 410 `result_expired`
 */
export class TasksGroup extends HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.get("get", "/v1/tasks/:task_id", {
      params,
      query: {
        wait: Schema.optionalKey(
          Schema.Finite.check(
            Schema.isBetween(
              { minimum: 0, maximum: waitSecondsMax },
              { expected: `seconds from 0 to ${waitSecondsMax}` },
            ),
          ).annotate({ description: "Seconds to wait for the final state." }),
        ),
      },
      headers: {
        "if-none-match": Schema.optionalKey(
          Schema.String.annotate({ description: "The `ETag` of a final task: 304 if it still matches." }),
        ),
      },
      success: WireTask,
      error: [BadRequest, Forbidden, NotFound],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a task",
        description:
          "The task in its current state; with `wait`, as soon as it is final, or at the end of the wait. Without `wait`, a task that is not final carries `Retry-After`: the seconds, 1 to 30, after which to poll again. A queued task says where it stands in `queue`. A final task carries an `ETag`, and a matching `If-None-Match` gets 304.",
      }),
    ),
    HttpApiEndpoint.get("list", "/v1/tasks", {
      query: {
        idempotency_key: Schema.optionalKey(
          Schema.String.annotate({ description: "Return the task that was submitted under this key." }),
        ),
        limit: Schema.optionalKey(PageLimit),
        after: Schema.optionalKey(Schema.String.annotate({ description: "`last_id` of the previous page." })),
        state: Schema.optionalKey(WireTaskState),
        model: Schema.optionalKey(Schema.String.annotate({ description: "Model or tool id." })),
      },
      success: Schema.Union([WireTaskPage, WireTask]),
      error: [BadRequest, NotFound],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List tasks, or find one",
        description:
          "The API key's tasks, newest first. With `idempotency_key`: the task that was submitted under it, to recover after a lost answer; 404 if nothing was accepted.",
      }),
    ),
    HttpApiEndpoint.get("events", "/v1/tasks/:task_id/events", {
      params,
      headers: { "last-event-id": Schema.optionalKey(Schema.String) },
      success: HttpApiSchema.StreamSse({ events: TaskEvent }),
      error: [Forbidden, NotFound],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Watch a task",
        description:
          "Server-Sent Events `task` with the task at every change, and at every other place in the queue; closes after the final one. `Last-Event-ID` skips what was seen.",
      }),
    ),
    HttpApiEndpoint.post("cancel", "/v1/tasks/:task_id/cancel", {
      params,
      success: [WireTask, HttpApiSchema.status(202)(WireTask)],
      error: [Forbidden, NotFound, Conflict],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Cancel a task",
        description:
          "200: the task was queued, and is `failed` with `canceled`, its fee refunded. 202: it runs, and its upstream was asked to stop; it becomes `failed` with `canceled`, or is delivered where that was too late. 409 `task_not_cancelable` where what runs cannot be canceled.",
      }),
    ),
    HttpApiEndpoint.get("history", "/v1/tasks/:task_id/history", {
      params,
      success: WireHistory,
      error: [Forbidden, NotFound],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a task's history",
        description: "Every transition with its time and its ledger transfers: why was I charged?",
      }),
    ),
    HttpApiEndpoint.get("callbacks", "/v1/tasks/:task_id/callbacks", {
      params,
      success: WireCallbackList,
      error: [Forbidden, NotFound],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a task's callbacks",
        description:
          "The delivery of the final state with its latest attempts; empty before that, or without `callback_url`.",
      }),
    ),
    HttpApiEndpoint.post("redeliver", "/v1/tasks/:task_id/callbacks/redeliver", {
      params,
      success: WireCallback.pipe(HttpApiSchema.status(202)),
      error: [Forbidden, NotFound],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Deliver a task's callback again",
        description:
          "At once, whatever its state. 404 `not_found` if there is none; 429 `rate_limited` beyond 5 redeliveries of a task a minute, or 20 a day.",
      }),
    ),
    HttpApiEndpoint.get("result", "/v1/tasks/:task_id/result", {
      params,
      query: {
        format: Schema.optionalKey(
          WireOutputFormat.annotate({ description: "Absent: markdown if it was requested, else json." }),
        ),
      },
      success: [
        Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/markdown; charset=utf-8" })),
        WireToolResult,
      ],
      error: [BadRequest, Forbidden, NotFound, NotAcceptable, Conflict, Gone],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Download a parse result",
        description:
          "Not a page-level layout: read the warnings; non-empty output does not mean complete recognition.",
      }),
    ),
  )
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Tasks",
      description: "Wait for tasks of either kind, watch, cancel and explain them, and read results.",
    }),
  ) {}
