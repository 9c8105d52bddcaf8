import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import {
  BadRequest,
  Conflict,
  ContentTooLarge,
  Gone,
  NotAcceptable,
  NotFound,
  UnsupportedMediaType,
} from "./ApiError.ts"
import { AdminAuthentication } from "./Authentication.ts"
import { PageLimit } from "./Tasks.ts"
import {
  WireAdminChannel,
  WireAdminChannelList,
  WireAdminModel,
  WireAdminModelList,
  WireAdminTask,
  WireAdminTaskDetail,
  WireAdminTaskPage,
  WireAdminToken,
  WireAdminTokenPage,
  WireAdminTool,
  WireAdminToolList,
  WireAuditOutcome,
  WireAuditPage,
  WireChannelPause,
  WireDayList,
  WireKey,
  WireKeyList,
  WireKeySettings,
  WireModelChange,
  WireNewGrant,
  WireNewKey,
  WireNewToken,
  WireNewUser,
  WireOverview,
  WireRotatedKey,
  WireRotatedToken,
  WireRotatedWebhookSecret,
  WireRotation,
  WireSession,
  WireSettingList,
  WireShownToken,
  WireSpenderList,
  WireStats,
  WireTokenChange,
  WireToolChange,
  WireTransferPage,
  WireUser,
  WireUserChange,
  WireUserPage,
} from "./WireAdmin.ts"
import { replayedHeader } from "./WireCommon.ts"
import { WireCallback, WireTaskState } from "./WireTask.ts"
import { WireOutputFormat, WireToolResult } from "./WireToolTask.ts"

const params = { id: Schema.String }
const bodyErrors = [BadRequest, ContentTooLarge, UnsupportedMediaType] as const
const page = {
  cursor: Schema.optionalKey(Schema.String.annotate({ description: "`last_id` of the previous page." })),
  limit: Schema.optionalKey(PageLimit),
}
const UnixTime = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000_000_000 }))
/** Unix seconds: at or after `from`, before `until`. */
const requiredPeriod = { from: UnixTime, until: UnixTime }
const period = { from: Schema.optionalKey(UnixTime), until: Schema.optionalKey(UnixTime) }
const setCookie = { "set-cookie": Schema.optionalKey(Schema.String) }
const OverviewEvent = Schema.Struct({
  id: Schema.optionalKey(Schema.String),
  event: Schema.Literal("overview"),
  data: Schema.fromJsonString(WireOverview),
})
/** contract, Later decisions: every POST takes a key; repeating the request with it changes nothing. */
const headers = {
  "idempotency-key": Schema.optionalKey(
    Schema.String.annotate({
      description:
        "1 to 128 printable ASCII characters, kept 7 days for each admin credential. A repetition changes nothing, and returns the current state of what was created; a secret is shown only the first time.",
    }),
  ),
}
/** The answer of a POST. */
const made = <S extends Schema.Top>(schema: S) => HttpApiSchema.WithHeaders(schema, replayedHeader)
const postErrors = [...bodyErrors, NotFound, Conflict] as const
/** A line for lists, and what else there is to know. */
const about = (summary: string, description: string) => OpenApi.annotations({ summary, description })

/**
 * contract, Running it: the operator's API. Every endpoint refuses, in this order:
 * 1. 404 `not_found` (no admin token is configured), 401 `invalid_api_key`, `api_key_disabled`, `api_key_expired`,
 *    429 `rate_limited` in place of 401 after many, 403 `role_not_allowed`
 * 2. 400 `unknown_parameter`, 400 `invalid_parameter` (query)
 * 3. 415, 413, 400 `invalid_json`, 400 `unknown_parameter`, 400 `invalid_parameter` (body), 403 `role_not_allowed`
 *    (fields)
 * 4. 400 `invalid_idempotency_key`, 409 `idempotency_key_reused` (or a replay)
 * 5. 404 `not_found` (user, key, tool, model, channel, token), 404 `task_not_found`, and what the change itself refuses
 */
export class AdminGroup extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("createUser", "/admin/v1/users", {
      headers,
      payload: WireNewUser,
      success: made(WireUser.pipe(HttpApiSchema.status(201))),
      error: [...bodyErrors, Conflict],
    }).annotateMerge(
      about(
        "Create a user",
        "A customer with a wallet of their own. `balance_usd` is put into the wallet in the same step.",
      ),
    ),
    HttpApiEndpoint.get("users", "/admin/v1/users", {
      query: page,
      success: WireUserPage,
      error: BadRequest,
    }).annotateMerge(about("List users", "Every user with their balances, newest first.")),
    HttpApiEndpoint.get("user", "/admin/v1/users/:id", {
      params,
      success: WireUser,
      error: NotFound,
    }).annotateMerge(about("Get a user", "One user with their balances.")),
    HttpApiEndpoint.patch("updateUser", "/admin/v1/users/:id", {
      params,
      payload: WireUserChange,
      success: WireUser,
      error: [...bodyErrors, NotFound],
    }).annotateMerge(
      about(
        "Disable or enable a user",
        "A disabled user's keys are refused with 403 `account_disabled`; tasks that were accepted go on.",
      ),
    ),
    HttpApiEndpoint.post("grant", "/admin/v1/users/:id/grants", {
      params,
      headers,
      payload: WireNewGrant,
      success: made(WireUser.pipe(HttpApiSchema.status(201))),
      error: postErrors,
    }).annotateMerge(
      about(
        "Add money to a wallet",
        "One transfer in the ledger, with its reason. Nothing takes it back but another transfer.",
      ),
    ),
    HttpApiEndpoint.get("keys", "/admin/v1/users/:id/keys", {
      params,
      success: WireKeyList,
      error: NotFound,
    }).annotateMerge(about("List a user's keys", "Every key of the user, without secrets.")),
    HttpApiEndpoint.post("createKey", "/admin/v1/users/:id/keys", {
      params,
      headers,
      payload: WireKeySettings,
      success: made(WireNewKey.pipe(HttpApiSchema.status(201))),
      error: postErrors,
    }).annotateMerge(
      about(
        "Create an API key; only this answer shows it",
        "Absent settings leave the key without that limit. Keep `key` and `webhook_secret`: no other answer has them.",
      ),
    ),
    HttpApiEndpoint.get("key", "/admin/v1/keys/:id", {
      params,
      success: WireKey,
      error: NotFound,
    }).annotateMerge(
      about("Get an API key, without its secret", "The key's settings, and what it has spent."),
    ),
    HttpApiEndpoint.patch("updateKey", "/admin/v1/keys/:id", {
      params,
      payload: WireKeySettings,
      success: WireKey,
      error: [...bodyErrors, NotFound],
    }).annotateMerge(about("Change an API key", "Sets the fields that are given, and leaves the others.")),
    HttpApiEndpoint.post("rotateKey", "/admin/v1/keys/:id/rotate", {
      params,
      headers,
      payload: WireRotation,
      success: made(WireRotatedKey),
      error: postErrors,
    }).annotateMerge(
      about(
        "Give an API key a new secret; the old one stays valid for the overlap",
        "The overlap is 24 hours unless `overlap_seconds` says otherwise; 0 makes the old secret void at once.",
      ),
    ),
    HttpApiEndpoint.post("rotateWebhookSecret", "/admin/v1/keys/:id/rotate-webhook-secret", {
      params,
      headers,
      payload: WireRotation,
      success: made(WireRotatedWebhookSecret),
      error: postErrors,
    }).annotateMerge(
      about(
        "Give a key a new webhook secret; both sign during the overlap",
        "The overlap is 24 hours unless `overlap_seconds` says otherwise. Verifiers of Standard Webhooks accept either signature.",
      ),
    ),
    HttpApiEndpoint.get("tools", "/admin/v1/tools", { success: WireAdminToolList }).annotateMerge(
      about(
        "List tools, unpublished ones included",
        "Every document tool of this server with its price and limit.",
      ),
    ),
    HttpApiEndpoint.get("tool", "/admin/v1/tools/:id", {
      params,
      success: WireAdminTool,
      error: NotFound,
    }).annotateMerge(about("Get a tool", "One document tool with its price and limit.")),
    HttpApiEndpoint.patch("updateTool", "/admin/v1/tools/:id", {
      params,
      payload: WireToolChange,
      success: WireAdminTool,
      error: [...bodyErrors, NotFound],
    }).annotateMerge(
      about(
        "Publish, price or limit a tool",
        "Sets the fields that are given, for tasks that are accepted from now on.",
      ),
    ),
    HttpApiEndpoint.get("models", "/admin/v1/models", { success: WireAdminModelList }).annotateMerge(
      about("List models, disabled ones included", "Every image model of this server with its prices."),
    ),
    HttpApiEndpoint.get("model", "/admin/v1/models/:id", {
      params,
      success: WireAdminModel,
      error: NotFound,
    }).annotateMerge(about("Get a model", "One image model with its prices.")),
    HttpApiEndpoint.patch("updateModel", "/admin/v1/models/:id", {
      params,
      payload: WireModelChange,
      success: WireAdminModel,
      error: [...bodyErrors, NotFound],
    }).annotateMerge(
      about(
        "Enable or price a model, or set its delivery",
        "Sets the fields that are given, for tasks that are accepted from now on.",
      ),
    ),
    HttpApiEndpoint.get("channels", "/admin/v1/channels", { success: WireAdminChannelList }).annotateMerge(
      about(
        "List channels",
        "Every configured channel to an upstream, with its circuit breaker and whether it is paused.",
      ),
    ),
    HttpApiEndpoint.post("pauseChannel", "/admin/v1/channels/:id/pause", {
      params,
      headers,
      payload: WireChannelPause,
      success: made(WireAdminChannel),
      error: postErrors,
    }).annotateMerge(
      about(
        "Stop sending tasks to a channel",
        "In every process within a second, and after a restart too. What the channel accepted goes on; tasks that no other channel serves wait until their deadline.",
      ),
    ),
    HttpApiEndpoint.post("resumeChannel", "/admin/v1/channels/:id/resume", {
      params,
      headers,
      success: made(WireAdminChannel),
      error: [BadRequest, NotFound, Conflict],
    }).annotateMerge(
      about("Send tasks to a channel again", "Tasks that waited for it start within a minute."),
    ),
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
      success: made(WireAdminTask),
      error: [BadRequest, NotFound, Conflict],
    }).annotateMerge(
      about(
        "Cancel a task of any user and refund its fee",
        "As its owner may: a queued task becomes `failed` with `canceled`; 409 `task_not_cancelable` otherwise.",
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
    HttpApiEndpoint.get("ledger", "/admin/v1/ledger", {
      query: {
        user: Schema.optionalKey(Schema.String),
        task: Schema.optionalKey(Schema.String),
        ...page,
      },
      success: WireTransferPage,
      error: BadRequest,
    }).annotateMerge(
      about(
        "List ledger transfers",
        "Every movement of money, newest first: grants, holds, settlements and releases.",
      ),
    ),
    HttpApiEndpoint.get("ledgerCsv", "/admin/v1/ledger.csv", {
      query: { user: Schema.optionalKey(Schema.String) },
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv; charset=utf-8" })),
      error: BadRequest,
    }).annotateMerge(
      about(
        "Export the ledger as CSV",
        "Every transfer, newest first, sent as it is read. A text that a spreadsheet would calculate begins with an apostrophe.",
      ),
    ),
    HttpApiEndpoint.get("spenders", "/admin/v1/spenders", {
      query: requiredPeriod,
      success: WireSpenderList,
      error: BadRequest,
    }).annotateMerge(
      about("List who was charged most", "At most 20 users, those who were charged most in the time first."),
    ),
    HttpApiEndpoint.get("spending", "/admin/v1/users/:id/spending", {
      params,
      query: requiredPeriod,
      success: WireDayList,
      error: [BadRequest, NotFound],
    }).annotateMerge(about("List what a user was charged by day", "Of the time that is asked for.")),
    HttpApiEndpoint.get("overview", "/admin/v1/overview", { success: WireOverview }).annotateMerge(
      about(
        "Get the last hour of the service",
        "Tasks and money by minute, what waits, how long tasks took, and why tasks failed.",
      ),
    ),
    HttpApiEndpoint.get("overviewEvents", "/admin/v1/overview/events", {
      success: HttpApiSchema.StreamSse({ events: OverviewEvent }),
    }).annotateMerge(
      about(
        "Watch the last hour of the service",
        "Server-Sent Events `overview`, one every two seconds for half a minute; then connect again, with a credential that is still good.",
      ),
    ),
    HttpApiEndpoint.get("settings", "/admin/v1/settings", { success: WireSettingList }).annotateMerge(
      about(
        "List the settings in force",
        "Each with where it comes from: the environment, the configuration file, or its default. No secret is shown.",
      ),
    ),
    HttpApiEndpoint.get("session", "/admin/v1/session", { success: WireSession }).annotateMerge(
      about("Get whose credential this is", "The admin token's id and role, and when the session ends."),
    ),
    HttpApiEndpoint.put("openSession", "/admin/v1/session", {
      success: HttpApiSchema.WithHeaders(WireSession, setCookie),
    }).annotateMerge(
      about(
        "Sign a browser in",
        "With an admin token in `Authorization`. The session is an http-only cookie that counts only beside the header `x-atelier-console: 1`, which no page of another origin can send.",
      ),
    ),
    HttpApiEndpoint.delete("closeSession", "/admin/v1/session", {
      success: HttpApiSchema.WithHeaders(WireSession, setCookie),
    }).annotateMerge(about("Sign a browser out", "The session of the cookie ends.")),
    HttpApiEndpoint.get("stats", "/admin/v1/stats", {
      query: {
        check: Schema.optionalKey(
          Schema.Literals(["true", "false"]).annotate({
            description:
              "`true`: adds up every transfer and counts every row as well, which takes seconds for a million tasks.",
          }),
        ),
      },
      success: WireStats,
      error: BadRequest,
    }).annotateMerge(
      about(
        "Numbers of tasks, jobs and transfers; on request also whether they add up",
        "A consistent snapshot of totals that are kept. With `check=true` they are counted again and compared.",
      ),
    ),
    HttpApiEndpoint.get("audit", "/admin/v1/audit", {
      query: {
        actor: Schema.optionalKey(Schema.String),
        action: Schema.optionalKey(Schema.String),
        target: Schema.optionalKey(Schema.String),
        request_id: Schema.optionalKey(Schema.String),
        outcome: Schema.optionalKey(WireAuditOutcome),
        ...page,
      },
      success: WireAuditPage,
      error: BadRequest,
    }).annotateMerge(
      about(
        "List operators' changes and refused attempts",
        "Who changed what, or tried to, from where and in which request; newest first.",
      ),
    ),
    HttpApiEndpoint.post("createToken", "/admin/v1/tokens", {
      headers,
      payload: WireNewToken,
      success: made(WireShownToken.pipe(HttpApiSchema.status(201))),
      error: [...bodyErrors, Conflict],
    }).annotateMerge(
      about(
        "Create an admin token; only this answer shows it",
        "A credential of one person or program, with a role. Keep `token`: no other answer has it.",
      ),
    ),
    HttpApiEndpoint.get("tokens", "/admin/v1/tokens", {
      query: page,
      success: WireAdminTokenPage,
      error: BadRequest,
    }).annotateMerge(about("List admin tokens", "Every admin token, without secrets.")),
    HttpApiEndpoint.get("token", "/admin/v1/tokens/:id", {
      params,
      success: WireAdminToken,
      error: NotFound,
    }).annotateMerge(about("Get an admin token, without its secret", "One admin token with its role.")),
    HttpApiEndpoint.patch("updateToken", "/admin/v1/tokens/:id", {
      params,
      payload: WireTokenChange,
      success: WireAdminToken,
      error: [...bodyErrors, NotFound],
    }).annotateMerge(
      about("Disable or enable an admin token", "A disabled token is refused with 401 `api_key_disabled`."),
    ),
    HttpApiEndpoint.post("rotateToken", "/admin/v1/tokens/:id/rotate", {
      params,
      headers,
      payload: WireRotation,
      success: made(WireRotatedToken),
      error: postErrors,
    }).annotateMerge(
      about(
        "Give an admin token a new secret; the old one is void unless there is an overlap",
        "`overlap_seconds` keeps the old secret valid for that long.",
      ),
    ),
  )
  .middleware(AdminAuthentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Administration",
      description: "Users, keys, prices, the ledger and the audit log, for operators.",
    }),
  ) {}
