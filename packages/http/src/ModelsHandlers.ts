import { Api, CurrentPrincipal } from "@atelier/api"
import { ModelCatalog } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import { reply } from "./Answer.ts"
import { withMinimalContext } from "./Group.ts"
import { refuseHttp } from "./HttpRefusal.ts"
import { listOf } from "./Page.ts"
import { toWireModel } from "./toWire.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const catalog = yield* ModelCatalog
    const offered = Effect.flatMap(CurrentPrincipal, catalog.list)

    return withMinimalContext(
      HttpApiBuilder.group(Api, "models", (handlers) =>
        handlers
          .handleRaw("list", ({ endpoint }) =>
            reply(
              endpoint,
              Effect.map(offered, (models) => listOf(models.map(toWireModel))),
            ),
          )
          .handleRaw("get", ({ endpoint, params }) =>
            reply(
              endpoint,
              Effect.gen(function* () {
                const model = (yield* offered).find(({ id }) => id === params.model)
                if (model !== undefined) return toWireModel(model)
                return yield* refuseHttp(
                  "not_found",
                  `There is no model ${JSON.stringify(params.model)} for this key.`,
                )
              }),
            ),
          ),
      ),
    )
  }),
)
