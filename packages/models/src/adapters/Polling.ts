import { type Generation, UpstreamError } from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { UpstreamHeaders } from "../http/UpstreamRequest.ts"
import type { AdapterSettings } from "./Adapter.ts"
import { type Answer, call, misconfigured, retryAfterOf } from "./Answers.ts"

const pollIntervalMsMin = 1500
const pollIntervalMsMax = 10_000
const pollIntervalGrowth = 1.25
const pollTimeoutMs = 30_000
const pollBytesMax = 4 * 1024 * 1024
/** After so long without a usable answer the job is handed back, and goes on later. */
const silenceMsMax = 5 * 60 * 1000
const silenceRetryMs = 60_000
/** After so long an upstream that knows no such generation has lost it. */
const missingMsMax = 2 * 60 * 1000

/** What one look at an accepted generation showed. */
export type Look =
  | { readonly _tag: "Done"; readonly generation: Generation }
  /** 0 to 100, where the upstream tells. */
  | { readonly _tag: "Pending"; readonly progress?: number }
  /** The upstream answers, and knows no such generation. */
  | { readonly _tag: "Missing" }
  /** No answer that says anything of the generation. */
  | { readonly _tag: "Silent"; readonly message: string; readonly retryAfterMillis: number | undefined }

export const pending = (progress?: number): Look =>
  progress === undefined || Number.isNaN(progress) ? { _tag: "Pending" } : { _tag: "Pending", progress }
export const done = (generation: Generation): Look => ({ _tag: "Done", generation })
export const missing: Look = { _tag: "Missing" }
export const silent = (message: string, retryAfterMillis?: number): Look => ({
  _tag: "Silent",
  message,
  retryAfterMillis,
})

/**
 * One look by GET, whose 2xx answers `read` understands. What else comes says nothing of the generation: 404 is
 * `Missing`; 401, 402 and 403, which are the operator's fault and are logged, 429, 5xx and no answer are `Silent`.
 */
export const lookAt = (
  settings: AdapterSettings,
  { headers, path }: { readonly path: string; readonly headers: UpstreamHeaders },
  read: (answer: Answer) => Effect.Effect<Look, UpstreamError>,
): Effect.Effect<Look, UpstreamError> =>
  call(settings, {
    method: "GET",
    path,
    headers,
    timeoutMillis: pollTimeoutMs,
    maxResponseBytes: pollBytesMax,
    once: false,
  }).pipe(
    Effect.matchEffect({
      onFailure: ({ message, retryAfterMillis }) => Effect.succeed(silent(message, retryAfterMillis)),
      onSuccess: Effect.fnUntraced(function* (answer) {
        const { headers: answered, status } = answer
        if (status >= 200 && status <= 299) return yield* read(answer)
        if (status === 404) return missing
        const message = `The upstream answered ${status} to a look at a generation.`
        if (status === 401 || status === 402 || status === 403) yield* misconfigured(settings, message)
        return silent(message, yield* retryAfterOf(answered))
      }),
    }),
  )

/**
 * Looks at an accepted generation until it is done: every 1.5 s at first, every 10 s later. Only what the upstream says
 * of the generation itself, or its certain loss, ends it: an upstream that is silent for five minutes makes it
 * `unavailable`, which frees the worker; the id is saved, and a minute later polling goes on.
 */
export const pollUntil = Effect.fnUntraced(function* (
  look: Effect.Effect<Look, UpstreamError>,
  onProgress: (progress: number) => Effect.Effect<void>,
): Effect.fn.Return<Generation, UpstreamError> {
  let shown = 0
  let interval = pollIntervalMsMin
  let since = yield* Clock.currentTimeMillis
  let state: Look["_tag"] = "Pending"
  for (;;) {
    const looked = yield* look
    if (looked._tag === "Done") return looked.generation
    const now = yield* Clock.currentTimeMillis
    if (looked._tag !== state || looked._tag === "Pending") since = now
    state = looked._tag
    yield* requirePatience(looked, now - since)
    if (looked._tag === "Pending" && looked.progress !== undefined && looked.progress > shown) {
      shown = looked.progress
      yield* onProgress(Math.min(shown, 99))
    }
    const asked = looked._tag === "Silent" ? (looked.retryAfterMillis ?? 0) : 0
    yield* Effect.sleep(Math.max(interval, Math.min(asked, silenceMsMax)))
    interval = Math.min(interval * pollIntervalGrowth, pollIntervalMsMax)
  }
})

/** How long an answer that says nothing is tolerated. */
const requirePatience = (looked: Look, millis: number): Effect.Effect<void, UpstreamError> => {
  if (looked._tag === "Missing" && millis >= missingMsMax) {
    return Effect.fail(
      new UpstreamError({ reason: "failed", message: "The upstream has lost the generation." }),
    )
  }
  if (looked._tag !== "Silent" || millis < silenceMsMax) return Effect.void
  return Effect.fail(
    new UpstreamError({
      reason: "unavailable",
      message: "The upstream does not say how the generation stands.",
      retryAfterMillis: silenceRetryMs,
    }),
  )
}
