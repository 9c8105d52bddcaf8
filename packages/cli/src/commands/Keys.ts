import { Admin, type ApiKey, type KeySettings } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { withDatabase } from "../Operator.ts"
import { print, table, time } from "../Output.ts"
import { amount } from "./Users.ts"

export const create = (input: {
  readonly user: string
  readonly name: string
  readonly models: Option.Option<string>
  readonly tools: Option.Option<string>
  readonly ips: Option.Option<string>
  readonly quotaUsd: Option.Option<string>
  readonly ratePerMinute: Option.Option<number>
  readonly json: boolean
}) =>
  withDatabase(
    Effect.gen(function* () {
      const admin = yield* Admin
      const settings: KeySettings = {
        name: input.name,
        models: Option.getOrElse(input.models, () => []),
        tools: Option.getOrElse(input.tools, () => []),
        ipAllowlist: entries(input.ips),
        quotaUsd: Option.isNone(input.quotaUsd) ? null : yield* amount("--quota-usd", input.quotaUsd.value),
        ratePerMinute: Option.getOrNull(input.ratePerMinute),
      }
      const { key, secret, webhookSecret } = yield* admin.createKey(input.user, settings)
      const data = { ...toJson(key), key: secret, webhook_secret: webhookSecret }
      yield* print(input.json, data, () => [
        `key             ${secret}`,
        `id              ${key.id}`,
        `user            ${key.userId}`,
        `webhook secret  ${webhookSecret}`,
        "The key is shown once: only its digest is stored.",
      ])
    }),
  )

export const list = (input: { readonly user: string; readonly json: boolean }) =>
  withDatabase(
    Effect.gen(function* () {
      const admin = yield* Admin
      const keys = yield* admin.listKeys(input.user)
      yield* print(input.json, keys.map(toJson), () =>
        keys.length === 0
          ? [`The user has no keys yet: atelier keys create ${input.user}`]
          : table(
              ["ID", "KEY", "NAME", "MODELS", "TOOLS", "QUOTA UNITS", "USED", "CREATED", ""],
              keys.map((key) => [
                key.id,
                `${key.hint}…`,
                key.name,
                key.models.join(",") || "all",
                key.tools.join(",") || "all",
                key.quotaUnits === null ? "-" : String(key.quotaUnits),
                String(key.usedUnits),
                time(key.createdAt / 1000),
                key.disabled ? "disabled" : "",
              ]),
            ),
      )
    }),
  )

export const setDisabled = (input: {
  readonly key: string
  readonly disabled: boolean
  readonly json: boolean
}) =>
  withDatabase(
    Effect.gen(function* () {
      const admin = yield* Admin
      const key = yield* admin.updateKey(input.key, { disabled: input.disabled })
      yield* print(input.json, toJson(key), () => [`${key.id} is ${key.disabled ? "disabled" : "enabled"}`])
    }),
  )

export const rotate = (input: Rotation) =>
  withDatabase(
    Effect.gen(function* () {
      const { key, secret } = yield* (yield* Admin).rotateKey(input.key, millis(input.overlapSeconds))
      yield* print(input.json, { ...toJson(key), key: secret }, () => [
        `key  ${secret}`,
        `id   ${key.id}`,
        until("The key before", key.previousUntil),
      ])
    }),
  )

export const rotateWebhookSecret = (input: Rotation) =>
  withDatabase(
    Effect.gen(function* () {
      const admin = yield* Admin
      const { key, secret } = yield* admin.rotateWebhookSecret(input.key, millis(input.overlapSeconds))
      yield* print(input.json, { ...toJson(key), webhook_secret: secret }, () => [
        `webhook secret  ${secret}`,
        `id              ${key.id}`,
        until("The webhook secret before", key.previousWebhookUntil),
      ])
    }),
  )

const pageUsers = 100

export const seal = (input: { readonly json: boolean }) =>
  withDatabase(
    Effect.gen(function* () {
      const admin = yield* Admin
      let sealed = 0
      for (let after: string | undefined; ; ) {
        const page = yield* admin.listUsers({ limit: pageUsers, ...(after === undefined ? {} : { after }) })
        for (const { user } of page) sealed += yield* admin.sealSecrets(user.id)
        if (page.length < pageUsers) break
        after = page.at(-1)?.user.id
      }
      yield* print(input.json, { sealed }, () => [`${sealed} webhook secrets were written again`])
    }),
  )

interface Rotation {
  readonly key: string
  readonly overlapSeconds: Option.Option<number>
  readonly json: boolean
}

/** A flag in seconds; undefined: the default. */
export const millis = (seconds: Option.Option<number>): number | undefined =>
  Option.getOrUndefined(Option.map(seconds, (count) => count * 1000))

export const until = (what: string, end: number | null): string =>
  end === null ? `${what} is void.` : `${what} is good until ${time(end / 1000)}.`

const entries = (text: Option.Option<string>): ReadonlyArray<string> =>
  Option.isNone(text)
    ? []
    : text.value
        .split(",")
        .map((entry) => entry.trim())
        .filter((entry) => entry !== "")

export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
export const secondsOrNull = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : seconds(milliseconds)

/** A key without its secret, in the names of the admin API. */
const toJson = (key: ApiKey) => ({
  id: key.id,
  user_id: key.userId,
  hint: key.hint,
  name: key.name,
  models: key.models,
  tools: key.tools,
  ip_allowlist: key.ipAllowlist,
  group: key.group,
  quota_units: key.quotaUnits,
  used_units: key.usedUnits,
  rate_per_minute: key.ratePerMinute,
  disabled: key.disabled,
  expires_at: secondsOrNull(key.expiresAt),
  created_at: seconds(key.createdAt),
  previous_expires_at: secondsOrNull(key.previousUntil),
  previous_webhook_expires_at: secondsOrNull(key.previousWebhookUntil),
})
