import { StorageError, TaskSignals } from "@atelier/core"
import { PgClient } from "@effect/sql-pg/PgClient"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSubQueue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { SqlError } from "effect/sql/SqlError"

const channel = "atelier_tasks"

/** How long after a lost connection the next one is tried. */
const reconnectIntervalMs = 500

/** The tasks that readers in this process wait for. */
const makeReaders = () => {
  const counts = new Map<string, number>()
  const add = (id: string, by: number) =>
    Effect.sync(() => {
      const count = (counts.get(id) ?? 0) + by
      if (count === 0) counts.delete(id)
      else counts.set(id, count)
    })
  return { counts, join: (id: string) => Effect.acquireRelease(add(id, 1), () => add(id, -1)) }
}

/**
 * Signals between processes by NOTIFY, and within each by memory. One connection of a process listens; while it is
 * lost, signals are missed, so that every waiting reader is told once after the next LISTEN.
 */
const make = Effect.gen(function* () {
  const local = yield* TaskSignals
  const client = yield* PgClient
  const readers = makeReaders()
  const listening = yield* Deferred.make<void, StorageError>()
  const receive = Effect.scoped(
    Effect.gen(function* () {
      const notifications = yield* client.listen(channel)
      yield* Deferred.succeed(listening, undefined)
      yield* Effect.forEach([...readers.counts.keys()], local.publish, { discard: true })
      const next = Effect.flatMap(PubSubQueue.take(notifications), ({ payload }) =>
        // Whatever arrives is only looked up among the ids that are waited for.
        local.publish(payload),
      )
      return yield* Effect.forever(next)
    }),
  )
  const lost = (cause: SqlError) =>
    Effect.flatMap(
      Deferred.fail(listening, new StorageError({ operation: "TaskSignals.listen", cause })),
      (first) => (first ? Effect.void : Effect.logWarning("task signals are interrupted", cause.message)),
    )
  yield* receive.pipe(
    Effect.catch(lost),
    Effect.repeat(Schedule.spaced(Duration.millis(reconnectIntervalMs))),
    Effect.forkScoped,
  )
  yield* Deferred.await(listening)
  return TaskSignals.of({
    publish: (id) =>
      Effect.catchCause(client.notify(channel, id), (cause) =>
        Effect.logWarning("a task signal was not sent", cause),
      ),
    changes: (id) => Stream.unwrap(Effect.as(readers.join(id), local.changes(id))),
  })
})

/** Needs a client of the database; two connections of it are enough. */
export const layer: Layer.Layer<TaskSignals, StorageError, PgClient> = Layer.effect(TaskSignals, make).pipe(
  Layer.provide(TaskSignals.layerMemory),
)
