import { setTimeout } from "node:timers/promises"
import { TotalsStore } from "@atelier/core"
import { Postgres } from "@atelier/sql/postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

/** The totals and their differences, and the schema made where it is not there yet. */
const readTotals = (url: string) =>
  Effect.gen(function* () {
    const totals = yield* TotalsStore
    return { ...(yield* totals.read), differences: yield* totals.differences }
  }).pipe(Effect.provide(Postgres.layer({ url })), Effect.runPromise)

const connected = async (url: string, body: (client: Client) => Promise<void>) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await body(client)
  } finally {
    await client.end()
  }
}

/** Tasks with the ids `<prefix>1` to `<prefix>n`. */
const insertTasks = (client: Client, prefix: string, count: number) =>
  client.query(
    `INSERT INTO tasks (id, kind, user_id, key_id, subject, state, finished, version, held, charged, released,
        created_at, deadline_at, expires_at, purged, detail)
      SELECT $1 || n, 'image', 'usr_1', 'key_1', 'gen-image-2', 'queued', 0, 1, 0, 0, 0, 1, 1, 0, 0, '{}'
      FROM generate_series(1, $2::int) AS n`,
    [prefix, count],
  )

const deltasOf = async (client: Client) =>
  Number((await client.query("SELECT count(*) AS count FROM total_deltas")).rows[0]?.count)

describe("totals on Postgres", () => {
  it("processes fold what has changed, at once or one after another, and no total changes", async () => {
    const url = await postgres.database()
    await readTotals(url)
    await connected(url, async (client) => {
      await insertTasks(client, "a", 50)
      await client.query("UPDATE tasks SET state = 'completed', finished = 1 WHERE id LIKE 'a1%'")
      const folded = async () => {
        while ((await deltasOf(client)) > 0) await setTimeout(1)
      }
      const expected = expect.objectContaining({
        tasks: expect.arrayContaining([
          { kind: "image", state: "queued", count: 39 },
          { kind: "image", state: "completed", count: 11 },
        ]),
        differences: [],
      })
      const open = Effect.scoped(Effect.andThen(Layer.build(Postgres.layer({ url })), Effect.promise(folded)))
      await Effect.runPromise(Effect.all([open, open, open], { concurrency: "unbounded" }))
      expect(await deltasOf(client)).toBe(0)
      expect(await readTotals(url)).toEqual(expected)
    })
  })

  it("a submission waits neither for another that is not committed yet nor for a fold, and reads see what is committed", async () => {
    const url = await postgres.database()
    await readTotals(url)
    await connected(url, async (slow) => {
      await connected(url, async (quick) => {
        await insertTasks(slow, "before", 3)
        await quick.query("SET lock_timeout = '10s'")
        await slow.query("BEGIN")
        await slow.query("DELETE FROM total_deltas")
        await insertTasks(slow, "slow", 1)
        await insertTasks(quick, "quick", 1)
        await slow.query("ROLLBACK")
        expect(await readTotals(url)).toMatchObject({
          tasks: [{ kind: "image", state: "queued", count: 4 }],
          differences: [],
        })
      })
    })
  })

  it("a job is ready until a process holds it", async () => {
    const url = await postgres.database()
    await readTotals(url)
    await connected(url, async (client) => {
      await client.query(`INSERT INTO jobs (task_id, kind, user_id, run_at, attempt, lost, epoch)
        VALUES ('a', 'image', 'usr_1', 0, 0, 0, 0), ('b', 'image', 'usr_1', 0, 0, 0, 0)`)
      await client.query("UPDATE jobs SET leased_by = 'process', leased_until = 1 WHERE task_id = 'a'")
      expect(await readTotals(url)).toMatchObject({
        jobs: [{ kind: "image", ready: 1, leased: 1 }],
        differences: [],
      })
      await client.query("DELETE FROM jobs")
      expect(await readTotals(url)).toMatchObject({ jobs: [], differences: [] })
    })
  })

  it("a total that is not what counting gives is found, with both numbers", async () => {
    const url = await postgres.database()
    await readTotals(url)
    await connected(url, async (client) => {
      await insertTasks(client, "a", 2)
      await client.query("INSERT INTO total_deltas VALUES ('task', 'image', 'queued', 3, 0)")
    })
    const { differences } = await readTotals(url)
    expect(differences).toEqual([{ total: "task image queued", kept: "5", counted: "2" }])
  })
})
