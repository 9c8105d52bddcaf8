import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { BadRequest, Conflict, Gone, NotAcceptable, NotFound } from "../ApiError.ts"
import { WireAdminTask, WireAdminTaskDetail, WireAdminTaskPage } from "../WireAdmin.ts"
import { WireCallback, WireTaskState } from "../WireTask.ts"
import { WireOutputFormat, WireToolResult } from "../WireToolTask.ts"
import { about, headers, made, page, params, period } from "./shared.ts"

/** Tasks of all users. */
export const tasks = [
  HttpApiEndpoint.get("tasks", "/admin/v1/tasks", {
    query: {
      state: Schema.optionalKey(WireTaskState),
      user: Schema.optionalKey(Schema.String),
      key: Schema.optionalKey(Schema.String),
      model: Schema.optionalKey(Schema.String.annotate({ description: "A model or a tool." })),
      request_id: Schema.optionalKey(
        Schema.String.annotate({ description: "The `x-request-id` of the submission's answer." }),
      ),
      idempotency_key: Schema.optionalKey(
        Schema.String.annotate({ description: "That of the submission, of any API key." }),
      ),
      ...period,
      ...page,
    },
    success: WireAdminTaskPage,
    error: BadRequest,
  }).annotateMerge(
    about(
      "List tasks of all users",
      "Newest first, each with its user, its key and the request that submitted it.",
    ),
  ),
  HttpApiEndpoint.get("task", "/admin/v1/tasks/:id", {
    params,
    success: WireAdminTaskDetail,
    error: NotFound,
  }).annotateMerge(
    about(
      "Get a task with everything that is known of it",
      "What was asked, each step with its time and its transfers, what it cost and why, where it ran, its callback.",
    ),
  ),
  HttpApiEndpoint.get("taskResult", "/admin/v1/tasks/:id/result", {
    params,
    query: { format: Schema.optionalKey(WireOutputFormat) },
    success: [
      Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/markdown; charset=utf-8" })),
      WireToolResult,
    ],
    error: [BadRequest, NotFound, NotAcceptable, Conflict, Gone],
  }).annotateMerge(
    about("Get a document task's result", "As its owner gets it; Markdown unless `format` says otherwise."),
  ),
  HttpApiEndpoint.post("cancelTask", "/admin/v1/tasks/:id/cancel", {
    params,
    headers,
    success: [made(WireAdminTask), made(WireAdminTask.pipe(HttpApiSchema.status(202)))],
    error: [BadRequest, NotFound, Conflict],
  }).annotateMerge(
    about(
      "Cancel a task of any user and refund its fee",
      "As its owner may. 200: the task was queued, and is `failed` with `canceled`, its fee refunded. 202: it runs, and its upstream was asked to stop. 409 `task_not_cancelable` otherwise.",
    ),
  ),
  HttpApiEndpoint.post("redeliverCallback", "/admin/v1/tasks/:id/redeliver", {
    params,
    headers,
    success: made(WireCallback.pipe(HttpApiSchema.status(202))),
    error: [BadRequest, NotFound, Conflict],
  }).annotateMerge(
    about(
      "Deliver a task's callback again",
      "At once, whatever the callback's state. 404 `not_found` if the task has none.",
    ),
  ),
] as const
