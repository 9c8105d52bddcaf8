import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openLosingProxy } from "./support/losingProxy.ts"
import { type Outside, openOutside } from "./support/outside.ts"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import { at, call, type Installation, install, launch, textAt } from "./support/server.ts"
import { faultsIn } from "./support/settled.ts"
import { type Cluster, firstAccount, hasEnded, openCluster, pause, stormPostgres } from "./support/storm.ts"

/** The total: of servers, and the last of Postgres itself. Servers are frozen too. `npm run storm` kills many times more. */
const kills = 7
/** Long enough for graphile-worker to try several times. */
const awayMs = 4_000
const retryMs = 100

const seed = Number(process.env["ATELIER_TEST_SEED"] ?? Date.now() % 1_000_000)

describe("contract, Running it: several servers on one Postgres, killed at any instant", () => {
  it(`lose nothing and charge nothing twice (${kills} kills, seed ${seed})`, {
    timeout: 600_000,
  }, async () => {
    console.log(`kill test on Postgres: seed ${seed} (repeat with ATELIER_TEST_SEED=${seed})`)
    const storm = await stormPostgres({ kills, seed, clients: 6, answersMax: 8, startKills: 5 })
    const { findings } = storm
    console.log(
      `kill test on Postgres: ${JSON.stringify({ ...storm.kills, ...findings.looked, ...findings.states })}`,
    )
    expect(faultsIn(findings)).toEqual([])
  })
})

describe("contract, Running it: several servers while Postgres is away", () => {
  let outside: Outside
  let cluster: Cluster
  beforeEach(async () => {
    outside = await openOutside(Math.random)
    cluster = await openCluster(outside)
  })
  afterEach(async () => {
    await cluster.close()
    outside.close()
  })

  it("refuse with 503, and recover without help", { timeout: 300_000 }, async () => {
    const { postgres, servers } = cluster
    const urls = servers.map(({ url }) => url)
    const [here = "", there = ""] = urls
    const { key } = await firstAccount(here, 10)
    const submit = (url: string) =>
      call(`${url}/v1/images/tasks`, {
        key,
        json: { model: "gen-image-2", prompt: "a lighthouse", size: "256x256" },
      })
    /** With leases of a second a busy machine may lose a transaction: the client is told to try again. */
    const accepted = async (url: string): Promise<string> => {
      const { status, body } = await submit(url)
      if (status !== 503) return textAt(body, "task_id")
      await pause(retryMs)
      return await accepted(url)
    }
    const id = await accepted(here)
    await postgres.kill("SIGKILL")
    for (const url of urls) {
      const refused = await submit(url)
      expect([refused.status, at(refused.body, "error.code")]).toEqual([503, "storage_unavailable"])
      expect((await call(`${url}/readyz`)).status).toBe(503)
      expect((await call(`${url}/healthz`)).status).toBe(200)
    }
    await pause(awayMs)
    await postgres.start()

    for (const url of urls) {
      await expect.poll(async () => (await call(`${url}/readyz`)).status, { timeout: 60_000 }).toBe(200)
      // Submitted at one, awaited at another: dispatch and signals work again.
      const next = await accepted(url)
      const seen = await call(`${url === there ? here : there}/v1/tasks/${next}?wait=20`, { key })
      expect(seen.body).toMatchObject({ state: "completed" })
    }
    expect((await call(`${there}/v1/tasks/${id}?wait=20`, { key })).body).toMatchObject({
      state: "completed",
    })
    expect(servers.filter(hasEnded)).toEqual([])
  })
})

describe("contract, Running it: a server that starts while Postgres is away", () => {
  let postgres: PostgresServer
  let installation: Installation
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  beforeEach(async () => {
    installation = await install()
  })
  afterEach(() => installation.remove())
  afterAll(() => postgres.stop())

  const startOn = (url: string) =>
    launch({ ...installation, environment: { ...installation.environment, ATELIER_DATABASE_URL: url } })

  it("waits for it, and says so", async () => {
    const url = await postgres.emptyDatabase()
    await postgres.kill("SIGKILL")
    const server = startOn(url)
    await expect.poll(() => server.output(), { timeout: 300_000 }).toContain("the start waits for it")
    await postgres.start()
    await server.ready
    expect(await server.end("SIGTERM")).toBe(0)
  })

  it.each(["CREATE TABLE", "FROM settings", "LISTEN"])(
    "begins again where it is lost at a later step (%s)",
    async (text) => {
      const proxy = await openLosingProxy(await postgres.emptyDatabase())
      proxy.loseRequest(text)
      const server = startOn(proxy.url)
      await server.ready
      expect(proxy.lost()).toBe(1)
      expect(await server.end("SIGTERM")).toBe(0)
      proxy.close()
    },
  )
})
