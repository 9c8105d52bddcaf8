import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import {
  type Answer,
  adminToken,
  at,
  call,
  type Installation,
  install,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

const grants = 40
/** Grants that are answered before the server is killed. */
const answered = 10
const unitsEach = 500_000

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const settings = {
  SQLite: async (): Promise<Record<string, string>> => ({}),
  Postgres: async (): Promise<Record<string, string>> => ({
    ATELIER_DATABASE_URL: await postgres.database(),
  }),
}

const admin = (server: Server, path: string, json?: object, key?: string): Promise<Answer> =>
  call(`${server.url}/admin/v1${path}`, {
    key: adminToken,
    ...(json === undefined ? {} : { json }),
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  })

const grant = (server: Server, user: string, key: string) =>
  admin(server, `/users/${user}/grants`, { usd: 1, reason: "invoice" }, key)

const granted = async (server: Server, user: string) =>
  at((await admin(server, `/users/${user}`)).body, "granted")

describe.each(["SQLite", "Postgres"] as const)(
  "contract, Later decisions: Idempotency-Key of the admin API, on %s",
  { timeout: 300_000 },
  (dialect) => {
    let installation: Installation
    let server: Server
    let user: string

    beforeAll(async () => {
      const made = await install()
      installation = { ...made, environment: { ...made.environment, ...(await settings[dialect]()) } }
      server = await serve(installation)
      user = textAt((await admin(server, "/users", { name: "Ada" })).body, "id")
    })
    afterAll(async () => {
      await server.end("SIGTERM")
      installation.remove()
    })

    it("equal grants at once grant once", async () => {
      const answers = await Promise.all(Array.from({ length: 30 }, () => grant(server, user, "one")))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
      const first = answers.filter(({ headers }) => headers.get("idempotency-replayed") === null)
      expect(first).toHaveLength(1)
      expect(await granted(server, user)).toBe(unitsEach)
    })

    it("equal keys made at once are one key, shown once", async () => {
      const make = () => admin(server, `/users/${user}/keys`, { name: "k" }, "a key")
      const answers = await Promise.all(Array.from({ length: 10 }, make))
      expect(new Set(answers.map(({ body }) => textAt(body, "id"))).size).toBe(1)
      expect(answers.filter(({ body }) => at(body, "key") !== null)).toHaveLength(1)
    })

    it("rotations at once: the last secret that was answered is one that works", async () => {
      const { body } = await admin(server, `/users/${user}/keys`, { name: "rotated" })
      const id = textAt(body, "id")
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => admin(server, `/keys/${id}/rotate`, {})),
      )
      const uses = await Promise.all(
        answers.map(({ body: rotated }) => call(`${server.url}/v1/tools`, { key: textAt(rotated, "key") })),
      )
      // The present one, and the one before it.
      expect(uses.filter(({ status }) => status === 200)).toHaveLength(2)
    })

    it("a server that is killed while it grants has granted each once when all are sent again", async () => {
      const before = Number(await granted(server, user))
      const keys = Array.from({ length: grants }, (_, n) => `invoice-${n}`)
      let answers = 0
      const sent = keys.map((key) =>
        grant(server, user, key).then(
          () => {
            answers += 1
          },
          () => {},
        ),
      )
      await expect.poll(() => answers, { interval: 1, timeout: 60_000 }).toBeGreaterThanOrEqual(answered)
      await server.end("SIGKILL")
      await Promise.all(sent)
      server = await serve(installation)
      for (const key of keys) expect((await grant(server, user, key)).status).toBe(201)
      expect(await granted(server, user)).toBe(before + grants * unitsEach)
      expect(at((await admin(server, "/stats?check=true")).body, "ledger_mismatches")).toEqual([])
    })
  },
)
