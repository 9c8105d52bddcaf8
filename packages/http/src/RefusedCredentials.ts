import {
  type CoreError,
  counter,
  Limits,
  makeMeter,
  type RatePolicy,
  type StorageError,
  TokenBuckets,
} from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Exchange } from "./Answer.ts"
import { clientNetwork } from "./ClientAddress.ts"
import { HeldRefusals } from "./HeldRefusals.ts"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"

const refusedCredentials = counter(
  "atelier_refused_credentials_total",
  "Credentials refused, by what they were for and the code of the answer.",
  ["surface", "code"],
)

/** What a credential was for. */
type CredentialKind = "key" | "admin"

type Refusal = CoreError | HttpRefusal

/** Sources whose refusals are remembered; beyond that the least recently seen is dropped. */
const sourcesMax = 10_000
/** How many refusals are logged, from all sources together; the metric counts every one. */
const logged: RatePolicy = { perMinute: 60, burst: 120 }
/**
 * Codes that slow down their source. A known credential that is disabled, expired or bound to other addresses is not a
 * guess: it is told what is wrong every time.
 */
const slowed: ReadonlySet<string> = new Set(["invalid_api_key", "role_not_allowed"])

/**
 * Credentials that were refused: logged, counted, and slowed by their source, which is the client's address, or for
 * `role_not_allowed` the credential. Only refusals count and only they are slowed down, so that a valid credential
 * keeps working from an address where others fail.
 */
export class RefusedCredentials extends Context.Service<
  RefusedCredentials,
  {
    /** The refusal to send: the given one, or 429 `rate_limited` if the source had too many. */
    readonly refuse: <E extends Refusal>(
      surface: CredentialKind,
      source: string | null,
      refusal: E,
    ) => Effect.Effect<E | HttpRefusal>
  }
>()("@atelier/http/RefusedCredentials") {
  static readonly layer = Layer.effect(
    RefusedCredentials,
    Effect.gen(function* () {
      const limits = yield* Limits
      const held = yield* HeldRefusals
      const policy: RatePolicy = {
        perMinute: limits.auth_failures_per_minute,
        burst: limits.auth_failures_burst,
      }
      const sources = new TokenBuckets<string>(sourcesMax)
      const lines = new TokenBuckets<"lines">(1)
      const meter = yield* makeMeter
      for (const surface of ["key", "admin"]) meter.add(refusedCredentials, [surface, "invalid_api_key"], 0)

      const log = Effect.fnUntraced(function* (surface: CredentialKind, source: string | null, code: string) {
        const now = yield* Clock.currentTimeMillis
        if (!lines.take("lines", logged, now).allowed) return
        const { requestId } = yield* Exchange
        yield* Effect.annotateLogs(
          Effect.logWarning(surface === "admin" ? "an admin token was refused" : "an API key was refused"),
          { request_id: requestId, from: source ?? "unknown", code },
        )
      })

      return RefusedCredentials.of({
        refuse: Effect.fnUntraced(function* (surface, source, refusal) {
          const now = yield* Clock.currentTimeMillis
          const client = `${surface} ${clientNetwork(source)}`
          const decision = slowed.has(refusal.code) ? sources.take(client, policy, now) : undefined
          if (decision === undefined || decision.allowed) {
            meter.add(refusedCredentials, [surface, refusal.code])
            yield* log(surface, source, refusal.code)
            return refusal
          }
          meter.add(refusedCredentials, [surface, "rate_limited"])
          yield* held.wait(client)
          const seconds = decision.retryAfterSeconds
          return refuseHttp(
            "rate_limited",
            `Too many requests from here were refused (${refusal.code}); retry after ${seconds} s.`,
            { headers: { "retry-after": String(seconds) } },
          )
        }),
      })
    }),
  )
}

/** Whether a failure is a refusal, not a storage failure. */
export const isRefusal = <E extends { readonly _tag: string }>(
  failure: E,
): failure is Exclude<E, StorageError> => failure._tag !== "StorageError"
