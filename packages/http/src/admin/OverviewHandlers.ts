import { Admin, Overview } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { reply, respond, streamed } from "../Answer.ts"
import { Drain } from "../Drain.ts"
import { listOf } from "../Page.ts"
import { Readers } from "../Readers.ts"
import { Settings } from "../ServerSettings.ts"
import { seconds } from "../toWire.ts"
import { toWireOverview } from "../toWireAdmin.ts"
import type { AdminHandlersOf } from "./AdminEndpoints.ts"

/** Events of one stream: with its end the credential is looked at again. */
const eventsMax = 15
const eventEvery = "2 seconds"

/** How the service does, and the settings in force. */
export const makeOverviewHandlers = Effect.gen(function* () {
  const admin = yield* Admin
  const overview = yield* Overview
  const readers = yield* Readers
  const { ending } = yield* Drain
  const { inForce, plugins } = yield* Settings
  const hour = Effect.map(overview.hour, toWireOverview)

  const encoder = new TextEncoder()
  const events = Stream.fromSchedule(Schedule.spaced(eventEvery)).pipe(
    Stream.take(eventsMax - 1),
    (ticks) => Stream.concat(Stream.succeed(0), ticks),
    Stream.mapEffect(() => hour),
    Stream.map((body) =>
      encoder.encode(`id: ${body.at}\nevent: overview\ndata: ${JSON.stringify(body)}\n\n`),
    ),
    Stream.interruptWhen(ending.await),
  )

  /** Unix seconds to milliseconds. */
  const times = ({ from, until }: { readonly from: number; readonly until: number }) => ({
    from: from * 1000,
    until: until * 1000,
  })

  const handlers: AdminHandlersOf<
    "overview" | "overviewEvents" | "spenders" | "spending" | "settings" | "plugins"
  > = {
    overview: ({ endpoint }) => reply(endpoint, hour),
    overviewEvents: ({ endpoint }) =>
      respond(
        endpoint,
        Effect.andThen(
          readers.enter,
          streamed(events, {
            contentType: "text/event-stream",
            headers: { "cache-control": "no-store", connection: "close", "x-accel-buffering": "no" },
          }),
        ),
      ),
    spenders: ({ endpoint, query }) =>
      reply(
        endpoint,
        Effect.map(overview.spenders(times(query)), (found) =>
          listOf(
            found.map(({ userId, name, amount, count }) => ({
              user_id: userId,
              name,
              charged_units: amount,
              tasks: count,
            })),
          ),
        ),
      ),
    spending: ({ endpoint, params, query }) =>
      reply(
        endpoint,
        Effect.gen(function* () {
          const { user } = yield* admin.getUser(params.id)
          const days = yield* overview.daily({ userId: user.id, ...times(query) })
          return listOf(
            days.map(({ at, amount, count }) => ({
              day_at: seconds(at),
              charged_units: amount,
              tasks: count,
            })),
          )
        }),
      ),
    settings: ({ endpoint }) =>
      reply(
        endpoint,
        Effect.sync(() => listOf(inForce())),
      ),
    plugins: ({ endpoint }) => reply(endpoint, Effect.map(plugins, listOf)),
  }
  return handlers
})
