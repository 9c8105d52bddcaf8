import {
  type KeyId,
  type RateDecision,
  RateLimiter,
  type RatePolicy,
  rateDecision,
  type StorageError,
} from "@atelier/core"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type * as SqlClient from "effect/sql/SqlClient"
import { makeStatements } from "../statement.ts"

/** Takes that one statement makes; more wait for the next. */
const takesAtOnceMax = 1000
/** How often a process removes full buckets, which mean the same as none. */
const sweepIntervalMs = 60_000
/** Buckets that one statement removes; a take of one of them waits for it. */
const sweptBucketsMax = 1000

/** The database's clock in milliseconds: the machines of its processes need not agree. */
const clock = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

/**
 * Texts of the buckets. A take reads the clock after it has locked its row: the times of a bucket follow each other
 * as its takes do, and no time is refilled twice. Rows are locked in the order of their keys, so that no two
 * statements wait for each other.
 */
export const queries = {
  take: `INSERT INTO rate_buckets AS bucket (key_id, per_minute, burst, wanted, granted, tokens, at)
    SELECT key_id, per_minute, burst, wanted, least(wanted, burst), burst - least(wanted, burst), ${clock}
    FROM json_to_recordset(?::json) AS takes (key_id TEXT, per_minute FLOAT8, burst FLOAT8, wanted BIGINT)
    ORDER BY key_id COLLATE "C"
    ON CONFLICT (key_id) DO UPDATE SET (per_minute, burst, wanted, granted, tokens, at) = (
      SELECT excluded.per_minute, excluded.burst, excluded.wanted, gets, refilled - gets, now
      FROM (SELECT now, refilled, least(excluded.wanted, floor(refilled)) AS gets
        FROM (SELECT now, least(excluded.burst,
              bucket.tokens + greatest(0, now - bucket.at) * excluded.per_minute / 60000) AS refilled
          FROM (SELECT ${clock} AS now) AS time) AS before) AS after
    )
    RETURNING key_id, granted, tokens`,
  sweep: `DELETE FROM rate_buckets WHERE key_id IN (
      SELECT key_id FROM rate_buckets WHERE tokens + (${clock} - at) * per_minute / 60000 >= burst
      LIMIT ${sweptBucketsMax} FOR UPDATE SKIP LOCKED
    ) RETURNING key_id`,
}

/** One take that waits for its result. */
interface Take {
  readonly keyId: KeyId
  readonly policy: RatePolicy
  readonly answer: Deferred.Deferred<RateDecision, StorageError>
}

interface TakenRow {
  readonly key_id: KeyId
  readonly granted: number
  readonly tokens: number
}

/** What the takes of each key ask for together; a policy that changed among them is the last one's. */
const parameterOf = (takes: ReadonlyMap<KeyId, ReadonlyArray<Take>>): string =>
  JSON.stringify(
    [...takes].map(([keyId, ofKey]) => {
      const { perMinute, burst } = ofKey.at(-1)?.policy ?? { perMinute: 0, burst: 0 }
      return { key_id: keyId, per_minute: perMinute, burst, wanted: ofKey.length }
    }),
  )

/** Answers the takes of a key in their order, as if each had been made separately. */
const answer = (takes: ReadonlyArray<Take>, { granted, tokens }: TakenRow) => {
  for (const [index, take] of takes.entries()) {
    const rest = tokens + Math.max(0, granted - index - 1)
    Deferred.doneUnsafe(take.answer, Exit.succeed(rateDecision(index < granted, rest, take.policy)))
  }
}

/**
 * Token buckets that all processes of a database share. A take is one statement: its row's lock makes those of one
 * key exact, and is gone with it. It waits for no disk, since Postgres does not flush the commit of a transaction
 * that wrote to UNLOGGED tables alone. Takes that arrive while a statement runs are made together by the next one.
 */
const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const take = statement<TakenRow>("RateLimiter.take", queries.take)
  const sweep = statement<{ readonly key_id: string }>("RateLimiter.sweep", queries.sweep)
  const waiting = yield* Queue.unbounded<Take>()
  yield* Queue.takeBetween(waiting, 1, takesAtOnceMax).pipe(
    Effect.flatMap((arrived) => {
      const takes = Map.groupBy(arrived, ({ keyId }) => keyId)
      return Effect.matchCause(take([parameterOf(takes)]), {
        onSuccess: (rows) => {
          for (const row of rows) answer(takes.get(row.key_id) ?? [], row)
        },
        onFailure: (cause) => {
          for (const one of arrived) Deferred.doneUnsafe(one.answer, Exit.failCause(cause))
        },
      })
    }),
    Effect.forever,
    Effect.forkScoped,
  )
  yield* sweep([]).pipe(
    Effect.repeat({ while: (swept) => swept.length === sweptBucketsMax }),
    Effect.catchCause((cause) => Effect.logWarning("sweeping rate buckets failed", cause)),
    Effect.repeat(Schedule.spaced(Duration.millis(sweepIntervalMs))),
    Effect.forkScoped,
  )
  return RateLimiter.of({
    take: (keyId, policy) =>
      Effect.suspend(() => {
        const answer = Deferred.makeUnsafe<RateDecision, StorageError>()
        Queue.offerUnsafe(waiting, { keyId, policy, answer })
        return Deferred.await(answer)
      }),
  })
})

/** Needs a client of a migrated database. */
export const layer: Layer.Layer<RateLimiter, never, SqlClient.SqlClient> = Layer.effect(RateLimiter, make)
