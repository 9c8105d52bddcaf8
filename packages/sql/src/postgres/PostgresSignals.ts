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

/** Signals that one statement sends. */
const sentAtOnceMax = 1000

const notifyAll = `SELECT count(pg_notify('${channel}', id)) FROM json_array_elements_text($1::json) AS id`

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

/** Signals of this process that Postgres has not told it of: its readers know of them already. */
const makeOwn = () => {
  const counts = new Map<string, number>()
  return {
    sent: (id: string) => void counts.set(id, (counts.get(id) ?? 0) + 1),
    /** Whether this one was sent from here. */
    cameBack: (id: string): boolean => {
      const count = counts.get(id)
      if (count === undefined) return false
      if (count === 1) counts.delete(id)
      else counts.set(id, count - 1)
      return true
    },
    forget: () => counts.clear(),
  }
}

/**
 * Signals within a process by memory, and to the others by NOTIFY: those that come while a statement is on its way
 * are sent by the next one. One connection of a process listens; while it is lost, signals are missed, so that every
 * waiting reader is told once after the next LISTEN.
 */
const make = Effect.gen(function* () {
  const local = yield* TaskSignals
  const client = yield* PgClient
  const readers = makeReaders()
  const own = makeOwn()
  const waiting = yield* PubSubQueue.unbounded<string>()
  const send = (arrived: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      // Postgres tells only once of what one statement says twice.
      const ids = [...new Set(arrived)]
      for (const id of ids) own.sent(id)
      return Effect.catchCause(client.unsafe(notifyAll, [JSON.stringify(ids)]), (cause) => {
        for (const id of ids) own.cameBack(id)
        return Effect.logWarning("task signals were not sent", cause)
      })
    })
  yield* Effect.addFinalizer(() =>
    Effect.flatMap(PubSubQueue.clear(waiting), (ids) => (ids.length === 0 ? Effect.void : send(ids))),
  )
  yield* PubSubQueue.takeBetween(waiting, 1, sentAtOnceMax).pipe(
    Effect.flatMap((ids) => Effect.uninterruptible(send(ids))),
    Effect.forever,
    Effect.forkScoped,
  )
  const listening = yield* Deferred.make<void, StorageError>()
  const receive = Effect.scoped(
    Effect.gen(function* () {
      const notifications = yield* client.listen(channel)
      own.forget()
      yield* Deferred.succeed(listening, undefined)
      yield* Effect.forEach([...readers.counts.keys()], local.publish, { discard: true })
      const next = Effect.flatMap(PubSubQueue.take(notifications), ({ payload }) =>
        // Whatever arrives is only looked up among the ids that are waited for.
        own.cameBack(payload) ? Effect.void : local.publish(payload),
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
      Effect.suspend(() => {
        PubSubQueue.offerUnsafe(waiting, id)
        return local.publish(id)
      }),
    changes: (id) => Stream.unwrap(Effect.as(readers.join(id), local.changes(id))),
  })
})

/** Needs a client of the database; two connections of it are enough. */
export const layer: Layer.Layer<TaskSignals, StorageError, PgClient> = Layer.effect(TaskSignals, make).pipe(
  Layer.provide(TaskSignals.layerMemory),
)
