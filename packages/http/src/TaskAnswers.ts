import { hash } from "node:crypto"
import { BoundedCache, isFinal, Limits, mayRead, type Principal, type Task, Tasks } from "@atelier/core"
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
  readonly whole: HttpServerResponse.HttpServerResponse
  readonly unchanged: HttpServerResponse.HttpServerResponse
}

/** A generous estimate of what an entry takes besides its task's text. */
const entryBytes = 2048

/**
 * Answers with tasks. The answer for a final task never changes, and is cached: nothing is read from storage for
 * it. It has an `ETag`; a client that already has it gets 304 (contract, Later decisions).
 */
export class TaskAnswers extends Context.Service<
  TaskAnswers,
  {
    /** The answer for `Tasks.get`. */
    readonly get: (
      principal: Principal,
      id: string,
      request: HttpServerRequest.HttpServerRequest,
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>
    /** The answer with a task that was just read. */
    readonly of: (
      task: Task,
      request: HttpServerRequest.HttpServerRequest,
    ) => HttpServerResponse.HttpServerResponse
  }
>()("@atelier/http/TaskAnswers") {
  static readonly layer = Layer.effect(
    TaskAnswers,
    Effect.gen(function* () {
      const tasks = yield* Tasks
      const { mediaUrl } = yield* Settings
      const { final_tasks_bytes_max } = yield* Limits
      const cache = new BoundedCache<Kept>(final_tasks_bytes_max)

      const keep = (task: Task): Kept => {
        const text = JSON.stringify(toWireTask(task, mediaUrl))
        const kept = keptOf(task, text)
        cache.set(task.id, kept, entryBytes + 2 * text.length)
        return kept
      }
      const of = (task: Task, request: HttpServerRequest.HttpServerRequest) =>
        isFinal(task.state) ? choose(keep(task), request) : json(toWireTask(task, mediaUrl))
      return TaskAnswers.of({
        of,
        get: (principal, id, request) => {
          const kept = cache.get(id)
          return kept !== undefined && mayRead(principal, kept.owner)
            ? Effect.succeed(choose(kept, request))
            : Effect.map(tasks.get(principal, id), (task) => of(task, request))
        },
      })
    }),
  )
}

const keptOf = (task: Task, text: string): Kept => {
  const etag = `"${hash("sha256", text).slice(0, 32)}"`
  const headers = { etag, "cache-control": "private, no-cache" }
  return {
    owner: task.kind === "tool" ? { keyId: task.keyId, toolId: task.toolId } : { keyId: task.keyId },
    etag,
    whole: HttpServerResponse.text(text, { contentType: "application/json", headers }),
    unchanged: HttpServerResponse.empty({ status: 304, headers }),
  }
}

const choose = (
  { etag, whole, unchanged }: Kept,
  { headers }: HttpServerRequest.HttpServerRequest,
): HttpServerResponse.HttpServerResponse => (holds(headers["if-none-match"], etag) ? unchanged : whole)
