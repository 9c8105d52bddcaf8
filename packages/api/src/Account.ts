import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authentication } from "./Authentication.ts"
import { WireBalance } from "./WireBalance.ts"

/** What the caller has. The endpoint refuses what `Authentication` refuses. */
export class AccountGroup extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("balance", "/v1/balance", { success: WireBalance }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the balance",
        description:
          "What the account of the API key has, and what of the key's own quota is used. A submission is refused where its fee is more than `wallet`, or more than `key_quota` less `key_used`.",
      }),
    ),
  )
  .middleware(Authentication)
  .annotateMerge(OpenApi.annotations({ title: "Account", description: "What the key may spend." })) {}
