import { type Generation, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { OperationName } from "../../Artgen.ts"
import type { AdapterSettings } from "../Adapter.ts"
import { type Answer, call, retryAfterOf } from "../Answers.ts"
import { done, type Look, missing, type PollInterval, pending, pollUntil, silent } from "../Polling.ts"
import { decodeTask, failureOfTask, keyOf, seedOf, type Task, textOf } from "./Wire.ts"

const interval: PollInterval = { msMin: 2000, msMax: 15_000 }
const pollTimeoutMs = 30_000
export const taskBytesMax = 4 * 1024 * 1024

/** A task that waits for its window to be filled in; after so long that comes no more. */
const waitsForWindow: Look = {
  _tag: "Stalled",
  message: "The upstream's task waits for a confirmation.",
  msMax: 10 * 60 * 1000,
}

/** The result of one poll. */
type Found = { readonly _tag: "Task"; readonly task: Task } | typeof missing | ReturnType<typeof silent>

/** One poll of a task; it never fails, since a failed poll says nothing about the task. */
export const look = (settings: AdapterSettings, id: string): Effect.Effect<Found> =>
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

const missingWords = /task.?no.?t?.?(found|exist)|not.?found|不存在/i

/** An unknown task is answered by nothing, `null`, 404, or words. */
const readLook = Effect.fnUntraced(function* (answer: Answer): Effect.fn.Return<Found> {
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

/** Polls an accepted task until it is finished, every 2 s at first and every 15 s later. */
export const poll = (
  settings: AdapterSettings,
  id: string,
  operation: OperationName,
  onProgress: (progress: number) => Effect.Effect<void>,
): Effect.Effect<Generation, UpstreamError> =>
  pollUntil(
    Effect.flatMap(look(settings, id), (found) =>
      found._tag === "Task" ? lookOf(settings, id, operation, found.task) : Effect.succeed(found),
    ),
    onProgress,
    interval,
  )

const failed = (message: string) => Effect.fail(new UpstreamError({ reason: "failed", message }))

const lookOf = Effect.fnUntraced(function* (
  settings: AdapterSettings,
  id: string,
  operation: OperationName,
  task: Task,
): Effect.fn.Return<Look, UpstreamError> {
  switch (task.status) {
    case "SUCCESS":
      return done(yield* generationOf(settings, id, operation, task))
    case "FAILURE":
      return yield* failureOfTask(settings, task)
    case "CANCEL":
      return yield* failed("The upstream's task was cancelled.")
    case "MODAL":
      return waitsForWindow
    default:
      return pending(progressOf(task))
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

/** In percent; not a number where the upstream says none. */
const progressOf = ({ progress }: Task): number => Math.floor(Number.parseFloat(textOf(progress)))
