import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { defaultLimits, Limits, type LimitValues, RateLimiter, Workers } from "@atelier/core"
import { makeServer } from "@atelier/http"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { atelierOver, type Script, TestScript } from "../support/atelier.ts"
import {
  type Account,
  type Answer,
  adminToken,
  at,
  type Call,
  call,
  formOf,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "../support/server.ts"

const many = 1_000_000
const leaseMs = 24 * 60 * 60 * 1000

export interface Upload {
  readonly tool?: string
  readonly name?: string
  readonly content?: string | Uint8Array<ArrayBuffer>
  readonly key?: string
}

export interface Invocation {
  readonly tool?: string
  readonly formats?: ReadonlyArray<string>
  /** Absent: one that no other call used. */
  readonly idempotencyKey?: string
  readonly key?: string
}

/** A server under test and an account with money. What names no key is asked by the account's. */
export interface App {
  readonly url: string
  readonly account: Account
  readonly call: (path: string, request?: Call) => Promise<Answer>
  /** Uploads `note.txt`, unless told otherwise. */
  readonly upload: (upload?: Upload) => Promise<Answer>
  /** Uploads and expects that the file is taken; its id. */
  readonly file: (upload?: Upload) => Promise<string>
  readonly invoke: (fileId: string, invocation?: Invocation) => Promise<Answer>
  /** Uploads, invokes, and expects that the task is accepted; its id. */
  readonly submit: (request?: Upload & Invocation) => Promise<string>
  readonly task: (id: string, key?: string) => Promise<unknown>
  /** The task at its end. */
  readonly done: (id: string, key?: string) => Promise<unknown>
  /** Another key of the account, by the admin API. */
  readonly newKey: (settings?: object) => Promise<{ readonly id: string; readonly key: string }>
  readonly admin: (method: "GET" | "PATCH" | "POST", path: string, json?: object) => Promise<Answer>
  /** Units of a user, the account's unless another is named. */
  readonly money: (user?: string) => Promise<{ balance: number; held: number; spent: number }>
}

let keys = 0
/** An idempotency key that no other call uses. */
export const newIdempotencyKey = (): string => `document-tools-${++keys}`

const appAt = async (url: string, standardTool: string): Promise<App> => {
  const account = await makeAccount(url, 100)
  const ask = (path: string, request: Call = {}) => call(`${url}${path}`, { key: account.key, ...request })
  const withKey = (key: string | undefined) => (key === undefined ? {} : { key })
  const admin: App["admin"] = (method, path, json) =>
    call(`${url}/admin/v1/${path}`, { method, key: adminToken, ...(json === undefined ? {} : { json }) })
  const upload: App["upload"] = ({
    tool = standardTool,
    name = "note.txt",
    content = "A note.\n",
    key,
  } = {}) => ask(`/v1/tools/${tool}/files`, { form: formOf(name, content), ...withKey(key) })
  const invoke: App["invoke"] = (fileId, { tool = standardTool, formats, idempotencyKey, key } = {}) =>
    ask(`/v1/tools/${tool}/invoke`, {
      headers: { "idempotency-key": idempotencyKey ?? newIdempotencyKey() },
      json: {
        input: { file_id: fileId },
        ...(formats === undefined ? {} : { options: { output_formats: formats } }),
      },
      ...withKey(key),
    })
  const file: App["file"] = async (request) => accepted(await upload(request), 201)
  return {
    url,
    account,
    call: ask,
    admin,
    upload,
    file,
    invoke,
    submit: async (request = {}) => accepted(await invoke(await file(request), request), 202),
    task: async (id, key) => (await ask(`/v1/tasks/${id}`, withKey(key))).body,
    done: async (id, key) => (await ask(`/v1/tasks/${id}?wait=60`, withKey(key))).body,
    newKey: async (settings = {}) => {
      const { body } = await admin("POST", `users/${account.user}/keys`, settings)
      return { id: textAt(body, "id"), key: textAt(body, "key") }
    },
    money: async (user = account.user) => {
      const { body } = await admin("GET", `users/${user}`)
      const [balance, held, spent] = ["balance", "held", "spent"].map((name) => Number(at(body, name)))
      return { balance: balance ?? 0, held: held ?? 0, spent: spent ?? 0 }
    },
  }
}

const accepted = ({ status, body }: Answer, wanted: number): string => {
  expect({ status, body }, JSON.stringify(body)).toMatchObject({ status: wanted })
  return textAt(body, "id")
}

/** Files below a folder that may not be there, or go while they are looked for. */
const filesBelow = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
    return existsSync(folder) ? filesBelow(folder) : []
  }
}

/** Small documents and results are rows, others are files. */
const keptIn =
  (database: string, blobs: string): ServerApp["kept"] =>
  (kind) => {
    const objects = join(blobs, "objects")
    const opened = new DatabaseSync(database, { readOnly: true })
    try {
      const rows = opened.prepare("SELECT key FROM small_blobs WHERE key LIKE ?").all(`${kind}/%`)
      const files = filesBelow(join(objects, kind)).map((path) =>
        relative(objects, path).replaceAll("\\", "/"),
      )
      return [...rows.map(({ key }) => String(key)), ...files]
    } finally {
      opened.close()
    }
  }

/** The commands' own server in a process of its own, with its real tools, uploading to `text-md-json`. */
export interface ServerApp extends App {
  readonly server: Server
  /** Files below a folder of its storage, with their paths. */
  readonly stored: (folder: string) => ReadonlyArray<string>
  /** Keys of what is kept below `files` or `results`, in the database or in files. */
  readonly kept: (kind: "files" | "results") => ReadonlyArray<string>
  /** Rewrites the configuration file while the server runs. */
  readonly configure: (config: object) => void
  readonly close: () => Promise<void>
}

/** Opens one, for files in any number; `config` changes its configuration. */
export const openApp = async (
  config: { readonly documents?: object; readonly limits?: object; readonly tools?: object } = {},
): Promise<ServerApp> => {
  const installation = await install({
    tools: config.tools ?? {},
    documents: config.documents ?? {},
    limits: { rate_per_minute: many, rate_burst: many, tool_files_per_user_max: many, ...config.limits },
  })
  const server = await serve(installation)
  return {
    ...(await appAt(server.url, "text-md-json")),
    server,
    stored: (folder) => filesBelow(join(installation.directory, "data", "blobs", folder)),
    kept: keptIn(
      join(installation.directory, "data", "atelier.db"),
      join(installation.directory, "data", "blobs"),
    ),
    configure: (changed) =>
      writeFileSync(join(installation.directory, "atelier.config.json"), JSON.stringify(changed)),
    close: async () => {
      await server.end("SIGTERM")
      installation.remove()
    },
  }
}

/**
 * The same server in this process, with its workers, under a clock that stands still until a test moves it, over
 * two tools for `.txt` files of at most 1,000 bytes, `test-tool` and `other-tool`, that do what `script` says.
 */
export interface ClockApp extends App {
  readonly script: Script
  /** Files below a folder of its storage, with their paths. */
  readonly stored: (folder: string) => ReadonlyArray<string>
  /** Keys of what is kept below `files` or `results`, in the database or in files. */
  readonly kept: (kind: "files" | "results") => ReadonlyArray<string>
  /** Moves the clock, second by second. What it wakes runs concurrently with the test. */
  readonly passes: (duration: Duration.Input) => Promise<void>
  /** Stops the server and starts it again on the same storage after this much virtual time: hours cost nothing. */
  readonly outage: (duration: Duration.Input) => Promise<void>
  readonly close: () => Promise<void>
}

export const openClockApp = async (
  options: { readonly limits?: Partial<LimitValues>; readonly workers?: boolean } = {},
): Promise<ClockApp> => {
  const directory = mkdtempSync(join(tmpdir(), "atelier-"))
  let running = await run(directory, options, 0)
  const app = await appAt(running.url, "test-tool")
  return {
    ...app,
    get script() {
      return running.script
    },
    stored: (folder) => filesBelow(join(directory, "blobs", folder)),
    kept: keptIn(join(directory, "atelier.db"), join(directory, "blobs")),
    passes: (duration) => Effect.runPromise(running.clock.adjust(duration)),
    outage: async (duration) => {
      const end =
        running.clock.currentTimeMillisUnsafe() + Duration.toMillis(Duration.fromInputUnsafe(duration))
      const { port } = new URL(running.url)
      await running.stop()
      running = await run(directory, options, end, Number(port))
    },
    close: async () => {
      await running.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The server's whole process, run inside this one. */
const run = async (
  directory: string,
  options: NonNullable<Parameters<typeof openClockApp>[0]>,
  start: number,
  port = 0,
) => {
  // A jumping clock would expire leases under a healthy worker, and look like a delayed event loop.
  const limits = {
    ...defaultLimits,
    rate_per_minute: many,
    rate_burst: many,
    job_lease_ms: leaseMs,
    overload_delay_ms: leaseMs,
  }
  const server = makeServer({
    host: "127.0.0.1",
    port,
    publicUrl: "http://127.0.0.1",
    adminToken: Redacted.make(adminToken),
    spoolDirectory: join(directory, "blobs", "uploads"),
  })
  const runtime = ManagedRuntime.make(
    Layer.merge(server, options.workers === false ? Layer.empty : Workers.layer).pipe(
      Layer.provideMerge(atelierOver(directory, (stores) => stores)),
      Layer.provideMerge(RateLimiter.layerMemory),
      Layer.provide(Layer.succeed(Limits, { ...limits, ...options.limits })),
      Layer.provideMerge(Logger.layer([])),
      Layer.provideMerge(Layer.effectDiscard(TestClock.setTime(start))),
      Layer.provideMerge(TestClock.layer()),
    ),
  )
  const { address } = await runtime.runPromise(HttpServer.HttpServer)
  const clock = await runtime.runPromise(TestClock.testClockWith(Effect.succeed))
  return {
    url: `http://127.0.0.1:${"port" in address ? address.port : 0}`,
    clock,
    script: await runtime.runPromise(TestScript),
    stop: async () => {
      // A connection whose answer was just read is not idle yet, and a stopping server waits for it.
      for (let turns = 0; turns < 10; turns++) await turn()
      let open = true
      const ending = runtime.dispose().finally(() => {
        open = false
      })
      // The shutdown waits for running work for a limited time, which has to pass.
      while (open) {
        await Effect.runPromise(clock.adjust("1 second"))
        await turn()
      }
      await ending
    },
  }
}

/** From now on parsing any document waits until `open` is called. */
export const holdRuns = ({ script }: ClockApp): { readonly open: () => void } => {
  const run = script.runTool
  const gate = Promise.withResolvers<void>()
  script.runTool = (job, tool) =>
    Effect.andThen(
      Effect.promise(() => gate.promise),
      run(job, tool),
    )
  return {
    open: () => {
      script.runTool = run
      gate.resolve()
    },
  }
}

/** One turn of the event loop: disks and sockets go on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const looksMax = 20_000

/** The result of `look` as soon as `wanted` accepts it; background work continues meanwhile. */
export const until = async <A>(look: () => Promise<A>, wanted: (found: A) => boolean): Promise<A> => {
  let found = await look()
  for (let looks = 1; !wanted(found); looks++) {
    if (looks === looksMax) throw new Error(`it never happened: ${JSON.stringify(found)}`)
    await turn()
    found = await look()
  }
  return found
}
