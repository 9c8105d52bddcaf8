import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Headers } from "./Answer.ts"
import { requestIdHeader } from "./RequestId.ts"

/** Seconds for which a browser need not ask again. Chromium's own limit. */
const preflightSeconds = 7200

/** Headers of the contract that a page may read besides the few that browsers always show. */
const exposed = [
  requestIdHeader,
  "retry-after",
  "location",
  "etag",
  "ratelimit",
  "ratelimit-policy",
  "idempotency-replayed",
].join(", ")

/** Headers that a page may send; a header of another name fails the preflight. */
const sendable = [
  "authorization",
  "content-type",
  "idempotency-key",
  "x-idempotency-key",
  "if-none-match",
  "last-event-id",
  "prefer",
].join(", ")

/**
 * What a request of a web page gets besides its answer (contract, Later decisions: `network.cors_origins`), on
 * `/v1` alone. Any other origin gets nothing, so that its browser keeps the answer from it. Keys are never sent by
 * a browser on its own: no credentials are allowed.
 */
export interface CrossOrigin {
  readonly headers: Headers
  /** The whole answer to a preflight from an origin that is allowed. */
  readonly preflight: HttpServerResponse.HttpServerResponse | undefined
}

/** What decides of a request, of Effect's or Node's. */
interface Asked {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

export const crossOrigin = (origins: ReadonlyArray<string>) => {
  const allowed: ReadonlySet<string> = new Set(origins)
  // Caches must not give one origin the headers of another.
  const vary = { vary: "origin" }
  return (request: Asked): CrossOrigin | undefined => {
    if (allowed.size === 0 || !/^\/v1(\/|\?|$)/.test(request.url)) return undefined
    const { origin, "access-control-request-method": method } = request.headers
    if (origin === undefined || !allowed.has(origin)) return { headers: vary, preflight: undefined }
    const headers = { ...vary, "access-control-allow-origin": origin }
    if (request.method === "OPTIONS" && method !== undefined) {
      const preflight = HttpServerResponse.empty({
        status: 204,
        headers: {
          "access-control-allow-methods": "GET, POST, DELETE",
          "access-control-allow-headers": sendable,
          "access-control-max-age": String(preflightSeconds),
        },
      })
      return { headers, preflight }
    }
    return { headers: { ...headers, "access-control-expose-headers": exposed }, preflight: undefined }
  }
}
