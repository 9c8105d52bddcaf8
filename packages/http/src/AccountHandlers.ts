import { Api, CurrentPrincipal } from "@atelier/api"
import { Wallet } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import { reply } from "./Answer.ts"
import { withMinimalContext } from "./Group.ts"
import { toWireBalance } from "./toWire.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const wallet = yield* Wallet
    const balance = Effect.map(Effect.flatMap(CurrentPrincipal, wallet.account), toWireBalance)

    return withMinimalContext(
      HttpApiBuilder.group(Api, "account", (handlers) =>
        handlers.handleRaw("balance", ({ endpoint }) => reply(endpoint, balance)),
      ),
    )
  }),
)
