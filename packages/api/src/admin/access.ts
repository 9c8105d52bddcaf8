import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { BadRequest, Conflict, NotFound } from "../ApiError.ts"
import {
  WireAdminToken,
  WireAdminTokenPage,
  WireNewToken,
  WireRotatedToken,
  WireRotation,
  WireSession,
  WireShownToken,
  WireTokenChange,
} from "../WireAdmin.ts"
import { about, bodyErrors, headers, made, page, params, postErrors } from "./shared.ts"

const setCookie = { "set-cookie": Schema.optionalKey(Schema.String) }

/** Browsers of operators. */
export const sessions = [
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
] as const

/** Credentials of operators. */
export const tokens = [
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
] as const
