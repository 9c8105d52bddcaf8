import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { move, onPostgres, source } from "./support/move.ts"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import { type Installation, install, makeAccount, run, serve } from "./support/server.ts"

let postgres: PostgresServer
let home: Installation

beforeAll(async () => {
  postgres = await startPostgres()
  home = await filled()
})
afterAll(async () => {
  home.remove()
  await postgres.stop()
})

/** An installation with a user. */
const filled = async (): Promise<Installation> => {
  const installation = await install()
  await run(installation, ["users", "create", "Grace"])
  return installation
}

describe("a move that must not be made is refused, naming its flag", { timeout: 300_000 }, () => {
  const nowhere = "postgres://ada:hunter2@127.0.0.1:1/atelier"
  it.each<readonly [ReadonlyArray<string>, string]>([
    [["--from", "sqlite:absent.db", "--to", nowhere], "--from: there is no file"],
    [["--from", "mysql://x", "--to", nowhere], "--from: expected sqlite:PATH"],
    [["--from", nowhere, "--to", nowhere], "--from: expected sqlite:PATH"],
    [["--from", source, "--to", source], "--to: expected postgres://"],
    [["--from", source, "--to", "postgres://localhost"], "--to: expected sqlite:PATH or postgres://"],
    [["--from", source], "--to: missing"],
    [["--to", nowhere], "--from: missing"],
    [["--from", source, "--to", nowhere, "--to-blobs", "file:moved"], "--from-blobs: missing"],
    [["--from", source, "--to", nowhere, "--from-blobs", "ftp://x"], "--from-blobs: expected file:PATH"],
    [
      [
        "--from",
        source,
        "--to",
        nowhere,
        "--from-blobs",
        "file:data/blobs",
        "--to-blobs",
        "file:./data/blobs/",
      ],
      "--to-blobs: the same",
    ],
    [["--from", source, "--to", nowhere], "--to: storage failed"],
    [["--from", "sqlite:atelier.config.json", "--to", nowhere], "--from: storage failed"],
  ])("%j", async (flags, words) => {
    const { code, stderr } = await run(home, ["migrate", ...flags])
    expect(code).toBe(1)
    expect(stderr).toContain(words)
    expect(stderr).not.toContain("hunter2")
    expect(stderr.trimEnd().split("\n")).toHaveLength(1)
  })

  it("while a server runs on the source, however idle", async () => {
    const installation = await install()
    const server = await serve(installation)
    const refused = await move(installation, await postgres.emptyDatabase())
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain("--from: ")
    expect(refused.stderr).toContain("is open in another process: stop the server first")
    expect(await server.end("SIGTERM")).toBe(0)
    installation.remove()
  })

  it("while a server runs on the destination, and when it holds rows of its own or of another source", async () => {
    const installation = await filled()
    const url = await postgres.emptyDatabase()
    const server = await serve(onPostgres(installation, url))
    expect((await move(installation, url)).stderr).toContain("--to: a server or another command has it open")
    await makeAccount(server.url, 1)
    await server.end("SIGTERM")
    expect((await move(installation, url)).stderr).toContain(
      "--to: table accounts holds rows that are not from this",
    )

    const taken = await postgres.emptyDatabase()
    expect((await move(installation, taken)).code).toBe(0)
    const other = await install()
    await run(other, ["users", "create", "Ada"])
    expect((await move(other, taken)).stderr).toContain("from another source")
    for (const each of [installation, other]) each.remove()
  })

  it("from a database that is not of this version", async () => {
    const installation = await filled()
    const database = new DatabaseSync(join(installation.directory, "data", "atelier.db"))
    database.exec("DELETE FROM migrations WHERE migration_id = (SELECT max(migration_id) FROM migrations)")
    database.close()
    const { code, stderr } = await move(installation, await postgres.emptyDatabase())
    expect(code).toBe(1)
    expect(stderr).toContain("--from: it is at migration")
    installation.remove()
  })
})
