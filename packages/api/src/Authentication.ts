import type { Principal } from "@atelier/core"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  BadRequest,
  Forbidden,
  InternalError,
  NotFound,
  TooManyRequests,
  Unauthorized,
  Unavailable,
} from "./ApiError.ts"

/** The caller: the key that the request was authenticated with, and its user. */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "@atelier/api/CurrentPrincipal",
) {}

const apiKey = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "An API key of the service: `Bearer sk-atl-…`."),
)
const adminToken = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "An operator's token: `ATELIER_ADMIN_TOKEN`, or a named one, `Bearer sk-atladm-…`.",
  ),
)

/**
 * `Authorization: Bearer <API_KEY>` on every request (image-tasks 5, document-tools 5). Refuses, in this order:
 * 401 (missing, malformed or unknown key, disabled, expired), 403 (account, address), 429 (rate).
 */
export class Authentication extends HttpApiMiddleware.Service<
  Authentication,
  { provides: CurrentPrincipal }
>()("@atelier/api/Authentication", {
  security: { apiKey },
  error: [Unauthorized, Forbidden, TooManyRequests, InternalError, Unavailable],
  requiredForClient: true,
}) {}

/**
 * `Authorization: Bearer <admin token>`, and what the token's role may do; without `ATELIER_ADMIN_TOKEN` every admin
 * path is 404. Refuses, in this order: 404, 401 (429 after many), 403 `role_not_allowed`, 400 `unknown_parameter`.
 */
export class AdminAuthentication extends HttpApiMiddleware.Service<AdminAuthentication>()(
  "@atelier/api/AdminAuthentication",
  {
    security: { adminToken },
    error: [BadRequest, Unauthorized, Forbidden, NotFound, TooManyRequests, InternalError, Unavailable],
    requiredForClient: true,
  },
) {}
