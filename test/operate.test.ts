import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type Account,
  adminToken,
  at,
  call,
  type Installation,
  install,
  makeAccount,
  run,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

/** What operators do from a shell beside a running server, on its database. */

const config = {
  channels: [
    { id: "first", adapter: "local", models: { "gen-image-2": "*" } },
    { id: "second", adapter: "local", models: { "*": "*" }, priority: 1 },
  ],
  limits: { rate_per_minute: 1_000_000, rate_burst: 1_000_000 },
}

let installation: Installation
let server: Server

beforeAll(async () => {
  installation = await install(config)
  server = await serve(installation)
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
})

const atelier = async (...args: ReadonlyArray<string>) => {
  const finished = await run(installation, args)
  expect(finished, finished.stderr).toMatchObject({ code: 0 })
  return finished.stdout
}
const asJson = async (...args: ReadonlyArray<string>): Promise<unknown> =>
  JSON.parse(await atelier(...args, "--json"))

const admin = async (path: string) => (await call(`${server.url}/admin/v1${path}`, { key: adminToken })).body

describe("contract, Endpoints and commands: atelier channels", () => {
  it("pauses one of a running server, and resumes it", async () => {
    await atelier("channels", "pause", "first", "--reason", "maintenance")
    expect(await admin("/channels")).toMatchObject({
      data: [
        { id: "first", paused: true, reason: "maintenance" },
        { id: "second", paused: false },
      ],
    })
    expect(await asJson("channels")).toMatchObject([
      { id: "first", adapter: "local", models: ["gen-image-2"], priority: 0, paused: true },
      { id: "second", adapter: "local", models: ["*"], priority: 1, paused: false },
    ])
    await atelier("channels", "resume", "first")
    expect(await admin("/channels")).toMatchObject({ data: [{ id: "first", paused: false }, {}] })
    expect(await admin("/audit?target=first")).toMatchObject({
      data: [
        { action: "channel.resume", actor: "command" },
        { action: "channel.pause", after: { reason: "maintenance" } },
      ],
    })
  })

  it("refuses one that is not configured", async () => {
    expect(await run(installation, ["channels", "pause", "third"])).toMatchObject({
      code: 1,
      stderr: 'atelier: There is no channel "third".\n',
    })
  })
})

const submit = async (url: string, account: Account, prompt: string) => {
  const json = { model: "gen-image-2", prompt, size: "256x256" }
  const { body } = await call(`${url}/v1/images/tasks`, { key: account.key, json })
  return textAt(body, "task_id")
}
const finished = async (url: string, account: Account, id: string) =>
  (await call(`${url}/v1/tasks/${id}?wait=30`, { key: account.key })).body

describe("contract, Endpoints and commands: ledger, stats, grant, models set, tools set", () => {
  it("ledger export writes every transfer, and what a spreadsheet must not run is text", async () => {
    const account = await makeAccount(server.url, 1)
    await atelier("grant", account.user, "0.5", "--reason", '=HYPERLINK("x"), "gift"')
    await finished(server.url, account, await submit(server.url, account, "a pier"))
    const csv = await atelier("ledger", "export", "--user", account.user)
    const [head, ...rows] = csv.trimEnd().split("\r\n")
    expect(head).toBe("sequence,created_at,kind,user_id,key_id,task_id,debit,credit,amount,reason,id")
    expect(rows.map((row) => row.split(",")[2])).toEqual(["settle", "hold", "grant", "grant"])
    expect(rows[2]).toContain(`"'=HYPERLINK(""x""), ""gift"""`)
    const file = join(installation.directory, "ledger.jsonl")
    await atelier("ledger", "export", "--format", "jsonl", "--out", file)
    const lines = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    const sum = (kind: string) =>
      lines.filter((line) => line.kind === kind).reduce((total, { amount }) => total + amount, 0)
    const { ledger } = (await asJson("stats", "--check")) as { readonly ledger: Record<string, number> }
    expect([sum("grant"), sum("settle"), lines.length]).toEqual([
      ledger["granted"],
      ledger["spent"],
      ledger["transfers"],
    ])
    expect(await run(installation, ["ledger", "export", "--out", file])).toMatchObject({ code: 1 })
  })

  it("models set and tools set change a running server's catalog", async () => {
    const price = ["--price", "0.07", "--delivery", "archive", "--enabled", "false"]
    await atelier("models", "set", "gen-image-2", ...price)
    expect(await admin("/models/gen-image-2")).toMatchObject({
      enabled: false,
      pricing_display: { table: [{ usd: "0.07" }] },
    })
    await Promise.all([
      atelier("models", "set", "gen-image-2", "--enabled", "true"),
      atelier("tools", "set", "text-md-json", "--price", "0.002", "--max-file-bytes", "1000"),
    ])
    expect(await admin("/models/gen-image-2")).toMatchObject({ enabled: true })
    expect(await admin("/tools/text-md-json")).toMatchObject({ unit_price: 0.002, max_file_bytes: 1000 })
    expect(await admin("/audit?target=text-md-json")).toMatchObject({
      data: [{ actor: "command", action: "tool.update", after: { unit_price: "0.002" } }],
    })
    const refused = [
      ["models", "set", "nope", "--enabled", "true"],
      ["models", "set", "gen-image-2"],
      ["tools", "set", "text-md-json", "--price", "-1"],
    ].map((args) => run(installation, args))
    expect((await Promise.all(refused)).map(({ code }) => code)).toEqual([1, 2, 2])
  })
})

describe("contract, Endpoints and commands: atelier backup and restore", () => {
  it("a backup taken under load is restored, and its ledger agrees to the unit", {
    timeout: 300_000,
  }, async () => {
    const account = await makeAccount(server.url, 100)
    const folder = join(installation.directory, "backup")
    const accepted: Array<string> = []
    let isOver = false
    const load = Array.from({ length: 3 }, async () => {
      while (!isOver && accepted.length < 40)
        accepted.push(await submit(server.url, account, `picture ${accepted.length}`))
    })
    while (accepted.length < 10) await new Promise((resolve) => setTimeout(resolve, 5))
    const written = JSON.parse(await atelier("backup", folder, "--json"))
    isOver = true
    await Promise.all(load)
    expect(written).toMatchObject({ format: 1, blobs: { missing: 0 } })
    const { granted, wallet, held, spent } = written.ledger
    expect(wallet + held + spent).toBe(granted)
    // A backup may be kept where nothing can be written: checking it makes no file, not even for a moment.
    const touched = () =>
      [".", ...readdirSync(folder, { recursive: true })].map(
        (name) => statSync(join(folder, `${name}`)).mtimeMs,
      )
    const before = touched()
    expect(await atelier("doctor", "--backup", folder)).toMatch(/^ok {5}backup .* agree to the unit/)
    expect(touched()).toEqual(before)

    // As the operator keeps it: tasks that began go on where they began.
    const other = await install(config)
    try {
      const restored = await run(other, ["restore", folder])
      expect(restored, restored.stderr).toMatchObject({ code: 0 })
      const copy = await serve(other)
      const stats = (await call(`${copy.url}/admin/v1/stats?check=true`, { key: adminToken })).body
      expect(stats).toMatchObject({ ledger: { granted }, ledger_mismatches: [], total_mismatches: [] })
      const tasks = await call(`${copy.url}/v1/tasks?limit=15`, { key: account.key })
      const ids = (at(tasks.body, "data") as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
      expect(ids.length).toBeGreaterThanOrEqual(10)
      // What was unfinished in the copy is finished, and every image that it names is there.
      for (const id of ids) {
        const task = await finished(copy.url, account, id)
        expect(task).toMatchObject({ state: "completed" })
        const image = await fetch(textAt(task, "result_url").replace(server.url, copy.url))
        expect([image.status, (await image.arrayBuffer()).byteLength > 100]).toEqual([200, true])
      }
      await copy.end("SIGTERM")
      const refused = await run(other, ["restore", folder])
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("already") })
    } finally {
      other.remove()
    }
  })

  it("a backup that was changed, or did not end, is not one", async () => {
    const folder = join(installation.directory, "damaged")
    await atelier("backup", folder)
    const file = join(folder, "atelier.db")
    const bytes = readFileSync(file)
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
    writeFileSync(file, bytes)
    expect(await run(installation, ["doctor", "--backup", folder])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("SHA-256"),
    })
    const other = await install()
    expect((await run(other, ["restore", folder])).code).toBe(1)
    rmSync(join(folder, "backup.json"))
    expect((await run(other, ["restore", folder])).stderr).toContain("did not end")
    expect(readdirSync(other.directory)).not.toContain("data")
    other.remove()
    expect(await run(installation, ["backup", folder])).toMatchObject({ code: 2 })
  })

  it("a backup that lacks an image says so, and restores all else", async () => {
    const account = await makeAccount(server.url, 1)
    const task = await finished(server.url, account, await submit(server.url, account, "a lost picture"))
    const [, name = ""] = /media\/(.*)$/.exec(textAt(task, "result_url")) ?? []
    rmSync(join(installation.directory, "data/blobs/objects/media", name))
    const folder = join(installation.directory, "lacking")
    const written = await run(installation, ["backup", folder])
    expect(written).toMatchObject({ code: 1, stderr: expect.stringContaining("images are missing") })
    const other = await install(config)
    try {
      const restored = await run(other, ["restore", folder])
      expect(restored, restored.stderr).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/missing +1 /),
      })
      expect(statSync(join(other.directory, "data/atelier.db")).mode & 0o777).toBe(0o600)
    } finally {
      other.remove()
    }
  })
})
