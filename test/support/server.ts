import { type ChildProcess, spawn } from "node:child_process"
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { requireContract } from "@atelier/api/testing"
import { workersCount } from "../../scripts/durations.ts"
import { root } from "../../scripts/workspace.ts"
import { bundledCommands } from "./bundledCommands.ts"

let bundled: string | undefined

/**
 * Node's arguments that run a command. Tests start many processes, and start this checkout's from one bundle of its
 * sources; another checkout's, and those that a benchmark measures, start as a clean checkout does.
 */
export const commandsOf = (checkout = root): ReadonlyArray<string> => {
  // As `npm run atelier` does.
  const words = String(
    at(JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")), "scripts.atelier"),
  ).split(" ")
  const flags = words.slice(1, -1)
  if (process.env["VITEST"] === undefined || checkout !== root) {
    return [...flags, join(checkout, words.at(-1) ?? "")]
  }
  bundled ??= bundledCommands()
  return [...flags, bundled]
}

export const adminToken = "test-admin-token"

export interface Installation {
  readonly directory: string
  /** The environment of every process of the installation, without any of the tester's own settings. */
  readonly environment: Record<string, string>
  readonly url: string
  readonly remove: () => void
}

/** A folder with a database, blobs and a configuration of its own, and a port on 127.0.0.1. */
export const install = async (config: object = {}): Promise<Installation> => {
  const directory = mkdtempSync(join(tmpdir(), "atelier-"))
  const port = await freePort()
  writeFileSync(join(directory, "atelier.config.json"), JSON.stringify(config))
  return {
    directory,
    environment: {
      PATH: process.env["PATH"] ?? "",
      HOME: directory,
      ATELIER_PORT: String(port),
      ATELIER_ADMIN_TOKEN: adminToken,
    },
    url: `http://127.0.0.1:${port}`,
    remove: () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/**
 * Below the ports that systems give to connections: one of thousands of clients would otherwise take it before the server
 * does. Above 10080, the last one that fetch refuses to ask ("bad port").
 */
const ports = { first: 10_081, last: 31_999 } as const

/** Test files that run at once have ports of their own: what one of them is about to listen on, no other takes. */
const portsOfWorker = Math.floor((ports.last - ports.first + 1) / (workersCount + 1))
const firstPort =
  ports.first + portsOfWorker * (Number(process.env["VITEST_POOL_ID"] ?? 0) % (workersCount + 1))
let nextPort = randomInt(portsOfWorker)

/** A port that nothing listens on, another one each time. */
export const freePort = async (): Promise<number> => {
  const port = firstPort + (nextPort++ % portsOfWorker)
  const probe = createServer()
  const free = await new Promise<boolean>((resolve) => {
    probe.once("error", () => resolve(false))
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)))
  })
  return free ? port : await freePort()
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that does not end is killed. */
const commandMsMax = 120_000

/** Runs a command to its end. */
export const run = async (
  { directory, environment }: Installation,
  args: ReadonlyArray<string>,
  more: Readonly<Record<string, string>> = {},
): Promise<Finished> => {
  const child = start(directory, args, { ...environment, ...more })
  const texts = capture(child)
  const limit = setTimeout(() => child.kill("SIGKILL"), commandMsMax)
  await once(child, "close")
  clearTimeout(limit)
  return { code: child.exitCode, ...texts() }
}

const start = (
  cwd: string,
  args: ReadonlyArray<string>,
  env: Record<string, string>,
  checkout = root,
): ChildProcess =>
  spawn(process.execPath, [...commandsOf(checkout), ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  })

/** Collects what the process prints. */
const capture = (child: ChildProcess): (() => { readonly stdout: string; readonly stderr: string }) => {
  let stdout = ""
  let stderr = ""
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  return () => ({ stdout, stderr })
}

export interface Server {
  readonly url: string
  readonly process: ChildProcess
  readonly output: () => string
  /** Ends when the server accepts requests; fails when the process ended before. */
  readonly ready: Promise<void>
  /** Sends the signal and waits for the process's end: its exit code, null where a signal ended it. */
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Promise<number | null>
}

/** Starts a server, of this checkout or of another one, and does not wait for it. */
export const launch = (
  { directory, environment, url }: Installation,
  command: "serve" | "dev" = "serve",
  args: ReadonlyArray<string> = [],
  checkout = root,
): Server => {
  const child = start(directory, [command, ...args], environment, checkout)
  const texts = capture(child)
  const output = () => `${texts().stdout}${texts().stderr}`
  const closed = once(child, "close")
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", () => {
      if (output().includes("ready at")) resolve()
    })
    closed.then(() => reject(new Error(`the server ended before it was ready: ${output()}`)))
  })
  ready.catch(() => {})
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal)
    await closed
    return child.exitCode
  }
  return { url, process: child, output, ready, end }
}

/** Starts a server and waits until it accepts requests. */
export const serve = async (
  installation: Installation,
  command: "serve" | "dev" = "serve",
  args: ReadonlyArray<string> = [],
  checkout = root,
): Promise<Server> => {
  const server = launch(installation, command, args, checkout)
  await server.ready
  return server
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The JSON of the body; its text where it is none. */
  readonly body: unknown
}

export interface Call {
  readonly method?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: FormData
  /** Milliseconds after which the answer counts as lost. */
  readonly patience?: number
}

/** One request; fails where the connection does, and where the answer is not what the contract says. */
export const call = async (url: string, request: Call = {}): Promise<Answer> => {
  const { method = request.json === undefined && request.form === undefined ? "GET" : "POST" } = request
  const response = await fetch(url, {
    method,
    headers: {
      ...(request.key === undefined ? {} : { authorization: `Bearer ${request.key}` }),
      ...(request.json === undefined ? {} : { "content-type": "application/json" }),
      ...request.headers,
    },
    body: request.form ?? (request.json === undefined ? null : JSON.stringify(request.json)),
    signal: AbortSignal.timeout(request.patience ?? 90_000),
  })
  const text = await response.text()
  const { status, headers } = response
  const { pathname, search } = new URL(url)
  requireContract({ method, path: pathname + search, status, headers: Object.fromEntries(headers), text })
  return { status, headers, body: parsed(text) }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The value at a dotted path of a JSON body. */
export const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
      value,
    )

/** The string at a dotted path of a JSON body; fails where there is none. */
export const textAt = (value: unknown, path: string): string => {
  const found = at(value, path)
  if (typeof found !== "string") throw new Error(`no text at ${path}: ${JSON.stringify(value)}`)
  return found
}

export interface Account {
  readonly user: string
  readonly key: string
}

/** A user with money and a key, by the admin API. */
export const makeAccount = async (url: string, usd: number): Promise<Account> => {
  const user = await call(`${url}/admin/v1/users`, {
    key: adminToken,
    json: { name: "tester", balance_usd: usd },
  })
  const id = textAt(user.body, "id")
  const key = await call(`${url}/admin/v1/users/${id}/keys`, { key: adminToken, json: { name: "test" } })
  return { user: id, key: textAt(key.body, "key") }
}

/** A form with one file. */
export const formOf = (name: string, content: string | Uint8Array<ArrayBuffer>): FormData => {
  const form = new FormData()
  form.append("file", new Blob([content]), name)
  return form
}
