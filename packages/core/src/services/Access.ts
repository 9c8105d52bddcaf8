import { BlockList, isIP, isIPv6 } from "node:net"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { sha256 } from "../domain/Fingerprint.ts"
import { ownKeyOf, type UserId } from "../domain/Ids.ts"
import { globMatches, type Principal } from "../domain/Principal.ts"
import { KeyStore } from "../ports/KeyStore.ts"

/** API keys are `sk-atl-` and 43 characters base64url (contract, Names). */
const keyPattern = /^sk-atl-[A-Za-z0-9_-]{43}$/

/** Who the caller is, and what the key may use (image-tasks 5, document-tools 5). */
export class Access extends Context.Service<
  Access,
  {
    /**
     * The principal of an API key, for a request from `ip`. Refuses, in this order, with `invalid_api_key`,
     * `api_key_disabled`, `api_key_expired`, `account_disabled`, `ip_not_allowed`.
     */
    readonly authenticate: (
      apiKey: string,
      ip: string | null,
    ) => Effect.Effect<Principal, CoreError | StorageError>
    /**
     * The principal of a user for an application that has a login of its own: it acts through a key that has no
     * secret, which `Admin.ensureUser` makes. Refuses with `not_found`, `api_key_disabled`, `api_key_expired`,
     * `account_disabled`.
     */
    readonly principalOf: (userId: UserId) => Effect.Effect<Principal, CoreError | StorageError>
    /** Refuses with `model_not_allowed`. */
    readonly requireModel: (principal: Principal, model: string) => Effect.Effect<void, CoreError>
    /** Refuses with `tool_not_allowed`; empty permits all published tools (document-tools 5.2). */
    readonly requireTool: (principal: Principal, tool: string) => Effect.Effect<void, CoreError>
  }
>()("@atelier/core/services/Access") {
  static readonly layer = Layer.effect(
    Access,
    Effect.gen(function* () {
      const keys = yield* KeyStore

      const authenticate = Effect.fnUntraced(function* (apiKey: string, ip: string | null) {
        const now = yield* Clock.currentTimeMillis
        const found = keyPattern.test(apiKey)
          ? yield* keys.findByDigest(sha256(apiKey), now)
          : Option.none<Principal>()
        if (Option.isNone(found)) {
          return yield* refuse("invalid_api_key", "The API key is not valid.")
        }
        yield* requireEnabled(found.value, now)
        if (!ipAllowed(found.value.key.ipAllowlist, ip)) {
          return yield* refuse("ip_not_allowed", `This API key may not be used from ${ip ?? "this address"}.`)
        }
        return found.value
      })

      const principalOf = Effect.fnUntraced(function* (userId: UserId) {
        const user = yield* keys.getUser(userId)
        const key = yield* keys.getKey(ownKeyOf(userId))
        if (Option.isNone(user) || Option.isNone(key)) {
          return yield* refuse("not_found", `There is no user ${quote(userId)} of this application.`)
        }
        const principal: Principal = { user: user.value, key: key.value }
        yield* requireEnabled(principal, yield* Clock.currentTimeMillis)
        return principal
      })

      return Access.of({
        authenticate,
        principalOf,
        requireModel: (principal, model) =>
          mayUseModel(principal, model)
            ? Effect.void
            : Effect.fail(
                refuse("model_not_allowed", `This API key may not use the model ${quote(model)}.`, {
                  param: "model",
                }),
              ),
        requireTool: (principal, tool) =>
          mayUseTool(principal, tool)
            ? Effect.void
            : Effect.fail(refuse("tool_not_allowed", `This API key may not use the tool ${quote(tool)}.`)),
      })
    }),
  )
}

const requireEnabled = ({ key, user }: Principal, now: number): Effect.Effect<void, CoreError> => {
  if (key.disabled) return Effect.fail(refuse("api_key_disabled", "This API key is disabled."))
  if (key.expiresAt !== null && key.expiresAt <= now) {
    const expired = new Date(key.expiresAt).toISOString()
    return Effect.fail(refuse("api_key_expired", `This API key expired at ${expired}.`))
  }
  return user.disabled ? Effect.fail(refuse("account_disabled", "This account is disabled.")) : Effect.void
}

export const quote = (text: string): string =>
  JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)

export const mayUseModel = (principal: Principal, model: string): boolean =>
  principal.key.models.length === 0 || principal.key.models.some((pattern) => globMatches(pattern, model))

export const mayUseTool = (principal: Principal, tool: string): boolean =>
  principal.key.tools.length === 0 || principal.key.tools.includes(tool)

/**
 * True where the address lies in one of the addresses or CIDR ranges; an empty list permits all. IPv4 in IPv6
 * notation is IPv4, on both sides.
 */
export const ipAllowed = (allowlist: ReadonlyArray<string>, ip: string | null): boolean => {
  if (allowlist.length === 0) return true
  const address = ip ?? ""
  if (isIP(address) === 0) return false
  const list = new BlockList()
  for (const entry of allowlist) {
    const [network = "", prefix] = entry.split("/")
    const family = isIPv6(network) ? "ipv6" : "ipv4"
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  return list.check(address, isIPv6(address) ? "ipv6" : "ipv4")
}

/** True for an IPv4 or IPv6 address, with or without a prefix length. */
export const isAddressRange = (entry: string): boolean => {
  const [network = "", prefix, ...rest] = entry.split("/")
  const version = isIP(network)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32))
}
