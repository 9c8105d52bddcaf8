import { type Generation, UpstreamError } from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { OperationName } from "../../Artgen.ts"
import type { AdapterSettings } from "../Adapter.ts"
import { type Answer, call, retryAfterOf } from "../Answers.ts"
import { decodeTask, failureOfTask, keyOf, seedOf, type Task, textOf } from "./Wire.ts"

const pollIntervalMsMin = 2000
const pollIntervalMsMax = 15_000
const pollIntervalGrowth = 1.25
const pollTimeoutMs = 30_000
export const taskBytesMax = 4 * 1024 * 1024
/** After so long without a usable answer the job is handed back, and goes on later. */
const silenceMsMax = 5 * 60 * 1000
const silenceRetryMs = 60_000
/** After so long an upstream that knows no such task, or waits for a window, has lost it. */
const missingMsMax = 2 * 60 * 1000
const windowMsMax = 10 * 60 * 1000

/** The result of one poll. `Missing`: the upstream answers, and knows no such task. */
export type Look =
  | { readonly _tag: "Task"; readonly task: Task }
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Silent"; readonly message: string; readonly retryAfterMillis: number | undefined }

/** One poll of a task; it never fails, since a failed poll says nothing about the task. */
export const look = (settings: AdapterSettings, id: string): Effect.Effect<Look> =>
  call(settings, {
    method: "GET",
    path: `/mj/task/${encodeURIComponent(id)}/fetch`,
    headers: keyOf(settings),
    timeoutMillis: pollTimeoutMs,
    maxResponseBytes: taskBytesMax,
    once: false,
  }).pipe(
    Effect.flatMap(readLook),
    Effect.catch(({ message, retryAfterMillis }) => Effect.succeed(silent(message, retryAfterMillis))),
  )

const silent = (message: string, retryAfterMillis?: number): Look => ({
  _tag: "Silent",
  message,
  retryAfterMillis,
})

const missing: Look = { _tag: "Missing" }
const missingWords = /task.?no.?t?.?(found|exist)|not.?found|不存在/i

/** An unknown task is answered by nothing, `null`, 404, or words. */
const readLook = Effect.fnUntraced(function* (answer: Answer): Effect.fn.Return<Look> {
  const { excerpt, headers, json, status } = answer
  if (status === 204 || status === 404 || (status === 200 && (json === null || excerpt === "")))
    return missing
  if (status >= 400 && status < 500 && missingWords.test(excerpt)) return missing
  const task = status === 200 ? decodeTask(json) : Option.none()
  if (Option.isSome(task) && textOf(task.value.id ?? task.value.status) !== "") {
    return { _tag: "Task", task: task.value }
  }
  return silent(`The upstream answered ${status} to a look at a task.`, yield* retryAfterOf(headers))
})

/**
 * Polls an accepted task until it is finished, every 2 s at first and every 15 s later. Only the
 * task itself, or its certain loss, ends it for good: an upstream that is silent for five minutes makes it
 * `unavailable`, which frees the worker; the id is saved, and polling resumes a minute later.
 *
 * Progress is reported only when it grows: the upstream's messages can arrive out of order.
 */
export const poll = Effect.fnUntraced(function* (
  settings: AdapterSettings,
  id: string,
  operation: OperationName,
  onProgress: (progress: number) => Effect.Effect<void>,
): Effect.fn.Return<Generation, UpstreamError> {
  let shown = 0
  let interval = pollIntervalMsMin
  let seen = yield* Clock.currentTimeMillis
  let state: Look["_tag"] | "Window" = "Task"
  for (;;) {
    const looked = yield* look(settings, id)
    const now = yield* Clock.currentTimeMillis
    const next = looked._tag === "Task" && looked.task.status === "MODAL" ? "Window" : looked._tag
    if (next !== state || next === "Task") seen = now
    state = next
    yield* checkPatience(state, now - seen)
    if (looked._tag === "Task") {
      const done = yield* finished(settings, id, operation, looked.task)
      if (done !== undefined) return done
      const progress = progressOf(looked.task)
      if (progress > shown) {
        shown = progress
        yield* onProgress(progress)
      }
    }
    const asked = looked._tag === "Silent" ? (looked.retryAfterMillis ?? 0) : 0
    yield* Effect.sleep(Math.max(interval, Math.min(asked, silenceMsMax)))
    interval = Math.min(interval * pollIntervalGrowth, pollIntervalMsMax)
  }
})

/** How long an unexpected state is tolerated. */
const checkPatience = (
  state: Look["_tag"] | "Window",
  millis: number,
): Effect.Effect<void, UpstreamError> => {
  switch (state) {
    case "Task":
      return Effect.void
    case "Missing":
      return millis < missingMsMax ? Effect.void : failed("The upstream has lost the task.")
    case "Window":
      return millis < windowMsMax ? Effect.void : failed("The upstream's task waits for a confirmation.")
    case "Silent":
      return millis < silenceMsMax
        ? Effect.void
        : Effect.fail(
            new UpstreamError({
              reason: "unavailable",
              message: "The upstream does not say how its task stands.",
              retryAfterMillis: silenceRetryMs,
            }),
          )
  }
}

const failed = (message: string) => Effect.fail(new UpstreamError({ reason: "failed", message }))

/** The result of a finished task; undefined while it runs. */
const finished = Effect.fnUntraced(function* (
  settings: AdapterSettings,
  id: string,
  operation: OperationName,
  task: Task,
): Effect.fn.Return<Generation | undefined, UpstreamError> {
  switch (task.status) {
    case "SUCCESS":
      return yield* generationOf(settings, id, operation, task)
    case "FAILURE":
      return yield* failureOfTask(settings, task)
    case "CANCEL":
      return yield* failed("The upstream's task was cancelled.")
    default:
      return undefined
  }
})

/** `jobId` is what the next step passes as `metadata.job_id` (contract, Images). */
const generationOf = Effect.fnUntraced(function* (
  { http }: AdapterSettings,
  jobId: string,
  operation: OperationName,
  { imageUrl, promptEn, properties, seed }: Task,
): Effect.fn.Return<Generation, UpstreamError> {
  if (operation === "describe") {
    const text = textOf(properties?.finalPrompt) || textOf(promptEn)
    if (text === "") return yield* failed("The upstream finished without words.")
    return { images: [], jobId, text, seed: null }
  }
  const url = textOf(imageUrl)
  yield* Effect.catch(http.checkUrl(url, "public"), ({ message }) =>
    failed(`The upstream finished without a link that may be asked: ${message}.`),
  )
  return { images: [{ url }], jobId, text: null, seed: seedOf(seed) }
})

/** 0 to 99: it is 100 when the images are there. */
const progressOf = ({ progress }: Task): number => {
  const percent = Number.parseFloat(textOf(progress))
  return Number.isNaN(percent) ? 0 : Math.min(Math.max(Math.floor(percent), 0), 99)
}
