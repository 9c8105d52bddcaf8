import * as Http from "node:http"
import * as Https from "node:https"
import * as Effect from "effect/Effect"
import type { Target } from "./UrlPolicy.ts"

/** Below what servers commonly allow, so that they seldom close what is about to be used. */
const pooled_idle_ms = 4000
const pooled_per_origin_max = 32
const sockets_per_origin_max = 256
/** How long one of several addresses is tried before the next one too. */
const address_attempt_ms = 1000

/** Pools of `operator` connections, and agents that open one connection for each request. */
export const makeAgents = Effect.gen(function* () {
  const pooled = {
    autoSelectFamilyAttemptTimeout: address_attempt_ms,
    keepAlive: true,
    timeout: pooled_idle_ms,
    maxFreeSockets: pooled_per_origin_max,
    maxSockets: sockets_per_origin_max,
  }
  const single = {
    autoSelectFamilyAttemptTimeout: address_attempt_ms,
    keepAlive: false,
    maxCachedSessions: 0,
  }
  const agents = {
    http: { pooled: new Http.Agent(pooled), single: new Http.Agent(single) },
    https: { pooled: new Https.Agent(pooled), single: new Https.Agent(single) },
  }
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const { pooled, single } of Object.values(agents)) {
        pooled.destroy()
        single.destroy()
      }
    }),
  )
  return {
    pick: ({ secure }: Target, reuse: boolean): Http.Agent =>
      agents[secure ? "https" : "http"][reuse ? "pooled" : "single"],
  }
})
