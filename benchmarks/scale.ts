/**
 * Whether the service slows down as it fills: reading, listing, durable submission and whole tasks (submission, claim,
 * start, end) with many stored tasks against 1,000, on two servers side by side, measured in turn. The stored tasks
 * are rows made by SQL, those of 1,000 users, with their ledger rows and idempotency records; one in 100 is of the key
 * that asks.
 *
 * `npm run bench -- benchmarks/scale.ts [--store sqlite|postgres] [--tasks 1000000] [--seconds 4] [--rounds 3] [--pause]`
 *
 * `--pause`: when the rows are there it waits for SIGUSR2, so that on a shared machine only the second part is alone.
 */
import { once } from "node:events"
import { parseArgs } from "node:util"
import { startPostgres } from "../test/support/postgresServer.ts"
import {
  adminToken,
  call,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "../test/support/server.ts"
import { ownEvery, postgresRows, sqliteRows } from "./support/fill.ts"
import { load, type Measured } from "./support/load.ts"
import { median, report, rounded } from "./support/report.ts"
import { startVendor, vendorConfig } from "./support/vendor.ts"

const { values } = parseArgs({
  options: {
    store: { type: "string", default: "sqlite" },
    tasks: { type: "string", default: "1000000" },
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    pause: { type: "boolean", default: false },
  },
})
const onPostgres = values.store === "postgres"
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const sizes = [1_000, Number(values.tasks)]
const connections = 32
const callers = 16
const pathsMax = 20_000

const vendor = await startVendor()
const base = vendorConfig(vendor.url)
const config = {
  ...base,
  channels: [
    ...base.channels,
    { id: "slow", adapter: "faulty", models: { "imagine-image-2.0": "imagine-image-2.0" } },
  ],
}
/** Stays unfinished: its submission is measured alone. */
const submission = { model: "imagine-image-2.0", prompt: "a lighthouse [slow 1h]" }
/** The vendor answers at once. */
const whole = { model: "gen-image-2", prompt: "a lighthouse", size: "1024x1024" }

const idOf = (number: number): string => `imgtask_${String(number).padStart(26, "0")}`

interface Filled {
  readonly size: number
  readonly installation: Installation
  readonly server: Server
  readonly key: string
}

const postgres = onPostgres ? await startPostgres({ durable: true }) : undefined

const prepare = async (size: number): Promise<Filled> => {
  const made = await install(config)
  const url = await postgres?.emptyDatabase()
  const installation =
    url === undefined ? made : { ...made, environment: { ...made.environment, ATELIER_DATABASE_URL: url } }
  const first = await serve(installation)
  const { key } = await makeAccount(first.url, 10_000_000)
  const headers = { "idempotency-key": "the first" }
  const answer = await call(`${first.url}/v1/images/tasks`, { key, json: whole, headers })
  const id = textAt(answer.body, "task_id")
  await call(`${first.url}/v1/tasks/${id}?wait=30`, { key })
  await first.end("SIGTERM")
  const began = performance.now()
  await (url === undefined ? sqliteRows(installation, id, size) : postgresRows(url, id, size))
  console.log(`${size} tasks stored in ${rounded((performance.now() - began) / 1000, 1)} s`)
  return { size, installation, server: await serve(installation), key }
}

/** Tasks that are submitted and waited for, one after another by each caller. */
const wholeTasks = async ({ server, key }: Filled): Promise<Measured> => {
  const times: Array<number> = []
  let failed = 0
  const until = performance.now() + seconds * 1000
  const caller = async () => {
    while (performance.now() < until) {
      const began = performance.now()
      const { body } = await call(`${server.url}/v1/images/tasks`, { key, json: whole })
      const done = await call(`${server.url}/v1/tasks/${textAt(body, "task_id")}?wait=60`, { key })
      if (textAt(done.body, "state") !== "completed") failed += 1
      times.push(performance.now() - began)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: callers }, caller))
  return {
    perSecond: (times.length / (performance.now() - began)) * 1000,
    p50: median(times),
    p99: Number.NaN,
    failed,
  }
}

const get = ({ server, key }: Filled, path: string, paths?: ReadonlyArray<string>) =>
  load({
    url: `${server.url}${path}`,
    method: "GET",
    headers: { authorization: `Bearer ${key}` },
    connections,
    seconds,
    ...(paths === undefined ? {} : { paths }),
  })

const measures = {
  "GET /v1/tasks/{id}": (filled: Filled) =>
    get(
      filled,
      "",
      Array.from(
        { length: Math.min(pathsMax, filled.size / ownEvery) },
        () => `/v1/tasks/${idOf(ownEvery * (1 + Math.floor(Math.random() * (filled.size / ownEvery))))}`,
      ),
    ),
  "GET /v1/tasks?limit=20": (filled: Filled) => get(filled, "/v1/tasks?limit=20"),
  "submit, claim, run, end": wholeTasks,
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
  "GET /admin/v1/stats": ({ server }: Filled) =>
    load({
      url: `${server.url}/admin/v1/stats`,
      method: "GET",
      headers: { authorization: `Bearer ${adminToken}` },
      connections: 1,
      seconds: 1,
    }),
}

const filled: Array<Filled> = []
for (const size of sizes) filled.push(await prepare(size))
if (values.pause) {
  console.log(`ready to measure: send SIGUSR2 to ${process.pid}`)
  const alive = setInterval(() => {}, 1000)
  await once(process, "SIGUSR2")
  clearInterval(alive)
}
const rows: Array<Record<string, string | number>> = []
for (const [request, measure] of Object.entries(measures)) {
  const runs = new Map<number, Array<Measured>>(sizes.map((size) => [size, []]))
  for (const each of filled) await measure(each)
  for (let round = 0; round < rounds; round++) {
    for (const each of filled) runs.get(each.size)?.push(await measure(each))
  }
  const middle = (size: number, of: "perSecond" | "p50") =>
    median((runs.get(size) ?? []).map((each) => each[of]))
  const [small = 0, large = 0] = sizes.map((size) => middle(size, "perSecond"))
  rows.push({
    request,
    ...Object.fromEntries(
      sizes.map((size) => [`${size} tasks, per second`, rounded(middle(size, "perSecond"))]),
    ),
    ratio: rounded(small / large, 2),
    ...Object.fromEntries(sizes.map((size) => [`${size} tasks, median ms`, rounded(middle(size, "p50"), 1)])),
    failed: [...runs.values()].flat().reduce((sum, { failed }) => sum + failed, 0),
  })
  console.log(rows.at(-1))
}
for (const { server, installation } of filled) {
  await server.end("SIGKILL")
  installation.remove()
}
await postgres?.stop()
vendor.close()
report({
  name: onPostgres ? "scale-postgres" : "scale",
  title: `A full database against a nearly empty one, ${onPostgres ? "Postgres" : "SQLite"}`,
  rows,
  notes: [
    `Median of ${rounds} rounds of ${seconds} s each after one to warm up, ${connections} connections, of whole tasks ${callers} callers, of the stats one; the ratio's aim is at most 1.1.`,
    "Read tasks are picked at random among those of the asking key. Submitted tasks are never run; whole tasks are, by a vendor that answers at once, `passthrough`.",
  ],
})
