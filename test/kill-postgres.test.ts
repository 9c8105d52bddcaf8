import { PostgresClient } from "@atelier/sql"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { readBooks } from "./support/books.ts"
import { Load } from "./support/load.ts"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import { seeded } from "./support/random.ts"
import {
  at,
  call,
  type Installation,
  install,
  launch,
  makeAccount,
  type Server,
  textAt,
} from "./support/server.ts"
import { expectExact, expectSettled } from "./support/settled.ts"

/** In all: of servers, and of Postgres itself. Servers are frozen besides. */
const kills = 104
const postgres_kill_every = 13
const freeze_every = 6
const servers_count = 3
const job_lease_ms = 1_000
/** A frozen server wakes up when its lease has run out, and mostly when another has its jobs. */
const frozen_ms_min = 1.5 * job_lease_ms
const frozen_ms_max = 3 * job_lease_ms
/** Answers that clients get, at most, before the next kill. */
const answers_max = 8
/** So that a kill falls into different moments of a request, and of a start. */
const delay_ms_max = 30
const start_ms_max = 500
const postgres_down_ms_max = 1_500
/** Long enough for graphile-worker to try several times. */
const away_ms = 4_000
const clients = 6

const seed = Number(process.env["ATELIER_TEST_SEED"] ?? Date.now() % 1_000_000)

let postgres: PostgresServer
let database: string
let installations: ReadonlyArray<Installation> = []
let servers: Array<Server> = []

beforeEach(async () => {
  postgres = await startPostgres()
  const many = 1_000_000
  const config = {
    channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
    limits: {
      job_lease_ms,
      rate_per_minute: many,
      rate_burst: many,
      tool_tasks_per_user_max: many,
      tool_files_per_user_max: many,
    },
  }
  const homes = await Promise.all(Array.from({ length: servers_count }, () => install(config)))
  database = await postgres.database()
  const shared = {
    ATELIER_DATABASE_URL: database,
    ATELIER_BLOB_URL: `file:${homes[0]?.directory}/blobs`,
  }
  installations = homes.map((home) => ({ ...home, environment: { ...home.environment, ...shared } }))
  servers = installations.map((home) => launch(home))
  await Promise.all(servers.map(({ ready }) => ready))
}, 60_000)
afterEach(async () => {
  await Promise.all(servers.map((server) => server.end("SIGKILL")))
  for (const installation of installations) installation.remove()
  await postgres.stop()
})

/** What graphile-worker still has; it gives jobs out, and ours are done. */
const dispatches = (url: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe("SELECT * FROM graphile_worker.jobs")).pipe(
    Effect.provide(PostgresClient.layer({ url, connections: 1 })),
    Effect.runPromise,
  )

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const hasEnded = ({ process: { exitCode, signalCode } }: Server) => exitCode !== null || signalCode !== null

describe("contract, Running it: several servers on one Postgres, killed at any instant", () => {
  it(`lose nothing and charge nothing twice (${kills} kills, seed ${seed})`, {
    timeout: 600_000,
  }, async () => {
    console.log(`kill test on Postgres: seed ${seed} (repeat with ATELIER_TEST_SEED=${seed})`)
    const random = seeded(seed)
    const account = await makeAccount(servers[0]?.url ?? "", 10_000)
    const load = new Load({ servers, account, random: seeded(seed + 1), clients })
    const wakes: Array<Promise<void>> = []
    const counts = { servers: 0, postgres: 0, frozen: 0, refused: 0 }

    const replace = (index: number) => {
      const installation = installations[index]
      if (installation !== undefined) servers[index] = launch(installation)
    }
    const freeze = (server: Server) => {
      counts.frozen += 1
      server.process.kill("SIGSTOP")
      const frozen_ms = frozen_ms_min + random() * (frozen_ms_max - frozen_ms_min)
      wakes.push(pause(frozen_ms).then(() => void server.process.kill("SIGCONT")))
    }
    const killPostgres = async () => {
      counts.postgres += 1
      await postgres.kill(random() < 0.5 ? "SIGKILL" : "SIGQUIT")
      await pause(random() * postgres_down_ms_max)
      await postgres.start()
    }
    /** A server that finds no database does not start, and is started again; one that runs goes on running. */
    const startRefused = async () => {
      for (const [index, server] of servers.entries()) {
        if (!hasEnded(server)) continue
        await expect(server.ready, `a server that was ready ended: ${server.output()}`).rejects.toThrow(
          "ATELIER_DATABASE_URL",
        )
        counts.refused += 1
        replace(index)
      }
    }

    for (let kill = 0; kill < kills; kill++) {
      const until = load.answers + 1 + random() * answers_max
      if (random() < 0.25) await pause(random() * start_ms_max)
      else while (load.answers < until) await pause(2)
      await pause(random() * delay_ms_max)
      await startRefused()
      const index = Math.floor(random() * servers_count)
      const [victim, other] = [servers[index], servers[(index + 1) % servers_count]]
      if (kill % freeze_every === 0 && other !== undefined) freeze(other)
      if (kill % postgres_kill_every === postgres_kill_every - 1) await killPostgres()
      else {
        counts.servers += 1
        await victim?.end("SIGKILL")
        replace(index)
      }
    }
    await Promise.all(wakes)
    await startRefused()
    await Promise.all(servers.map(({ ready }) => ready))
    await load.stop()
    const [home] = installations
    if (home === undefined) throw new Error("no installation")
    const states = await expectSettled(load, home.url, account)
    await expect.poll(() => dispatches(database), { timeout: 60_000 }).toEqual([])
    for (const server of servers) expect(await server.end("SIGTERM"), server.output()).toBe(0)
    expectExact(await readBooks(home), load.wishes.length)

    const outcome = JSON.stringify({ ...counts, tasks: load.wishes.length, ...Object.fromEntries(states) })
    console.log(`kill test on Postgres: ${outcome}`)
  })

  it("refuse with 503 while Postgres is away, and go on by themselves", { timeout: 120_000 }, async () => {
    const urls = servers.map(({ url }) => url)
    const [here = "", there = ""] = urls
    const { key } = await makeAccount(here, 10)
    const submit = (url: string) =>
      call(`${url}/v1/images/tasks`, {
        key,
        json: { model: "gen-image-2", prompt: "a lighthouse", size: "256x256" },
      })
    const running = await submit(here)
    await postgres.kill("SIGKILL")
    for (const url of urls) {
      const refused = await submit(url)
      expect([refused.status, at(refused.body, "error.code")]).toEqual([503, "storage_unavailable"])
      expect((await call(`${url}/readyz`)).status).toBe(503)
      expect((await call(`${url}/healthz`)).status).toBe(200)
    }
    await pause(away_ms)
    await postgres.start()

    const id = textAt(running.body, "task_id")
    for (const url of urls) {
      await expect.poll(async () => (await call(`${url}/readyz`)).status, { timeout: 10_000 }).toBe(200)
      // Submitted at one, awaited at another: dispatch and signals work again.
      const next = textAt((await submit(url)).body, "task_id")
      const seen = await call(`${url === there ? here : there}/v1/tasks/${next}?wait=20`, { key })
      expect(seen.body).toMatchObject({ state: "completed" })
    }
    expect((await call(`${there}/v1/tasks/${id}?wait=20`, { key })).body).toMatchObject({
      state: "completed",
    })
    expect(servers.filter(hasEnded)).toEqual([])
  })
})
