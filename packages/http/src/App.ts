import { Api, SystemApi } from "@atelier/api"
import { RequestRates } from "@atelier/core"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import * as AccountHandlers from "./AccountHandlers.ts"
import * as AdminAuthentication from "./AdminAuthentication.ts"
import * as AdminHandlers from "./AdminHandlers.ts"
import { Admission } from "./Admission.ts"
import * as Authentication from "./Authentication.ts"
import * as ErrorBoundary from "./ErrorBoundary.ts"
import * as ImagesHandlers from "./ImagesHandlers.ts"
import * as Media from "./Media.ts"
import * as ModelsHandlers from "./ModelsHandlers.ts"
import * as Mcp from "./mcp/Mcp.ts"
import * as Pages from "./Pages.ts"
import { RefusedCredentials } from "./RefusedCredentials.ts"
import * as ShortWay from "./ShortWay.ts"
import * as SystemHandlers from "./SystemHandlers.ts"
import { TaskAnswers } from "./TaskAnswers.ts"
import * as TasksHandlers from "./TasksHandlers.ts"
import * as ToolsHandlers from "./ToolsHandlers.ts"

const authentication = Layer.merge(Authentication.layer, AdminAuthentication.layer)

const handlers = Layer.mergeAll(
  ModelsHandlers.layer,
  ImagesHandlers.layer,
  TasksHandlers.layer,
  ToolsHandlers.layer,
  AccountHandlers.layer,
  AdminHandlers.layer,
  SystemHandlers.layer,
)

/**
 * Every route under the guard, for `HttpRouter.toHttpEffect` and a server of Node. It needs the services of core
 * and its `RateLimiter`, and of this package `Settings`, `Drain`, `HttpMetrics`, `Overload`,
 * `Bodies` and `Readers`.
 */
export const layer = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(
    Layer.provide(handlers),
    Layer.provide(authentication),
    Layer.provide(ShortWay.layer),
  ),
  Media.layer,
  Mcp.layer,
  Pages.layer,
).pipe(
  Layer.provide([Layer.provide(Admission.layer, RequestRates.layer), TaskAnswers.layer]),
  Layer.provide(
    ErrorBoundary.layer(Api, [
      [Media.mediaPath, "GET"],
      [Mcp.mcpPath, "POST"],
      ...Pages.pagePaths.map((path) => [path, "GET"] as const),
    ]),
  ),
  Layer.provide(RefusedCredentials.layer),
)

/** Only the routes for monitoring, of a process that takes no work from customers. */
export const layerSystem = HttpApiBuilder.layer(SystemApi).pipe(
  Layer.provide(SystemHandlers.layer),
  Layer.provide(ErrorBoundary.layer(SystemApi)),
  Layer.provide(RefusedCredentials.layer),
)
