import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import { runSql } from "./support/runSql.ts"
import { type Installation, install, run } from "./support/server.ts"

let postgres: PostgresServer
let installation: Installation

beforeAll(async () => {
  postgres = await startPostgres()
  installation = await install()
})
afterAll(async () => {
  installation.remove()
  await postgres.stop()
})

describe("contract, Endpoints and commands: atelier bench", () => {
  it("measures a server of its own, and the configured Postgres, in which nothing stays", {
    timeout: 300_000,
  }, async () => {
    const database = await postgres.emptyDatabase()
    const finished = await run(installation, ["bench", "--seconds", "1", "--json"], {
      ATELIER_DATABASE_URL: database,
    })
    expect(finished, finished.stderr).toMatchObject({ code: 0 })
    const { measured, machine } = JSON.parse(finished.stdout)
    expect(measured.map(({ what }: { readonly what: string }) => what)).toEqual([
      "GET /v1/tasks/{id}",
      "submissions, durable before they are answered",
      "texts of 1 kB, from upload to result",
      "images of 256x256, drawn by the embedded channel",
      "commits of the configured Postgres",
    ])
    for (const { perSecond, median, p95 } of measured) {
      expect(perSecond).toBeGreaterThan(0)
      expect(p95).toBeGreaterThanOrEqual(median)
    }
    expect(machine).toMatchObject({ cores: expect.any(Number), memory_bytes: expect.any(Number) })
    const tables = runSql(database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    expect(await Effect.runPromise(Effect.scoped(tables))).toEqual([])
    const doctor = await run(installation, ["doctor"], { ATELIER_DATABASE_URL: database })
    expect(doctor.stdout).toMatch(/^ok {5}clock .* behind Postgres$/m)
  })

  it("refuses a time that it does not take", async () => {
    expect(await run(installation, ["bench", "--seconds", "0"])).toMatchObject({ code: 2 })
  })
})
