import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AdminAuthentication } from "./Authentication.ts"
import { sessions, tokens } from "./admin/access.ts"
import { catalog } from "./admin/catalog.ts"
import { keys } from "./admin/keys.ts"
import { ledger } from "./admin/ledger.ts"
import { overview, records } from "./admin/service.ts"
import { tasks } from "./admin/tasks.ts"
import { users } from "./admin/users.ts"

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
  .add(...users, ...keys, ...catalog, ...tasks, ...ledger, ...overview, ...sessions, ...records, ...tokens)
  .middleware(AdminAuthentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Administration",
      description: "Users, keys, prices, the ledger and the audit log, for operators.",
    }),
  ) {}
