import { EventEmitter } from "node:events"
import type { JobKind } from "@atelier/core"
import type { Notification, Pool, PoolClient } from "pg"
import { jobsChannel, toldKind } from "./queueQueries.ts"

export interface GraphilePool {
  readonly pool: Pool
  /** The same pool for a runner of one kind of job, which is told of jobs of that kind only. */
  readonly poolOf: (kind: JobKind) => Pool
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
  const listener = new Listener(pool)
  return {
    pool,
    poolOf: (kind) =>
      replacing(pool, "connect", (connected?: Connected) =>
        connected === undefined ? pool.connect() : listener.add(kind, connected),
      ),
    end: async () => {
      await pool.end()
      await Promise.all(open)
    },
  }
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void

/** What a runner that listens gets for a connection. It is told of its kind's jobs and of graphile-worker's own news. */
class Listening extends EventEmitter {
  readonly kind: JobKind

  constructor(kind: JobKind) {
    super()
    this.kind = kind
  }

  /** A runner asks for nothing but what is listened to anyway, and for its end, which must not be that of the others. */
  query(): Promise<void> {
    return Promise.resolve()
  }

  tell(message: Notification): void {
    if (message.channel !== jobsChannel) this.emit("notification", message)
    else if (toldKind(message.payload) === this.kind) this.emit("notification", { ...message, ...oneJob })
  }
}

/** graphile-worker tells of a job without its kind; a runner that hears of one has one worker look. */
const oneJob = { channel: "jobs:insert", payload: '{"count":1}' }
const migrationsChannel = "worker:migrate"

/**
 * One connection listens for all runners, each of which would take one of its own by calling `connect` with a
 * callback, and would look for jobs whenever one of any kind is added.
 */
class Listener {
  readonly #pool: Pool
  readonly #runners = new Set<Listening>()
  #end: Promise<() => void> | undefined

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** `connected` is called when what is added from then on is heard. */
  add(kind: JobKind, connected: Connected): void {
    this.#end ??= this.#listen()
    const listening = this.#end
    const runner = new Listening(kind)
    this.#runners.add(runner)
    listening.then(
      () => connected(undefined, runner as unknown as PoolClient, () => this.#remove(runner, listening)),
      (error: Error) => {
        this.#runners.delete(runner)
        if (this.#end === listening) this.#end = undefined
        connected(error, undefined, () => {})
      },
    )
  }

  /** Runners whose connection was lost are removed already. */
  #remove(runner: Listening, listening: Promise<() => void>): void {
    this.#runners.delete(runner)
    if (this.#runners.size > 0 || this.#end !== listening) return
    this.#end = undefined
    void listening.then((end) => end())
  }

  /** Answers what ends it. */
  async #listen(): Promise<() => void> {
    const client = await this.#pool.connect()
    const tell = (message: Notification) => {
      for (const runner of this.#runners) runner.tell(message)
    }
    const end = () => {
      client.off("notification", tell).off("error", lost)
      // A connection that listened is used for nothing else.
      client.release(true)
    }
    const lost = (error: Error) => {
      this.#end = undefined
      end()
      const runners = [...this.#runners]
      this.#runners.clear()
      for (const runner of runners) runner.emit("error", error)
    }
    client.on("notification", tell)
    try {
      await client.query(`LISTEN "${jobsChannel}"; LISTEN "${migrationsChannel}"`)
    } catch (error) {
      end()
      throw error
    }
    client.on("error", lost)
    return end
  }
}

/** The same object for others, but for one member: what it calls itself stays its own. */
const replacing = <T extends object>(target: T, name: keyof T, replacement: unknown): T =>
  new Proxy(target, {
    get: (_, property) => {
      if (property === name) return replacement
      const value: unknown = Reflect.get(target, property)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
