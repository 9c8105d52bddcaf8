import { once } from "node:events"
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Client } from "pg"
import { startPostgres } from "../test/support/postgresServer.ts"
import { adminToken, at, type Installation, install, serve, textAt } from "../test/support/server.ts"
import { root } from "./workspace.ts"

/**
 * Writes the databases of a release with work in them, for the test of upgrades:
 * `node --conditions=atelier:source scripts/release-fixture.ts CHECKOUT VERSION`. The checkout is the release's own,
 * with its dependencies installed; its server is filled, and killed while tasks run and wait.
 */

const [checkout, version] = process.argv.slice(2)
if (checkout === undefined || version === undefined) throw new Error("CHECKOUT and VERSION are missing")

const yearsMs = 50 * 365 * 24 * 60 * 60 * 1000
const many = 1_000_000
/** One job of a kind at once: others wait. Deadlines are far away, because the fixture is used for years. */
const limits = {
  image_jobs_concurrent_max: 1,
  tool_jobs_concurrent_max: 1,
  image_task_deadline_ms: yearsMs,
  tool_task_deadline_ms: yearsMs,
  tool_file_retention_ms: yearsMs,
  tool_result_retention_ms: yearsMs,
  idempotency_retention_ms: yearsMs,
  rate_per_minute: many,
  rate_burst: many,
}
const channels = [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }]

/** As in the tests, without the check against the contract of this checkout. */
const call = async (url: string, key: string, json?: object, more: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(url, {
    method: json === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...more },
    body: json === undefined ? null : JSON.stringify(json),
  })
  const body: unknown = await response.json()
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(body)}`)
  return body
}

const upload = async (url: string, key: string, name: string, text: string) => {
  const body = new FormData()
  body.append("file", new Blob([text]), name)
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${url}/v1/tools/file-md-json/files`, { method: "POST", headers, body })
  return textAt(await response.json(), "id")
}

/** A converter that takes documents and never answers: what it converts is running, the next one waits. */
const silentConverter = async () => {
  const server = createServer((request) => void request.resume()).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` }
}

const until = async (url: string, key: string, id: string, state: string) => {
  for (;;) {
    const task = await call(`${url}/v1/tasks/${id}`, key)
    if ((at(task, "state") ?? at(task, "status")) === state) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const fill = async (url: string) => {
  const admin = (path: string, json: object) => call(`${url}/admin/v1${path}`, adminToken, json)
  const userOf = async (name: string, usd: number) =>
    textAt(await admin("/users", { name, balance_usd: usd }), "id")
  const [ada, grace] = [await userOf("Ada", 10), await userOf("Grace", 5)]
  const key = textAt(await admin(`/users/${ada}/keys`, { name: "main" }), "key")
  const limited = textAt(await admin(`/users/${grace}/keys`, { name: "limited", quota_usd: 1 }), "key")
  const off = await admin(`/users/${grace}/keys`, { name: "off" })
  await fetch(`${url}/admin/v1/keys/${textAt(off, "id")}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ disabled: true }),
  })
  await admin(`/users/${ada}/grants`, { usd: "2.5", reason: "a second grant" })

  const image = async (by: string, name: string, prompt: string, more: object = {}) => {
    const json = { model: "gen-image-2", prompt, size: "64x64", ...more }
    return textAt(await call(`${url}/v1/images/tasks`, by, json, { "idempotency-key": name }), "task_id")
  }
  const parse = async (name: string) => {
    const fileId = await upload(url, key, `${name}.html`, `<h1>${name}</h1><p>Text.</p>`)
    const json = { input: { file_id: fileId } }
    const headers = { "idempotency-key": name }
    return textAt(await call(`${url}/v1/tools/file-md-json/invoke`, key, json, headers), "id")
  }
  const ended: Record<string, { id: string; state: string }> = {}
  for (const [name, prompt, state] of [
    ["completed", "a lighthouse", "completed"],
    ["refused", "a lighthouse [reject]", "failed"],
    ["partial", "three lighthouses [partial 2]", "completed"],
  ] as const) {
    const id = await image(key, `key-${name}`, prompt, name === "partial" ? { n: 3 } : {})
    await until(url, key, id, state)
    ended[name] = { id, state }
  }
  const running = await image(key, "key-running", "a slow lighthouse [slow 3s]")
  await until(url, key, running, "in_progress")
  const document = await parse("document-running")
  await until(url, key, document, "running")
  const unfinished = {
    running,
    queued: await image(key, "key-queued", "a waiting lighthouse"),
    limited: await image(limited, "key-limited", "a waiting lighthouse of another user"),
    document,
    waiting: await parse("document-waiting"),
  }
  return { users: { ada, grace }, keys: { key, limited, off: textAt(off, "key") }, ended, unfinished }
}

/** Fills an installation of the release and kills it with work under way. */
const filled = async (home: Installation) => {
  const server = await serve(home, "serve", [], checkout)
  const made = await fill(server.url)
  await server.end("SIGKILL")
  return made
}

const folder = join(root, "test", "fixtures", `release-${version}`)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const converter = await silentConverter()
const config = {
  channels,
  limits,
  converter: { adapter: "docling-serve", base_url: converter.url },
  network: { allow_private: ["127.0.0.1/32"] },
}
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

const onSqlite = async () => {
  const home = await install(config)
  const made = await filled(home)
  const data = join(home.directory, "data")
  const database = new DatabaseSync(join(data, "atelier.db"))
  database.exec(`VACUUM INTO '${join(folder, "atelier.db").replaceAll("'", "''")}'`)
  database.close()
  cpSync(join(data, "blobs/objects"), join(folder, "blobs-sqlite/objects"), { recursive: true })
  write("sqlite.json", `${JSON.stringify(made, null, 2)}\n`)
  home.remove()
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return "NULL"
  if (value instanceof Date) return `'${value.toISOString()}'`
  return typeof value === "number" || typeof value === "bigint"
    ? String(value)
    : `'${String(value).replaceAll("'", "''")}'`
}

/** Tables as the release makes them, and their rows. graphile-worker's own tables are not in it. */
const dump = async (url: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const schema = readFileSync(join(checkout, "packages/sql/schema/postgres.sql"), "utf8")
  const migrations = `CREATE TABLE migrations (migration_id integer PRIMARY KEY,
  created_at timestamp with time zone NOT NULL DEFAULT now(), name text NOT NULL);`
  // Tables are in the order of their names: what refers to others comes after all of them.
  const isReference = (line: string) => line.includes("FOREIGN KEY")
  const lines = schema.split("\n")
  const parts = [...lines.filter((line) => !isReference(line)), ...lines.filter(isReference), migrations]
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'
      ORDER BY tablename <> 'users', tablename`,
  )
  for (const { name } of tables) {
    const { rows } = await client.query<Record<string, unknown>>(`SELECT * FROM "${name}"`)
    for (const row of rows) {
      const columns = Object.keys(row).map((column) => `"${column}"`)
      parts.push(`INSERT INTO "${name}" (${columns}) VALUES (${Object.values(row).map(literal).join(", ")});`)
    }
    if (rows[0] !== undefined && "sequence" in rows[0]) {
      parts.push(
        `SELECT setval(pg_get_serial_sequence('${name}', 'sequence'), max(sequence)) FROM "${name}";`,
      )
    }
  }
  await client.end()
  return `${parts.join("\n")}\n`
}

const onPostgres = async () => {
  const postgres = await startPostgres()
  const url = await postgres.database()
  const made = await install(config)
  const home = { ...made, environment: { ...made.environment, ATELIER_DATABASE_URL: url } }
  const content = await filled(home)
  write("postgres.sql", await dump(url))
  cpSync(join(home.directory, "data/blobs/objects"), join(folder, "blobs-postgres/objects"), {
    recursive: true,
  })
  write("postgres.json", `${JSON.stringify(content, null, 2)}\n`)
  home.remove()
  await postgres.stop()
}

await onSqlite()
await onPostgres()
write(
  "atelier.config.json",
  `${JSON.stringify({ channels, limits: { ...limits, image_jobs_concurrent_max: 16, tool_jobs_concurrent_max: 8 } }, null, 2)}\n`,
)
converter.server.closeAllConnections()
converter.server.close()
