import * as Redacted from "effect/Redacted"
import type { UpstreamHeaders } from "./UpstreamRequest.ts"

const excerptCharsMax = 200
/** As much of a body as can matter to an excerpt. */
const excerptBytesMax = 4096

/**
 * The beginning of an upstream's answer as an error message may show it: one line, at most 200 characters,
 * without control characters, and without the secrets among the request's headers, which some upstreams
 * repeat in their refusals.
 */
export const excerptOf = (body: Uint8Array, headers: UpstreamHeaders = {}): string => {
  const text = secretsOf(headers).reduce(
    (shown, secret) => shown.replaceAll(secret, "…"),
    new TextDecoder().decode(body.subarray(0, excerptBytesMax)),
  )
  const line = text.replace(/[\p{C}\s]+/gu, " ").trim()
  return line.length <= excerptCharsMax ? line : `${line.slice(0, excerptCharsMax)}…`
}

/** `Bearer KEY` holds the secret `KEY`. */
const secretsOf = (headers: UpstreamHeaders): ReadonlyArray<string> =>
  Object.values(headers)
    .flatMap((value) => {
      if (!Redacted.isRedacted(value)) return []
      const secret = Redacted.value(value)
      return [secret, secret.slice(secret.lastIndexOf(" ") + 1)]
    })
    .filter((secret) => secret !== "")
