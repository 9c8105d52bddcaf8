import type { ServerResponse } from "node:http"
import type { Principal, Task, Tasks } from "@atelier/core"
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
const comment = ":\n\n"

/**
 * Server-Sent Events `task`, one at every change, the final one last (contract, Waiting). The event's id is the
 * task's version: `lastEventId` skips what was seen, and 204 tells a client that has seen the final state not to
 * come back.
 */
export const taskEvents = Effect.fnUntraced(function* (
  tasks: Tasks["Service"],
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
  const events = tasks.changes(principal, id).pipe(
    Stream.filter((task) => task.version > seen),
    Stream.map((task) => encoder.encode(render(task, options.mediaUrl))),
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

const render = (task: Task, mediaUrl: string): string =>
  `id: ${task.version}\nevent: task\ndata: ${JSON.stringify(toWireTask(task, mediaUrl))}\n\n`
