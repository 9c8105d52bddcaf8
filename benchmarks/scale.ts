/**
 * Whether the service slows down as it fills: reading and durable submission with 1,000,000 stored tasks against
 * 1,000, on two servers side by side, measured in turn. The stored tasks are those of 1,000 users, with their
 * ledger rows and idempotency records; one in 100 is of the key that asks.
 *
 * `npm run bench -- benchmarks/scale.ts [seconds per row] [rounds] [tasks]`
 */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import {
  call,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "../test/support/server.ts"
import { load, type Measured } from "./support/load.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 4)
const rounds = Number(process.argv[3] ?? 3)
const sizes = [1_000, Number(process.argv[4] ?? 1_000_000)]
const connections = 32
const many = 100_000_000
const paths_max = 20_000

const config = {
  channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
  limits: {
    rate_per_minute: many,
    rate_burst: many,
    image_tasks_per_user_max: many,
    image_jobs_concurrent_max: 1,
  },
}
const submission = { model: "gen-image-2", prompt: "a lighthouse [slow 1h]", size: "1024x1024" }

const idOf = (number: number): string => `imgtask_${String(number).padStart(26, "0")}`
/** One in 100 tasks is of the key that asks. */
const own_every = 100

/** Copies the finished task `id` until there are `count`. Amounts of the copies are 0, so that the books agree. */
const fill = (installation: Installation, id: string, count: number): void => {
  const database = new DatabaseSync(join(installation.directory, "data", "atelier.db"))
  const numbers = `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})`
  const other = (prefix: string) => `'${prefix}_' || printf('%026d', n % 1000)`
  const owner = (column: string, prefix: string) =>
    `CASE WHEN n % ${own_every} = 0 THEN ${column} ELSE ${other(prefix)} END`
  const taskId = "'imgtask_' || printf('%026d', n)"
  const quoted = `'${id}'`
  const copy = (table: string, changed: Readonly<Record<string, string>>, where: string) => {
    const columns = database
      .prepare(`SELECT name FROM pragma_table_info('${table}') WHERE name <> 'sequence'`)
      .all()
      .map(({ name }) => String(name))
    const values = columns.map((column) => changed[column] ?? column)
    database.exec(
      `${numbers} INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM ${table}, number WHERE ${where}`,
    )
  }
  const owned = { user_id: owner("user_id", "usr"), key_id: owner("key_id", "key") }
  database.exec("PRAGMA synchronous=OFF; BEGIN")
  copy("tasks", { ...owned, id: taskId, held: "0", charged: "0", released: "0" }, `id = ${quoted}`)
  copy(
    "ledger",
    { ...owned, id: `kind || ':' || ${taskId}`, task_id: taskId, amount: "0" },
    `task_id = ${quoted}`,
  )
  copy(
    "idempotency",
    { key_id: owned.key_id, idempotency_key: taskId, task_id: taskId },
    `task_id = ${quoted}`,
  )
  database.exec("COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
}

interface Filled {
  readonly size: number
  readonly installation: Installation
  readonly server: Server
  readonly key: string
}

const prepare = async (size: number): Promise<Filled> => {
  const installation = await install(config)
  const first = await serve(installation)
  const { key } = await makeAccount(first.url, 10_000_000)
  const json = { ...submission, prompt: "a lighthouse", size: "64x64" }
  const headers = { "idempotency-key": "the first" }
  const answer = await call(`${first.url}/v1/images/tasks`, { key, json, headers })
  const id = textAt(answer.body, "task_id")
  await call(`${first.url}/v1/tasks/${id}?wait=30`, { key })
  await first.end("SIGTERM")
  const began = performance.now()
  fill(installation, id, size)
  console.log(`${size} tasks stored in ${rounded((performance.now() - began) / 1000, 1)} s`)
  return { size, installation, server: await serve(installation), key }
}

const measures = {
  "GET /v1/tasks/{id}": ({ server, key, size }: Filled) =>
    load({
      url: server.url,
      method: "GET",
      headers: { authorization: `Bearer ${key}` },
      paths: Array.from(
        { length: Math.min(paths_max, size / own_every) },
        () => `/v1/tasks/${idOf(own_every * (1 + Math.floor(Math.random() * (size / own_every))))}`,
      ),
      connections,
      seconds,
    }),
  "GET /v1/tasks?limit=20": ({ server, key }: Filled) =>
    load({
      url: `${server.url}/v1/tasks?limit=20`,
      method: "GET",
      headers: { authorization: `Bearer ${key}` },
      connections,
      seconds,
    }),
  "POST /v1/images/tasks": ({ server, key }: Filled) =>
    load({
      url: `${server.url}/v1/images/tasks`,
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(submission),
      keyed: true,
      connections,
      seconds,
    }),
}

const filled: Array<Filled> = []
for (const size of sizes) filled.push(await prepare(size))
const rows: Array<Record<string, string | number>> = []
for (const [request, measure] of Object.entries(measures)) {
  const runs = new Map<number, Array<Measured>>(sizes.map((size) => [size, []]))
  for (const each of filled) await measure(each)
  for (let round = 0; round < rounds; round++) {
    for (const each of filled) runs.get(each.size)?.push(await measure(each))
  }
  const rate = (size: number) => median((runs.get(size) ?? []).map(({ perSecond }) => perSecond))
  const [small = 0, large = 0] = sizes.map(rate)
  rows.push({
    request,
    ...Object.fromEntries(sizes.map((size) => [`${size} tasks, per second`, rounded(rate(size))])),
    ratio: rounded(small / large, 2),
    failed: [...runs.values()].flat().reduce((sum, { failed }) => sum + failed, 0),
  })
}
for (const { server, installation } of filled) {
  await server.end("SIGKILL")
  installation.remove()
}
report({
  name: "scale",
  title: "A full database against a nearly empty one",
  rows,
  notes: [
    `Median of ${rounds} rounds of ${seconds} s each after one to warm up, ${connections} connections; the ratio's aim is at most 1.2.`,
    "Read tasks are picked at random among those of the asking key.",
  ],
})
