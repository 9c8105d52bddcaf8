import * as Effect from "effect/Effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import { runSql } from "./support/runSql.ts"
import {
  type Account,
  type Answer,
  call,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
} from "./support/server.ts"

let postgres: PostgresServer
let database: string
let installations: ReadonlyArray<Installation>
let servers: ReadonlyArray<Server>

/** So slow that nothing comes back while the tests run. */
const limits = { rate_per_minute: 1, rate_burst: 20, job_lease_ms: 600 }

/** Two servers over one database and one folder of blobs. */
beforeAll(async () => {
  postgres = await startPostgres()
  database = await postgres.database()
  const made = [await install({ limits }), await install({ limits })]
  const shared = { ATELIER_DATABASE_URL: database, ATELIER_BLOB_URL: `file:${made[0]?.directory}/blobs` }
  installations = made.map((one) => ({ ...one, environment: { ...one.environment, ...shared } }))
  servers = await Promise.all(installations.map((one) => serve(one)))
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end("SIGTERM")))
  for (const installation of installations) installation.remove()
  await postgres.stop()
})

const urls = () => servers.map(({ url }) => url)
const newAccount = () => makeAccount(urls()[0] ?? "", 1)
const askAt = (url: string | undefined, { key }: Account): Promise<Answer> =>
  call(`${url}/v1/models`, { key })

/** Runs SQL of the test's own beside the servers. */
const statement = (text: string) => Effect.runPromise(runSql(database, text))

describe("contract, Limits and rates: two servers on one Postgres", () => {
  it("allow a key together exactly its burst, and both say what is left", async () => {
    const account = await newAccount()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => askAt(urls()[index % 2], account)),
    )
    const allowed = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 429)
    expect([allowed.length, refused.length]).toEqual([20, 30])
    const rests = allowed.map(({ headers }) => Number(/;r=(\d+);/.exec(headers.get("ratelimit") ?? "")?.[1]))
    expect(rests.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index))
    for (const { headers, body } of refused) {
      expect(headers.get("ratelimit")).toMatch(/^"key";r=0;t=1[12]\d\d$/)
      expect(headers.get("ratelimit-policy")).toBe('"key";q=1;w=60')
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
      expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60)
      expect(body).toMatchObject({ error: { code: "rate_limited", type: "rate_limit_error" } })
    }
  })

  it("a key that has nothing left takes nothing from another", async () => {
    const [one, other] = [await newAccount(), await newAccount()]
    for (let count = 0; count < 21; count++) await askAt(urls()[0], one)
    expect((await askAt(urls()[1], one)).status).toBe(429)
    expect((await askAt(urls()[1], other)).headers.get("ratelimit")).toBe('"key";r=19;t=60')
  })

  it("a request waits for a bucket that another transaction holds, also for longer than one statement does", async () => {
    const account = await newAccount()
    expect((await askAt(urls()[0], account)).status).toBe(200)
    const other = new pg.Client({ connectionString: database })
    await other.connect()
    try {
      await other.query("BEGIN; SELECT 1 FROM rate_buckets FOR UPDATE")
      const asked = askAt(urls()[0], account)
      const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted"
      while ((await other.query(waiting)).rows.length === 0);
      // A sixth of a lease, and more.
      await other.query("SELECT pg_sleep(0.4)")
      await other.query("COMMIT")
      expect((await asked).status).toBe(200)
    } finally {
      await other.end()
    }
  })

  it("it waits for somewhat more than a lease, a sixth of one at a time, and is then refused: 503", async () => {
    const account = await newAccount()
    const rolledBack = async (): Promise<number> => {
      const query =
        "SELECT xact_rollback::int AS count FROM pg_stat_database WHERE datname = current_database()"
      return (await other.query(query)).rows[0].count
    }
    expect((await askAt(urls()[0], account)).status).toBe(200)
    const other = new pg.Client({ connectionString: database })
    await other.connect()
    try {
      const before = await rolledBack()
      await other.query("BEGIN; SELECT 1 FROM rate_buckets FOR UPDATE")
      const { status, body } = await askAt(urls()[0], account)
      expect([status, body]).toMatchObject([503, { error: { code: "storage_unavailable" } }])
      await other.query("COMMIT")
      expect((await rolledBack()) - before).toBeLessThan(20)
      expect((await askAt(urls()[0], account)).status).toBe(200)
    } finally {
      await other.end()
    }
  })

  it("a request whose rate cannot be counted is neither accepted nor an internal error: 503", async () => {
    const account = await newAccount()
    await statement("ALTER TABLE rate_buckets RENAME TO out_of_reach")
    for (const url of urls()) {
      const { status, headers, body } = await askAt(url, account)
      expect(status).toBe(503)
      expect(headers.get("retry-after")).toBe("2")
      expect(body).toMatchObject({ error: { code: "storage_unavailable" } })
    }
    await statement("ALTER TABLE out_of_reach RENAME TO rate_buckets")
    expect((await askAt(urls()[0], account)).status).toBe(200)
  })
})
