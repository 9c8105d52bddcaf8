import { spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:https"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import * as fc from "fast-check"
import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { move, onPostgres, source } from "./support/move.ts"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import { seeded } from "./support/random.ts"
import { startS3 } from "./support/s3Server.ts"
import {
  type Account,
  adminToken,
  at,
  call,
  commandsOf,
  formOf,
  type Installation,
  install,
  makeAccount,
  run,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

const config = {
  channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
  limits: { image_jobs_concurrent_max: 2, job_lease_ms: 1_000 },
  network: { allow_private: ["127.0.0.1/32"] },
}
const tool = "text-md-json"

/** A customer's server: what it answers, and the ids of the callbacks that it was sent. */
const fixture = (name: string) => join(import.meta.dirname, "image-tasks", "fixtures", name)
let status = 503
const delivered: Array<string> = []
const receiver = createServer(
  { cert: readFileSync(fixture("receiver.cert.pem")), key: readFileSync(fixture("receiver.key.pem")) },
  (request, response) => {
    if (status === 204) delivered.push(String(request.headers["webhook-id"]))
    request.resume()
    response.writeHead(status).end()
  },
)

let postgres: PostgresServer
let home: Installation
let filled: Filled

/** What the server on SQLite answered before it was killed. */
interface Filled {
  readonly account: Account
  /** Answers of GET, by path: what is final does not change. */
  readonly answers: ReadonlyMap<string, unknown>
  readonly media: ReadonlyArray<string>
  /** Accepted and not final when the server was killed. */
  readonly unfinished: ReadonlyArray<string>
  /** Bodies that were accepted, by idempotency key, with their task. */
  readonly submitted: ReadonlyMap<string, { readonly json: unknown; readonly task: string }>
}

beforeAll(async () => {
  postgres = await startPostgres()
  receiver.listen(0, "127.0.0.1")
  await once(receiver, "listening")
  home = await installed()
  filled = await fill(home)
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  home.remove()
  await postgres.stop()
})

const installed = async (): Promise<Installation> => {
  const made = await install(config)
  return { ...made, environment: { ...made.environment, NODE_EXTRA_CA_CERTS: fixture("receiver.cert.pem") } }
}

const submit = async (url: string, key: string, idempotencyKey: string, json: unknown) => {
  const headers = { "idempotency-key": idempotencyKey }
  return call(`${url}/v1/images/tasks`, { key, headers, json })
}

const callbackUrl = () => {
  const address = receiver.address()
  return `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hook`
}

const isFinal = (body: unknown) =>
  ["completed", "failed", "succeeded"].includes(String(at(body, "state") ?? at(body, "status")))

/** Uses every table, and kills the server with work under way. */
const fill = async (installation: Installation): Promise<Filled> => {
  const server = await serve(installation)
  const { url } = server
  const account = await makeAccount(url, 10)
  const { key } = account
  const submitted = new Map<string, { json: unknown; task: string }>()
  const requests: Array<string> = []
  const image = async (prompt: string, more: object = {}) => {
    const json = { model: "gen-image-2", prompt, size: "256x256", n: 2, ...more }
    const answer = await submit(url, key, prompt, json)
    expect(answer.status).toBe(202)
    submitted.set(prompt, { json, task: textAt(answer.body, "task_id") })
    requests.push(answer.headers.get("x-request-id") ?? "")
    return textAt(answer.body, "task_id")
  }
  const document = async (text: string) => {
    const upload = await call(`${url}/v1/tools/${tool}/files`, { key, form: formOf("note.md", text) })
    const file = textAt(upload.body, "id")
    const headers = { "idempotency-key": `document-of-${file}` }
    const answer = await call(`${url}/v1/tools/${tool}/invoke`, {
      key,
      headers,
      json: { input: { file_id: file } },
    })
    return { file, task: textAt(answer.body, "id") }
  }
  const final = async (task: string) => {
    const { body } = await call(`${url}/v1/tasks/${task}?wait=30`, { key })
    expect(isFinal(body), JSON.stringify(body)).toBe(true)
    return body
  }

  const admin = { key: adminToken, method: "PATCH" }
  await call(`${url}/admin/v1/models/gen-image-2`, { ...admin, json: { price: "0.07" } })
  await call(`${url}/admin/v1/tools/${tool}`, { ...admin, json: { unit_price: "0.0003" } })
  const limits = { name: "limited", models: ["dream-*"], quota_usd: 1.5, rate_per_minute: 7 }
  await call(`${url}/admin/v1/users/${account.user}/keys`, { key: adminToken, json: limits })

  const ended = await Promise.all(
    ["a lighthouse", "a storm [fail]", "a wreck [reject]", "two gulls [partial 1]"].map((prompt) =>
      image(prompt),
    ),
  )
  ended.push(await image("a bell", { callback_url: callbackUrl() }))
  const parsed = await document("# Moved\n\nÄ ☃ \n")
  // The bytes of this one and its results are blobs, those of the first are rows.
  const large = await document("# Large\n\n".repeat(10_000))
  const bodies = [...(await Promise.all(ended.map(final))), await final(parsed.task), await final(large.task)]

  const unfinished = [await image("a tide [slow 10s]"), await image("a wave [slow 10s]")]
  for (let running = 0; running < 2; await setTimeout(20)) {
    const states = await Promise.all(unfinished.map((id) => call(`${url}/v1/tasks/${id}`, { key })))
    running = states.filter(({ body }) => at(body, "state") === "in_progress").length
  }
  unfinished.push(await image("a queue"), await image("another queue"), (await document("# Late\n")).task)

  const paths = [
    ...[...ended, parsed.task].flatMap((id) => [`/v1/tasks/${id}`, `/v1/tasks/${id}/history`]),
    `/v1/tasks/${parsed.task}/result?format=markdown`,
    `/v1/tasks/${large.task}/result?format=json`,
    `/v1/tool-files/${parsed.file}`,
    `/v1/models/gen-image-2`,
    `/v1/tools`,
    "/admin/v1/audit",
    `/admin/v1/tasks?request_id=${requests[0]}`,
    `/admin/v1/users/${account.user}/keys`,
  ]
  const answers = new Map<string, unknown>()
  for (const path of paths) {
    const answer = await call(`${url}${path}`, { key: path.startsWith("/admin") ? adminToken : key })
    expect([path, answer.status]).toEqual([path, 200])
    answers.set(path, answer.body)
  }
  await server.end("SIGKILL")
  const media = bodies.flatMap((body) => at(body, "result_url") ?? []).map(String)
  return { account, answers, media, unfinished, submitted }
}

/** The killed installation again, in a folder of its own, with the same port. */
const copyOf = async (): Promise<Installation> => {
  const copy = await installed()
  cpSync(join(home.directory, "data"), join(copy.directory, "data"), { recursive: true })
  return {
    ...copy,
    environment: { ...copy.environment, ATELIER_PORT: new URL(home.url).port },
    url: home.url,
  }
}

const withBlobs = ["--from-blobs", "file:data/blobs", "--to-blobs", "file:moved"]

type Rows = ReadonlyArray<Record<string, unknown>>

/** A connection to a database, as another program would make it. */
const connected = async <A>(url: string, use: (ask: (text: string) => Promise<Rows>) => Promise<A>) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(async (text) => (await client.query<Record<string, unknown>>(text)).rows)
  } finally {
    await client.end()
  }
}

const query = (url: string, text: string): Promise<Rows> => connected(url, (ask) => ask(text))

/** Media of the source are gone, so that a server that shows them shows what was carried over. */
const forgetSource = ({ directory }: Installation) => rmSync(join(directory, "data"), { recursive: true })

const expectSame = async (server: Server) => {
  const { account, answers, media, submitted, unfinished } = filled
  for (const [path, body] of answers) {
    const key = path.startsWith("/admin") ? adminToken : account.key
    expect([path, (await call(`${server.url}${path}`, { key })).body]).toEqual([path, body])
  }
  expect(media.length).toBeGreaterThan(2)
  for (const link of media) expect((await fetch(link)).status).toBe(200)
  for (const [name, { json, task }] of submitted) {
    const replay = await submit(server.url, account.key, name, json)
    expect([replay.status, at(replay.body, "task_id")]).toEqual([202, task])
  }
  for (const id of unfinished) {
    const { body } = await call(`${server.url}/v1/tasks/${id}?wait=30`, { key: account.key })
    expect(["completed", "succeeded"]).toContain(at(body, "state") ?? at(body, "status"))
    const history = await call(`${server.url}/v1/tasks/${id}/history`, { key: account.key })
    const steps = at(history.body, "data")
    const ends = Array.isArray(steps) ? steps.filter((step) => isFinal({ state: at(step, "to") })) : []
    expect(ends).toHaveLength(1)
  }
  const stats = await call(`${server.url}/admin/v1/stats?check=true`, { key: adminToken })
  expect(at(stats.body, "ledger_mismatches")).toEqual([])
}

describe("atelier migrate --from sqlite:… --to postgres://…", { timeout: 300_000 }, () => {
  it("an installation whose server was killed goes on on Postgres: same answers, same money, work finished once", async () => {
    const installation = await copyOf()
    const url = await postgres.emptyDatabase()
    const moved = await move(installation, url, ...withBlobs)
    expect(moved.stderr).not.toContain("atelier:")
    expect(moved.code).toBe(0)
    expect(moved.stdout).toContain("Everything is there and the same.")

    const jobs = await query(
      url,
      `SELECT jobs.leased_by, jobs.attempt, jobs.lost, queued.key FROM jobs
        LEFT JOIN graphile_worker.jobs AS queued ON split_part(queued.key, ':', 1) = jobs.task_id ORDER BY jobs.task_id`,
    )
    expect(jobs.length).toBeGreaterThan(filled.unfinished.length - 1)
    expect(jobs.filter(({ leased_by, key }) => leased_by !== null || key === null)).toEqual([])
    expect(jobs.filter(({ lost }) => lost === "1").length).toBeGreaterThan(1)

    const running = await query(
      url,
      `SELECT id, detail::json -> 'upstream' ->> 'upstreamId' AS upstream FROM tasks WHERE state = 'in_progress'`,
    )
    expect(running.length).toBeGreaterThan(1)
    for (const { id, upstream } of running) expect(upstream).toBe(`faulty-${id}`)

    const again = await move(installation, url, ...withBlobs)
    expect([again.code, again.stderr]).toEqual([0, ""])
    expect(again.stdout).toContain("nothing left to carry over")

    forgetSource(installation)
    const server = await serve(onPostgres(installation, url))
    try {
      status = 204
      await expectSame(server)
      while (delivered.length === 0) await setTimeout(50)
      expect(delivered).toHaveLength(1)
      const next = await submit(server.url, filled.account.key, "the-next", {
        model: "gen-image-2",
        prompt: "next",
      })
      expect(next.status).toBe(202)
    } finally {
      await server.end("SIGTERM")
      installation.remove()
    }
  })

  it("killed at any moment and run again it resumes, with the same result", async () => {
    const seed = Number(process.env["ATELIER_TEST_SEED"] ?? Date.now() % 1_000_000)
    console.log(`migrate test: seed ${seed} (repeat with ATELIER_TEST_SEED=${seed})`)
    const random = seeded(seed)
    const installation = await copyOf()
    const rowsCount = 60_000
    grow(join(installation.directory, "data", "atelier.db"), rowsCount)
    const url = await postgres.emptyDatabase()
    const begun: Array<number> = []
    // A move goes on while it is looked at: the last kill must leave something to do.
    for (let kills = 0; kills < 5 && (begun.at(-1) ?? 0) < rowsCount / 2; kills++) {
      const rows = (begun.at(-1) ?? 0) + 1 + random() * 3_000
      await killedMove(installation, url, { rows, pause_ms: random() * 20 })
      begun.push(await connected(url, rowsMoved))
    }
    console.log(`migrate test: rows after each kill ${begun.join(", ")}`)
    expect(begun.at(-1)).toBeGreaterThan(0)
    const half = await run(onPostgres(installation, url), ["users", "list"])
    expect(half.stderr).toContain("run it again")
    for (let kills = 0; kills < 2; kills++) {
      await killedMove(installation, url, { rows: 0, pause_ms: 500 + random() * 3_000 })
    }
    const moved = await move(installation, url, ...withBlobs)
    expect(moved).toMatchObject({ code: 0 })
    forgetSource(installation)
    const server = await serve(onPostgres(installation, url))
    try {
      await expectSame(server)
    } finally {
      await server.end("SIGTERM")
      installation.remove()
    }
  })

  it("differences are named: a damaged blob, a missing, a changed and a foreign row", async () => {
    const installation = await copyOf()
    const url = await postgres.emptyDatabase()
    expect((await move(installation, url, ...withBlobs)).code).toBe(0)
    const [image] = readdirSync(join(installation.directory, "data/blobs/objects/media"))
    const damaged = join(installation.directory, "moved/objects/media", String(image))
    appendFileSync(damaged, "x")
    const mended = await move(installation, url, ...withBlobs)
    expect(mended.code).toBe(0)
    expect(mended.stdout).toContain("1 copied")

    rmSync(damaged)
    writeFileSync(join(installation.directory, "data/blobs/objects/media", String(image)), "x")
    const blob = await move(installation, url, ...withBlobs)
    expect(blob.code).toBe(1)
    expect(blob.stderr).toContain(`media/${image}`)
    expect(blob.stderr).toContain("damaged in the source")
    const staying = await move(installation, url, "--from-blobs", "file:data/blobs")
    expect(staying.stderr).toContain("has 1 bytes in place of")

    await query(url, "DELETE FROM idempotency WHERE idempotency_key = 'a lighthouse'")
    await query(url, "UPDATE tasks SET detail = replace(detail, 'lighthouse', 'lighthorse')")
    await query(url, "UPDATE accounts SET wallet = wallet - 1, spent = spent + 1")
    await query(url, "INSERT INTO users VALUES ('usr_foreign', 'x', 0, 1)")
    const rows = await move(installation, url)
    expect(rows.code).toBe(1)
    for (const words of [
      "missing: key_",
      "different: 1",
      "extra: usr_foreign",
      "accounts differs",
      "balances differ",
    ]) {
      expect(rows.stderr).toContain(words)
    }
    expect(rows.stderr).toContain(`the balance of ${filled.account.user} is not the sum of its transfers`)
    installation.remove()
  })

  it("blobs are copied to a bucket, and a move that was killed while it copied goes on", async () => {
    const s3 = await startS3()
    const bucket = await s3.bucket()
    const copy = await copyOf()
    const installation = { ...copy, environment: { ...copy.environment, ...s3.credentials } }
    const url = await postgres.emptyDatabase()
    const blobs = `s3://${bucket}/atelier?endpoint=${s3.endpoint}`
    const flags = ["--from-blobs", "file:data/blobs", "--to-blobs", blobs]
    try {
      let copied = 0
      s3.disturb(({ method, key }) => {
        if (method !== "PUT" || !key.includes("/media/")) return undefined
        copied += 1
        return copied > 1 ? { kind: "silence" } : undefined
      })
      await killedMove(installation, url, { flags, rows: 1, pause_ms: 2_000 })
      s3.disturb(undefined)
      expect(await move(installation, url, ...flags)).toMatchObject({ code: 0 })
      const media = (await s3.keys(bucket)).filter((key) => key.includes("/media/"))
      expect(media.length).toBeGreaterThan(2)
      forgetSource(installation)
      const server = await serve({
        ...installation,
        environment: { ...installation.environment, ATELIER_DATABASE_URL: url, ATELIER_BLOB_URL: blobs },
      })
      await expectSame(server)
      await server.end("SIGTERM")
    } finally {
      await s3.stop()
      installation.remove()
    }
  })

  it("any text that a row may hold is carried over and found again in its order", async () => {
    const installation = await copyOf()
    const database = new DatabaseSync(join(installation.directory, "data", "atelier.db"))
    const insert = database.prepare("INSERT OR IGNORE INTO settings (kind, id, value) VALUES (?, ?, ?)")
    const word = fc.string({ unit: "binary", maxLength: 3 }).filter((text) => !text.includes("\0"))
    const words = [...fc.sample(word, 3_000), "", "a", "A", "ä", "\uffff", "\u{10000}", "\u{10ffff}"]
    for (const [index, each] of words.entries()) insert.run(words[index % 7] ?? "", each, each)
    insert.run("with", "U+0000", "a\0b")
    database.close()
    const url = await postgres.emptyDatabase()
    const moved = await move(installation, url)
    expect(moved).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Everything is there and the same."),
    })
    expect(await query(url, "SELECT value FROM settings WHERE kind = 'with'")).toEqual([
      { value: "a\ufffdb" },
    ])
    installation.remove()
  })

  it("tables of an application that shares the file stay where they are, and are named", async () => {
    const installation = await copyOf()
    const url = await postgres.emptyDatabase()
    const database = new DatabaseSync(join(installation.directory, "data", "atelier.db"))
    database.exec(`CREATE TABLE orders (title TEXT, price REAL, user_id TEXT REFERENCES users (id));
      INSERT INTO orders VALUES ('a bridge', 1.5, NULL)`)
    database.close()
    const moved = await move(installation, url)
    expect(moved).toMatchObject({ code: 0 })
    expect(moved.stdout).toContain("Tables of an application in the same file stay where they are: orders.")
    expect(await query(url, "SELECT to_regclass('orders') AS orders")).toEqual([{ orders: null }])
    installation.remove()
  })

  it("a table and columns that a later migration adds are copied, and reported if they are missing", async () => {
    const installation = await copyOf()
    const file = join(installation.directory, "data", "atelier.db")
    const url = await postgres.emptyDatabase()
    await run(onPostgres(installation, url), ["migrate"])
    const database = new DatabaseSync(file)
    database.exec(`ALTER TABLE users ADD COLUMN later TEXT; UPDATE users SET later = 'é' || id;
      CREATE TABLE laters (a TEXT NOT NULL, b INTEGER NOT NULL, c TEXT, PRIMARY KEY (a, b)) STRICT;
      INSERT INTO laters VALUES ('x', 2, NULL), ('x', 10, 'y')`)
    database.close()
    const refused = await move(installation, url)
    expect(refused.stderr).toContain("--to: it has no users.later\n")
    await query(url, "ALTER TABLE users ADD COLUMN later TEXT")
    await query(url, `CREATE TABLE laters (a TEXT COLLATE "C", b BIGINT, c TEXT, PRIMARY KEY (a, b))`)
    expect((await move(installation, url)).code).toBe(0)
    expect(await query(url, "SELECT a, b, c FROM laters ORDER BY b")).toEqual([
      { a: "x", b: "2", c: null },
      { a: "x", b: "10", c: "y" },
    ])
    expect(await query(url, "SELECT 1 FROM users WHERE later IS DISTINCT FROM 'é' || id")).toEqual([])
    installation.remove()
  })
})

/** More rows of what administrators changed, so that a kill falls into the middle. */
const grow = (file: string, rows: number) => {
  const database = new DatabaseSync(file)
  database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
    INSERT INTO settings (kind, id, value) SELECT 'test', 'id-' || i, 'value ' || i FROM n`)
  database.close()
}

/** Kills a move some milliseconds after so many rows are there. */
const killedMove = async (
  { directory, environment }: Installation,
  to: string,
  kill: { readonly rows: number; readonly pause_ms: number; readonly flags?: ReadonlyArray<string> },
) => {
  const args = [...commandsOf(), "migrate", "--from", source, "--to", to, ...(kill.flags ?? withBlobs)]
  const child = spawn(process.execPath, args, { cwd: directory, env: environment, stdio: "ignore" })
  const closed = once(child, "close")
  await connected(to, async (ask) => {
    while (child.exitCode === null && (await rowsMoved(ask)) < kill.rows) await setTimeout(5)
  })
  await setTimeout(kill.pause_ms)
  child.kill("SIGKILL")
  await closed
}

const rowsMoved = async (ask: (text: string) => Promise<Rows>): Promise<number> => {
  const [there] = await ask("SELECT to_regclass('atelier_move.progress') AS there")
  if (there?.["there"] === null) return 0
  const [row] = await ask("SELECT coalesce(sum(rows), 0)::int AS rows FROM atelier_move.progress")
  return Number(row?.["rows"])
}
