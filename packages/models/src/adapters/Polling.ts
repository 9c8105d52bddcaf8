import { type Generation, UpstreamError } from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { UpstreamHeaders } from "../http/UpstreamRequest.ts"
import type { AdapterSettings } from "./Adapter.ts"
import { type Answer, call, misconfigured, retryAfterOf } from "./Answers.ts"

/** The first pause between two looks, and the longest. */
export interface PollInterval {
  readonly msMin: number
  readonly msMax: number
}

const pollInterval: PollInterval = { msMin: 1500, msMax: 10_000 }
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
  /** The upstream answers, and nothing is being done: for how long that may be so, and what it means then. */
  | { readonly _tag: "Stalled"; readonly message: string; readonly msMax: number }
  /** No answer that says anything of the generation. */
  | { readonly _tag: "Silent"; readonly message: string; readonly retryAfterMillis: number | undefined }

export const pending = (progress?: number): Look =>
  progress === undefined || Number.isNaN(progress) ? { _tag: "Pending" } : { _tag: "Pending", progress }
export const done = (generation: Generation): Look => ({ _tag: "Done", generation })
/** The upstream knows no such generation. */
export const missing = {
  _tag: "Stalled",
  message: "The upstream has lost the generation.",
  msMax: missingMsMax,
} as const satisfies Look
export const silent = (message: string, retryAfterMillis?: number) =>
  ({ _tag: "Silent", message, retryAfterMillis }) as const satisfies Look

/**
 * One look by GET, whose 2xx answers `read` understands. What else comes says nothing of the generation: 404 is
 * `missing`; 401, 402 and 403, which are the operator's fault and are logged, 429, 5xx and no answer are `Silent`.
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
 * Looks at an accepted generation until it is done: every 1.5 s at first, every 10 s later, if not told otherwise. Only
 * what the upstream says of the generation itself, or its certain loss, ends it: an upstream that is silent for five
 * minutes makes it `unavailable`, which frees the worker; the id is saved, and a minute later polling goes on. Progress
 * is reported only when it grows: the answers of an upstream may be older than the last.
 */
export const pollUntil = Effect.fnUntraced(function* (
  look: Effect.Effect<Look, UpstreamError>,
  onProgress: (progress: number) => Effect.Effect<void>,
  { msMax, msMin } = pollInterval,
): Effect.fn.Return<Generation, UpstreamError> {
  let shown = 0
  let interval = msMin
  let since = yield* Clock.currentTimeMillis
  let state = "Pending"
  for (;;) {
    const looked = yield* look
    if (looked._tag === "Done") return looked.generation
    const now = yield* Clock.currentTimeMillis
    const next = looked._tag === "Stalled" ? looked.message : looked._tag
    if (next !== state || next === "Pending") since = now
    state = next
    yield* requirePatience(looked, now - since)
    if (looked._tag === "Pending" && looked.progress !== undefined && looked.progress > shown) {
      shown = looked.progress
      yield* onProgress(Math.min(shown, 99))
    }
    const asked = looked._tag === "Silent" ? (looked.retryAfterMillis ?? 0) : 0
    yield* Effect.sleep(Math.max(interval, Math.min(asked, silenceMsMax)))
    interval = Math.min(interval * pollIntervalGrowth, msMax)
  }
})

/** How long an answer that says nothing is tolerated. */
const requirePatience = (looked: Look, millis: number): Effect.Effect<void, UpstreamError> => {
  if (looked._tag === "Stalled" && millis >= looked.msMax) {
    return Effect.fail(new UpstreamError({ reason: "failed", message: looked.message }))
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
