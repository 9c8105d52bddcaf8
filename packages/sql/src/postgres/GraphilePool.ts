import type { Pool, PoolClient } from "pg"

export interface GraphilePool {
  readonly pool: Pool
  /** Completes when every connection is closed, for which the pool's own `end` does not wait. */
  readonly end: () => Promise<void>
}

/**
 * Connections for graphile-worker, which all of its runners in a process share: those that it makes by itself, for
 * each runner, it ends without waiting for that. `lost` hears of a connection that broke; the next statement gets
 * another one.
 */
export const makeGraphilePool = async (options: {
  readonly url: string
  readonly connections: number
  /** Postgres ends a connection whose transaction is idle this long. */
  readonly idleInTransactionMs: number
  readonly lost: (cause: Error) => void
}): Promise<GraphilePool> => {
  const { Pool } = await import("pg")
  const pool = new Pool({
    connectionString: options.url,
    max: options.connections,
    application_name: "atelier",
    idle_in_transaction_session_timeout: options.idleInTransactionMs,
  })
  const open = new Set<Promise<void>>()
  pool.on("connect", (client) => {
    client.on("error", options.lost)
    const closed = new Promise<void>((resolve) => client.once("end", resolve))
    open.add(closed)
    closed.then(() => open.delete(closed))
  })
  // An error without a listener ends the process. Those of idle connections come here as well.
  pool.on("error", () => {})
  return {
    pool: Object.assign(pool, { connect: givenBackOnce(pool.connect.bind(pool)) }),
    end: async () => {
      await pool.end()
      await Promise.all(open)
    },
  }
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void

/**
 * graphile-worker gives the connection that listens back twice where it is lost while its runner stops. The second
 * time is an error for the pool, one without a listener.
 */
const givenBackOnce =
  (connect: Pool["connect"]) =>
  (connected?: Connected): unknown => {
    if (connected === undefined) return connect()
    return connect((error, client, release) => {
      let isGivenBack = false
      connected(error, client, () => {
        if (!isGivenBack) release()
        isGivenBack = true
      })
    })
  }
