import * as Http from "node:http"
import * as Https from "node:https"
import * as Effect from "effect/Effect"
import { openAhead } from "./ReadyConnections.ts"
import type { Target } from "./UrlPolicy.ts"

/** Below what servers commonly allow, so that they seldom close what is about to be used. */
const pooledIdleMs = 4000
const pooledPerOriginMax = 32
const socketsPerOriginMax = 256
/** How long one of several addresses is tried before the next one too. */
const addressAttemptMs = 1000

/**
 * Where a request's connection comes from: `pooled`, one that served others; `fresh`, one that nothing was sent on,
 * which may have been opened ahead; `single`, one that is opened for it.
 */
export type ConnectionKind = "pooled" | "fresh" | "single"

/** Agents for each kind of connection. */
export const makeAgents = Effect.gen(function* () {
  const pooled = {
    autoSelectFamilyAttemptTimeout: addressAttemptMs,
    keepAlive: true,
    timeout: pooledIdleMs,
    maxFreeSockets: pooledPerOriginMax,
    maxSockets: socketsPerOriginMax,
  }
  const single = {
    autoSelectFamilyAttemptTimeout: addressAttemptMs,
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
