import { join } from "node:path"
import { Sql } from "@atelier/sql"
import { Postgres, PostgresClient } from "@atelier/sql/postgres"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import { principalChanges } from "./support/principalChanges.ts"
import { runSql } from "./support/runSql.ts"
import {
  adminToken,
  call,
  type Installation,
  install,
  makeAccount,
  run,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

let postgres: PostgresServer
let database: string
let installations: ReadonlyArray<Installation>
let servers: ReadonlyArray<Server>
let alone: Installation
let single: Server

const limits = { rate_per_minute: 100_000, rate_burst: 100_000 }

/** Two servers over one Postgres, and one over SQLite. */
beforeAll(async () => {
  postgres = await startPostgres()
  database = await postgres.database()
  const made = [await install({ limits }), await install({ limits })]
  const shared = { ATELIER_DATABASE_URL: database, ATELIER_BLOB_URL: `file:${made[0]?.directory}/blobs` }
  installations = made.map((one) => ({ ...one, environment: { ...one.environment, ...shared } }))
  alone = await install({ limits })
  servers = await Promise.all(installations.map((one) => serve(one)))
  single = await serve(alone)
})
afterAll(async () => {
  await Promise.all([...servers, single].map((server) => server.end("SIGTERM")))
  for (const installation of [...installations, alone]) installation.remove()
  await postgres.stop()
})

/** A key with a final task, and the key's own id. */
const newKey = async (url: string) => {
  const { user, key } = await makeAccount(url, 1)
  const keys = await call(`${url}/admin/v1/users/${user}/keys`, { key: adminToken })
  const json = { model: "gen-image-2", prompt: "a lighthouse", size: "64x64" }
  const submitted = await call(`${url}/v1/images/tasks`, { key, json })
  const task = textAt(submitted.body, "task_id")
  const final = await call(`${url}/v1/tasks/${task}?wait=60`, { key })
  expect(textAt(final.body, "state")).toBe("completed")
  return { user, key, id: textAt(keys.body, "data.0.id"), task }
}

/** What each of the servers answers a key that asks for its final task, or for its tasks. */
const answers = async (urls: ReadonlyArray<string>, key: string, task: string) => {
  const paths = urls.flatMap((url) => [`${url}/v1/tasks/${task}`, `${url}/v1/tasks?limit=1`])
  const all = await Promise.all(paths.map((path) => call(path, { key })))
  const told = all.map(({ status, body }) => (status === 200 ? "200" : textAt(body, "error.code")))
  return [...new Set(told)]
}

const change = (url: string, path: string, json: object, method = "PATCH") =>
  call(`${url}/admin/v1/${path}`, { method, key: adminToken, json })

describe("a key stops and works again at once: two servers on one Postgres", () => {
  const urls = () => servers.map(({ url }) => url)

  it("whichever of them it is disabled and enabled at", async () => {
    const [first = "", second = ""] = urls()
    const { key, id, task } = await newKey(first)
    for (let round = 0; round < 10; round++) {
      const at = round % 2 === 0 ? first : second
      expect(await answers(urls(), key, task)).toEqual(["200"])
      await change(at, `keys/${id}`, { disabled: true })
      expect(await answers(urls(), key, task)).toEqual(["api_key_disabled"])
      await change(at, `keys/${id}`, { disabled: false })
    }
  })

  it("where its user is disabled, it expires, loses its address, or is rotated without an overlap", async () => {
    const [first = "", second = ""] = urls()
    const { user, key, id, task } = await newKey(second)
    const changes = [
      ["account_disabled", `users/${user}`, { disabled: true }, { disabled: false }],
      ["api_key_expired", `keys/${id}`, { expires_at: 1 }, { expires_at: null }],
      ["ip_not_allowed", `keys/${id}`, { ip_allowlist: ["192.0.2.1"] }, { ip_allowlist: [] }],
    ] as const
    for (const [code, path, taken, given] of changes) {
      expect(await answers(urls(), key, task)).toEqual(["200"])
      await change(first, path, taken)
      expect(await answers(urls(), key, task)).toEqual([code])
      await change(second, path, given)
    }
    const rotated = await change(first, `keys/${id}/rotate`, { overlap_seconds: 0 }, "POST")
    expect(await answers(urls(), key, task)).toEqual(["invalid_api_key"])
    expect(await answers(urls(), textAt(rotated.body, "key"), task)).toEqual(["200"])
  })

  it("and where an operator writes SQL", async () => {
    const [first = ""] = urls()
    const { key, id, task } = await newKey(first)
    expect(await answers(urls(), key, task)).toEqual(["200"])
    await Effect.runPromise(runSql(database, `UPDATE api_keys SET disabled = 1 WHERE id = '${id}'`))
    expect(await answers(urls(), key, task)).toEqual(["api_key_disabled"])
  })

  it("every change of a key or a user is counted; the use of a key's quota is not", async () => {
    const url = await postgres.database()
    const migrated = Effect.provide(Effect.void, Postgres.layer({ url }))
    const told = Effect.andThen(migrated, Effect.provide(principalChanges, PostgresClient.layer({ url })))
    expect(await Effect.runPromise(told)).toEqual({ uncounted: ["api_keys.used_units"] })
  })
})

describe("a key stops and works again at once: SQLite", () => {
  it("where it is disabled at the server", async () => {
    const { key, id, task } = await newKey(single.url)
    for (let round = 0; round < 3; round++) {
      expect(await answers([single.url], key, task)).toEqual(["200"])
      await change(single.url, `keys/${id}`, { disabled: true })
      expect(await answers([single.url], key, task)).toEqual(["api_key_disabled"])
      await change(single.url, `keys/${id}`, { disabled: false })
    }
  })

  it("where a command beside the server disables, enables and rotates it", async () => {
    const { key, id, task } = await newKey(single.url)
    const command = async (...args: ReadonlyArray<string>) => {
      const { code, stdout, stderr } = await run(alone, ["keys", ...args])
      expect({ code, stderr }).toMatchObject({ code: 0 })
      return stdout
    }
    expect(await answers([single.url], key, task)).toEqual(["200"])
    await command("disable", id)
    expect(await answers([single.url], key, task)).toEqual(["api_key_disabled"])
    await command("enable", id)
    expect(await answers([single.url], key, task)).toEqual(["200"])
    const rotated = JSON.parse(await command("rotate", id, "--overlap-seconds", "0", "--json"))
    expect(await answers([single.url], key, task)).toEqual(["invalid_api_key"])
    expect(await answers([single.url], textAt(rotated, "key"), task)).toEqual(["200"])
  })

  it("every change of a key or a user is counted; the use of a key's quota is not", async () => {
    const layer = Sql.layerSqliteClient({ filename: join(alone.directory, "counted.db") })
    const told = Effect.provide(principalChanges, layer)
    expect(await Effect.runPromise(told)).toEqual({ uncounted: ["api_keys.used_units"] })
  })
})
