import type { IncomingMessage } from "node:http"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { failure } from "./Exchange.ts"
import { isReplayable } from "./UpstreamBody.ts"
import { UpstreamHttpError } from "./UpstreamHttpError.ts"
import type { UpstreamHeaders, UpstreamRequest } from "./UpstreamRequest.ts"
import type { Target, UrlPolicy } from "./UrlPolicy.ts"

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Where a request goes next, under whose policy, with which headers. */
export interface Step {
  readonly url: string
  readonly policy: UrlPolicy
  readonly headers: UpstreamHeaders
}

/** Another origin was chosen only by the answering server: it gets no secret, and no privilege. */
export const nextStep = (
  request: UpstreamRequest,
  step: Step,
  target: Target,
  response: IncomingMessage,
): Result.Result<Step | undefined, UpstreamHttpError> => {
  const { location } = response.headers
  const status = response.statusCode ?? 0
  const repeatable = request.method === "GET" || request.method === "HEAD"
  if ((request.redirects ?? 0) === 0 || location === undefined || !redirectStatuses.has(status)) {
    return Result.succeed(undefined)
  }
  if (!repeatable && (status < 307 || !isReplayable(request.body))) return Result.succeed(undefined)
  const url = URL.parse(location, target.url.href)
  const refuse = (what: string) => Result.fail(failure({ target }, "InvalidUrl", "headers", true, what))
  if (url === null) return refuse("the redirect leads to no URL")
  if (target.secure && url.protocol === "http:" && request.allowDowngrade !== true) {
    return refuse("the redirect leads from https to http")
  }
  return Result.succeed(
    url.origin === target.url.origin
      ? { ...step, url: url.href }
      : { url: url.href, policy: "public", headers: withoutSecrets(step.headers) },
  )
}

const withoutSecrets = (headers: UpstreamHeaders): UpstreamHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => !Redacted.isRedacted(value) && name.toLowerCase() !== "authorization",
    ),
  )

/** After the first redirect some server has certainly seen the request. */
export const afterRedirect = ({ message, ...error }: UpstreamHttpError) =>
  new UpstreamHttpError({ ...error, sent: true, message: `after a redirect: ${message}` })
