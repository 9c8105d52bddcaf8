import { Limits, StorageError } from "@atelier/core"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** Connections for statements, 8 by default; a transaction holds one from its first step to its last. */
  readonly connections?: number
}

/**
 * BIGINT as a number. What this service counts stays below 2^53; a number beyond is a fault, never rounded.
 */
const bigintAsNumber: PgTypes.Codec<number> = {
  encode: (value) => {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
    return Result.succeed(bytes)
  },
  decode: (bytes) => {
    const value = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0))
    return Number.isSafeInteger(value)
      ? Result.succeed(value)
      : Result.fail(new PgTypes.CodecError({ message: "a BIGINT is beyond 2^53" }))
  },
}

const types = (): PgTypes.Registry => {
  const registry = PgTypes.makeRegistry()
  registry.register(PgTypes.OID.int8, bigintAsNumber, { arrayOid: PgTypes.OID.int8Array })
  return registry
}

/** Heartbeats come three times in a lease, and wait at most for one lock before they have a connection. */
const lockShareOfLease = 6

/**
 * A pool of connections; statements are prepared once on each. Postgres ends a connection whose transaction is
 * idle for as long as a lease, so that a frozen process holds no lock longer than its leases. A statement gives up
 * waiting for a row after a part of a lease, and its transaction begins again: an application that holds a user's
 * balance in a long transaction of its own takes no connection from the heartbeats and from other users.
 */
export const layer = ({
  url,
  connections = 8,
}: PostgresOptions): Layer.Layer<PgClient.PgClient | SqlClient, StorageError> =>
  Layer.unwrap(
    Effect.map(Limits, ({ job_lease_ms }) =>
      PgClient.layer({
        url: Redacted.make(url),
        applicationName: "atelier",
        maxConnections: connections,
        types: types(),
        startupParameters: {
          idle_in_transaction_session_timeout: String(job_lease_ms),
          lock_timeout: String(Math.ceil(job_lease_ms / lockShareOfLease)),
        },
      }),
    ),
  ).pipe(
    Layer.catchTag("SqlError", (cause) =>
      Layer.effectContext(Effect.fail(new StorageError({ operation: "PostgresClient.open", cause }))),
    ),
  )
