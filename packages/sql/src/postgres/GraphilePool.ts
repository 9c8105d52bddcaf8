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

/** A connection that listens for those who asked for it and have not given it back. */
class Listening {
  readonly connecting: Promise<PoolClient>
  /** It takes no more users: it broke, or its last one gave it back. */
  isOver = false
  #users = 0

  constructor(connecting: Promise<PoolClient>) {
    this.connecting = connecting
    connecting.then(
      (client) => client.once("error", this.#end),
      () => this.#end(),
    )
  }

  /** What it answers gives it back, once: a runner does so twice where it is lost while the runner stops. */
  join(): () => void {
    this.#users += 1
    let isJoined = true
    return () => {
      if (isJoined) this.#leave()
      isJoined = false
    }
  }

  readonly #end = (): void => {
    this.isOver = true
  }

  #leave(): void {
    this.#users -= 1
    if (this.#users > 0) return
    this.#end()
    this.connecting.then(
      (client) => {
        // The pool gives the same connection again.
        client.off("error", this.#end)
        const release = () => client.release()
        client.query("UNLISTEN *").then(release, release)
      },
      () => {},
    )
  }
}

/**
 * One connection listens for all runners, each of which would take one of its own by calling `connect` with a
 * callback. A runner counts from its call on: one that stops before it is connected gives back what others wait for.
 */
const sharingTheListener = (connect: () => Promise<PoolClient>) => {
  let current: Listening | undefined
  return (connected?: Connected): unknown => {
    if (connected === undefined) return connect()
    if (current === undefined || current.isOver) current = new Listening(connect())
    const giveBack = current.join()
    return current.connecting.then(
      (client) => connected(undefined, withoutUnlisten(client), giveBack),
      (error: Error) => {
        giveBack()
        connected(error, undefined, () => {})
      },
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
