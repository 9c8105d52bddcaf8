import { execFile, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pages } from "./support/markdown.ts"
import {
  type Account,
  adminToken,
  at,
  call,
  commandsOf,
  freePort,
  type Installation,
  install,
  makeAccount,
  serve,
  textAt,
} from "./support/server.ts"

/** Debian's package `postgresql`: a server and the programs of the same version, which only that reads and writes. */
const versions = "/usr/lib/postgresql"
const programs = existsSync(versions)
  ? readdirSync(versions)
      .map((version) => join(versions, version, "bin"))
      .filter((folder) =>
        ["postgres", "pg_dump", "pg_restore"].every((name) => existsSync(join(folder, name))),
      )
      .at(-1)
  : undefined
if (programs === undefined) console.log("skipped: backups of Postgres; apt-get install postgresql")

const idOf = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }))

describe.skipIf(programs === undefined)(
  "docs/operate/backup.md, Postgres: its commands, as they stand",
  () => {
    const bin = programs ?? ""
    /** The server does not run as root. */
    const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {}
    let folder: string
    let port: number
    let home: Installation
    let stop: () => Promise<void>
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "atelier-dump-"))
      chmodSync(folder, 0o777)
      port = await freePort()
      const data = join(folder, "data")
      execFileSync(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync"], {
        ...user,
        stdio: "ignore",
      })
      const flags = [
        "-D",
        data,
        "-p",
        String(port),
        "-k",
        folder,
        "-c",
        "fsync=off",
        "-c",
        "listen_addresses=127.0.0.1",
      ]
      const server = spawn(join(bin, "postgres"), flags, { ...user, stdio: "ignore" })
      stop = async () => {
        server.kill("SIGINT")
        await once(server, "close")
      }
      home = await install({ channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }] })
    })
    afterAll(async () => {
      await stop?.()
      home?.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`

    /** Runs a block of the page where an operator would, with `atelier` installed. */
    const shell = (text: string) => {
      const command = join(folder, "atelier")
      writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" ${commandsOf().join(" ")} "$@"\n`)
      chmodSync(command, 0o755)
      return promisify(execFile)(
        "sh",
        ["-ec", text.replaceAll("postgres://…/atelier_restored", urlOf("atelier_restored"))],
        {
          cwd: home.directory,
          env: {
            ...home.environment,
            PATH: `${folder}:${bin}:${home.environment["PATH"]}`,
            PGHOST: "127.0.0.1",
            PGPORT: String(port),
            PGUSER: "postgres",
            ATELIER_DATABASE_URL: urlOf("atelier"),
          },
        },
      )
    }

    const submit = async ({ key }: Account, url: string, prompt: string) => {
      const json = { model: "gen-image-2", prompt, size: "256x256", quality: "low" }
      return textAt((await call(`${url}/v1/images/tasks`, { key, json })).body, "id")
    }

    it("a dump of a server at work is restored: what was finished is there, what was not goes on, to the unit", {
      timeout: 300_000,
    }, async () => {
      const page = pages().find(({ path }) => path === "docs/operate/backup.md")
      const [dump, restore] = (page?.blocks ?? [])
        .map(({ text }) => text)
        .filter((text) => text.includes("pg_"))
      if (dump === undefined || restore === undefined) throw new Error("the page has no such blocks")
      // The server may still be starting.
      await expect
        .poll(
          () =>
            shell("createdb atelier").then(
              () => true,
              () => false,
            ),
          { timeout: 60_000 },
        )
        .toBe(true)

      const before = await serve({
        ...home,
        environment: { ...home.environment, ATELIER_DATABASE_URL: urlOf("atelier") },
      })
      const account = await makeAccount(before.url, 10)
      const finished = await submit(account, before.url, "a heron")
      await call(`${before.url}/v1/tasks/${finished}?wait=30`, { key: account.key })
      const waiting = await submit(account, before.url, "a slow boat [slow 60s]")
      await shell(dump)
      const afterwards = await submit(account, before.url, "after the dump")
      await before.end("SIGKILL")

      const { stdout } = await shell(restore)
      expect(stdout).toMatch(/^ok +ledger +balances agree with the transfers to the unit$/m)
      expect(stdout).not.toMatch(/^FAIL/m)

      const restored = await serve({
        ...home,
        environment: { ...home.environment, ATELIER_DATABASE_URL: urlOf("atelier_restored") },
      })
      const stateOf = async (id: string) =>
        at((await call(`${restored.url}/v1/tasks/${id}`, { key: account.key })).body, "state")
      expect(await stateOf(finished)).toBe("completed")
      expect(["queued", "in_progress"]).toContain(await stateOf(waiting))
      expect((await call(`${restored.url}/v1/tasks/${afterwards}`, { key: account.key })).status).toBe(404)
      // Jobs that waited are in the dump too, and new ones are run beside them.
      const fresh = await submit(account, restored.url, "after the restore")
      await call(`${restored.url}/v1/tasks/${fresh}?wait=30`, { key: account.key })
      expect(await stateOf(fresh)).toBe("completed")
      const { body } = await call(`${restored.url}/admin/v1/stats?check=true`, { key: adminToken })
      expect(body).toMatchObject({ ledger_mismatches: [], total_mismatches: [] })
      await restored.end("SIGKILL")
    })
  },
)
