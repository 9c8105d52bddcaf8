import * as Schema from "effect/Schema"

/**
 * Why an outgoing request gave no usable response. `message` names the host and what happened; it never
 * holds a header, a query string, an address that a name resolved to, or more of a body than a short excerpt.
 *
 * - `InvalidUrl`: not an absolute http(s) URL that may be asked, or a redirect from https to http
 * - `InvalidRequest`: a header or body that cannot be sent
 * - `AddressRefused`: the host is, or resolves to, an address that is not permitted
 * - `DnsFailed`: the name has no address, or DNS did not answer in time
 * - `ConnectFailed`: no connection, or no TLS session on it
 * - `Timeout`: `phase` says in which part; the total time counts too
 * - `Aborted`: the connection was cut
 * - `TooLarge`: more headers or more body than permitted
 * - `TooManyRedirects`
 * - `InvalidResponse`: not HTTP, or a content encoding that cannot be undone
 * - `RequestBodyFailed`: the stream of the request's body failed
 * - `BadStatus`: only where `successOnly` was asked; `status` is there
 */
export const UpstreamHttpReason = Schema.Literals([
  "InvalidUrl",
  "InvalidRequest",
  "AddressRefused",
  "DnsFailed",
  "ConnectFailed",
  "Timeout",
  "Aborted",
  "TooLarge",
  "TooManyRedirects",
  "InvalidResponse",
  "RequestBodyFailed",
  "BadStatus",
])
export type UpstreamHttpReason = typeof UpstreamHttpReason.Type

/** `connect`: name, TCP and TLS; `headers`: request sent, no response yet; `body`: the response has begun. */
export const UpstreamHttpPhase = Schema.Literals(["connect", "headers", "body"])
export type UpstreamHttpPhase = typeof UpstreamHttpPhase.Type

export class UpstreamHttpError extends Schema.TaggedError<UpstreamHttpError>()("UpstreamHttpError", {
  reason: UpstreamHttpReason,
  phase: UpstreamHttpPhase,
  /** False: certainly no byte of the request reached a server. True: it may have been accepted. */
  sent: Schema.Boolean,
  status: Schema.optionalKey(Schema.Number),
  message: Schema.String,
}) {}
