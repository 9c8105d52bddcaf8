import { createHash } from "node:crypto"
import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from "node:http"
import { Agent as HttpsAgent } from "node:https"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { refusal, type S3Failure } from "./S3Failure.ts"
import { readText, send } from "./S3Http.ts"
import type { S3Limits } from "./S3Limits.ts"
import { hasRoot } from "./xml.ts"

/** A bucket and its credentials. */
export interface S3Bucket {
  readonly bucket: string
  readonly region: string
  /** `http://` or `https://`, without a slash at the end; none: AWS's own of the region. */
  readonly endpoint: string | undefined
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  readonly sessionToken: Redacted.Redacted | undefined
}

export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE"
  /** The object; empty: the bucket. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

interface S3Answer {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface S3Client {
  readonly limits: S3Limits
  readonly host: string
  /** One request whose answer is small, repeated where that can help. */
  readonly call: (request: S3Request) => Effect.Effect<S3Answer, S3Failure>
  /** One request, not repeated, whose answer's body is open as long as the scope. */
  readonly open: (request: S3Request) => Effect.Effect<IncomingMessage, S3Failure, Scope.Scope>
  /** When to repeat what failed. */
  readonly retry: Schedule.Schedule<unknown, S3Failure>
}

/** Signed requests to one bucket; a body is signed with its hash, so that one that is damaged is refused. */
export const makeClient = Effect.fnUntraced(function* (
  bucket: S3Bucket,
  limits: S3Limits,
): Effect.fn.Return<S3Client, never, Scope.Scope> {
  const base = new URL(baseOf(bucket))
  const Agent = base.protocol === "https:" ? HttpsAgent : HttpAgent
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ keepAlive: true })),
    (made) => Effect.sync(() => made.destroy()),
  )

  const open = Effect.fnUntraced(function* (request: S3Request) {
    const { url, headers } = yield* sign(bucket, base, request)
    const { method, body } = request
    const answer = yield* send(agent, { method, url, headers, body }, limits.idle_ms_max)
    const { statusCode: status = 0 } = answer
    if (status >= 200 && status < 300) return answer
    return yield* refusal(status, answer.headers, yield* readText(base.host, answer, limits.idle_ms_max))
  })

  const once = Effect.fnUntraced(function* (request: S3Request) {
    const answer = yield* open(request)
    const text = yield* readText(base.host, answer, limits.idle_ms_max)
    // The end of a multipart upload may be answered with 200 before it fails.
    if (hasRoot(text, "Error")) return yield* refusal(500, answer.headers, text)
    return { headers: answer.headers, text }
  }, Effect.scoped)

  const retry = Schedule.exponential(limits.retry_ms).pipe(
    Schedule.jittered,
    Schedule.upTo({ times: limits.retries_max }),
    Schedule.while(({ input }: { readonly input: S3Failure }) => input.retry),
  )
  return { limits, host: base.host, open, call: (request) => Effect.retry(once(request), retry), retry }
})

/** AWS gives each bucket a host, other servers a path; a dot in a bucket's name breaks the host's certificate. */
const baseOf = ({ bucket, region, endpoint }: S3Bucket): string => {
  if (endpoint !== undefined) return `${endpoint}/${bucket}/`
  const domain = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`
  return bucket.includes(".") ? `https://${domain}/${bucket}/` : `https://${bucket}.${domain}/`
}

const sign = Effect.fnUntraced(function* (
  bucket: S3Bucket,
  base: URL,
  { method, key, query = {}, headers = {}, body }: S3Request,
) {
  const now = yield* Clock.currentTimeMillis
  const url = new URL(base)
  const typed = body === undefined ? headers : { ...headers, "content-type": "application/octet-stream" }
  url.pathname += key
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return yield* Effect.promise(async () => {
    // Loaded with the first request: it brings all of Node's `fetch` along.
    const { AwsV4Signer } = await import("aws4fetch")
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...typed, "x-amz-content-sha256": sha256(body ?? "") },
      service: "s3",
      region: bucket.region,
      accessKeyId: bucket.accessKeyId,
      secretAccessKey: Redacted.value(bucket.secretAccessKey),
      ...(bucket.sessionToken && { sessionToken: Redacted.value(bucket.sessionToken) }),
      datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ""),
    })
    const signed = await signer.sign()
    return { url, headers: Object.fromEntries(new Headers(signed.headers)) }
  })
})

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex")
