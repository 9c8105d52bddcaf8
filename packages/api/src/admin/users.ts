import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { BadRequest, Conflict, NotFound } from "../ApiError.ts"
import { WireNewGrant, WireNewUser, WireUser, WireUserChange, WireUserPage } from "../WireAdmin.ts"
import { about, bodyErrors, headers, made, page, params, postErrors } from "./shared.ts"

/** Customers and their money. */
export const users = [
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
] as const
