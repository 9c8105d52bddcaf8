import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createAtelier } from "@atelier/node"
import pg from "pg"
import { startPostgres } from "../cluster/postgres.ts"

const directory = await mkdtemp(join(tmpdir(), "atelier-postgres-"))
const postgres = await startPostgres(directory)

// The application's own pool, and the service, on one database.
const pool = new pg.Pool({ connectionString: postgres.url })
// Of idle connections that were lost: the next query opens another.
pool.on("error", () => {})
const atelier = await createAtelier({ database: postgres.url, blobs: `file:${join(directory, "blobs")}` })
await pool.query("CREATE TABLE orders (title TEXT PRIMARY KEY, task_id TEXT)")
await atelier.users.ensure("customer-42", { balanceUsd: "1" })

const picture = (prompt: string) =>
  ({ user: "customer-42", model: "gen-image-2", prompt, size: "256x256" }) as const
const report = async (after: string) => {
  const { rows } = await pool.query("SELECT title FROM orders ORDER BY title")
  const { held } = await atelier.users.balance("customer-42")
  console.log(`${after}: orders ${rows.map(({ title }) => title).join(", ")}; held ${held}`)
}

// A transaction of the service: the order and the task are stored together, or not at all.
const bridge = await atelier.transaction(async (tx) => {
  const task = await tx.images.submit(picture("A bridge in the rain"))
  await tx.query("INSERT INTO orders VALUES ($1, $2)", ["bridge", task.id])
  return task
})
await atelier.tasks.wait(bridge.id)
await report("committed")

// The same in a transaction that the application began on a client of its own.
const client = await pool.connect()
await client.query("BEGIN")
const harbour = await atelier.within(client).images.submit(picture("A harbour in the morning"))
await client.query("INSERT INTO orders VALUES ('harbour', $1)", [harbour.id])
await client.query("COMMIT")
const finished = await atelier.tasks.wait(harbour.id)
console.log(finished.object === "image.task" && finished.state)
await report("committed by the application")

// What is rolled back was never submitted.
await client.query("BEGIN")
const undone = await atelier.within(client).images.submit(picture("A tower"))
await client.query("INSERT INTO orders VALUES ('tower', $1)", [undone.id])
await client.query("ROLLBACK")
client.release()
await report("rolled back")

await atelier.close()
await pool.end()
await postgres.stop()
await rm(directory, { recursive: true })
