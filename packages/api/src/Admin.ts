import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BadRequest, ContentTooLarge, NotFound, UnsupportedMediaType } from "./ApiError.ts"
import { AdminAuthentication } from "./Authentication.ts"
import { PageLimit } from "./Tasks.ts"
import {
  WireAdminModel,
  WireAdminModelList,
  WireAdminTaskPage,
  WireAdminTool,
  WireAdminToolList,
  WireAuditList,
  WireKey,
  WireKeyList,
  WireKeySettings,
  WireModelChange,
  WireNewGrant,
  WireNewKey,
  WireNewUser,
  WireStats,
  WireToolChange,
  WireTransferPage,
  WireUser,
  WireUserChange,
  WireUserPage,
} from "./WireAdmin.ts"
import { WireTaskState } from "./WireTask.ts"

const params = { id: Schema.String }
const bodyErrors = [BadRequest, ContentTooLarge, UnsupportedMediaType] as const
const page = {
  cursor: Schema.optionalKey(Schema.String.annotate({ description: "`last_id` of the page before." })),
  limit: Schema.optionalKey(PageLimit),
}
const summary = (text: string) => OpenApi.annotations({ summary: text })

/**
 * contract, Running it: the operator's API. Every endpoint refuses, in this order:
 * 1. 404 `not_found` (no admin token is configured), 401 `invalid_api_key`
 * 2. 400 `invalid_parameter` (query)
 * 3. 415, 413, 400 `invalid_json`, 400 `unknown_parameter`, 400 `invalid_parameter` (body)
 * 4. 404 `not_found` (user, key, tool, model)
 */
export class AdminGroup extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("createUser", "/admin/v1/users", {
      payload: WireNewUser,
      success: WireUser.pipe(HttpApiSchema.status(201)),
      error: bodyErrors,
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
      payload: WireNewGrant,
      success: WireUser.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, NotFound],
    }).annotateMerge(summary("Add money to a wallet")),
    HttpApiEndpoint.get("keys", "/admin/v1/users/:id/keys", {
      params,
      success: WireKeyList,
      error: NotFound,
    }).annotateMerge(summary("List a user's keys")),
    HttpApiEndpoint.post("createKey", "/admin/v1/users/:id/keys", {
      params,
      payload: WireKeySettings,
      success: WireNewKey.pipe(HttpApiSchema.status(201)),
      error: [...bodyErrors, NotFound],
    }).annotateMerge(summary("Create an API key; the only answer that shows it")),
    HttpApiEndpoint.patch("updateKey", "/admin/v1/keys/:id", {
      params,
      payload: WireKeySettings,
      success: WireKey,
      error: [...bodyErrors, NotFound],
    }).annotateMerge(summary("Change an API key")),
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
    }).annotateMerge(summary("Enable, price or deliver a model")),
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
    HttpApiEndpoint.get("ledger", "/admin/v1/ledger", {
      query: { user: Schema.optionalKey(Schema.String), ...page },
      success: WireTransferPage,
      error: BadRequest,
    }).annotateMerge(summary("List ledger transfers")),
    HttpApiEndpoint.get("stats", "/admin/v1/stats", { success: WireStats }).annotateMerge(
      summary("Count tasks and jobs, and check the ledger"),
    ),
    HttpApiEndpoint.get("audit", "/admin/v1/audit", {
      query: { limit: Schema.optionalKey(PageLimit) },
      success: WireAuditList,
      error: BadRequest,
    }).annotateMerge(summary("List administrators' changes")),
  )
  .middleware(AdminAuthentication)
  .annotateMerge(OpenApi.annotations({ title: "Administration" })) {}
