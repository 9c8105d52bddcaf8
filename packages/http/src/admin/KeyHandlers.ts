import { Admin, type KeyId, makeId } from "@atelier/core"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { reply } from "../Answer.ts"
import { listOf } from "../Page.ts"
import { toWireKey } from "../toWireAdmin.ts"
import type { AdminHandlersOf } from "./AdminEndpoints.ts"
import { jsonOf, keySettings, rotation } from "./bodies.ts"
import { makeChange, type Secrets, shown } from "./change.ts"

/** API keys and their secrets. */
export const makeKeyHandlers = Effect.gen(function* () {
  const admin = yield* Admin
  const random = yield* SecureRandom
  const { change, once } = yield* makeChange

  const shownBefore = <Names extends string>(id: string, secrets: Secrets<Names>) =>
    Effect.map(admin.getKey(id), (key) => shown(toWireKey(key), secrets))

  const create = Effect.fnUntraced(function* (userId: string) {
    const { sent, settings } = yield* keySettings
    return yield* once({
      operation: "key.create",
      sent: [userId, jsonOf(sent)],
      id: yield* Effect.provideService(makeId("key"), SecureRandom, random),
      commit: (id) =>
        Effect.map(admin.createKey(userId, settings, id), ({ key, secret, webhookSecret }) =>
          shown(toWireKey(key), { key: secret, webhook_secret: webhookSecret }),
        ),
      replay: (id) => shownBefore(id, { key: null, webhook_secret: null }),
    })
  })

  const rotate = Effect.fnUntraced(function* (id: string) {
    const { sent, overlapMs } = yield* rotation
    return yield* once({
      operation: "key.rotate",
      sent: [id, jsonOf(sent)],
      id: id as KeyId,
      commit: (keyId) =>
        Effect.map(admin.rotateKey(keyId, overlapMs), ({ key, secret }) =>
          shown(toWireKey(key), { key: secret }),
        ),
      replay: (keyId) => shownBefore(keyId, { key: null }),
    })
  })

  const rotateWebhookSecret = Effect.fnUntraced(function* (id: string) {
    const { sent, overlapMs } = yield* rotation
    return yield* once({
      operation: "key.rotate_webhook_secret",
      sent: [id, jsonOf(sent)],
      id: id as KeyId,
      commit: (keyId) =>
        Effect.map(admin.rotateWebhookSecret(keyId, overlapMs), ({ key, secret }) =>
          shown(toWireKey(key), { webhook_secret: secret }),
        ),
      replay: (keyId) => shownBefore(keyId, { webhook_secret: null }),
    })
  })

  const handlers: AdminHandlersOf<
    "keys" | "createKey" | "key" | "updateKey" | "rotateKey" | "rotateWebhookSecret"
  > = {
    keys: ({ endpoint, params }) =>
      reply(
        endpoint,
        Effect.map(admin.listKeys(params.id), (keys) => listOf(keys.map(toWireKey))),
      ),
    createKey: ({ endpoint, params }) => change(endpoint, create(params.id)),
    key: ({ endpoint, params }) => reply(endpoint, Effect.map(admin.getKey(params.id), toWireKey)),
    updateKey: ({ endpoint, params }) =>
      change(
        endpoint,
        Effect.flatMap(keySettings, ({ settings }) =>
          Effect.map(admin.updateKey(params.id, settings), toWireKey),
        ),
      ),
    rotateKey: ({ endpoint, params }) => change(endpoint, rotate(params.id)),
    rotateWebhookSecret: ({ endpoint, params }) => change(endpoint, rotateWebhookSecret(params.id)),
  }
  return handlers
})
