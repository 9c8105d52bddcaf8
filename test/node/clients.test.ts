import { drizzle } from "drizzle-orm/node-postgres"
import { pgTable, text } from "drizzle-orm/pg-core"
import { CompiledQuery, Kysely, PostgresDialect } from "kysely"
import pg from "pg"
import postgres from "postgres"
import { afterAll, describe, expect, it } from "vitest"
import { startPostgres } from "../support/postgresServer.ts"
import { newFolder, rejection, started } from "./started.ts"

/** `within`, in transactions that other libraries than `pg` itself have begun. */
const server = await startPostgres()
afterAll(() => server.stop())

const image = { model: "gen-image-2", prompt: "A lighthouse", size: "256x256" } as const
const orders = pgTable("orders", { title: text().primaryKey(), taskId: text("task_id") })

interface Orders {
  readonly orders: { readonly title: string; readonly task_id: string | null }
}

/** What a library's transaction is to do: begin, submit within, store the order, then commit or throw. */
type Submit = (client: Parameters<Awaited<ReturnType<typeof started>>["within"]>[0]) => Promise<string>
type Order = (database: string, submit: Submit, fails: boolean) => Promise<string>

const libraries: ReadonlyArray<readonly [name: string, order: Order]> = [
  [
    "Drizzle on a client of pg",
    async (database, submit, fails) => {
      const pool = new pg.Pool({ connectionString: database })
      const client = await pool.connect()
      try {
        return await drizzle({ client }).transaction(async (tx) => {
          const taskId = await submit(client)
          await tx.insert(orders).values({ title: "a bridge", taskId })
          if (fails) tx.rollback()
          return taskId
        })
      } finally {
        client.release()
        await pool.end()
      }
    },
  ],
  [
    "Kysely on a client of pg",
    async (database, submit, fails) => {
      const pool = new pg.Pool({ connectionString: database })
      const client = await pool.connect()
      const onClient = { connect: async () => client, end: async () => {} }
      const db = new Kysely<Orders>({ dialect: new PostgresDialect({ pool: onClient }) })
      try {
        return await db.transaction().execute(async (tx) => {
          const taskId = await submit(client)
          await tx.insertInto("orders").values({ title: "a bridge", task_id: taskId }).execute()
          if (fails) throw new Error("no bridge")
          return taskId
        })
      } finally {
        await pool.end()
      }
    },
  ],
  [
    "postgres.js",
    async (database, submit, fails) => {
      const sql = postgres(database, { onnotice: () => {} })
      try {
        return await sql.begin(async (tx) => {
          const taskId = await submit(tx)
          await tx`INSERT INTO orders VALUES ('a bridge', ${taskId})`
          if (fails) throw new Error("no bridge")
          return taskId
        })
      } finally {
        await sql.end()
      }
    },
  ],
]

describe.each(libraries)("Postgres: within a transaction of %s", (_, order) => {
  const opened = async () => {
    const database = await server.database()
    const atelier = await started({ database, blobs: `file:${newFolder()}` })
    await atelier.users.ensure("ada", { balanceUsd: "1" })
    await atelier.transaction(async (tx) => {
      await tx.query("CREATE TABLE orders (title TEXT PRIMARY KEY, task_id TEXT)")
    })
    return { atelier, database }
  }

  it("the task is there with its commit, which wakes the workers", async () => {
    const { atelier, database } = await opened()
    const submit: Submit = async (client) => {
      const tx = atelier.within(client)
      expect(await tx.users.balance("ada")).toMatchObject({ held: 0 })
      const { id } = await tx.images.submit({ user: "ada", ...image, idempotencyKey: "order-1" })
      expect((await tx.images.submit({ user: "ada", ...image, idempotencyKey: "order-1" })).id).toBe(id)
      expect(await rejection(atelier.tasks.get(id))).toMatchObject({ code: "task_not_found" })
      return id
    }
    const id = await order(database, submit, false)
    expect(await atelier.tasks.wait(id)).toMatchObject({
      state: "completed",
      data: { results: [expect.anything()] },
    })
    const rows = await atelier.transaction((tx) => tx.query("SELECT task_id FROM orders"))
    expect(rows).toEqual([{ task_id: id }])
  })

  it("its rollback undoes all of it, and a refusal leaves it usable", async () => {
    const { atelier, database } = await opened()
    const submitted: Array<string> = []
    const submit: Submit = async (client) => {
      const tx = atelier.within(client)
      await tx.users.ensure("poor")
      expect(await rejection(tx.images.submit({ user: "poor", ...image }))).toMatchObject({
        code: "insufficient_balance",
      })
      const { id } = await tx.images.submit({ user: "ada", ...image })
      submitted.push(id)
      return id
    }
    await rejection(order(database, submit, true))
    expect(submitted).toHaveLength(1)
    expect(await rejection(atelier.tasks.get(submitted[0] ?? ""))).toMatchObject({ code: "task_not_found" })
    expect(await rejection(atelier.users.balance("poor"))).toMatchObject({ code: "not_found" })
    expect(await atelier.users.balance("ada")).toMatchObject({ held: 0, spent: 0 })
  })
})

it("Postgres: within refuses a client that does not say the types of its columns", async () => {
  const database = await server.database()
  const atelier = await started({ database, blobs: `file:${newFolder()}`, workers: false })
  const db = new Kysely({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database }) }),
  })
  const refused = db.transaction().execute(async (tx) => {
    const query = async (text: string, values: Array<unknown> = []) => {
      const { rows } = await tx.executeQuery<object>(CompiledQuery.raw(text, values))
      return { rows } as never
    }
    await atelier.within({ query }).users.ensure("ada")
  })
  expect(await rejection(refused)).toMatchObject({ code: "invalid_parameter", param: "client" })
  await db.destroy()
})
