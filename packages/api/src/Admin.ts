import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BadRequest, Conflict, ContentTooLarge, NotFound, UnsupportedMediaType } from "./ApiError.ts"
import { AdminAuthentication } from "./Authentication.ts"
import { PageLimit } from "./Tasks.ts"
import {
  WireAdminModel,
  WireAdminModelList,
  WireAdminTask,
  WireAdminTaskPage,
  WireAdminToken,
  WireAdminTokenPage,
  WireAdminTool,
  WireAdminToolList,
  WireAuditOutcome,
  WireAuditPage,
  WireKey,
  WireKeyList,
  WireKeySettings,
  WireModelChange,
  WireNewGrant,
  WireNewKey,
  WireNewToken,
  WireNewUser,
  WireRotatedKey,
  WireRotatedToken,
  WireRotatedWebhookSecret,
  WireRotation,
  WireShownToken,
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

const params = { id: Schema.String }
const bodyErrors = [BadRequest, ContentTooLarge, UnsupportedMediaType] as const
const page = {
  cursor: Schema.optionalKey(Schema.String.annotate({ description: "`last_id` of the previous page." })),
  limit: Schema.optionalKey(PageLimit),
}
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
const summary = (text: string) => OpenApi.annotations({ summary: text })

/**
 * contract, Running it: the operator's API. Every endpoint refuses, in this order:
 * 1. 404 `not_found` (no admin token is configured), 401 `invalid_api_key`, `api_key_disabled`, `api_key_expired`,
 *    429 `rate_limited` in place of 401 after many, 403 `role_not_allowed`
 * 2. 400 `unknown_parameter`, 400 `invalid_parameter` (query)
 * 3. 415, 413, 400 `invalid_json`, 400 `unknown_parameter`, 400 `invalid_parameter` (body), 403 `role_not_allowed`
 *    (fields)
 * 4. 400 `invalid_idempotency_key`, 409 `idempotency_key_reused` (or a replay)
 * 5. 404 `not_found` (user, key, tool, model, token), 404 `task_not_found`, and what the change itself refuses
 */
export class AdminGroup extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("createUser", "/admin/v1/users", {
      headers,
      payload: WireNewUser,
      success: made(WireUser.pipe(HttpApiSchema.status(201))),
      error: [...bodyErrors, Conflict],
    }).annotateMerge(summary("Create a user")),
    HttpApiEndpoint.get("users", "/admin/v1/users", {
      query: page,
      success: WireUserPage,
      error: BadRequest,
    }).annotateMerge(summary("List users")),
    HttpApiEndpoint.get("user", "/admin/v1/users/:id", {
      params,
      success: WireUser,
      error: NotFound,
    }).annotateMerge(summary("Get a user")),
    HttpApiEndpoint.patch("updateUser", "/admin/v1/users/:id", {
      params,
      payload: WireUserChange,
      success: WireUser,
      error: [...bodyErrors, NotFound],
    }).annotateMerge(summary("Disable or enable a user")),
    HttpApiEndpoint.post("grant", "/admin/v1/users/:id/grants", {
      params,
      headers,
      payload: WireNewGrant,
      success: made(WireUser.pipe(HttpApiSchema.status(201))),
      error: postErrors,
    }).annotateMerge(summary("Add money to a wallet")),
    HttpApiEndpoint.get("keys", "/admin/v1/users/:id/keys", {
      params,
      success: WireKeyList,
      error: NotFound,
    }).annotateMerge(summary("List a user's keys")),
    HttpApiEndpoint.post("createKey", "/admin/v1/users/:id/keys", {
      params,
      headers,
      payload: WireKeySettings,
      success: made(WireNewKey.pipe(HttpApiSchema.status(201))),
      error: postErrors,
    }).annotateMerge(summary("Create an API key; only this answer shows it")),
    HttpApiEndpoint.get("key", "/admin/v1/keys/:id", {
      params,
      success: WireKey,
      error: NotFound,
    }).annotateMerge(summary("Get an API key, without its secret")),
    HttpApiEndpoint.patch("updateKey", "/admin/v1/keys/:id", {
      params,
      payload: WireKeySettings,
      success: WireKey,
      error: [...bodyErrors, NotFound],
    }).annotateMerge(summary("Change an API key")),
    HttpApiEndpoint.post("rotateKey", "/admin/v1/keys/:id/rotate", {
      params,
      headers,
      payload: WireRotation,
      success: made(WireRotatedKey),
      error: postErrors,
    }).annotateMerge(summary("Give an API key a new secret; the old one stays valid for the overlap")),
    HttpApiEndpoint.post("rotateWebhookSecret", "/admin/v1/keys/:id/rotate-webhook-secret", {
      params,
      headers,
      payload: WireRotation,
      success: made(WireRotatedWebhookSecret),
      error: postErrors,
    }).annotateMerge(summary("Give a key a new webhook secret; both sign during the overlap")),
    HttpApiEndpoint.get("tools", "/admin/v1/tools", { success: WireAdminToolList }).annotateMerge(
      summary("List tools, unpublished ones included"),
    ),
    HttpApiEndpoint.get("tool", "/admin/v1/tools/:id", {
      params,
      success: WireAdminTool,
      error: NotFound,
    }).annotateMerge(summary("Get a tool")),
    HttpApiEndpoint.patch("updateTool", "/admin/v1/tools/:id", {
      params,
      payload: WireToolChange,
      success: WireAdminTool,
      error: [...bodyErrors, NotFound],
    }).annotateMerge(summary("Publish, price or limit a tool")),
    HttpApiEndpoint.get("models", "/admin/v1/models", { success: WireAdminModelList }).annotateMerge(
      summary("List models, disabled ones included"),
    ),
    HttpApiEndpoint.get("model", "/admin/v1/models/:id", {
      params,
      success: WireAdminModel,
      error: NotFound,
    }).annotateMerge(summary("Get a model")),
    HttpApiEndpoint.patch("updateModel", "/admin/v1/models/:id", {
      params,
      payload: WireModelChange,
      success: WireAdminModel,
      error: [...bodyErrors, NotFound],
    }).annotateMerge(summary("Enable or price a model, or set its delivery")),
    HttpApiEndpoint.get("tasks", "/admin/v1/tasks", {
      query: {
        state: Schema.optionalKey(WireTaskState),
        user: Schema.optionalKey(Schema.String),
        request_id: Schema.optionalKey(
          Schema.String.annotate({ description: "The `x-request-id` of the submission's answer." }),
        ),
        ...page,
      },
      success: WireAdminTaskPage,
      error: BadRequest,
    }).annotateMerge(summary("List tasks of all users")),
    HttpApiEndpoint.post("cancelTask", "/admin/v1/tasks/:id/cancel", {
      params,
      headers,
      success: made(WireAdminTask),
      error: [BadRequest, NotFound, Conflict],
    }).annotateMerge(summary("Cancel a task of any user and refund its fee")),
    HttpApiEndpoint.post("redeliverCallback", "/admin/v1/tasks/:id/redeliver", {
      params,
      headers,
      success: made(WireCallback.pipe(HttpApiSchema.status(202))),
      error: [BadRequest, NotFound, Conflict],
    }).annotateMerge(summary("Deliver a task's callback again")),
    HttpApiEndpoint.get("ledger", "/admin/v1/ledger", {
      query: { user: Schema.optionalKey(Schema.String), ...page },
      success: WireTransferPage,
      error: BadRequest,
    }).annotateMerge(summary("List ledger transfers")),
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
    }).annotateMerge(summary("Numbers of tasks, jobs and transfers; on request also whether they add up")),
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
    }).annotateMerge(summary("List operators' changes and refused attempts")),
    HttpApiEndpoint.post("createToken", "/admin/v1/tokens", {
      headers,
      payload: WireNewToken,
      success: made(WireShownToken.pipe(HttpApiSchema.status(201))),
      error: [...bodyErrors, Conflict],
    }).annotateMerge(summary("Create an admin token; only this answer shows it")),
    HttpApiEndpoint.get("tokens", "/admin/v1/tokens", {
      query: page,
      success: WireAdminTokenPage,
      error: BadRequest,
    }).annotateMerge(summary("List admin tokens")),
    HttpApiEndpoint.get("token", "/admin/v1/tokens/:id", {
      params,
      success: WireAdminToken,
      error: NotFound,
    }).annotateMerge(summary("Get an admin token, without its secret")),
    HttpApiEndpoint.patch("updateToken", "/admin/v1/tokens/:id", {
      params,
      payload: WireTokenChange,
      success: WireAdminToken,
      error: [...bodyErrors, NotFound],
    }).annotateMerge(summary("Disable or enable an admin token")),
    HttpApiEndpoint.post("rotateToken", "/admin/v1/tokens/:id/rotate", {
      params,
      headers,
      payload: WireRotation,
      success: made(WireRotatedToken),
      error: postErrors,
    }).annotateMerge(
      summary("Give an admin token a new secret; the old one is void unless there is an overlap"),
    ),
  )
  .middleware(AdminAuthentication)
  .annotateMerge(OpenApi.annotations({ title: "Administration" })) {}
