/**
 * What one task costs from submission to result: CPU of the server and its parsing processes, transactions that write,
 * write-ahead log, and bytes that stay. Run it before and after a change: results keep the columns of every label.
 *
 * `npm run bench -- benchmarks/cost.ts [--label before] [--tasks 100]`
 */
import { execFileSync } from "node:child_process"
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { parseArgs } from "node:util"
import { Client } from "pg"
import { root } from "../scripts/workspace.ts"
import { type PostgresServer, startPostgres } from "../test/support/postgresServer.ts"
import { cpuMillisOf } from "../test/support/processes.ts"
import {
  call,
  formOf,
  type Installation,
  install,
  makeAccount,
  serve,
  textAt,
} from "../test/support/server.ts"
import { deckOf, styledSlides } from "./support/deck.ts"
import { type Row, report, rounded } from "./support/report.ts"
import { startVendor, vendorConfig } from "./support/vendor.ts"

const { values } = parseArgs({
  options: { label: { type: "string", default: "now" }, tasks: { type: "string", default: "100" } },
})
const { label } = values
const tasks = Number(values.tasks)
const warmTasks = 20
const deckSlides = 10
const many = 100_000_000

/** What the store has done since it was made, and what it holds. */
interface Counters {
  readonly writes: number
  readonly logBytes: number
  readonly storedBytes: number
  /** Of the database's own processes. */
  readonly cpuMillis: number
}

interface Store {
  readonly name: string
  readonly installation: Installation
  readonly count: () => Promise<Counters>
  readonly close: () => Promise<void>
}

const vendor = await startVendor()
const base = vendorConfig(vendor.url)
const config = {
  ...base,
  limits: { ...base.limits, tool_files_per_user_max: many, tool_tasks_per_user_max: many },
}

/** How often SQLite's log is looked at; it begins again at its start when it is long. */
const logLookMs = 5
const frameBytes = 4096 + 24

/**
 * Transactions and frames of SQLite's log, from the header of its shared index: the number of commits, the length of
 * the log, and a salt that is another one when the log begins again.
 */
const watchLog = (file: string) => {
  const header = Buffer.alloc(48)
  let commits = 0
  let salt = -1
  let length = 0
  let before = 0
  const look = () => {
    const index = openSync(`${file}-shm`, "r")
    readSync(index, header, 0, header.length, 0)
    closeSync(index)
    commits = header.readUInt32LE(8)
    if (header.readUInt32LE(32) !== salt) before += length
    salt = header.readUInt32LE(32)
    length = header.readUInt32LE(16)
  }
  const timer = setInterval(look, logLookMs)
  return {
    read: () => {
      look()
      return { writes: commits, logBytes: (before + length) * frameBytes }
    },
    close: () => clearInterval(timer),
  }
}

const onSqlite = async (): Promise<Store> => {
  const installation = await install(config)
  const file = join(installation.directory, "data", "atelier.db")
  let log: ReturnType<typeof watchLog> | undefined
  return {
    name: "SQLite",
    installation,
    count: async () => {
      log ??= watchLog(file)
      const database = new DatabaseSync(file, { readOnly: true })
      const pages = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0])
      const storedBytes = (pages("page_count") - pages("freelist_count")) * pages("page_size")
      database.close()
      return { ...log.read(), storedBytes, cpuMillis: 0 }
    },
    close: async () => log?.close(),
  }
}

const onPostgres = async (postgres: PostgresServer): Promise<Store> => {
  const url = await postgres.emptyDatabase()
  const made = await install(config)
  const client = new Client({ connectionString: url })
  await client.connect()
  const one = async (text: string) => Object.values((await client.query(text)).rows[0])[0]
  const folder = String(await one("SHOW data_directory"))
  const first = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[0])
  return {
    name: "Postgres",
    installation: { ...made, environment: { ...made.environment, ATELIER_DATABASE_URL: url } },
    count: async () => ({
      // Ids are given to transactions that write.
      writes: Number(await one("SELECT pg_snapshot_xmax(pg_current_snapshot())::text")),
      logBytes: Number(await one("SELECT pg_current_wal_lsn() - '0/0'")),
      storedBytes: Number(await one("SELECT pg_database_size(current_database())")),
      cpuMillis: cpuMillisOf(first),
    }),
    close: () => client.end(),
  }
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

const text = "A line of some words, as people write them.\n".repeat(23)
const deck = new Uint8Array(await deckOf(styledSlides(deckSlides)))

const expect = (answer: { readonly status: number; readonly body: unknown }, status: number): unknown => {
  if (answer.status !== status) throw new Error(`answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

let sent = 0
const image = (model: string) => async (url: string, key: string) => {
  const json = { model, prompt: "a lighthouse", size: "1024x1024" }
  const accepted = expect(await call(`${url}/v1/images/tasks`, { key, json, headers: keyed() }), 202)
  const done = await call(`${url}/v1/tasks/${textAt(accepted, "task_id")}?wait=60`, { key })
  if (textAt(done.body, "state") !== "completed") throw new Error(JSON.stringify(done.body))
}
const document = (tool: string, name: string, content: string | Uint8Array<ArrayBuffer>) => {
  return async (url: string, key: string) => {
    const form = formOf(name, content)
    const file = expect(await call(`${url}/v1/tools/${tool}/files`, { key, form }), 201)
    const json = { input: { file_id: textAt(file, "id") } }
    const path = `${url}/v1/tools/${tool}/invoke`
    const accepted = expect(await call(path, { key, json, headers: keyed() }), 202)
    const id = textAt(accepted, "task_id")
    await call(`${url}/v1/tasks/${id}?wait=60`, { key })
    expect(await call(`${url}/v1/tasks/${id}/result`, { key }), 200)
  }
}
const keyed = () => ({ "idempotency-key": `cost-task-${++sent}` })

const kinds = {
  "image, passed through": image("gen-image-2"),
  "image, archived": image("gen-image-2.5"),
  "text of 1 kB": document("text-md-json", "note.txt", text),
  [`deck of ${rounded(deck.length / 1000)} kB`]: document("pptx-md-json", "deck.pptx", deck),
}

const run = async (count: number, callers: number, each: () => Promise<void>) => {
  let begun = 0
  const caller = async () => {
    while (begun++ < count) await each()
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

const settleMs = 300
const pause = () => new Promise((resolve) => setTimeout(resolve, settleMs))

const measure = async (store: Store): Promise<ReadonlyArray<Row>> => {
  const server = await serve(store.installation)
  const pid = server.process.pid ?? 0
  const blobs = join(store.installation.directory, "data", "blobs")
  const { key } = await makeAccount(server.url, 1_000_000)
  const rows: Array<Row> = []
  for (const [task, whole] of Object.entries(kinds)) {
    await run(warmTasks, 4, () => whole(server.url, key))
    for (const callers of [1, 16]) {
      await pause()
      const look = async () => ({
        ...(await store.count()),
        server: cpuMillisOf(pid),
        blobBytes: bytesBelow(blobs),
      })
      const before = await look()
      await run(tasks, callers, () => whole(server.url, key))
      await pause()
      const after = await look()
      const of = (name: keyof typeof after, digits: number) =>
        rounded((after[name] - before[name]) / tasks, digits)
      rows.push({
        store: store.name,
        task,
        callers,
        [`CPU ms, ${label}`]: of("server", 1),
        [`CPU ms of Postgres, ${label}`]: store.name === "Postgres" ? of("cpuMillis", 1) : "",
        [`writing transactions, ${label}`]: of("writes", 1),
        [`log bytes, ${label}`]: of("logBytes", 0),
        [`database bytes, ${label}`]: of("storedBytes", 0),
        [`blob bytes, ${label}`]: of("blobBytes", 0),
      })
    }
  }
  await store.close()
  await server.end("SIGTERM")
  store.installation.remove()
  return rows
}

/** The rows of an earlier run, without the columns of this label. */
const earlier = (): { readonly rows: ReadonlyArray<Row>; readonly notes: ReadonlyArray<string> } => {
  try {
    return JSON.parse(readFileSync(join(root, "benchmarks", "results", "cost.json"), "utf8"))
  } catch {
    return { rows: [], notes: [] }
  }
}

const merged = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const old = earlier().rows
  const same = (a: Row, b: Row) => ["store", "task", "callers"].every((column) => a[column] === b[column])
  return rows.map((row) => {
    const kept = Object.entries(old.find((each) => same(each, row)) ?? {})
    const others = kept.filter(([column]) => !column.endsWith(`, ${label}`))
    const all: Row = { ...Object.fromEntries(others), ...row }
    // Columns of one measure stand side by side.
    const measures = [...new Set(Object.keys(all).map((column) => column.split(", ")[0] ?? column))]
    return Object.fromEntries(
      measures.flatMap((name) => Object.entries(all).filter(([column]) => column.split(", ")[0] === name)),
    )
  })
}

const postgres = await startPostgres({ durable: true })
const measured = [...(await measure(await onSqlite())), ...(await measure(await onPostgres(postgres)))]
await postgres.stop()
vendor.close()

const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim()
const labelled = `Label ${label}: `
report({
  name: "cost",
  title: "What a task costs, from submission to result",
  rows: merged(measured),
  notes: [
    ...earlier().notes.filter((note) => note.startsWith("Label ") && !note.startsWith(labelled)),
    `${labelled}commit ${commit}, ${tasks} tasks a row after ${warmTasks} to warm up.`,
    "Each figure is for one task. CPU is that of the server and its parsing processes, in steps of 10 ms for a row; the vendor answers at once from another process.",
    "An image is submitted and waited for; a document is uploaded, invoked, waited for, and its Markdown read. With 16 callers, transactions on SQLite share commits: counted are those of the disk.",
    "Log: SQLite's frames of 4,120 bytes; on Postgres with whole pages after a checkpoint, of which a short run has more than a long one. Database: pages in use, indexes included. Blobs: uploaded files and results, which are removed after two hours, and images.",
  ],
})
