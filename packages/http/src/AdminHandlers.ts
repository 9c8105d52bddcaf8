import { Api } from "@atelier/api"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import { makeCatalogHandlers } from "./admin/CatalogHandlers.ts"
import { makeKeyHandlers } from "./admin/KeyHandlers.ts"
import { makeOverviewHandlers } from "./admin/OverviewHandlers.ts"
import { makeRecordHandlers } from "./admin/RecordHandlers.ts"
import { makeSessionHandlers } from "./admin/SessionHandlers.ts"
import { makeTaskHandlers } from "./admin/TaskHandlers.ts"
import { makeTokenHandlers } from "./admin/TokenHandlers.ts"
import { makeUserHandlers } from "./admin/UserHandlers.ts"
import { withMinimalContext } from "./Group.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const users = yield* makeUserHandlers
    const keys = yield* makeKeyHandlers
    const catalog = yield* makeCatalogHandlers
    const tasks = yield* makeTaskHandlers
    const records = yield* makeRecordHandlers
    const tokens = yield* makeTokenHandlers
    const overview = yield* makeOverviewHandlers
    const sessions = yield* makeSessionHandlers
    return withMinimalContext(
      HttpApiBuilder.group(Api, "admin", (handlers) =>
        handlers
          .handleRaw("createUser", users.createUser)
          .handleRaw("users", users.users)
          .handleRaw("user", users.user)
          .handleRaw("updateUser", users.updateUser)
          .handleRaw("grant", users.grant)
          .handleRaw("keys", keys.keys)
          .handleRaw("createKey", keys.createKey)
          .handleRaw("key", keys.key)
          .handleRaw("updateKey", keys.updateKey)
          .handleRaw("rotateKey", keys.rotateKey)
          .handleRaw("rotateWebhookSecret", keys.rotateWebhookSecret)
          .handleRaw("tools", catalog.tools)
          .handleRaw("tool", catalog.tool)
          .handleRaw("updateTool", catalog.updateTool)
          .handleRaw("models", catalog.models)
          .handleRaw("model", catalog.model)
          .handleRaw("updateModel", catalog.updateModel)
          .handleRaw("channels", catalog.channels)
          .handleRaw("pauseChannel", catalog.pauseChannel)
          .handleRaw("resumeChannel", catalog.resumeChannel)
          .handleRaw("tasks", tasks.tasks)
          .handleRaw("task", tasks.task)
          .handleRaw("taskResult", tasks.taskResult)
          .handleRaw("cancelTask", tasks.cancelTask)
          .handleRaw("redeliverCallback", tasks.redeliverCallback)
          .handleRaw("ledger", records.ledger)
          .handleRaw("ledgerCsv", records.ledgerCsv)
          .handleRaw("spenders", overview.spenders)
          .handleRaw("spending", overview.spending)
          .handleRaw("overview", overview.overview)
          .handleRaw("overviewEvents", overview.overviewEvents)
          .handleRaw("settings", overview.settings)
          .handleRaw("plugins", overview.plugins)
          .handleRaw("session", sessions.session)
          .handleRaw("openSession", sessions.openSession)
          .handleRaw("closeSession", sessions.closeSession)
          .handleRaw("stats", records.stats)
          .handleRaw("audit", records.audit)
          .handleRaw("createToken", tokens.createToken)
          .handleRaw("tokens", tokens.tokens)
          .handleRaw("token", tokens.token)
          .handleRaw("updateToken", tokens.updateToken)
          .handleRaw("rotateToken", tokens.rotateToken),
      ),
    )
  }),
)
