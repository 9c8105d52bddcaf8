import type { IncomingHttpHeaders } from "node:http"
import * as Schema from "effect/Schema"
import { textOf } from "./xml.ts"

/**
 * A request that a bucket refused, or did not answer. `status` is 0 where there was no answer; `code` is S3's
 * own, such as `NoSuchKey`, or the system's, such as `ECONNRESET`. `retry`: a repetition can succeed.
 */
export class S3Failure extends Schema.TaggedError<S3Failure>()("S3Failure", {
  message: Schema.String,
  status: Schema.Number,
  code: Schema.String,
  retry: Schema.Boolean,
}) {}

/** Refusals below 500 that can succeed on retry; the last four: the bytes were damaged or lost in transit. */
const passing = new Set([
  "RequestTimeout",
  "SlowDown",
  "OperationAborted",
  "ConditionalRequestConflict",
  "BadDigest",
  "IncompleteBody",
  "InvalidDigest",
  "XAmzContentSHA256Mismatch",
])

const shownCharactersMax = 300

/** The failure that an answer stands for; the answer to a `HEAD` has no body, and so no code. */
export const refusal = (status: number, headers: IncomingHttpHeaders, body: string): S3Failure => {
  const code = textOf(body, "Code") ?? codesWithoutBody[status] ?? "Unknown"
  const region = headers["x-amz-bucket-region"]
  const moved = status === 301 && region !== undefined ? `the bucket is in the region ${region}` : undefined
  const reason = moved ?? textOf(body, "Message")
  const message = `the bucket answered ${status} ${code}${reason === undefined ? "" : `: ${reason}`}`
  return new S3Failure({
    message: message.slice(0, shownCharactersMax),
    status,
    code,
    retry: status === 429 || (status >= 500 && status !== 501) || passing.has(code),
  })
}

const codesWithoutBody: { readonly [status: number]: string } = {
  301: "PermanentRedirect",
  403: "AccessDenied",
  404: "NotFound",
  412: "PreconditionFailed",
  503: "ServiceUnavailable",
}

/** No answer, or one that broke off. The system's error may have no message of its own, only a code. */
export const unanswered = (host: string, error: unknown): S3Failure => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "Unknown"
  const detail = error instanceof Error && error.message !== "" ? error.message : code
  return new S3Failure({ message: `no answer from ${host}: ${detail}`, status: 0, code, retry: true })
}

/** An answer that no S3 server gives. */
export const unexpected = (what: string, retry: boolean): S3Failure =>
  new S3Failure({
    message: `the bucket gave an answer that S3 does not: ${what}`,
    status: 0,
    code: "Unexpected",
    retry,
  })
