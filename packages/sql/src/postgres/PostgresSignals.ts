import { StorageError, TaskSignals } from "@atelier/core"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as PubSubQueue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { SqlError } from "effect/sql/SqlError"

const channel = "atelier_tasks"

/** Signals that one statement sends. */
const sentAtOnceMax = 1000

/** Signals that wait for a connection. */
const waitingMax = 100_000

const notifyAll = `SELECT count(pg_notify('${channel}', id)) FROM json_array_elements_text($1::json) AS id`

/** Sent in place of signals that were lost: every reader looks again. No task has this id. */
const everyTask = "*"

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
 * are sent by the next one. One connection of a process listens and sends; while it is lost, signals are missed, so
 * that every waiting reader is told once after the next LISTEN, and those to others wait. Where more than `waitingMax`
 * wait, or a statement fails, the readers of every process are told once instead.
 */
const make = Effect.fnUntraced(function* (url: string) {
  const local = yield* TaskSignals
  const readers = makeReaders()
  const own = makeOwn()
  const waiting = yield* PubSubQueue.dropping<string>(waitingMax)
  let connection: PgConnection.PgConnection | undefined
  let lostSome = false
  const connected = Latch.makeUnsafe()
  const offer = (id: string): void => {
    if (!PubSubQueue.offerUnsafe(waiting, id)) lostSome = true
  }
  const send = (arrived: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      if (connection === undefined) {
        lostSome = true
        return Effect.logWarning("task signals were not sent: no connection")
      }
      // Postgres tells only once of what one statement says twice.
      const ids = [...new Set(lostSome ? [...arrived, everyTask] : arrived)]
      lostSome = false
      for (const id of ids) own.sent(id)
      return Effect.catchCause(connection.query(notifyAll, [JSON.stringify(ids)]), (cause) => {
        for (const id of ids) own.cameBack(id)
        lostSome = true
        return Effect.logWarning("task signals were not sent", cause)
      })
    })
  const listening = yield* Deferred.make<void, StorageError>()
  const receive = Effect.scoped(
    Effect.gen(function* () {
      const opened = yield* PgConnection.make({ url: Redacted.make(url), applicationName: "atelier" })
      // What listens has the connection for itself; what is sent goes through the same lease.
      const pinned = yield* opened.pin
      const notifications = yield* pinned.listen(channel)
      own.forget()
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          connection = pinned
          connected.openUnsafe()
        }),
        () =>
          Effect.sync(() => {
            connection = undefined
            connected.closeUnsafe()
          }),
      )
      yield* Deferred.succeed(listening, undefined)
      if (lostSome) offer(everyTask)
      const tellEvery = Effect.suspend(() =>
        Effect.forEach([...readers.counts.keys()], local.publish, { discard: true }),
      )
      yield* tellEvery
      const next = Effect.flatMap(PubSubQueue.take(notifications), ({ payload }) => {
        // Whatever arrives is only looked up among the ids that are waited for.
        if (own.cameBack(payload)) return Effect.void
        return payload === everyTask ? tellEvery : local.publish(payload)
      })
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
  // What is left at the end is sent before the connection closes.
  yield* Effect.addFinalizer(() =>
    Effect.flatMap(PubSubQueue.clear(waiting), (ids) => (ids.length === 0 ? Effect.void : send(ids))),
  )
  yield* PubSubQueue.takeBetween(waiting, 1, sentAtOnceMax).pipe(
    Effect.flatMap((ids) => Effect.andThen(connected.await, Effect.uninterruptible(send(ids)))),
    Effect.forever,
    Effect.forkScoped,
  )
  yield* Deferred.await(listening)
  return TaskSignals.of({
    publish: (id) =>
      Effect.suspend(() => {
        offer(id)
        return local.publish(id)
      }),
    changes: (id) => Stream.unwrap(Effect.as(readers.join(id), local.changes(id))),
  })
})

/** It has a connection of its own. */
export const layer = ({ url }: { readonly url: string }): Layer.Layer<TaskSignals, StorageError> =>
  Layer.effect(TaskSignals, make(url)).pipe(Layer.provide(TaskSignals.layerMemory))
