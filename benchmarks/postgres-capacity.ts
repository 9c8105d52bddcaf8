/**
 * What one Postgres carries, for the sizing guide: tasks that one server accepts and finishes, tasks it reads, the
 * connections it has, and what a task takes in the database and in its log.
 *
 * `npm run bench -- benchmarks/postgres-capacity.ts [seconds per row] [rounds] [tasks]`
 */
import { Client } from "pg"
import { startPostgres } from "../test/support/postgresServer.ts"
import { call, install, makeAccount, serve, textAt } from "../test/support/server.ts"
import { load } from "./support/load.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 4)
const rounds = Number(process.argv[3] ?? 3)
const tasks = Number(process.argv[4] ?? 100_000)
const httpConnections = 32
const imageJobsConcurrent = 64
const many = 100_000_000
const patienceMs = 120_000

const postgres = await startPostgres({ durable: true })
const url = await postgres.emptyDatabase()
const made = await install({
  channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
  limits: {
    rate_per_minute: many,
    rate_burst: many,
    image_tasks_per_user_max: many,
    image_jobs_concurrent_max: imageJobsConcurrent,
  },
})
const server = await serve({ ...made, environment: { ...made.environment, ATELIER_DATABASE_URL: url } })
const { key } = await makeAccount(server.url, 10_000_000)
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
const client = new Client({ connectionString: url })
await client.connect()

const number = async (text: string): Promise<number> =>
  Number(Object.values((await client.query(text)).rows[0])[0])
const finished = () => number("SELECT count(*) FROM tasks WHERE finished = 1")
const accepted = () => number("SELECT count(*) FROM tasks")
const logged = () => number("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')")

const image = { model: "gen-image-2", prompt: "a lighthouse at dusk", size: "256x256" }
const post = {
  url: `${server.url}/v1/images/tasks`,
  method: "POST",
  headers,
  body: JSON.stringify(image),
  keyed: true,
  connections: httpConnections,
  seconds,
} as const

/** Waits until everything that was accepted is finished. */
const settled = async (): Promise<void> => {
  const until = performance.now() + patienceMs
  while ((await finished()) < (await accepted())) {
    if (performance.now() > until) throw new Error(`tasks are unfinished after ${patienceMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Accepts for some seconds and works until all is done. */
const round = async () => {
  const [before, log] = [await accepted(), await logged()]
  const began = performance.now()
  await load(post)
  const connections = await number(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  )
  const acceptedAt = performance.now()
  const count = (await accepted()) - before
  const doneMeanwhile = (await finished()) - before
  await settled()
  const all = (performance.now() - began) / 1000
  return {
    accepted: count / ((acceptedAt - began) / 1000),
    meanwhile: doneMeanwhile / ((acceptedAt - began) / 1000),
    both: count / all,
    connections,
    logged: ((await logged()) - log) / count,
  }
}

const first = await call(`${server.url}/v1/images/tasks`, {
  key,
  json: image,
  headers: { "idempotency-key": "the-first-of-all" },
})
const id = textAt(first.body, "task_id")
await load({ ...post, seconds: 1 })
await settled()
const measured: Array<Awaited<ReturnType<typeof round>>> = []
for (let count = 0; count < rounds; count++) measured.push(await round())
const reads: Array<number> = []
const get = { method: "GET", headers, connections: httpConnections, seconds } as const
for (let count = 0; count < rounds; count++) {
  reads.push((await load({ ...get, url: `${server.url}/v1/tasks/${id}` })).perSecond)
}
await server.end("SIGTERM")

/** Copies the finished task until there are this many, with its ledger rows and its idempotency record. */
const copied = { tasks: "id", ledger: "task_id", idempotency: "task_id" }
const taskId = "'imgtask_' || lpad(n::text, 26, '0')"
const changes: { readonly [table: string]: { readonly [column: string]: string } } = {
  tasks: { id: taskId },
  ledger: { task_id: taskId, id: `kind || ':' || ${taskId}` },
  idempotency: { task_id: taskId, idempotency_key: taskId },
}
for (const table of Object.keys(copied))
  await client.query(`CREATE TEMP TABLE one_${table} AS TABLE ${table}`)
await client.query("TRUNCATE tasks, idempotency")
await client.query("ALTER TABLE ledger DISABLE TRIGGER USER")
await client.query("TRUNCATE ledger")
for (const [table, column] of Object.entries(copied)) {
  const { rows } = await client.query(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 AND column_name <> 'sequence'",
    [table],
  )
  const names = rows.map((row) => String(row.name))
  const values = names.map((name) => changes[table]?.[name] ?? name)
  await client.query(
    `INSERT INTO ${table} (${names.join(", ")}) SELECT ${values.join(", ")}
      FROM generate_series(1, ${tasks}) AS n, one_${table} WHERE one_${table}.${column} = $1`,
    [id],
  )
}
const bytes = async (table: string, of: "table" | "indexes") =>
  rounded((await number(`SELECT pg_${of}_size('${table}')`)) / tasks)
const sizes: Array<{ readonly table: string; readonly rows: number; readonly indexes: number }> = []
for (const table of Object.keys(copied)) {
  sizes.push({ table, rows: await bytes(table, "table"), indexes: await bytes(table, "indexes") })
}
await client.end()
await postgres.stop()
made.remove()

const middle = (of: keyof (typeof measured)[number]) => median(measured.map((one) => one[of]))
const sum = (of: "rows" | "indexes") => sizes.reduce((total, one) => total + one[of], 0)
report({
  name: "postgres-capacity",
  title: "What one Postgres carries",
  rows: [
    { measure: "tasks accepted a second, while others are worked on", value: rounded(middle("accepted")) },
    { measure: "tasks finished a second, while others are accepted", value: rounded(middle("meanwhile")) },
    { measure: "tasks accepted and finished a second, to the last", value: rounded(middle("both")) },
    { measure: "tasks read a second (GET /v1/tasks/{id})", value: rounded(median(reads)) },
    { measure: "connections of the one process", value: rounded(middle("connections")) },
    ...sizes.flatMap(({ table, rows, indexes }) => [
      { measure: `bytes of a task in ${table}`, value: rows },
      { measure: `bytes of a task in the indexes of ${table}`, value: indexes },
    ]),
    { measure: "bytes of a task in the database", value: sum("rows") + sum("indexes") },
    {
      measure: "bytes of a task in the write-ahead log, from submission to result",
      value: rounded(middle("logged")),
    },
  ],
  notes: [
    `One server, which accepts over HTTP from ${httpConnections} connections and works on ${imageJobsConcurrent} images at once, one Postgres with its own settings (fsync and synchronous_commit on), the load: all on one machine.`,
    `Rates: median of ${rounds} rounds of ${seconds} s. The images are of 256x256 pixels and drawn by the server.`,
    `Sizes: of ${tasks} finished tasks with their ledger rows and idempotency records, without what updates leave behind until it is vacuumed.`,
  ],
})
