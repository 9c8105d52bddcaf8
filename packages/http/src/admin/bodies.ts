import {
  WireChannelPause,
  WireKeySettings,
  WireModelChange,
  WireNewGrant,
  WireNewToken,
  WireNewUser,
  WireRotation,
  WireTokenChange,
  WireToolChange,
  WireUserChange,
} from "@atelier/api"
import { CurrentActor, type Json, type KeySettings, parseUsd, refuse, type Usd } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import { bodyOf } from "../Body.ts"
import { refuseHttp } from "../HttpRefusal.ts"
import { supportKeyFields } from "./roles.ts"

export const bodies = {
  user: bodyOf(WireNewUser),
  userChange: bodyOf(WireUserChange),
  grant: bodyOf(WireNewGrant),
  token: bodyOf(WireNewToken),
  tokenChange: bodyOf(WireTokenChange),
  tool: bodyOf(WireToolChange),
  model: bodyOf(WireModelChange),
}

const key = bodyOf(WireKeySettings)
const rotationBody = bodyOf(WireRotation)

/** A decimal as it was written; numbers of JSON in their shortest form. */
export const decimalOf = (amount: number | string): string => String(amount)

export const usdOf = (amount: number | string, param: string) =>
  Effect.suspend(() => {
    const parsed = parseUsd(decimalOf(amount))
    return Option.isSome(parsed)
      ? Effect.succeed<Usd>(parsed.value)
      : Effect.fail(
          refuse(
            "invalid_parameter",
            `\`${param}\` must be a decimal amount of US dollars with at most 12 digits before the point and 12 after it; got ${amount}.`,
            { param },
          ),
        )
  })

/** The settings of a key as they were sent, and as core takes them: amounts exact, times in milliseconds. */
export const keySettings = Effect.gen(function* () {
  const sent = yield* key
  yield* requireFields(Object.keys(sent))
  const { ip_allowlist, quota_usd, rate_per_minute, expires_at, ...rest } = sent
  const settings: KeySettings = {
    ...rest,
    ...(ip_allowlist === undefined ? {} : { ipAllowlist: ip_allowlist }),
    ...(quota_usd === undefined
      ? {}
      : { quotaUsd: quota_usd === null ? null : yield* usdOf(quota_usd, "quota_usd") }),
    ...(rate_per_minute === undefined ? {} : { ratePerMinute: rate_per_minute }),
    ...(expires_at === undefined ? {} : { expiresAt: expires_at === null ? null : expires_at * 1000 }),
  }
  return { sent, settings }
})

/** contract, Admin credentials: `support` may change only the limits of keys. */
const requireFields = Effect.fnUntraced(function* (fields: ReadonlyArray<string>) {
  const { role } = yield* CurrentActor
  const other = fields.find((field) => !supportKeyFields.has(field))
  if (role === "owner" || other === undefined) return
  const may = [...supportKeyFields].join(" and ")
  yield* refuseHttp("role_not_allowed", `The role ${role} may change ${may} of a key; got ${other}.`, {
    param: other,
  })
})

/** A request without a body says the same as one with an empty object. */
const optional = Effect.fnUntraced(function* <A extends object, E, R>(body: Effect.Effect<A, E, R>) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers
  return length === "0" && encoding === undefined ? {} : yield* body
})

/** Why a channel is paused; the empty object where no reason is given. */
export const channelPause = optional(bodyOf(WireChannelPause))

/** The overlap of a rotation in milliseconds; undefined: the default. */
export const rotation = Effect.gen(function* () {
  const sent: typeof WireRotation.Type = yield* optional(rotationBody)
  const { overlap_seconds } = sent
  return { sent, overlapMs: overlap_seconds === undefined ? undefined : overlap_seconds * 1000 }
})

/** The content of a body, for the fingerprint of its request. */
export const jsonOf = (sent: object): Json => JSON.parse(JSON.stringify(sent))
