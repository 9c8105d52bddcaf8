import { Api } from "@atelier/api"
import {
  Admin,
  AdminTasks,
  type AdminTokenId,
  AdminTokens,
  Audit,
  type KeyId,
  LedgerStore,
  ModelCatalog,
  makeId,
  refuse,
  type Task,
  TaskStore,
  ToolCatalog,
  TotalsStore,
  type UserId,
} from "@atelier/core"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import { answer, json } from "./Answer.ts"
import { bodies, decimalOf, jsonOf, keySettings, rotation, usdOf } from "./adminBodies.ts"
import { makeChange, type Secrets, shown } from "./adminChange.ts"
import { lean } from "./Group.ts"
import { listOf, pageOf } from "./Page.ts"
import { Settings } from "./ServerSettings.ts"
import { storedStates, toWireCallback, toWireTask } from "./toWire.ts"
import {
  toWireAdminModel,
  toWireAdminTool,
  toWireAudit,
  toWireKey,
  toWireToken,
  toWireTotals,
  toWireTransfer,
  toWireUser,
} from "./toWireAdmin.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const admin = yield* Admin
    const adminTasks = yield* AdminTasks
    const audit = yield* Audit
    const ledger = yield* LedgerStore
    const models = yield* ModelCatalog
    const { mediaUrl } = yield* Settings
    const tasks = yield* TaskStore
    const totals = yield* TotalsStore
    const tokens = yield* AdminTokens
    const tools = yield* ToolCatalog
    const random = yield* SecureRandom
    const { change, once } = yield* makeChange

    const newId = <P extends "usr" | "key" | "adm">(prefix: P) =>
      Effect.provideService(makeId(prefix), SecureRandom, random)

    const stats = Effect.map(totals.read, toWireTotals)
    const checks = Effect.all({ ledger_mismatches: ledger.audit, total_mismatches: totals.differences })

    const tool = Effect.fnUntraced(function* (id: string) {
      const found = (yield* tools.entries).find(({ executor }) => executor.definition.id === id)
      return found ?? (yield* refuse("not_found", `There is no tool ${JSON.stringify(id)}.`))
    })

    const model = Effect.fnUntraced(function* (id: string) {
      const found = (yield* models.entries).find((entry) => entry.model.id === id)
      return found ?? (yield* refuse("not_found", `There is no model ${JSON.stringify(id)}.`))
    })

    const toWireOwned = (task: Task) => ({
      user_id: task.userId,
      key_id: task.keyId,
      request_id: task.requestId,
      task: toWireTask(task, mediaUrl),
    })

    const shownBefore = (id: string, secrets: Secrets) =>
      Effect.map(admin.getKey(id), (key) => shown(toWireKey(key), secrets))

    return lean(
      HttpApiBuilder.group(Api, "admin", (handlers) =>
        handlers
          .handleRaw("createUser", () =>
            change(
              "createUser",
              Effect.gen(function* () {
                const sent = yield* bodies.user
                const { name, balance_usd } = sent
                const balanceUsd =
                  balance_usd === undefined ? {} : { balanceUsd: yield* usdOf(balance_usd, "balance_usd") }
                return yield* once({
                  operation: "user.create",
                  sent: jsonOf(sent),
                  status: 201,
                  id: yield* newId("usr"),
                  commit: (id) => Effect.map(admin.createUser({ id, name, ...balanceUsd }), toWireUser),
                  replay: (id) => Effect.map(admin.getUser(id), toWireUser),
                })
              }),
            ),
          )
          .handleRaw("users", ({ query: { cursor, limit } }) =>
            answer(
              "tools",
              Effect.map(
                pageOf(
                  limit,
                  (limit) => admin.listUsers({ limit, ...(cursor === undefined ? {} : { after: cursor }) }),
                  ({ user }) => user.id,
                  toWireUser,
                ),
                (page) => json(page),
              ),
            ),
          )
          .handleRaw("user", ({ params }) =>
            answer(
              "tools",
              Effect.map(admin.getUser(params.id), (account) => json(toWireUser(account))),
            ),
          )
          .handleRaw("updateUser", ({ params }) =>
            change(
              "updateUser",
              Effect.gen(function* () {
                const { disabled } = yield* bodies.userChange
                return json(toWireUser(yield* admin.setUserDisabled(params.id, disabled)))
              }),
            ),
          )
          .handleRaw("grant", ({ params }) =>
            change(
              "grant",
              Effect.gen(function* () {
                const sent = yield* bodies.grant
                const usd = yield* usdOf(sent.usd, "usd")
                return yield* once({
                  operation: "user.grant",
                  sent: [params.id, jsonOf(sent)],
                  status: 201,
                  id: params.id as UserId,
                  commit: (userId) =>
                    Effect.map(admin.grant({ userId, usd, reason: sent.reason }), toWireUser),
                  replay: (id) => Effect.map(admin.getUser(id), toWireUser),
                })
              }),
            ),
          )
          .handleRaw("keys", ({ params }) =>
            answer(
              "tools",
              Effect.map(admin.listKeys(params.id), (keys) => json(listOf(keys.map(toWireKey)))),
            ),
          )
          .handleRaw("createKey", ({ params }) =>
            change(
              "createKey",
              Effect.gen(function* () {
                const { sent, settings } = yield* keySettings
                return yield* once({
                  operation: "key.create",
                  sent: [params.id, jsonOf(sent)],
                  status: 201,
                  id: yield* newId("key"),
                  commit: (id) =>
                    Effect.map(admin.createKey(params.id, settings, id), ({ key, secret, webhookSecret }) =>
                      shown(toWireKey(key), { key: secret, webhook_secret: webhookSecret }),
                    ),
                  replay: (id) => shownBefore(id, { key: null, webhook_secret: null }),
                })
              }),
            ),
          )
          .handleRaw("key", ({ params }) =>
            answer(
              "tools",
              Effect.map(admin.getKey(params.id), (key) => json(toWireKey(key))),
            ),
          )
          .handleRaw("updateKey", ({ params }) =>
            change(
              "updateKey",
              Effect.gen(function* () {
                const { settings } = yield* keySettings
                return json(toWireKey(yield* admin.updateKey(params.id, settings)))
              }),
            ),
          )
          .handleRaw("rotateKey", ({ params }) =>
            change(
              "rotateKey",
              Effect.gen(function* () {
                const { sent, overlapMs } = yield* rotation
                return yield* once({
                  operation: "key.rotate",
                  sent: [params.id, jsonOf(sent)],
                  id: params.id as KeyId,
                  commit: (id) =>
                    Effect.map(admin.rotateKey(id, overlapMs), ({ key, secret }) =>
                      shown(toWireKey(key), { key: secret }),
                    ),
                  replay: (id) => shownBefore(id, { key: null }),
                })
              }),
            ),
          )
          .handleRaw("rotateWebhookSecret", ({ params }) =>
            change(
              "rotateWebhookSecret",
              Effect.gen(function* () {
                const { sent, overlapMs } = yield* rotation
                return yield* once({
                  operation: "key.rotate_webhook_secret",
                  sent: [params.id, jsonOf(sent)],
                  id: params.id as KeyId,
                  commit: (id) =>
                    Effect.map(admin.rotateWebhookSecret(id, overlapMs), ({ key, secret }) =>
                      shown(toWireKey(key), { webhook_secret: secret }),
                    ),
                  replay: (id) => shownBefore(id, { webhook_secret: null }),
                })
              }),
            ),
          )
          .handleRaw("tools", () =>
            answer(
              "tools",
              Effect.map(tools.entries, (entries) => json(listOf(entries.map(toWireAdminTool)))),
            ),
          )
          .handleRaw("tool", ({ params }) =>
            answer(
              "tools",
              Effect.map(tool(params.id), (entry) => json(toWireAdminTool(entry))),
            ),
          )
          .handleRaw("updateTool", ({ params }) =>
            change(
              "updateTool",
              Effect.gen(function* () {
                const { unit_price, ...change } = yield* bodies.tool
                const price = unit_price === undefined ? {} : { unit_price: decimalOf(unit_price) }
                return json(toWireAdminTool(yield* admin.overrideTool(params.id, { ...change, ...price })))
              }),
            ),
          )
          .handleRaw("models", () =>
            answer(
              "tools",
              Effect.map(models.entries, (entries) => json(listOf(entries.map(toWireAdminModel)))),
            ),
          )
          .handleRaw("model", ({ params }) =>
            answer(
              "tools",
              Effect.map(model(params.id), (entry) => json(toWireAdminModel(entry))),
            ),
          )
          .handleRaw("updateModel", ({ params }) =>
            change(
              "updateModel",
              Effect.gen(function* () {
                const { price, ...change } = yield* bodies.model
                const fixed = price === undefined ? {} : { price: decimalOf(price) }
                return json(toWireAdminModel(yield* admin.overrideModel(params.id, { ...change, ...fixed })))
              }),
            ),
          )
          .handleRaw("tasks", ({ query: { state, user, request_id, cursor, limit } }) =>
            answer(
              "tools",
              Effect.map(
                pageOf(
                  limit,
                  (limit) =>
                    tasks.list({
                      limit,
                      ...(cursor === undefined ? {} : { after: cursor }),
                      ...(state === undefined ? {} : { states: storedStates(state) }),
                      ...(user === undefined ? {} : { userId: user as Task["userId"] }),
                      ...(request_id === undefined ? {} : { requestId: request_id }),
                    }),
                  (task) => task.id,
                  toWireOwned,
                ),
                (page) => json(page),
              ),
            ),
          )
          .handleRaw("ledger", ({ query: { user, cursor, limit } }) =>
            answer(
              "tools",
              Effect.gen(function* () {
                const after = cursor === undefined ? {} : { after: yield* sequenceOf(cursor) }
                const page = yield* pageOf(
                  limit,
                  (limit) =>
                    ledger.list({
                      limit,
                      ...after,
                      ...(user === undefined ? {} : { userId: user as Task["userId"] }),
                    }),
                  ({ sequence }) => String(sequence),
                  toWireTransfer,
                )
                return json(page)
              }),
            ),
          )
          .handleRaw("stats", ({ query: { check } }) =>
            answer(
              "tools",
              Effect.gen(function* () {
                const found = yield* stats
                return json(check === "true" ? { ...found, ...(yield* checks) } : found)
              }),
            ),
          )
          .handleRaw("cancelTask", ({ params }) =>
            change(
              "cancelTask",
              once({
                operation: "task.cancel",
                sent: [params.id],
                id: params.id as Task["id"],
                commit: (id) => Effect.map(adminTasks.cancel(id), toWireOwned),
                replay: (id) => Effect.map(adminTasks.get(id), toWireOwned),
              }),
            ),
          )
          .handleRaw("redeliverCallback", ({ params }) =>
            change(
              "redeliverCallback",
              once({
                operation: "task.redeliver",
                sent: [params.id],
                status: 202,
                id: params.id as Task["id"],
                commit: (id) => Effect.map(adminTasks.redeliver(id), toWireCallback),
                replay: (id) => Effect.map(adminTasks.callback(id), toWireCallback),
              }),
            ),
          )
          .handleRaw("audit", ({ query: { cursor, limit, request_id, ...filter } }) =>
            answer(
              "tools",
              Effect.gen(function* () {
                const query = {
                  ...filter,
                  ...(cursor === undefined ? {} : { after: yield* sequenceOf(cursor) }),
                  ...(request_id === undefined ? {} : { requestId: request_id }),
                }
                const page = yield* pageOf(
                  limit,
                  (limit) => audit.list({ ...query, limit }),
                  ({ sequence }) => String(sequence),
                  toWireAudit,
                )
                return json(page)
              }),
            ),
          )
          .handleRaw("createToken", () =>
            change(
              "createToken",
              Effect.gen(function* () {
                const sent = yield* bodies.token
                const expiresAt = sent.expires_at == null ? null : sent.expires_at * 1000
                return yield* once({
                  operation: "token.create",
                  sent: jsonOf(sent),
                  status: 201,
                  id: yield* newId("adm"),
                  commit: (id) =>
                    Effect.map(
                      tokens.create({ id, name: sent.name, role: sent.role, expiresAt }),
                      ({ token, secret }) => shown(toWireToken(token), { token: secret }),
                    ),
                  replay: (id) =>
                    Effect.map(tokens.get(id), (token) => shown(toWireToken(token), { token: null })),
                })
              }),
            ),
          )
          .handleRaw("tokens", ({ query: { cursor, limit } }) =>
            answer(
              "tools",
              Effect.map(
                pageOf(
                  limit,
                  (limit) => tokens.list({ limit, ...(cursor === undefined ? {} : { after: cursor }) }),
                  ({ id }) => id,
                  toWireToken,
                ),
                (page) => json(page),
              ),
            ),
          )
          .handleRaw("token", ({ params }) =>
            answer(
              "tools",
              Effect.map(tokens.get(params.id), (token) => json(toWireToken(token))),
            ),
          )
          .handleRaw("updateToken", ({ params }) =>
            change(
              "updateToken",
              Effect.gen(function* () {
                const { disabled } = yield* bodies.tokenChange
                return json(toWireToken(yield* tokens.setDisabled(params.id, disabled)))
              }),
            ),
          )
          .handleRaw("rotateToken", ({ params }) =>
            change(
              "rotateToken",
              Effect.gen(function* () {
                const { sent, overlapMs } = yield* rotation
                return yield* once({
                  operation: "token.rotate",
                  sent: [params.id, jsonOf(sent)],
                  id: params.id as AdminTokenId,
                  commit: (id) =>
                    Effect.map(tokens.rotate(id, overlapMs), ({ token, secret }) =>
                      shown(toWireToken(token), { token: secret }),
                    ),
                  replay: (id) =>
                    Effect.map(tokens.get(id), (token) => shown(toWireToken(token), { token: null })),
                })
              }),
            ),
          ),
      ),
    )
  }),
)

const sequenceOf = (cursor: string) =>
  /^\d{1,15}$/.test(cursor)
    ? Effect.succeed(Number(cursor))
    : Effect.fail(
        refuse(
          "invalid_parameter",
          `\`cursor\` must be the \`last_id\` of a page; got ${JSON.stringify(cursor)}.`,
          {
            param: "cursor",
          },
        ),
      )
