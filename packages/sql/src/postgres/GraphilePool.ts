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
    pool: replacing(pool, "connect", sharingTheListener(pool.connect.bind(pool))),
    end: async () => {
      await pool.end()
      await Promise.all(open)
    },
  }
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void

/**
 * One connection listens for all runners, each of which would take one of its own by calling `connect` with a
 * callback. A runner gives the connection back twice where it is lost while it stops; that counts once.
 */
const sharingTheListener = (connect: () => Promise<PoolClient>) => {
  let current: Promise<PoolClient> | undefined
  const users = new Map<PoolClient, number>()
  const forget = (listening: Promise<PoolClient>) => {
    if (current === listening) current = undefined
  }
  const open = (): Promise<PoolClient> => {
    const listening = connect().then((client) => {
      client.once("error", () => forget(listening))
      return client
    })
    listening.catch(() => forget(listening))
    current = listening
    return listening
  }
  const giveBack = (listening: Promise<PoolClient>, client: PoolClient) => {
    const left = (users.get(client) ?? 0) - 1
    users.set(client, left)
    if (left > 0) return
    forget(listening)
    users.delete(client)
    const release = () => client.release()
    client.query("UNLISTEN *").then(release, release)
  }
  return (connected?: Connected): unknown => {
    if (connected === undefined) return connect()
    const listening = current ?? open()
    return listening.then(
      (client) => {
        users.set(client, (users.get(client) ?? 0) + 1)
        let isGivenBack = false
        connected(undefined, withoutUnlisten(client), () => {
          if (!isGivenBack) giveBack(listening, client)
          isGivenBack = true
        })
      },
      (error: Error) => connected(error, undefined, () => {}),
    )
  }
}

/** A runner that stops must not end the listening of the others. */
const withoutUnlisten = (client: PoolClient): PoolClient =>
  replacing(client, "query", (text: string) =>
    text.startsWith("UNLISTEN") ? Promise.resolve() : client.query(text),
  )

/** The same object for others, but for one member: what it calls itself stays its own. */
const replacing = <T extends object>(target: T, name: keyof T, replacement: unknown): T =>
  new Proxy(target, {
    get: (_, property) => {
      if (property === name) return replacement
      const value: unknown = Reflect.get(target, property)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
