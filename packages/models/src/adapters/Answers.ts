import { UpstreamError } from "@atelier/core"
import { parseJson } from "@atelier/intake/bytes"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { excerptOf } from "../http/Excerpt.ts"
import type { UpstreamBody } from "../http/UpstreamBody.ts"
import type { UpstreamHttpError } from "../http/UpstreamHttpError.ts"
import type { UpstreamHeaders } from "../http/UpstreamRequest.ts"
import type { AdapterSettings } from "./Adapter.ts"

/** One call of an upstream's JSON API. `path` begins with a slash and follows `base_url`. */
export interface Call {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: UpstreamHeaders
  readonly body?: UpstreamBody
  readonly timeoutMillis: number
  readonly maxResponseBytes: number
  /** It must not reach the upstream twice: it gets its own connection. */
  readonly once: boolean
}

/** A whole answer of any status. `json` is undefined if the body is not JSON. */
export interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly json: unknown
  /** Its error's message, or its body's beginning: one line, without the request's secrets. */
  readonly excerpt: string
}

/** Longest wait that a `Retry-After` can ask for: an hour, a task's whole lifetime. */
const retryAfterMsMax = 60 * 60 * 1000

/** Calls the upstream. Fails by `transportError` where no whole answer came. */
export const call = (
  { baseUrl, http }: AdapterSettings,
  { body, headers, maxResponseBytes, method, once, path, timeoutMillis }: Call,
): Effect.Effect<Answer, UpstreamError> =>
  http
    .request({
      method,
      url: baseUrl.replace(/\/+$/, "") + path,
      policy: "operator",
      headers: { accept: "application/json", ...headers },
      ...(body === undefined ? {} : { body }),
      timeoutMillis,
      maxResponseBytes,
      reuseConnection: !once,
    })
    .pipe(
      Effect.map(({ body: bytes, headers: answered, status }) => {
        const json = jsonOf(bytes)
        const message = errorIn(json).message
        const excerpt = excerptOf(message === undefined ? bytes : Buffer.from(message), headers)
        return { status, headers: answered, json, excerpt }
      }),
      Effect.mapError(transportError),
    )

/** The longest answers are lists of some thousand tasks; the bytes of images are long strings. */
const answerLimits = { json_depth_max: 64, json_values_max: 500_000, json_keys_max: 500_000 }

const jsonOf = (body: Uint8Array): unknown => {
  try {
    return parseJson(body, answerLimits)
  } catch {
    return undefined
  }
}

/** An upstream's error in the forms in use: `{ error: { code, message } }`, `{ code, error }`, `{ message }`. */
export const errorIn = (
  json: unknown,
): { readonly code: string | undefined; readonly message: string | undefined } => {
  const { code, error, message, type } = decodeError(json)
  const inner = decodeError(error)
  return {
    code: text(inner.code) ?? text(code) ?? text(inner.type) ?? text(type),
    message: text(inner.message) ?? text(error) ?? text(message),
  }
}

const decodeError = (
  json: unknown,
): {
  readonly code?: unknown
  readonly error?: unknown
  readonly message?: unknown
  readonly type?: unknown
} => (typeof json === "object" && json !== null ? json : {})
const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/**
 * No whole answer came. What was not sent was not accepted; what was sent may have been. An answer that is too
 * large was given all the same, and would be too large again.
 */
const transportError = ({ message, reason, sent }: UpstreamHttpError): UpstreamError => {
  if (!sent) return new UpstreamError({ reason: "unavailable", message })
  return reason === "TooLarge"
    ? new UpstreamError({ reason: "failed", message: "The upstream's answer is too large." })
    : new UpstreamError({ reason: "ambiguous", message })
}

/** What an adapter knows of its upstream's refusals, beyond their status. */
export interface Refusals {
  /** Refused for the prompt's or an image's content. */
  readonly isRejection: (answer: Answer) => boolean
  /** The operator's account, key or model name is wrong: nothing was made, and another channel may serve. */
  readonly isMisconfiguration: (answer: Answer) => boolean
}

/** Statuses of a wrong key, unpaid account, wrong path or method, and of a `base_url` that moved. */
const operatorStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 401, 402, 403, 404, 405, 407])
/** The upstream says that it accepted nothing: too many requests, overloaded. */
const busyStatuses: ReadonlySet<number> = new Set([425, 429, 503, 529])
/** A proxy or lock stopped waiting for an upstream that may have continued. */
const unclearStatuses: ReadonlySet<number> = new Set([408, 409, 499, 502, 504])

/**
 * What an answer other than 2xx to a submission means:
 *
 * | answer | reason |
 * | --- | --- |
 * | content refused | `rejected`, with a message of our own |
 * | 401, 402, 403, 404, 405, 407, a redirect; an account at its limit | `unavailable`; logged as a configuration fault |
 * | 429, 425; 503 and 529 with a JSON body | `unavailable`, with `Retry-After` |
 * | 408, 409, 499, 502, 504; any 5xx without a JSON body | `ambiguous`: it may be a proxy that speaks |
 * | any other 4xx or 5xx | `failed`: the upstream says so itself |
 */
export const refusalOf = Effect.fnUntraced(function* (
  settings: AdapterSettings,
  answer: Answer,
  refusals: Refusals,
): Effect.fn.Return<UpstreamError> {
  const { excerpt, headers, json, status } = answer
  const message = `The upstream answered ${status}${excerpt === "" ? "" : `: ${excerpt}`}`
  if (refusals.isRejection(answer)) return contentRefused()
  if (operatorStatuses.has(status) || refusals.isMisconfiguration(answer)) {
    return yield* misconfigured(settings, message)
  }
  const isJson = typeof json === "object" && json !== null
  if (busyStatuses.has(status) && (status < 500 || isJson)) {
    const retryAfterMillis = yield* retryAfterOf(headers)
    return new UpstreamError({
      reason: "unavailable",
      message,
      ...(retryAfterMillis === undefined ? {} : { retryAfterMillis }),
    })
  }
  const isUnclear = unclearStatuses.has(status) || (status >= 500 && !isJson)
  return new UpstreamError({ reason: isUnclear ? "ambiguous" : "failed", message })
})

/** A message of our own, because the upstream's may name accounts and keys. */
export const contentRefused = (): UpstreamError =>
  new UpstreamError({
    reason: "rejected",
    message: "The upstream refused the prompt or an image under its content policy.",
  })

/** The operator must fix it; until then other channels serve. */
export const misconfigured = (
  { channelId }: Pick<AdapterSettings, "channelId">,
  message: string,
): Effect.Effect<UpstreamError> =>
  Effect.as(
    Effect.logError("a channel's configuration is wrong: check its base_url, key and models", {
      channel: channelId,
      reason: message,
    }),
    new UpstreamError({ reason: "unavailable", message }),
  )

/** Milliseconds that `Retry-After` asks for, in seconds or as a date (RFC 9110, 10.2.3). */
export const retryAfterOf = (headers: {
  readonly [name: string]: string
}): Effect.Effect<number | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const text = headers["retry-after"]?.trim() ?? ""
    const millis = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
    return Number.isNaN(millis) ? undefined : Math.min(Math.max(millis, 0), retryAfterMsMax)
  })
