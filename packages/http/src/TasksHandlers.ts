import { Api, CurrentPrincipal } from "@atelier/api"
import { Callbacks, Limits, type Principal, Tasks, type ToolResult, ToolTasks } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { answer, Exchange, json, streamed } from "./Answer.ts"
import { Drain } from "./Drain.ts"
import { taskEvents } from "./Events.ts"
import { lean } from "./Group.ts"
import { listOf, pageOf } from "./Page.ts"
import { Readers } from "./Readers.ts"
import { Settings } from "./ServerSettings.ts"
import { TaskAnswers } from "./TaskAnswers.ts"
import { storedStates, toWireCallback, toWireHistory, toWireTask } from "./toWire.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const answers = yield* TaskAnswers
    const callbacks = yield* Callbacks
    const { ending } = yield* Drain
    const { mediaUrl } = yield* Settings
    const { small_document_bytes_max } = yield* Limits
    const readers = yield* Readers
    const tasks = yield* Tasks
    const toolTasks = yield* ToolTasks

    /** The task when it is final, or its state after `seconds` or when this process ends. */
    const wait = (principal: Principal, id: string, seconds: number) =>
      Effect.raceFirst(
        tasks.wait(principal, id, seconds),
        Effect.andThen(ending.await, tasks.get(principal, id)),
      )

    const download = Effect.fnUntraced(function* (result: ToolResult) {
      const { contentType, bytes: contentLength } = result
      const content = yield* toolTasks.read(result)
      if (contentLength > small_document_bytes_max) {
        return yield* streamed(content, { contentType, contentLength })
      }
      // One piece, sent with the head.
      const pieces = yield* Stream.runCollect(content)
      return HttpServerResponse.uint8Array(Buffer.concat(pieces), { contentType })
    })

    return lean(
      HttpApiBuilder.group(Api, "tasks", (handlers) =>
        handlers
          .handleRaw("get", ({ params, query, request }) =>
            answer(
              "images",
              Effect.gen(function* () {
                const principal = yield* CurrentPrincipal
                if (query.wait === undefined) return yield* answers.get(principal, params.task_id, request)
                yield* readers.enter
                return answers.of(yield* wait(principal, params.task_id, query.wait), request)
              }),
            ),
          )
          .handleRaw("list", ({ query }) =>
            answer(
              "images",
              Effect.gen(function* () {
                const principal = yield* CurrentPrincipal
                if (query.idempotency_key !== undefined) {
                  const task = yield* tasks.findByIdempotencyKey(principal, query.idempotency_key)
                  return json(toWireTask(task, mediaUrl))
                }
                const filter = {
                  ...(query.after === undefined ? {} : { after: query.after }),
                  ...(query.state === undefined ? {} : { states: storedStates(query.state) }),
                  ...(query.model === undefined ? {} : { subject: query.model }),
                }
                return json(
                  yield* pageOf(
                    query.limit,
                    (limit) => tasks.list(principal, { ...filter, limit }),
                    (task) => task.id,
                    (task) => toWireTask(task, mediaUrl),
                  ),
                )
              }),
            ),
          )
          .handleRaw("events", ({ params, headers }) =>
            answer(
              "images",
              Effect.flatMap(Effect.andThen(readers.enter, CurrentPrincipal), (principal) =>
                taskEvents(tasks, principal, params.task_id, {
                  lastEventId: headers["last-event-id"],
                  mediaUrl,
                  ending,
                }),
              ),
            ),
          )
          .handleRaw("cancel", ({ params }) =>
            answer(
              "images",
              Effect.gen(function* () {
                const { requestId } = yield* Exchange
                const task = yield* tasks.cancel(yield* CurrentPrincipal, params.task_id, requestId)
                return json(toWireTask(task, mediaUrl))
              }),
            ),
          )
          .handleRaw("history", ({ params }) =>
            answer(
              "images",
              Effect.gen(function* () {
                const task = yield* tasks.get(yield* CurrentPrincipal, params.task_id)
                return json(listOf(task.history.map((entry) => toWireHistory(task, entry))))
              }),
            ),
          )
          .handleRaw("callbacks", ({ params }) =>
            answer(
              "images",
              Effect.gen(function* () {
                const delivery = yield* callbacks.get(yield* CurrentPrincipal, params.task_id)
                return json(listOf(Option.toArray(delivery).map(toWireCallback)))
              }),
            ),
          )
          .handleRaw("redeliver", ({ params }) =>
            answer(
              "images",
              Effect.gen(function* () {
                const delivery = yield* callbacks.redeliver(yield* CurrentPrincipal, params.task_id)
                return json(toWireCallback(delivery), { status: 202 })
              }),
            ),
          )
          .handleRaw("result", ({ params, query }) =>
            answer(
              "tools",
              Effect.gen(function* () {
                const principal = yield* CurrentPrincipal
                return yield* download(yield* toolTasks.result(principal, params.task_id, query.format))
              }),
            ),
          ),
      ),
    )
  }),
)
