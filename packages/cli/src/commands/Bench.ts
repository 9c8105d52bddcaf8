import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { Blobs } from "@atelier/core"
import { PostgresClient } from "@atelier/sql/postgres"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { CommandFailed, wrongUsage } from "../CommandFailed.ts"
import * as Live from "../Live.ts"
import { print, table } from "../Output.ts"
import * as Settings from "../Settings.ts"

/** Callers at once of each measurement, as in docs/operate/sizing.md. */
const callers = 16
const secondsMax = 60
const startMsMax = 30_000
const many = 1_000_000_000

/** How often something was done in a second, and how long one took, in milliseconds. */
interface Measured {
  readonly what: string
  readonly perSecond: number
  readonly median: number
  readonly p95: number
}

/**
 * Measures what this machine carries: a server of its own on SQLite in a temporary folder, and, where the settings name
 * them, the Postgres and the bucket, of which nothing is read and in which nothing stays.
 */
export const bench = Effect.fnUntraced(function* (input: {
  readonly seconds: number
  readonly json: boolean
}) {
  if (input.seconds < 1 || input.seconds > secondsMax) {
    return yield* wrongUsage(`--seconds: expected 1 to ${secondsMax}, got ${input.seconds}`)
  }
  const settings = yield* Settings.load(process.env)
  const millis = input.seconds * 1000
  const served = yield* Effect.tryPromise({
    try: () => measureServer(millis),
    catch: (cause) =>
      new CommandFailed({
        message: `the measurement failed: ${cause instanceof Error ? cause.message : cause}`,
      }),
  })
  const storage = [
    ...(settings.database.dialect === "postgres"
      ? yield* measurePostgres(settings.database.url, millis)
      : []),
    ...(settings.blobs.kind === "file" ? [] : yield* measureBlobs(settings, millis)),
  ]
  const measured = [...served, ...storage]
  const machine = {
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memory_bytes: totalmem(),
    node: process.version,
  }
  yield* print(input.json, { machine, measured, seconds: input.seconds }, () => [
    `${machine.processor}, ${machine.cores} cores, ${Math.round(machine.memory_bytes / 2 ** 30)} GiB, Node ${machine.node}`,
    "",
    ...table(
      ["WHAT", "A SECOND", "MEDIAN MS", "P95 MS"],
      measured.map(({ what, perSecond, median, p95 }) => [
        what,
        rounded(perSecond),
        rounded(median),
        rounded(p95),
      ]),
    ),
    "",
    ...carries(measured),
  ])
})

const names = {
  read: "GET /v1/tasks/{id}",
  submit: "submissions, durable before they are answered",
  text: "texts of 1 kB, from upload to result",
  draw: "images of 256x256, drawn by the embedded channel",
  commit: "commits of the configured Postgres",
  put: "objects of 64 KiB into the configured bucket",
  get: "objects of 64 KiB out of the configured bucket",
} as const

/** What the numbers mean for one process, in the words of docs/operate/sizing.md. */
const carries = (measured: ReadonlyArray<Measured>): ReadonlyArray<string> => {
  const of = (what: string) => measured.find((each) => each.what === what)?.perSecond
  const submitted = of(names.submit) ?? 0
  const commits = of(names.commit)
  return [
    `One process on SQLite carries ${rounded(submitted)} submissions or ${rounded(of(names.read) ?? 0)} reads a second on this machine.`,
    `Plan with half of it: ${rounded(submitted / 2)} submissions a second are ${rounded((submitted / 2) * 86_400)} a day.`,
    `Documents compute: ${rounded(of(names.text) ?? 0)} small texts a second. Images of a vendor cost a share of a core; drawn here, ${rounded(of(names.draw) ?? 0)} a second.`,
    ...(commits === undefined
      ? []
      : [
          `A task takes about 6 commits of Postgres: at ${rounded(commits)} commits a second, at most ${rounded(commits / 6)} tasks a second.`,
        ]),
    "The load came from this machine too. docs/operate/sizing.md says how to go on.",
  ]
}

const rounded = (value: number): string => {
  if (value >= 100) return String(Math.round(value / 10 ** (digits(value) - 3)) * 10 ** (digits(value) - 3))
  return value >= 10 ? value.toFixed(0) : value.toFixed(1)
}
const digits = (value: number): number => Math.max(3, Math.floor(Math.log10(value)) + 1)

/** Runs `once` by `callers` at a time until the time is over. */
const loop = async (what: string, millis: number, once: (n: number) => Promise<void>): Promise<Measured> => {
  const times: Array<number> = []
  const began = performance.now()
  let count = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() - began < millis) {
        const at = performance.now()
        await once(count++)
        times.push(performance.now() - at)
      }
    }),
  )
  return summaryOf(what, times, performance.now() - began)
}

const summaryOf = (what: string, times: Array<number>, millis: number): Measured => {
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { what, perSecond: (times.length * 1000) / millis, median: at(0.5), p95: at(0.95) }
}

const measureServer = async (millis: number): Promise<ReadonlyArray<Measured>> => {
  const directory = mkdtempSync(join(tmpdir(), "atelier-bench-"))
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  const server = startServer(directory)
  try {
    const ask = asker(await readyAt(server), agent)
    const user = await ask("POST", "/admin/v1/users", { name: "bench", balance_usd: 1_000_000 }, adminToken)
    const made = await ask("POST", `/admin/v1/users/${text(user, "id")}/keys`, {}, adminToken)
    const key = text(made, "key")
    const image = (prompt: string, model = "gen-image-2") =>
      ask("POST", "/v1/images/tasks", { model, prompt, size: "256x256" }, key)
    const finish = (id: string) => ask("GET", `/v1/tasks/${id}?wait=30`, undefined, key)
    const first = text(await image("a first one"), "task_id")
    await finish(first)
    const draw = await loop(names.draw, millis, async (n) => {
      await finish(text(await image(`picture ${n}`), "task_id"))
    })
    const document = await loop(names.text, millis, async (n) => {
      const file = await ask("POST", "/v1/tools/text-md-json/files", new Form(n), key)
      const body = { input: { file_id: text(file, "id") } }
      const task = await ask("POST", "/v1/tools/text-md-json/invoke", body, key, {
        "idempotency-key": `bench-text-${n}`,
      })
      await finish(text(task, "id"))
    })
    const read = await loop(names.read, millis, async () => {
      await ask("GET", `/v1/tasks/${first}`, undefined, key)
    })
    // A vendor that takes its time: the tasks stay queued, and submissions are all that is done.
    const submit = await loop(names.submit, millis, async () => {
      await image("[slow 600s]", "test-image")
    })
    return [read, submit, document, draw]
  } finally {
    agent.destroy()
    server.kill("SIGKILL")
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** More than any caller waits here. */
const patienceMs = 600_000

const adminToken = "bench-of-this-machine-alone"

const startServer = (directory: string): ChildProcess => {
  const limits = {
    rate_per_minute: many,
    rate_burst: many,
    image_tasks_per_user_max: many,
    tool_tasks_per_user_max: callers,
    tool_files_per_user_max: many,
    // On a machine that is busy otherwise few callers wait long, too: that is what is measured.
    overload_delay_ms: patienceMs,
  }
  const channels = [
    { id: "vendor", adapter: "faulty", models: { "test-image": "*" } },
    { id: "local", adapter: "local", models: { "*": "*" } },
  ]
  writeFileSync(join(directory, "atelier.config.json"), JSON.stringify({ channels, limits }))
  return spawn(process.execPath, [...process.execArgv, process.argv[1] ?? "", "serve"], {
    cwd: directory,
    env: { PATH: process.env["PATH"], ATELIER_PORT: "0", ATELIER_ADMIN_TOKEN: adminToken },
    stdio: ["ignore", "pipe", "inherit"],
  })
}

const readyAt = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ""
    const timer = setTimeout(() => reject(new Error("the server was not ready in time")), startMsMax)
    server.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk
      const [, url] = /ready at (http:\/\/[^"\s]+)/.exec(said) ?? []
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
    server.once("close", () => {
      clearTimeout(timer)
      reject(new Error(`the server ended: ${said.slice(-500)}`))
    })
  })

/** A multipart form with a text of a kilobyte. */
class Form {
  readonly content: string
  constructor(n: number) {
    const file = `# Text ${n}\n\n${"A line of a small document. ".repeat(36)}\n`
    this.content = `--bench\r\ncontent-disposition: form-data; name="file"; filename="note.md"\r\n\r\n${file}\r\n--bench--\r\n`
  }
}

const asker =
  (url: string, agent: Agent) =>
  (
    method: string,
    path: string,
    body: object | undefined,
    key: string,
    headers: Record<string, string> = {},
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const isForm = body instanceof Form
      const content = body === undefined ? "" : isForm ? body.content : JSON.stringify(body)
      const sent = request(`${url}${path}`, {
        method,
        agent,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined
            ? {}
            : {
                "content-type": isForm ? "multipart/form-data; boundary=bench" : "application/json",
                "content-length": Buffer.byteLength(content),
              }),
          ...headers,
        },
      })
      sent.once("error", reject)
      sent.once("response", (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).once("error", reject)
        response.once("end", () => {
          const said = Buffer.concat(chunks).toString("utf8")
          if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(said))
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${said.slice(0, 300)}`))
        })
      })
      sent.end(content)
    })

const text = (value: unknown, name: string): string => String(Reflect.get(Object(value), name))

/** Runs one after another until the time is over. */
const repeated = Effect.fnUntraced(function* <E, R>(
  what: string,
  millis: number,
  once: Effect.Effect<unknown, E, R>,
) {
  const times: Array<number> = []
  const began = performance.now()
  while (performance.now() - began < millis) {
    const at = performance.now()
    yield* Effect.forEach(Array.from({ length: callers }), () => once, {
      concurrency: callers,
      discard: true,
    })
    for (let each = 0; each < callers; each++) times.push(performance.now() - at)
  }
  return summaryOf(what, times, performance.now() - began)
})

/** Each writes a record of 500 bytes into the log and flushes it; no table is touched. */
const measurePostgres = (url: Redacted.Redacted, millis: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const record = "x".repeat(500)
    const commit = sql`SELECT pg_logical_emit_message(true, 'atelier-bench', ${record})::text AS at`
    return [yield* repeated(names.commit, millis, commit)]
  }).pipe(
    Effect.provide(PostgresClient.layer({ url: Redacted.value(url) })),
    Effect.mapError((cause) => new CommandFailed({ message: `Postgres was not measured: ${String(cause)}` })),
  )

const measureBlobs = (settings: Settings.Settings, millis: number) =>
  Effect.gen(function* () {
    const blobs = yield* Blobs
    const bytes = new Uint8Array(64 * 1024).map((_, n) => (n * 31) & 255)
    let count = 0
    const put = Effect.suspend(() => blobs.put(`doctor/bench-${count++ % callers}`, bytes))
    const get = Effect.suspend(() => Stream.runDrain(blobs.read(`doctor/bench-${count++ % callers}`)))
    const measured = [yield* repeated(names.put, millis, put), yield* repeated(names.get, millis, get)]
    return measured
  }).pipe(
    Effect.ensuring(
      Effect.flatMap(Blobs, (blobs) =>
        Effect.forEach(
          Array.from({ length: callers }, (_, n) => n),
          (n) => Effect.ignore(blobs.remove(`doctor/bench-${n}`)),
          { discard: true },
        ),
      ),
    ),
    Effect.provide(Live.blobs(settings)),
  )
