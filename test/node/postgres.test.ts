import type { Atelier, AtelierOptions } from "@atelier/node"
import pg from "pg"
import { afterAll, describe, expect, it } from "vitest"
import { startPostgres } from "../support/postgresServer.ts"
import { newFolder, rejection, started } from "./started.ts"
import { transactionSuite } from "./transactions.ts"

const server = await startPostgres()
afterAll(() => server.stop())

const image = { model: "gen-image-2", prompt: "A lighthouse", size: "256x256" } as const

const open = (database: string, options: Pick<AtelierOptions, "workers" | "connections" | "limits"> = {}) =>
  started({ database, blobs: `file:${newFolder()}`, ...options })

transactionSuite("Postgres", { param: (index) => `$${index}`, uniqueCode: "23505" }, async () => {
  const database = await server.database()
  return { start: (options) => open(database, options) }
})

it("Postgres: a service starts without a warning", async () => {
  const warnings: Array<string> = []
  await started({
    database: await server.database(),
    blobs: `file:${newFolder()}`,
    log: ({ level, message }) => void (level === "warn" && warnings.push(message)),
  })
  expect(warnings).toEqual([])
})

it("Postgres: an upload waits for another of its user, also for longer than a statement waits for a row", async () => {
  const database = await server.database()
  const atelier = await open(database, { limits: { job_lease_ms: 600 } })
  await atelier.users.ensure("ada", { balanceUsd: "1" })
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    await client.query("BEGIN; SELECT 1 FROM users FOR NO KEY UPDATE")
    const notes = { tool: "text-md-json", file: new TextEncoder().encode("# Notes\n"), filename: "notes.md" }
    const submitted = atelier.documents.submit({ user: "ada", ...notes })
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted"
    while ((await client.query(waiting)).rows.length === 0);
    // A sixth of a lease, and more.
    await client.query("SELECT pg_sleep(0.4)")
    await client.query("COMMIT")
    expect(await atelier.tasks.wait((await submitted).id)).toMatchObject({ status: "succeeded" })
  } finally {
    await client.end()
  }
})

describe("Postgres: within the application's own transaction", () => {
  /** A service, and a client of the application's own with a transaction that is begun. */
  const begun = async (
    work: (atelier: Atelier, client: pg.Client) => Promise<void>,
    options?: { readonly workers?: boolean },
  ) => {
    const database = await server.database()
    const atelier = await open(database, options)
    await atelier.users.ensure("ada", { balanceUsd: "1" })
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    try {
      await client.query("CREATE TABLE orders (title TEXT PRIMARY KEY, task_id TEXT)")
      await client.query("BEGIN")
      await work(atelier, client)
    } finally {
      await client.end()
    }
  }

  it("the task is there with the caller's commit, which wakes the workers", () =>
    begun(async (atelier, client) => {
      const task = await atelier.within(client).images.submit({ user: "ada", ...image })
      await client.query("INSERT INTO orders VALUES ('a bridge', $1)", [task.id])
      expect(await rejection(atelier.tasks.get(task.id))).toMatchObject({ code: "task_not_found" })
      expect(await atelier.users.balance("ada")).toMatchObject({ held: 0 })
      await client.query("COMMIT")
      expect(await atelier.tasks.wait(task.id)).toMatchObject({ state: "completed" })
    }))

  it("the caller's rollback undoes all of it", () =>
    begun(async (atelier, client) => {
      const tx = atelier.within(client)
      await tx.users.ensure("bob", { balanceUsd: "1" })
      const task = await tx.images.submit({ user: "bob", ...image })
      await client.query("ROLLBACK")
      expect(await rejection(atelier.tasks.get(task.id))).toMatchObject({ code: "task_not_found" })
      expect(await rejection(atelier.users.balance("bob"))).toMatchObject({ code: "not_found" })
    }))

  it("a refusal leaves the caller's transaction usable", () =>
    begun(
      async (atelier, client) => {
        const tx = atelier.within(client)
        await client.query("INSERT INTO orders VALUES ('kept', NULL)")
        await tx.users.ensure("poor")
        expect(await rejection(tx.images.submit({ user: "poor", ...image }))).toMatchObject({
          code: "insufficient_balance",
        })
        const task = await tx.images.submit({ user: "ada", ...image, idempotencyKey: "order-1" })
        expect((await tx.images.submit({ user: "ada", ...image, idempotencyKey: "order-1" })).id).toBe(
          task.id,
        )
        expect(await tx.tasks.cancel(task.id)).toMatchObject({ state: "failed" })
        await client.query("COMMIT")
        expect((await client.query("SELECT title FROM orders")).rows).toEqual([{ title: "kept" }])
      },
      { workers: false },
    ))

  it("while it is long, other users' tasks are accepted, run and paid, and its own user's wait", async () => {
    const database = await server.database()
    const atelier = await open(database, { connections: 2, limits: { job_lease_ms: 600 } })
    for (const user of ["ada", "bob"]) await atelier.users.ensure(user, { balanceUsd: "1" })
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    try {
      await client.query("BEGIN")
      await atelier.within(client).images.submit({ user: "ada", ...image })
      const waiting = Array.from({ length: 4 }, () => atelier.images.submit({ user: "ada", ...image }))
      const task = await atelier.images.submit({ user: "bob", ...image })
      expect(await atelier.tasks.wait(task.id)).toMatchObject({ state: "completed" })
      await client.query("COMMIT")
      for (const { id } of await Promise.all(waiting)) {
        expect(await atelier.tasks.wait(id)).toMatchObject({ state: "completed" })
      }
    } finally {
      await client.end()
    }
  })

  it("the database's first task inside it does not hold up other people's", async () => {
    const database = await server.database()
    const atelier = await open(database, { workers: false, limits: { job_lease_ms: 600 } })
    for (const user of ["ada", "bob"]) await atelier.users.ensure(user, { balanceUsd: "1" })
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    try {
      await client.query("BEGIN")
      await atelier.within(client).images.submit({ user: "ada", ...image })
      expect(await atelier.images.submit({ user: "bob", ...image })).toMatchObject({ state: "queued" })
    } finally {
      await client.end()
    }
  })

  it("a client without a transaction is refused", async () => {
    const database = await server.database()
    const atelier = await open(database, { workers: false })
    await atelier.users.ensure("ada", { balanceUsd: "1" })
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    try {
      const refused = await rejection(atelier.within(client).images.submit({ user: "ada", ...image }))
      expect(refused).toMatchObject({ code: "invalid_parameter", param: "client" })
      expect(await atelier.users.balance("ada")).toMatchObject({ held: 0 })
    } finally {
      await client.end()
    }
  })
})
