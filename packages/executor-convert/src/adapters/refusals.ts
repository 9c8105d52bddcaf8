import { ExecutorFailed } from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HttpClientError } from "effect/http/HttpClientError"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as Stream from "effect/Stream"
import type { Vendor } from "./Vendor.ts"

/** The failure that an unsuccessful status stands for. */
export const requireSuccess = Effect.fnUntraced(function* (
  vendor: Vendor,
  response: HttpClientResponse,
): Effect.fn.Return<void, ExecutorFailed | HttpClientError> {
  const { status } = response
  if (status >= 200 && status <= 299) return
  const excerpt = yield* excerptOf(response)
  const found = { status, excerpt }
  if (isOutage(status)) {
    const retryAfterMillis = yield* retryAfter(response)
    return yield* unavailable(vendor.name, `It answered ${status}.`, found, retryAfterMillis)
  }
  if (isMisplaced(status) || vendor.concernsSettings?.(excerpt) === true) {
    yield* log(
      "Error",
      vendor.name,
      "refuses the server's settings: check `converter` in the configuration",
      found,
    )
    return yield* new ExecutorFailed({
      code: "converter_unavailable",
      message: `The converter ${vendor.name} refuses to work for this server. Its operator has to mend that.`,
      retryable: false,
    })
  }
  yield* log("Info", vendor.name, "refused a document", found)
  return yield* new ExecutorFailed({
    code: "converter_rejected",
    message: `The converter ${vendor.name} cannot convert this document (it answered ${status}).`,
    retryable: false,
  })
})

/** The converter cannot work now: the task is tried again. `found` is for operators only. */
export const unavailable = (
  name: string,
  problem: string,
  found: Readonly<Record<string, unknown>> = {},
  retryAfterMillis?: number,
): Effect.Effect<never, ExecutorFailed> =>
  Effect.andThen(
    log("Warn", name, problem, found),
    Effect.fail(
      new ExecutorFailed({
        code: "converter_unavailable",
        message: `The converter ${name} cannot be used at the moment. ${problem}`,
        retryable: true,
        ...(retryAfterMillis === undefined ? {} : { retryAfterMillis }),
      }),
    ),
  )

const log = (
  level: "Info" | "Warn" | "Error",
  name: string,
  problem: string,
  found: Readonly<Record<string, unknown>>,
): Effect.Effect<void> =>
  Effect.logWithLevel(level)(`converter ${name}: ${problem}`).pipe(Effect.annotateLogs(found))

/** Time-outs, too many requests, and the vendor's own failures. */
const isOutage = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501)

/** Wrong credentials, or an address without such a converter. */
const isMisplaced = (status: number): boolean =>
  status < 400 || [401, 403, 404, 405, 407, 501].includes(status)

const excerptBytesMax = 512

/** The beginning of a refusal, which is enough. */
const excerptOf = (response: HttpClientResponse): Effect.Effect<string> => {
  let excerpt: Uint8Array = new Uint8Array()
  return Stream.runForEachWhile(response.stream, (chunk) =>
    Effect.sync(() => {
      excerpt = Buffer.concat([excerpt, chunk])
      return excerpt.length < excerptBytesMax
    }),
  ).pipe(
    Effect.ignore,
    Effect.map(() => Buffer.from(excerpt).toString("utf8", 0, excerptBytesMax)),
  )
}

/** Seconds, or a date. */
const retryAfter = Effect.fnUntraced(function* (response: HttpClientResponse) {
  const value = response.headers["retry-after"]
  if (value === undefined) return undefined
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - (yield* Clock.currentTimeMillis))
})
