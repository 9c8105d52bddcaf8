import { execFile } from "node:child_process"
import { once } from "node:events"
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  call,
  type Installation,
  install,
  launch,
  run,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

const bash = (line: string) => promisify(execFile)("bash", ["-c", line], { timeout: 60_000 })

/** The commands of a start's greeting: indented, some over several lines. */
const commandsIn = (output: string): ReadonlyArray<string> =>
  output
    .split("\n\n")
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => /^(curl|printf) /.test(paragraph))

let installation: Installation
let server: Server

beforeAll(async () => {
  installation = await install()
  server = await serve(installation, "dev")
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
})

const keptKey = () => readFileSync(join(installation.directory, "data", "dev-key"), "utf8").trim()
const client = (args: ReadonlyArray<string>) =>
  run(installation, args, { ATELIER_URL: server.url, ATELIER_API_KEY: keptKey() })

describe("contract, Running it: atelier dev", () => {
  it("prints commands that work when they are pasted", async () => {
    const commands = commandsIn(server.output())
    expect(commands).toHaveLength(2)
    const [image, document] = await Promise.all(commands.map(bash))
    expect(JSON.parse(image?.stdout ?? "")).toMatchObject({
      state: "completed",
      result_url: expect.stringContaining(`${server.url}/media/`),
    })
    expect(document?.stdout).toBe("# Hello\n\nA first document.\n")
  })

  it("keeps the key where only its owner reads it, and prints it again at the next start", async () => {
    const file = join(installation.directory, "data", "dev-key")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await server.end("SIGTERM")
    server = await serve(installation, "dev")
    await expect.poll(() => server.output()).toContain(keptKey())
  })

  it("keeps the admin token that it makes, so that it is good after a restart; one that is set is not written", async () => {
    expect(readdirSync(join(installation.directory, "data"))).not.toContain("dev-admin-token")
    const fresh = await install()
    delete fresh.environment["ATELIER_ADMIN_TOKEN"]
    const file = join(fresh.directory, "data", "dev-admin-token")
    const tokens: Array<string> = []
    try {
      for (const _ of ["first", "second"]) {
        const other = await serve(fresh, "dev")
        tokens.push(readFileSync(file, "utf8").trim())
        expect((await call(`${other.url}/admin/v1/users`, { key: tokens.at(-1) ?? "" })).status).toBe(200)
        await other.end("SIGTERM")
      }
      expect(tokens[1]).toBe(tokens[0])
      expect(statSync(file).mode & 0o777).toBe(0o600)
    } finally {
      fresh.remove()
    }
  })

  it("is ready when its key is written, and not before", async () => {
    const fresh = await install()
    const other = launch(fresh, "dev")
    try {
      const ready = () =>
        call(`${other.url}/readyz`).then(
          ({ status }) => status,
          () => 0,
        )
      await expect.poll(ready, { timeout: 60_000, interval: 1 }).toBe(200)
      expect(readFileSync(join(fresh.directory, "data", "dev-key"), "utf8")).toMatch(/^sk-atl-\S+\n$/)
    } finally {
      await other.end("SIGTERM")
      fresh.remove()
    }
  })

  it("offers the test vendor as test-image, free of charge", async () => {
    const { code, stdout } = await client([
      "image",
      "[partial 1]",
      "--model",
      "test-image",
      "--n",
      "2",
      "--json",
    ])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ usage: { images: 1 }, billing: { held: 0, charged: 0 } })
  })
})

describe("commands", () => {
  it("without arguments: help", async () => {
    const { code, stdout } = await run(installation, [])
    expect(code).toBe(0)
    expect(stdout).toContain("SUBCOMMANDS")
  })

  it("image stores a PNG; a failed one is one line and exit code 1", async () => {
    const out = join(installation.directory, "image.png")
    const made = await client(["image", "a boat", "--size", "256x256", "--out", out])
    expect(made.code).toBe(0)
    expect(readFileSync(out).subarray(1, 4).toString()).toBe("PNG")
    const failed = await client(["image", "[fail]", "--model", "test-image"])
    expect(failed.code).toBe(1)
    expect(failed.stderr).toMatch(/^atelier: imgtask_\w+ failed: .*\(upstream_failed\)/m)
  })

  it.each([
    ["a folder where a file should be", ".", [["image", "a boat"]]],
    [
      "a file where a folder should be",
      join("b.json", "x.png"),
      [
        ["image", "a boat"],
        ["parse", "b.json"],
      ],
    ],
  ])("an output that cannot be written is told before anything is bought: %s", async (_, out, commands) => {
    writeFileSync(join(installation.directory, "b.json"), `{"b":1}`)
    const bought = async () => {
      const { body } = await call(`${server.url}/v1/tasks?limit=100`, { key: keptKey() })
      return Object(body).data.length
    }
    const before = await bought()
    for (const args of commands) {
      const refused = await client([...args, "--out", out])
      expect(refused).toMatchObject({ code: 2, stdout: "" })
      expect(refused.stderr).toMatch(/^atelier: cannot write ".*": .+\n$/)
    }
    expect(await bought()).toBe(before)
  })

  it("folders of outputs are made, and what is there is replaced", async () => {
    const out = join(installation.directory, "new", "folder", "x.png")
    const made = await client(["image", "a boat", "--size", "256x256", "--n", "2", "--out", out])
    expect(made.code).toBe(0)
    const second = out.replace("x.png", "x-2.png")
    for (const file of [out, second]) expect(readFileSync(file).subarray(1, 4).toString()).toBe("PNG")
    expect(made.stdout.trim().split("\n").slice(2)).toEqual([out, second])
    writeFileSync(out, "old")
    expect((await client(["image", "a boat", "--size", "256x256", "--out", out])).code).toBe(0)
    expect(readFileSync(out).subarray(1, 4).toString()).toBe("PNG")
  })

  it("an image that was paid for is named, also where saving it fails", async () => {
    const elsewhere = await install()
    const unreachable = "http://127.0.0.1:1"
    const environment = { ...elsewhere.environment, ATELIER_MEDIA_URL: unreachable }
    const other = await serve({ ...elsewhere, environment }, "dev")
    try {
      const key = readFileSync(join(elsewhere.directory, "data", "dev-key"), "utf8").trim()
      const asked = { ATELIER_URL: other.url, ATELIER_API_KEY: key }
      for (const flags of [[], ["--json"]]) {
        const args = ["image", "a boat", "--size", "256x256", "--out", "x.png", ...flags]
        const lost = await run(elsewhere, args, asked)
        expect(lost.code).toBe(4)
        expect(lost.stdout).toContain(`${unreachable}/media/`)
        expect(lost.stderr).toMatch(/^atelier: imgtask_\w+ is done and paid; .*does not answer/m)
      }
    } finally {
      await other.end("SIGTERM")
      elsewhere.remove()
    }
  })

  it("parse prints the Markdown of a file, and says which files no tool takes", async () => {
    writeFileSync(join(installation.directory, "a.json"), `{"a":1}`)
    expect(await client(["parse", "a.json"])).toMatchObject({ code: 0, stdout: '```json\n{"a":1}\n```\n' })
    writeFileSync(join(installation.directory, "a.exe"), "MZ")
    const refused = await client(["parse", "a.exe"])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^atelier: no tool takes \.exe/) })
  })

  it("tasks find names the task that a request submitted, and whose it is, without a key", async () => {
    const json = { model: "gen-image-2", prompt: "a pier" }
    const { body, headers } = await call(`${server.url}/v1/images/tasks`, { key: keptKey(), json })
    const requestId = headers.get("x-request-id") ?? ""
    const found = await run(installation, ["tasks", "find", "--request-id", requestId, "--json"])
    expect(JSON.parse(found.stdout)).toMatchObject([
      { id: textAt(body, "task_id"), request_id: requestId, subject: "gen-image-2" },
    ])
    const shown = await run(installation, ["tasks", "find", "--request-id", requestId])
    expect(shown.stdout).toContain(textAt(body, "task_id"))
    const none = await run(installation, ["tasks", "find", "--request-id", "req_none"])
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("req_none") })
  })

  it("users and keys work on the database beside a running server", async () => {
    const user = JSON.parse(
      (await run(installation, ["users", "create", "ada", "--usd", "2.50", "--json"])).stdout,
    )
    expect(user).toMatchObject({ name: "ada", balance: 1_250_000, held: 0, spent: 0 })
    const id = textAt(user, "id")
    const key = JSON.parse(
      (await run(installation, ["keys", "create", id, "--models", "gen-*", "--json"])).stdout,
    )
    expect(key).toMatchObject({ user_id: id, models: ["gen-*"], key: expect.stringMatching(/^sk-atl-/) })
    const secret = textAt(key, "key")
    const asked = await run(installation, ["tasks", "list", "--json", "--url", server.url, "--key", secret])
    expect(JSON.parse(asked.stdout)).toMatchObject({ object: "list", data: [] })
    await run(installation, ["keys", "disable", textAt(key, "id")])
    const disabled = await run(installation, ["tasks", "list", "--url", server.url, "--key", secret])
    expect(disabled).toMatchObject({ code: 3, stderr: expect.stringContaining("api_key_disabled") })
    await run(installation, ["keys", "enable", textAt(key, "id")])
    const granted = await run(installation, ["users", "grant", id, "0.5", "--reason", "gift", "--json"])
    expect(JSON.parse(granted.stdout)).toMatchObject({ balance: 1_500_000 })
    expect((await run(installation, ["users", "list"])).stdout).toContain("ada")
    expect((await run(installation, ["keys", "list", id])).stdout).not.toContain(secret)
  })

  it("doctor finds a running installation sound", async () => {
    const { code, stdout } = await run(installation, ["doctor", "--json"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(
      [
        "settings",
        "versions",
        "files",
        "clock",
        "storage",
        "ledger",
        "totals",
        "secrets",
        "plugins",
        "channels",
        "blobs",
        "parsing",
      ].map((check) => expect.objectContaining({ check, ok: true })),
    )
  })

  it("doctor says what is wrong with the files, and how to mend it", async () => {
    const file = join(installation.directory, "data", "atelier.db")
    const { mode } = statSync(file)
    chmodSync(file, 0o666)
    const { code, stdout } = await run(installation, ["doctor"])
    chmodSync(file, mode)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAIL {3}files .*can be written by everyone: chmod o-w it/m)
  })

  it("doctor says that the configuration can be written by everyone, and what such a one could do", async () => {
    const config = join(installation.directory, "atelier.config.json")
    const { mode } = statSync(config)
    chmodSync(config, 0o666)
    const { code, stdout } = await run(installation, ["doctor"])
    chmodSync(config, mode)
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^FAIL {3}files .*atelier\.config\.json can be written by everyone, who could add channels and plugins: chmod o-w it/m,
    )
    expect((await run(installation, ["doctor"])).stdout).toMatch(/^ok {5}files/m)
  })

  it("doctor says which channel's vendor answers, and which does not, without its key", async () => {
    const asked: Array<IncomingMessage> = []
    const vendor = createServer((request, response) => {
      asked.push(request)
      response.writeHead(404).end()
    }).listen(0, "127.0.0.1")
    await once(vendor, "listening")
    const { port } = vendor.address() as AddressInfo
    const channel = { adapter: "openai-images", api_key: "sk-of-the-vendor", models: { "gen-image-2": "*" } }
    const other = await install({
      channels: [
        { ...channel, id: "well", base_url: `http://127.0.0.1:${port}/v1` },
        { ...channel, id: "gone", base_url: "http://127.0.0.1:1/v1" },
      ],
      network: { allow_private: ["127.0.0.1/32"] },
    })
    const { code, stdout } = await run(other, ["doctor"])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAIL {3}channels {2}gone does not answer: .*atelier channels pause gone$/m)
    expect(asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([["/v1", undefined]])
    writeFileSync(
      join(other.directory, "atelier.config.json"),
      JSON.stringify({
        channels: [{ ...channel, id: "well", base_url: `http://127.0.0.1:${port}/v1` }],
        network: { allow_private: ["127.0.0.1/32"] },
      }),
    )
    expect((await run(other, ["doctor"])).stdout).toMatch(
      /^ok {5}channels {2}well answers 404 after \d+ ms$/m,
    )
    vendor.close()
    other.remove()
  })

  it("doctor says which kept total is not what counting gives, with both numbers", async () => {
    const database = new DatabaseSync(join(installation.directory, "data", "atelier.db"))
    const change = (by: number) =>
      database.exec(`UPDATE totals SET count = count + ${by} WHERE counted = 'transfer' AND kind = 'grant'`)
    const { count } =
      database.prepare("SELECT count(*) AS count FROM ledger WHERE kind = 'grant'").get() ?? {}
    change(3)
    const { code, stdout } = await run(installation, ["doctor"])
    change(-3)
    database.close()
    expect(code).toBe(1)
    expect(stdout).toContain(`FAIL   totals    transfer grant: kept ${Number(count) + 3}, counted ${count}`)
  })

  it.each([
    [2, ["users", "create"], "name"],
    [1, ["users", "show", "usr_absent"], `There is no user "usr_absent".`],
    [2, ["users", "create", "ada", "--usd", "1,5"], "--usd: expected a decimal amount"],
    [2, ["tasks", "list"], "ATELIER_API_KEY"],
  ])("a mistake is one line without a stack: %i %j", async (wanted, args, words) => {
    const { code, stderr } = await run(installation, args)
    expect(code).toBe(wanted)
    expect(stderr).toContain(words)
    expect(stderr.trimEnd().split("\n")).toHaveLength(1)
  })
})
