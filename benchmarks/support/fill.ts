import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Client } from "pg"
import type { Installation } from "../../test/support/server.ts"

/** One in this many copies belongs to the measured key; the others to 1,000 users. */
export const ownEvery = 100
/** Copies of one transaction. */
const batch = 250_000

/** What of a row is changed in its copies, by column, for each table; `n` is the number of the copy. */
const changes = (padded: string): Readonly<Record<string, Readonly<Record<string, string>>>> => {
  const other = (prefix: string) => `'${prefix}_' || ${padded.replace(/\bn\b/, "n % 1000")}`
  const owner = (column: string, prefix: string) =>
    `CASE WHEN n % ${ownEvery} = 0 THEN ${column} ELSE ${other(prefix)} END`
  const taskId = `'imgtask_' || ${padded}`
  const user = { user_id: owner("user_id", "usr") }
  const key = { key_id: owner("key_id", "key") }
  // Amounts of the copies are 0, so that the books agree.
  return {
    tasks: { ...user, ...key, id: taskId, held: "0", charged: "0", released: "0" },
    ledger: { ...user, ...key, id: `kind || ':' || ${taskId}`, task_id: taskId, amount: "0" },
    idempotency: { ...key, idempotency_key: taskId, task_id: taskId },
  }
}

const where = (table: string, id: string) => `${table === "tasks" ? "id" : "task_id"} = '${id}'`

/** The statement that copies the rows of task `id` in a table, for the numbers of `source`. */
const copyOf = (
  table: string,
  id: string,
  columns: ReadonlyArray<string>,
  padded: string,
  source: string,
) => {
  const changed = changes(padded)[table] ?? {}
  const selected = columns.map((column) => changed[column] ?? column)
  return `INSERT INTO ${table} (${columns.join(", ")})
    SELECT ${selected.join(", ")} FROM ${source}, ${table} WHERE ${where(table, id)}`
}

const tables = ["tasks", "ledger", "idempotency"]

/** Calls `each` with the first and last number of every batch. */
const inBatches = async (count: number, each: (from: number, to: number) => void | Promise<void>) => {
  for (let from = 1; from <= count; from += batch) await each(from, Math.min(count, from + batch - 1))
}

/** Copies the finished task `id` until there are `count` more, without the indexes, which are made again afterwards. */
export const sqliteRows = async ({ directory }: Installation, id: string, count: number): Promise<void> => {
  const database = new DatabaseSync(join(directory, "data", "atelier.db"))
  const indexes = database
    .prepare(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
        AND tbl_name IN (${tables.map((table) => `'${table}'`).join(", ")})`,
    )
    .all()
  database.exec("PRAGMA synchronous=OFF; PRAGMA cache_size=-1000000; PRAGMA temp_store=FILE")
  for (const { name } of indexes) database.exec(`DROP INDEX ${name}`)
  await inBatches(count, (from, to) => {
    database.exec("BEGIN")
    for (const table of tables) {
      const columns = database
        .prepare(`SELECT name FROM pragma_table_info('${table}') WHERE name <> 'sequence'`)
        .all()
        .map(({ name }) => String(name))
      const numbers = `(WITH RECURSIVE number (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM number WHERE n < ${to})
        SELECT n FROM number)`
      database.exec(copyOf(table, id, columns, "printf('%026d', n)", numbers))
    }
    database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
  })
  for (const { sql } of indexes) database.exec(`${sql}; PRAGMA wal_checkpoint(TRUNCATE)`)
  database.exec("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
}

/** The same on Postgres, with its indexes in place. */
export const postgresRows = async (url: string, id: string, count: number): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query("SET synchronous_commit = off")
  for (const table of tables) {
    const { rows } = await client.query(
      `SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = $1 AND column_name <> 'sequence'`,
      [table],
    )
    const columns = rows.map(({ name }) => String(name))
    await inBatches(count, async (from, to) => {
      const numbers = `generate_series(${from}, ${to}) AS number (n)`
      await client.query(copyOf(table, id, columns, "lpad((n)::text, 26, '0')", numbers))
    })
  }
  await client.query("VACUUM ANALYZE")
  await client.query("CHECKPOINT")
  await client.end()
}
