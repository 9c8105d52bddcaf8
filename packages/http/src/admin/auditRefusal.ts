import { Audit } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"

/** What the audit log calls a change, by its endpoint. */
const actions: { readonly [endpoint: string]: string } = {
  createUser: "user.create",
  updateUser: "user.update",
  grant: "user.grant",
  createKey: "key.create",
  updateKey: "key.update",
  rotateKey: "key.rotate",
  rotateWebhookSecret: "key.rotate_webhook_secret",
  updateTool: "tool.update",
  updateModel: "model.update",
  cancelTask: "task.cancel",
  redeliverCallback: "task.redeliver",
  createToken: "token.create",
  updateToken: "token.update",
  rotateToken: "token.rotate",
  openSession: "session.open",
  closeSession: "session.close",
  pauseChannel: "channel.pause",
  resumeChannel: "channel.resume",
}

const targetCharacters = 100

/** The id that a path of the admin API names, else the path. */
const targetOf = ({ url }: HttpServerRequest.HttpServerRequest): string => {
  const path = url.split("?")[0] ?? ""
  return (path.split("/")[4] ?? path).slice(0, targetCharacters)
}

/** Makes `remember`: writes a refused change of the `CurrentActor` to the audit log. A fault of it is logged. */
export const makeRemember = Effect.map(
  Audit,
  (audit) => (endpoint: string, code: string) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.catchTag(
        audit.refused({ action: actions[endpoint] ?? endpoint, target: targetOf(request), code }),
        "StorageError",
        (error) => Effect.logError("a refusal could not be written to the audit log", error),
      ),
    ),
)
