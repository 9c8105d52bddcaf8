import { hash } from "node:crypto"
import {
  BoundedCache,
  isFinal,
  Limits,
  mayRead,
  type Principal,
  type Task,
  Tasks,
  WaitingTimes,
} from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { holds, json } from "./Answer.ts"
import { Settings } from "./ServerSettings.ts"
import type { Failure } from "./toApiError.ts"
import { toWireTask } from "./toWire.ts"

/** A final task as it is sent, and its owner. */
interface Kept {
  readonly owner: Parameters<typeof mayRead>[1]
  readonly etag: string
  /** When it may be removed from storage, Unix milliseconds: from then on storage is asked. */
  readonly goodUntil: number
  readonly whole: HttpServerResponse.HttpServerResponse
  readonly unchanged: HttpServerResponse.HttpServerResponse
}

/** A generous estimate of what an entry takes besides its task's text. */
const entryBytes = 2048

/**
 * Answers with tasks. The answer for a final task never changes, and is cached: nothing is read from storage for
 * it. It has an `ETag`; a client that already has it gets 304 (contract, Later decisions). Any other one says when to
 * look again, and where it stands while it is queued.
 */
export class TaskAnswers extends Context.Service<
  TaskAnswers,
  {
    /** The answer for `Tasks.get`, with `Retry-After` unless the task is final. */
    readonly get: (
      principal: Principal,
      id: string,
      request: HttpServerRequest.HttpServerRequest,
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>
    /** The answer with a task that was just read, for a client that has waited already. */
    readonly of: (
      task: Task,
      request: HttpServerRequest.HttpServerRequest,
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>
  }
>()("@atelier/http/TaskAnswers") {
  static readonly layer = Layer.effect(
    TaskAnswers,
    Effect.gen(function* () {
      const tasks = yield* Tasks
      const waiting = yield* WaitingTimes
      const { mediaUrl } = yield* Settings
      const { final_tasks_bytes_max, finished_task_retention_ms } = yield* Limits
      const cache = new BoundedCache<Kept>(final_tasks_bytes_max)

      const keep = (task: Task): Kept => {
        const text = JSON.stringify(toWireTask(task, mediaUrl))
        const kept = keptOf(task, text, finished_task_retention_ms || Number.POSITIVE_INFINITY)
        cache.set(task.id, kept, entryBytes + 2 * text.length)
        return kept
      }
      const answer = (task: Task, request: HttpServerRequest.HttpServerRequest, isPolled: boolean) =>
        isFinal(task.state)
          ? Effect.succeed(choose(keep(task), request))
          : Effect.map(waiting.of(task), ({ queue, retryAfterSeconds }) =>
              json(
                toWireTask(task, mediaUrl, queue),
                isPolled ? { headers: { "retry-after": String(retryAfterSeconds) } } : {},
              ),
            )
      return TaskAnswers.of({
        of: (task, request) => answer(task, request, false),
        get: (principal, id, request) => {
          const kept = cache.get(id)
          return Effect.flatMap(Clock.currentTimeMillis, (now) =>
            kept !== undefined && now < kept.goodUntil && mayRead(principal, kept.owner)
              ? Effect.succeed(choose(kept, request))
              : Effect.flatMap(tasks.get(principal, id), (task) => answer(task, request, true)),
          )
        },
      })
    }),
  )
}

const keptOf = (task: Task, text: string, retentionMs: number): Kept => {
  const etag = `"${hash("sha256", text).slice(0, 32)}"`
  const headers = { etag, "cache-control": "private, no-cache" }
  return {
    owner: task.kind === "tool" ? { keyId: task.keyId, toolId: task.toolId } : { keyId: task.keyId },
    etag,
    goodUntil: (task.finishedAt ?? task.createdAt) + retentionMs,
    whole: HttpServerResponse.text(text, { contentType: "application/json", headers }),
    unchanged: HttpServerResponse.empty({ status: 304, headers }),
  }
}

const choose = (
  { etag, whole, unchanged }: Kept,
  { headers }: HttpServerRequest.HttpServerRequest,
): HttpServerResponse.HttpServerResponse => (holds(headers["if-none-match"], etag) ? unchanged : whole)
