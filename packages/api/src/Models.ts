import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { NotFound } from "./ApiError.ts"
import { Authentication } from "./Authentication.ts"
import { WireModel, WireModelList } from "./WireModel.ts"

/**
 * image-tasks 4.4. Both endpoints refuse what `Authentication` refuses; `get` then 404 `not_found` (no such
 * model, or not for this key).
 */
export class ModelsGroup extends HttpApiGroup.make("models")
  .add(
    HttpApiEndpoint.get("list", "/v1/models", { success: WireModelList }).annotateMerge(
      OpenApi.annotations({
        summary: "List models",
        description: "The live models that the key may use, with the parameters, limits and prices of each.",
      }),
    ),
    HttpApiEndpoint.get("get", "/v1/models/:model", {
      params: { model: Schema.String },
      success: WireModel,
      error: NotFound,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a model",
        description: "One model. 404 `not_found` if there is none, or the key may not use it.",
      }),
    ),
  )
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Models",
      description: "What may be asked for, with which parameters, at which price.",
    }),
  ) {}
