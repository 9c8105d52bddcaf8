import * as Http from "node:http"
import * as Https from "node:https"
import * as Effect from "effect/Effect"
import { openAhead } from "./ReadyConnections.ts"
import type { Target } from "./UrlPolicy.ts"

/** Below what servers commonly allow, so that they seldom close what is about to be used. */
const pooled_idle_ms = 4000
const pooled_per_origin_max = 32
const sockets_per_origin_max = 256
/** How long one of several addresses is tried before the next one too. */
const address_attempt_ms = 1000

/**
 * Where a request's connection comes from: `pooled`, one that served others; `fresh`, one that nothing was sent on,
 * which may have been opened ahead; `single`, one that is opened for it.
 */
export type ConnectionKind = "pooled" | "fresh" | "single"

/** Agents for each kind of connection. */
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
    http: { pooled: new Http.Agent(pooled), fresh: new Http.Agent(single), single: new Http.Agent(single) },
    https: {
      pooled: new Https.Agent(pooled),
      fresh: new Https.Agent(single),
      single: new Https.Agent(single),
    },
  }
  const closeAhead = Object.values(agents).map(({ fresh }) => openAhead(fresh))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const close of closeAhead) close()
      for (const kinds of Object.values(agents)) for (const agent of Object.values(kinds)) agent.destroy()
    }),
  )
  return {
    pick: ({ secure }: Target, kind: ConnectionKind): Http.Agent => agents[secure ? "https" : "http"][kind],
  }
})
