import {
  Api,
  WireKeySettings,
  WireModelChange,
  WireNewGrant,
  WireNewUser,
  WireToolChange,
  WireUserChange,
} from "@atelier/api"
import {
  Admin,
  type KeySettings,
  LedgerStore,
  ModelCatalog,
  parseUsd,
  Queue,
  refuse,
  type Task,
  TaskStore,
  ToolCatalog,
  type Usd,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { answer, json } from "./Answer.ts"
import { bodyOf } from "./Body.ts"
import { lean } from "./Group.ts"
import { listOf, pageOf } from "./Page.ts"
import { Settings } from "./ServerSettings.ts"
import { storedStates, toWireTask } from "./toWire.ts"
import {
  toWireAdminModel,
  toWireAdminTool,
  toWireAudit,
  toWireKey,
  toWireTransfer,
  toWireUser,
} from "./toWireAdmin.ts"

/** Entries of the audit log that are shown unless asked otherwise. */
const auditLimitDefault = 100

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const admin = yield* Admin
    const ledger = yield* LedgerStore
    const models = yield* ModelCatalog
    const queue = yield* Queue
    const { mediaUrl } = yield* Settings
    const tasks = yield* TaskStore
    const tools = yield* ToolCatalog

    const stats = Effect.all({ tasks: tasks.counts, queue: queue.counts, ledger_mismatches: ledger.audit })

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

    return lean(
      HttpApiBuilder.group(Api, "admin", (handlers) =>
        handlers
          .handleRaw("createUser", () =>
            answer(
              "tools",
              Effect.gen(function* () {
                const { name, balance_usd } = yield* bodies.user
                const balanceUsd =
                  balance_usd === undefined ? {} : { balanceUsd: yield* usdOf(balance_usd, "balance_usd") }
                return json(toWireUser(yield* admin.createUser({ name, ...balanceUsd })), { status: 201 })
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
            answer(
              "tools",
              Effect.gen(function* () {
                const { disabled } = yield* bodies.userChange
                return json(toWireUser(yield* admin.setUserDisabled(params.id, disabled)))
              }),
            ),
          )
          .handleRaw("grant", ({ params }) =>
            answer(
              "tools",
              Effect.gen(function* () {
                const { usd, reason } = yield* bodies.grant
                const grant = { userId: params.id, usd: yield* usdOf(usd, "usd"), reason }
                return json(toWireUser(yield* admin.grant(grant)), { status: 201 })
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
            answer(
              "tools",
              Effect.gen(function* () {
                const { key, secret } = yield* admin.createKey(params.id, yield* keySettings)
                const { id, ...rest } = toWireKey(key)
                return json({ id, key: secret, webhook_secret: key.webhookSecret, ...rest }, { status: 201 })
              }),
            ),
          )
          .handleRaw("updateKey", ({ params }) =>
            answer(
              "tools",
              Effect.gen(function* () {
                return json(toWireKey(yield* admin.updateKey(params.id, yield* keySettings)))
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
            answer(
              "tools",
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
            answer(
              "tools",
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
          .handleRaw("stats", () =>
            answer(
              "tools",
              Effect.map(stats, (found) => json(found)),
            ),
          )
          .handleRaw("audit", ({ query: { limit = auditLimitDefault } }) =>
            answer(
              "tools",
              Effect.map(admin.audit(limit), (entries) => json(listOf(entries.map(toWireAudit)))),
            ),
          ),
      ),
    )
  }),
)

const bodies = {
  user: bodyOf(WireNewUser),
  userChange: bodyOf(WireUserChange),
  grant: bodyOf(WireNewGrant),
  key: bodyOf(WireKeySettings),
  tool: bodyOf(WireToolChange),
  model: bodyOf(WireModelChange),
}

/** A decimal as it was written; numbers of JSON in their shortest form. */
const decimalOf = (amount: number | string): string => String(amount)

const usdOf = (amount: number | string, param: string) =>
  Effect.suspend(() => {
    const parsed = parseUsd(decimalOf(amount))
    return Option.isSome(parsed)
      ? Effect.succeed<Usd>(parsed.value)
      : Effect.fail(
          refuse("invalid_parameter", `\`${param}\` must be a decimal amount of US dollars; got ${amount}.`, {
            param,
          }),
        )
  })

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

/** The settings of a key as core takes them: amounts exact, times in milliseconds. */
const keySettings = Effect.gen(function* () {
  const { ip_allowlist, quota_usd, rate_per_minute, expires_at, ...rest } = yield* bodies.key
  const settings: KeySettings = {
    ...rest,
    ...(ip_allowlist === undefined ? {} : { ipAllowlist: ip_allowlist }),
    ...(quota_usd === undefined
      ? {}
      : { quotaUsd: quota_usd === null ? null : yield* usdOf(quota_usd, "quota_usd") }),
    ...(rate_per_minute === undefined ? {} : { ratePerMinute: rate_per_minute }),
    ...(expires_at === undefined ? {} : { expiresAt: expires_at === null ? null : expires_at * 1000 }),
  }
  return settings
})
