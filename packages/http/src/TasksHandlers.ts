import { Api, CurrentPrincipal } from "@atelier/api"
import {
  Callbacks,
  isFinal,
  Limits,
  type OpenedResult,
  type Principal,
  Tasks,
  ToolTasks,
  WaitingTimes,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Exchange, json, reply, respond, streamed } from "./Answer.ts"
import { Drain } from "./Drain.ts"
import { taskEvents } from "./EventStream.ts"
import { withMinimalContext } from "./Group.ts"
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
    const waiting = yield* WaitingTimes

    /** The task when it is final, or its state after `seconds` or when this process ends. */
    const wait = (principal: Principal, id: string, seconds: number) =>
      Effect.raceFirst(
        tasks.wait(principal, id, seconds),
        Effect.andThen(ending.await, tasks.get(principal, id)),
      )

    const download = Effect.fnUntraced(function* ({
      result: { contentType, bytes: contentLength },
      content,
    }: OpenedResult) {
      if (contentLength > small_document_bytes_max) {
        return yield* streamed(content, { contentType, contentLength })
      }
      // One piece, sent with the head.
      const pieces = yield* Stream.runCollect(content)
      return HttpServerResponse.uint8Array(Buffer.concat(pieces), { contentType })
    })

    return withMinimalContext(
      HttpApiBuilder.group(Api, "tasks", (handlers) =>
        handlers
          .handleRaw("get", ({ endpoint, params, query, request }) =>
            respond(
              endpoint,
              Effect.gen(function* () {
                const principal = yield* CurrentPrincipal
                if (query.wait === undefined) return yield* answers.get(principal, params.task_id, request)
                yield* readers.enter
                return yield* answers.of(yield* wait(principal, params.task_id, query.wait), request)
              }),
            ),
          )
          .handleRaw("list", ({ endpoint, query }) =>
            reply(
              endpoint,
              Effect.gen(function* () {
                const principal = yield* CurrentPrincipal
                if (query.idempotency_key !== undefined) {
                  const task = yield* tasks.findByIdempotencyKey(principal, query.idempotency_key)
                  const place = isFinal(task.state) ? undefined : (yield* waiting.of(task)).queue
                  return toWireTask(task, mediaUrl, place)
                }
                const filter = {
                  ...(query.after === undefined ? {} : { after: query.after }),
                  ...(query.state === undefined ? {} : { states: storedStates(query.state) }),
                  ...(query.model === undefined ? {} : { subject: query.model }),
                }
                return yield* pageOf(
                  query.limit,
                  (limit) => tasks.list(principal, { ...filter, limit }),
                  (task) => task.id,
                  (task) => toWireTask(task, mediaUrl),
                )
              }),
            ),
          )
          .handleRaw("events", ({ endpoint, params, headers }) =>
            respond(
              endpoint,
              Effect.flatMap(Effect.andThen(readers.enter, CurrentPrincipal), (principal) =>
                taskEvents(tasks, waiting, principal, params.task_id, {
                  lastEventId: headers["last-event-id"],
                  mediaUrl,
                  ending,
                }),
              ),
            ),
          )
          .handleRaw("cancel", ({ endpoint, params }) =>
            respond(
              endpoint,
              Effect.gen(function* () {
                const { requestId } = yield* Exchange
                const task = yield* tasks.cancel(yield* CurrentPrincipal, params.task_id, requestId)
                // One that runs ends when its upstream has stopped it (contract, Later decisions).
                const asked = { status: 202, headers: { "retry-after": "2" } }
                return json(toWireTask(task, mediaUrl), isFinal(task.state) ? {} : asked)
              }),
            ),
          )
          .handleRaw("history", ({ endpoint, params }) =>
            reply(
              endpoint,
              Effect.gen(function* () {
                const task = yield* tasks.get(yield* CurrentPrincipal, params.task_id)
                return listOf(task.history.map((entry) => toWireHistory(task, entry)))
              }),
            ),
          )
          .handleRaw("callbacks", ({ endpoint, params }) =>
            reply(
              endpoint,
              Effect.gen(function* () {
                const delivery = yield* callbacks.get(yield* CurrentPrincipal, params.task_id)
                return listOf(Option.toArray(delivery).map(toWireCallback))
              }),
            ),
          )
          .handleRaw("redeliver", ({ endpoint, params }) =>
            reply(
              endpoint,
              Effect.gen(function* () {
                const delivery = yield* callbacks.redeliver(yield* CurrentPrincipal, params.task_id)
                return toWireCallback(delivery)
              }),
            ),
          )
          .handleRaw("result", ({ endpoint, params, query }) =>
            respond(
              endpoint,
              Effect.gen(function* () {
                const principal = yield* CurrentPrincipal
                return yield* download(yield* toolTasks.openResult(principal, params.task_id, query.format))
              }),
            ),
          ),
      ),
    )
  }),
)
