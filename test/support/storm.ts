import { PostgresClient } from "@atelier/sql/postgres"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { readBooks } from "./books.ts"
import { Load } from "./load.ts"
import { type Outside, openOutside } from "./outside.ts"
import { type PostgresServer, startPostgres } from "./postgresServer.ts"
import { seeded } from "./random.ts"
import {
  type Account,
  type Installation,
  install,
  launch,
  makeAccount,
  type Server,
  serve,
} from "./server.ts"
import { type Findings, settle, settleBooks, settleOutside } from "./settled.ts"

/** The parameters of a storm of kills; a seed decides when each comes. */
export interface StormOptions {
  readonly kills: number
  readonly seed: number
  readonly clients: number
  /** Answers that clients get, at most, before the next kill. */
  readonly answersMax: number
  /** How many of a hundred kills come while a server starts. */
  readonly startKills: number
  readonly progress?: (kills: number) => void
}

export interface Storm {
  readonly findings: Findings
  readonly kills: { readonly servers: number; readonly postgres: number; readonly frozen: number }
}

/** So that kills hit different moments of a request, and of a start. */
const delayMsMax = 30
const startMsMax = 700
const jobLeaseMs = 1_000
const many = 1_000_000
/** A frozen server wakes up when its lease has run out, and mostly when another has its jobs. */
const frozenMsMin = 1.5 * jobLeaseMs
const frozenMsMax = 3 * jobLeaseMs
const postgresKillEvery = 7
const freezeEvery = 6
const serversCount = 3
const postgresDownMsMax = 1_500
const dispatchWaitsMax = 600
const dispatchWaitMs = 100

const configOf = ({ channel, network }: Outside) => ({
  channels: [{ id: "vendor", adapter: "faulty", models: { "gen-image-2": "*" } }, channel],
  network,
  limits: {
    job_lease_ms: jobLeaseMs,
    // Requests to a vendor without a key are abandoned soon after the server died.
    image_unknown_deadline_ms: 3_000,
    rate_per_minute: many,
    rate_burst: many,
    tool_tasks_per_user_max: many,
    image_tasks_per_user_max: many,
    tool_files_per_user_max: many,
  },
})

const loadOf = (
  { clients, seed }: StormOptions,
  account: Account,
  servers: ReadonlyArray<Server>,
  { callbackUrl }: Outside,
): Load =>
  new Load({
    servers,
    account,
    random: seeded(seed + 1),
    clients,
    outside: { callbackUrl, model: "gen-image-2.5" },
  })

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

export const hasEnded = ({ process: { exitCode, signalCode } }: Server): boolean =>
  exitCode !== null || signalCode !== null

const withEnvironment = (home: Installation, more: Readonly<Record<string, string>>): Installation => ({
  ...home,
  environment: { ...home.environment, ...more },
})

/** One server on SQLite, killed at any instant and started again. */
export const stormSqlite = async (options: StormOptions): Promise<Storm> => {
  const random = seeded(options.seed)
  const outside = await openOutside(seeded(options.seed + 2))
  const home = withEnvironment(await install(configOf(outside)), outside.environment)
  let server = await serve(home)
  try {
    const account = await makeAccount(home.url, 10_000)
    const load = loadOf(options, account, [server], outside)
    const ended: Array<string> = []
    for (let kill = 0; kill < options.kills; kill++) {
      if (random() * 100 < options.startKills) await pause(random() * startMsMax)
      else {
        await server.ready
        const until = load.answers + 1 + random() * options.answersMax
        while (load.answers < until && !hasEnded(server)) await pause(2)
        await pause(random() * delayMsMax)
      }
      if (hasEnded(server)) ended.push(server.output())
      await server.end("SIGKILL")
      server = launch(home)
      load.servers = [server]
      options.progress?.(kill + 1)
    }
    await server.ready
    await load.stop()
    const findings = await settle(load, home.url, account)
    await settleOutside(findings, load, outside)
    findings.unexpected.push(...ended.map((output) => `a server ended by itself: ${output}`))
    const code = await server.end("SIGTERM")
    if (code !== 0) findings.unexpected.push(`the server ended with ${code}: ${server.output()}`)
    settleBooks(findings, await readBooks(home), load.wishes.length)
    return { findings, kills: { servers: options.kills, postgres: 0, frozen: 0 } }
  } finally {
    await server.end("SIGKILL")
    outside.close()
    home.remove()
  }
}

/** Several servers over one Postgres of its own. */
export interface Cluster {
  readonly postgres: PostgresServer
  readonly database: string
  readonly installations: ReadonlyArray<Installation>
  readonly servers: Array<Server>
  readonly close: () => Promise<void>
}

export const openCluster = async (outside: Outside): Promise<Cluster> => {
  const postgres = await startPostgres()
  const homes = await Promise.all(Array.from({ length: serversCount }, () => install(configOf(outside))))
  const database = await postgres.database()
  const shared = {
    ...outside.environment,
    ATELIER_DATABASE_URL: database,
    ATELIER_BLOB_URL: `file:${homes[0]?.directory}/blobs`,
  }
  const installations = homes.map((home) => withEnvironment(home, shared))
  const servers = installations.map((home) => launch(home))
  const close = async () => {
    await Promise.all(servers.map((server) => server.end("SIGKILL")))
    for (const installation of installations) installation.remove()
    await postgres.stop()
  }
  await Promise.all(servers.map(({ ready }) => ready))
  return { postgres, database, installations, servers, close }
}

/** With leases of a second a server that has just started may lose its first transactions on a busy machine. */
export const firstAccount = async (url: string, usd: number): Promise<Account> => {
  for (let tries = 1; ; tries++) {
    try {
      return await makeAccount(url, usd)
    } catch (error) {
      if (tries === firstTriesMax || !String(error).includes("storage_unavailable")) throw error
      await pause(dispatchWaitMs)
    }
  }
}

const firstTriesMax = 100

/** The jobs that graphile-worker still has, although ours are done. */
const dispatches = (url: string): Promise<number> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe("SELECT * FROM graphile_worker.jobs")).pipe(
    Effect.map((rows) => rows.length),
    Effect.provide(PostgresClient.layer({ url, connections: 1 })),
    Effect.runPromise,
  )

/** The kills of a cluster. */
class Killer {
  readonly counts = { servers: 0, postgres: 0, frozen: 0 }
  readonly faults: Array<string> = []
  readonly #cluster: Cluster
  readonly #random: () => number
  readonly #wakes: Array<Promise<void>> = []

  constructor(cluster: Cluster, random: () => number) {
    this.#cluster = cluster
    this.#random = random
  }

  /** One kill, of a server or of Postgres; sometimes another server is frozen past its lease. */
  async next(kill: number): Promise<void> {
    const { servers } = this.#cluster
    const index = Math.floor(this.#random() * servers.length)
    const [victim, other] = [servers[index], servers[(index + 1) % servers.length]]
    if (kill % freezeEvery === 0 && other !== undefined) this.#freeze(other)
    if (kill % postgresKillEvery === postgresKillEvery - 1) return await this.#killPostgres()
    this.counts.servers += 1
    await victim?.end("SIGKILL")
    this.#replace(index)
  }

  #freeze(server: Server): void {
    this.counts.frozen += 1
    server.process.kill("SIGSTOP")
    const frozenMs = frozenMsMin + this.#random() * (frozenMsMax - frozenMsMin)
    this.#wakes.push(pause(frozenMs).then(() => void server.process.kill("SIGCONT")))
  }

  async #killPostgres(): Promise<void> {
    const { postgres } = this.#cluster
    this.counts.postgres += 1
    await postgres.kill(this.#random() < 0.5 ? "SIGKILL" : "SIGQUIT")
    await pause(this.#random() * postgresDownMsMax)
    await postgres.start()
  }

  #replace(index: number): void {
    const { installations, servers } = this.#cluster
    const installation = installations[index]
    if (installation !== undefined) servers[index] = launch(installation)
  }

  /** A server that finds no database does not start, and is started again; a running one keeps running. */
  async startRefused(): Promise<void> {
    for (const [index, server] of this.#cluster.servers.entries()) {
      if (!hasEnded(server)) continue
      const why = await server.ready.then(() => "it was ready", String)
      if (!why.includes("ATELIER_DATABASE_URL"))
        this.faults.push(`a server ended by itself: ${server.output()}`)
      this.#replace(index)
    }
  }

  async wakeAll(): Promise<void> {
    await Promise.all(this.#wakes)
  }
}

/** Several servers on one Postgres: killed, frozen past their leases, and Postgres itself killed. */
export const stormPostgres = async (options: StormOptions): Promise<Storm> => {
  const random = seeded(options.seed)
  const outside = await openOutside(seeded(options.seed + 2))
  const cluster = await openCluster(outside)
  const { installations, servers } = cluster
  const [home] = installations
  if (home === undefined) throw new Error("no installation")
  try {
    const account = await firstAccount(home.url, 10_000)
    const load = loadOf(options, account, servers, outside)
    const killer = new Killer(cluster, random)
    for (let kill = 0; kill < options.kills; kill++) {
      const until = load.answers + 1 + random() * options.answersMax
      if (random() * 100 < options.startKills) await pause(random() * startMsMax)
      else while (load.answers < until) await pause(2)
      await pause(random() * delayMsMax)
      await killer.startRefused()
      await killer.next(kill)
      options.progress?.(kill + 1)
    }
    await killer.wakeAll()
    await killer.startRefused()
    await Promise.all(servers.map(({ ready }) => ready))
    await load.stop()
    const findings = await settle(load, home.url, account)
    await settleOutside(findings, load, outside)
    findings.unexpected.push(...killer.faults)
    let left = await dispatches(cluster.database)
    for (let wait = 0; wait < dispatchWaitsMax && left > 0; wait++) {
      await pause(dispatchWaitMs)
      left = await dispatches(cluster.database)
    }
    if (left > 0) findings.unsettled.push(`graphile-worker has ${left} jobs left`)
    for (const server of servers) {
      const code = await server.end("SIGTERM")
      if (code !== 0) findings.unexpected.push(`a server ended with ${code}: ${server.output()}`)
    }
    settleBooks(findings, await readBooks(home), load.wishes.length)
    return { findings, kills: killer.counts }
  } finally {
    await cluster.close()
    outside.close()
  }
}
