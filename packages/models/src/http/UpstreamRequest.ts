import type * as Redacted from "effect/Redacted"
import type { UpstreamBody } from "./UpstreamBody.ts"
import type { UrlPolicy } from "./UrlPolicy.ts"

/**
 * Headers of a request. A `Redacted` one is a secret: it goes to the first origin only, never to another one
 * that a redirect names, and never into a message. `host`, lengths and connection headers are not the
 * caller's; `content-type` comes from the body.
 */
export type UpstreamHeaders = { readonly [name: string]: string | Redacted.Redacted }

export interface UpstreamRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  readonly policy: UrlPolicy
  readonly headers?: UpstreamHeaders
  readonly body?: UpstreamBody
  /** The whole exchange: redirects, and reading the body at the caller's pace, included. */
  readonly timeoutMillis: number
  /** Name, TCP and TLS of one connection; 10 s where absent. */
  readonly connectTimeoutMillis?: number
  /** From the request's begin to the response's headers; the total time where absent. */
  readonly headersTimeoutMillis?: number
  /** The longest pause inside the response's body; 30 s where absent. */
  readonly idleTimeoutMillis?: number
  /** Bytes of the body after decompression, counted as they come out. */
  readonly maxResponseBytes: number
  /**
   * How many redirects are followed; at 0, the default, a redirect is a response like any other. A method
   * other than GET and HEAD is repeated only where 307 or 308 ask for it and its body is in memory.
   */
  readonly redirects?: number
  /** Follows redirects from https to http too. */
  readonly allowDowngrade?: boolean
  /**
   * False: takes a connection that nothing was sent on. A pooled one may be closed by the server in the very moment
   * of its next use, after which it is unknown whether the request arrived; so a request that must never be repeated
   * gets a new one, or one that was opened ahead. Only `operator` requests are pooled.
   */
  readonly reuseConnection?: boolean
  /** Fails with `BadStatus` unless the status is 2xx; the message holds a short excerpt of the body. */
  readonly successOnly?: boolean
}

export interface UpstreamResponse<Body> {
  readonly status: number
  /** Names in lower case; cookies left out. */
  readonly headers: { readonly [name: string]: string }
  readonly body: Body
  /** The URL after redirects. Its query may hold secrets. */
  readonly finalUrl: string
}
