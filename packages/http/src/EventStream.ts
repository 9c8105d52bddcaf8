import type { ServerResponse } from "node:http"
import type { Principal, QueuePlace, Task, Tasks, WaitingTimes } from "@atelier/core"
import { isFinal } from "@atelier/core"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import { streamed } from "./Answer.ts"
import { toWireTask } from "./toWire.ts"

/** Silence after which a comment keeps proxies from closing the connection. */
const keepAliveEvery = "15 seconds"
/** How often the place of a queued task is looked at. */
const placeEvery = "5 seconds"
const comment = ":\n\n"

/**
 * Server-Sent Events `task`, one at every change, the final one last (contract, Waiting). The event's id is the
 * task's version: `lastEventId` skips what was seen, and 204 tells a client that has seen the final state not to
 * come back.
 */
export const taskEvents = Effect.fnUntraced(function* (
  tasks: Tasks["Service"],
  waiting: WaitingTimes["Service"],
  principal: Principal,
  id: string,
  options: {
    readonly lastEventId: string | undefined
    readonly mediaUrl: string
    readonly ending: Latch.Latch
  },
) {
  const seen = versionOf(options.lastEventId)
  const now = yield* tasks.get(principal, id)
  if (isFinal(now.state) && now.version <= seen) return HttpServerResponse.empty({ status: 204 })
  const encoder = new TextEncoder()
  const events = watched(tasks, waiting, principal, now, seen).pipe(
    Stream.map(({ task, place }) => encoder.encode(render(task, options.mediaUrl, place))),
  )
  const request = yield* HttpServerRequest.HttpServerRequest
  const response = NodeHttpServerRequest.toServerResponse(request) as ServerResponse
  const keepAlive = Effect.sync(() => {
    if (!response.writableEnded && !response.writableNeedDrain) response.write(comment)
  })
  // Written directly, because the stream's machinery costs more than the write.
  const ticking = Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(keepAliveEvery), keepAlive)))
  const body = Stream.concat(Stream.succeed(encoder.encode(comment)), events)
  return yield* streamed(
    Stream.unwrap(Effect.as(ticking, body)).pipe(Stream.interruptWhen(options.ending.await)),
    {
      contentType: "text/event-stream",
      // The connection of a stream carries no further request; kept open, it would delay the end of the process.
      headers: { "cache-control": "no-store", connection: "close", "x-accel-buffering": "no" },
    },
  )
})

/** An id that is not ours counts as unseen: everything is sent. */
const versionOf = (eventId: string | undefined): number =>
  eventId !== undefined && /^\d{1,15}$/.test(eventId) ? Number(eventId) : -1

/** The task at every change after `seen`, and whenever its place changed while it is queued. `first`: its state now. */
const watched = (
  tasks: Tasks["Service"],
  waiting: WaitingTimes["Service"],
  principal: Principal,
  first: Task,
  seen: number,
) => {
  let last = first
  const changes = tasks.changes(principal, first.id).pipe(
    Stream.map((task) => {
      last = task
      return task
    }),
    Stream.filter((task) => task.version > seen),
  )
  if (last.state !== "queued") return Stream.map(changes, (task) => ({ task, place: undefined }))
  const looks = Stream.tick(placeEvery).pipe(
    Stream.map(() => last),
    Stream.filter((task) => task.state === "queued"),
  )
  return Stream.merge(changes, looks, { haltStrategy: "left" }).pipe(
    Stream.mapEffect((task) =>
      task.state === "queued"
        ? Effect.map(waiting.of(task), ({ queue }) => ({ task, place: queue }))
        : Effect.succeed({ task, place: undefined }),
    ),
    Stream.changesWith(
      (a, b) => a.task.version === b.task.version && a.place?.position === b.place?.position,
    ),
  )
}

const render = (task: Task, mediaUrl: string, place: QueuePlace | undefined): string =>
  `id: ${task.version}\nevent: task\ndata: ${JSON.stringify(toWireTask(task, mediaUrl, place))}\n\n`
