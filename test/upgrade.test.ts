import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../scripts/workspace.ts"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import {
  adminToken,
  at,
  call,
  type Installation,
  install,
  run,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

/** What `scripts/release-fixture.ts` left: databases of a release whose server was killed with work under way. */
interface Content {
  readonly users: { readonly ada: string; readonly grace: string }
  readonly keys: { readonly key: string; readonly limited: string; readonly off: string }
  readonly ended: Readonly<Record<"completed" | "refused" | "partial", { id: string; state: string }>>
  readonly unfinished: Readonly<Record<"running" | "queued" | "limited" | "document" | "waiting", string>>
}

const fixtures = join(root, "test/fixtures")
const releases = readdirSync(fixtures).filter((name) => name.startsWith("release-"))

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop()
})

const place = async (folder: string, dialect: string): Promise<Installation> => {
  const config = JSON.parse(readFileSync(join(folder, "atelier.config.json"), "utf8"))
  const home = await install(config)
  cpSync(join(folder, `blobs-${dialect}`), join(home.directory, "data/blobs"), { recursive: true })
  return home
}

const placeOnSqlite = async (folder: string): Promise<Installation> => {
  const home = await place(folder, "sqlite")
  mkdirSync(join(home.directory, "data"), { recursive: true })
  cpSync(join(folder, "atelier.db"), join(home.directory, "data/atelier.db"))
  return home
}

const placeOnPostgres = async (folder: string): Promise<Installation> => {
  const home = await place(folder, "postgres")
  const url = await postgres.emptyDatabase()
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(readFileSync(join(folder, "postgres.sql"), "utf8"))
  await client.end()
  return { ...home, environment: { ...home.environment, ATELIER_DATABASE_URL: url } }
}

const databases = releases.flatMap((release) => [
  { release, dialect: "sqlite", open: placeOnSqlite },
  { release, dialect: "postgres", open: placeOnPostgres },
])

describe.each(databases)(
  "an installation of $release with work in it, on $dialect",
  ({ dialect, open, release }) => {
    const folder = join(fixtures, release)
    const content: Content = JSON.parse(readFileSync(join(folder, `${dialect}.json`), "utf8"))
    const { ended, keys, unfinished, users } = content
    let home: Installation
    let server: Server

    beforeAll(async () => {
      home = await open(folder)
      server = await serve(home)
    })
    afterAll(async () => {
      await server.end("SIGTERM")
      home.remove()
    })

    const taskOf = (id: string, key: string) =>
      call(`${server.url}/v1/tasks/${id}?wait=60`, { key }).then(({ body }) => body)

    it("finishes what ran and what waited, with its results", async () => {
      const { document, limited, queued, running, waiting } = unfinished
      const found = await Promise.all([
        taskOf(running, keys.key),
        taskOf(queued, keys.key),
        taskOf(limited, keys.limited),
        taskOf(document, keys.key),
        taskOf(waiting, keys.key),
      ])
      expect(found.map((task) => at(task, "state") ?? at(task, "status"))).toEqual([
        "completed",
        "completed",
        "completed",
        "succeeded",
        "succeeded",
      ])
      const image = await fetch(textAt(found[0], "result_url"))
      expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"])
      const result = await call(`${server.url}/v1/tasks/${document}/result`, { key: keys.key })
      expect(result.body).toContain("# document-running")
    })

    it("still has what had ended, with its images, its history and its idempotency keys", async () => {
      for (const { id, state } of Object.values(ended)) {
        const task = await taskOf(id, keys.key)
        expect(at(task, "state")).toBe(state)
        const assets = at(task, "assets") ?? []
        for (const asset of assets as ReadonlyArray<unknown>) {
          expect((await fetch(textAt(asset, "url"))).status).toBe(200)
        }
        const history = await call(`${server.url}/v1/tasks/${id}/history`, { key: keys.key })
        expect(history.status).toBe(200)
      }
      expect(at(await taskOf(ended.partial.id, keys.key), "billing")).toMatchObject({ released: 20_000 })
      const json = { model: "gen-image-2", prompt: "a lighthouse", size: "64x64" }
      const headers = { "idempotency-key": "key-completed" }
      const replayed = await call(`${server.url}/v1/images/tasks`, { key: keys.key, json, headers })
      expect([replayed.status, at(replayed.body, "task_id")]).toEqual([202, ended.completed.id])
      expect(replayed.headers.get("idempotency-replayed")).toBe("true")
    })

    it("keys are what they were: good, limited and disabled", async () => {
      const statusOf = async (key: string) => (await call(`${server.url}/v1/models`, { key })).status
      expect([await statusOf(keys.key), await statusOf(keys.limited), await statusOf(keys.off)]).toEqual([
        200, 200, 401,
      ])
    })

    it("the ledger agrees to the unit, and nothing is held any more", async () => {
      const { document, limited, queued, running, waiting } = unfinished
      await Promise.all([running, queued, document, waiting].map((id) => taskOf(id, keys.key)))
      await taskOf(limited, keys.limited)
      for (const [user, granted] of [
        [users.ada, 12.5 * 500_000],
        [users.grace, 5 * 500_000],
      ] as const) {
        const { body } = await call(`${server.url}/admin/v1/users/${user}`, { key: adminToken })
        const [balance, held, spent] = ["balance", "held", "spent"].map((name) => Number(at(body, name)))
        expect([held, (balance ?? 0) + (spent ?? 0)]).toEqual([0, granted])
      }
      const doctor = await run(home, ["doctor"])
      expect(doctor.stdout).toMatch(/ok +ledger +balances agree/)
      expect(doctor.stdout).toMatch(/ok +totals/)
      expect(doctor.code, doctor.stdout).toBe(0)
    })

    it("takes new work", async () => {
      const json = { model: "gen-image-2", prompt: "a new lighthouse", size: "64x64" }
      const { body } = await call(`${server.url}/v1/images/tasks`, { key: keys.key, json })
      expect(at(await taskOf(textAt(body, "task_id"), keys.key), "state")).toBe("completed")
    })
  },
)
