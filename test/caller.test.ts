import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../scripts/workspace.ts"
import {
  commandsOf,
  type Finished,
  type Installation,
  install,
  run,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

let installation: Installation
let server: Server
let key: string

beforeAll(async () => {
  installation = await install()
  server = await serve(installation, "dev")
  key = readFileSync(join(installation.directory, "data", "dev-key"), "utf8").trim()
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
})

const inFolder = (...parts: ReadonlyArray<string>) => join(installation.directory, ...parts)
const asked = () => ({ ATELIER_URL: server.url, ATELIER_API_KEY: key })
const atelier = (...args: ReadonlyArray<string>): Promise<Finished> => run(installation, args, asked())

/** How many tasks the key has, asked by a command: it waits where the rate of the key is used up. */
const tasksCount = async (): Promise<number> => {
  const { stdout } = await atelier("tasks", "list", "--limit", "100", "--json")
  return JSON.parse(stdout).data.length
}

/** A command that runs while the test goes on. */
const begin = (...args: ReadonlyArray<string>): { child: ChildProcess; ended: Promise<Finished> } => {
  const child = spawn(process.execPath, [...commandsOf(), ...args], {
    cwd: installation.directory,
    env: { ...installation.environment, ...asked() },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const texts = { stdout: "", stderr: "" }
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    texts.stdout += text
  })
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    texts.stderr += text
  })
  const ended = once(child, "close").then(() => ({ code: child.exitCode, ...texts }))
  return { child, ended }
}

describe("login", () => {
  const withoutKey = (args: ReadonlyArray<string>, more: Record<string, string> = {}) =>
    run(installation, args, { XDG_CONFIG_HOME: inFolder("config"), ...more })
  const file = () => inFolder("config", "atelier", "login.json")

  it("keeps what the server accepts where only its owner reads it; flags and variables win over it", async () => {
    expect(await withoutKey(["login", "--url", server.url, "--key", key])).toMatchObject({ code: 0 })
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    const wrong = "sk-atl-wrong"
    const codes = await Promise.all([
      withoutKey(["tasks", "list"]),
      withoutKey(["tasks", "list"], { ATELIER_API_KEY: wrong }),
      withoutKey(["tasks", "list", "--key", key], { ATELIER_API_KEY: wrong }),
    ])
    expect(codes.map(({ code }) => code)).toEqual([0, 3, 0])
  })

  it("sends a kept key to no other address", async () => {
    const elsewhere = await withoutKey(["tasks", "list", "--url", "http://127.0.0.1:1"])
    expect(elsewhere).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`the login is for ${server.url}`),
    })
  })

  it("keeps nothing that the server refuses, and logout forgets it", async () => {
    const before = readFileSync(file(), "utf8")
    const refused = await withoutKey(["login", "--url", server.url, "--key", "sk-atl-wrong"])
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("invalid_api_key") })
    expect(readFileSync(file(), "utf8")).toBe(before)
    expect((await withoutKey(["logout"])).code).toBe(0)
    expect(existsSync(file())).toBe(false)
    expect((await withoutKey(["tasks", "list"])).code).toBe(2)
  })
})

describe("contract, Endpoints and commands: exit codes by kind", () => {
  it.each([
    [0, ["models"], "", "gen-image-2"],
    [1, ["image", "[fail]", "--model", "test-image"], "upstream_failed"],
    [2, ["imag", "x"], "Unknown subcommand"],
    [2, ["image"], "prompt"],
    [2, ["image", " "], "expected a prompt"],
    [2, ["tasks", "list", "--state", "done"], "--state: expected one of queued"],
    [2, ["tasks", "get", "../admin"], "must be the id of a task"],
    [2, ["parse", "absent.md"], 'cannot read the file "absent.md"'],
    [2, ["parse", "*.absent"], "no file matches"],
    [2, ["parse", "."], "is a folder"],
    [3, ["image", "x", "--model", "absent"], "model_not_found"],
    [3, ["image", "x", "--max-usd", "0.000001"], "max_cost_exceeded"],
    [3, ["tasks", "get", "imgtask_absent"], "task_not_found"],
    [4, ["models", "--url", "http://127.0.0.1:1"], "does not answer: bad port"],
  ])("%i: %j", async (code, args, stderr, stdout = "") => {
    const finished = await atelier(...args)
    expect(finished).toMatchObject({ code, stdout: expect.stringContaining(stdout) })
    expect(finished.stderr).toContain(stderr)
    expect(finished.stderr).not.toContain("    at ")
  })
})

describe("image", () => {
  it("prints addresses first, then the files; what it does is told on standard error, line by line", async () => {
    const made = await atelier("image", "a pier", "--size", "256x256", "--n", "2", "-o", "made/pier.png")
    expect(made.code).toBe(0)
    const lines = made.stdout.trim().split("\n")
    expect(lines.slice(0, 2).every((line) => line.startsWith(`${server.url}/media/`))).toBe(true)
    expect(lines.slice(2)).toEqual(["made/pier.png", "made/pier-2.png"])
    expect(made.stderr).toMatch(/^imgtask_\w+ completed, \d+ s, \$0\.08$/m)
    expect(made.stderr).not.toContain("\x1b")
  })

  it("--json is one document on standard output, and nothing else anywhere", async () => {
    const { stdout, stderr } = await atelier("image", "a pier", "--size", "256x256", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ object: "image.task", state: "completed" })
    expect(stderr).toBe("")
  })

  it("under one idempotency key there is one task, however often the command runs", async () => {
    const args = ["image", "a pier", "--size", "256x256", "--idempotency-key", "cli-once", "--json"]
    const ids = [await atelier(...args), await atelier(...args)].map(({ stdout }) => JSON.parse(stdout).id)
    expect(ids[0]).toMatch(/^imgtask_/)
    expect(ids[1]).toBe(ids[0])
  })

  it("Ctrl-C leaves the task running and says how to come back to it, which then stores the image", async () => {
    const { child, ended } = begin("image", "[slow 3s]", "--model", "test-image", "-o", "late.png")
    let told = ""
    child.stderr?.on("data", (text: string) => {
      told += text
    })
    await expect.poll(() => told, { timeout: 60_000 }).toMatch(/imgtask_\w+ (queued|in_progress)/)
    child.kill("SIGINT")
    const stopped = await ended
    expect(stopped.code).toBe(130)
    const [, id = ""] = /atelier: (imgtask_\w+) goes on/.exec(stopped.stderr) ?? []
    expect(stopped.stderr).toContain(`atelier tasks watch ${id} --out "late.png"`)
    const watched = await atelier("tasks", "watch", id, "--out", "late.png")
    expect(watched).toMatchObject({ code: 0, stdout: expect.stringContaining("late.png") })
    expect(readFileSync(inFolder("late.png")).subarray(1, 4).toString()).toBe("PNG")
  })
})

describe("parse", () => {
  it("converts files and patterns into a folder, as they lie below their common one", async () => {
    mkdirSync(inFolder("notes", "old"), { recursive: true })
    writeFileSync(inFolder("notes", "a.md"), "# First\n")
    writeFileSync(inFolder("notes", "old", "a.md"), "# Second\n")
    const done = await atelier("parse", "notes/**/*.md", "notes/a.md", "-o", "converted")
    expect(done).toMatchObject({ code: 0, stdout: "converted/a.md\nconverted/old/a.md\n" })
    expect(readFileSync(inFolder("converted", "old", "a.md"), "utf8")).toBe("# Second\n")
    expect(done.stderr).toMatch(/^notes\/a\.md -> converted\/a\.md: tooltask_\w+, \$0\.0001$/m)
  })

  it("run again, it takes up the tasks of the first run and pays nothing; --again does", async () => {
    const before = await tasksCount()
    const again = await atelier("parse", "notes/**/*.md", "-o", "elsewhere", "--json")
    expect(again.code).toBe(0)
    expect(readFileSync(inFolder("elsewhere", "a.md"), "utf8")).toBe("# First\n")
    expect(await tasksCount()).toBe(before)
    expect((await atelier("parse", "notes/a.md", "--again")).stdout).toBe("# First\n")
    expect(await tasksCount()).toBe(before + 1)
  })

  it("the same content under another extension, or to another format, is another conversion", async () => {
    writeFileSync(inFolder("same.json"), `{"a":1}`)
    writeFileSync(inFolder("same.txt"), `{"a":1}`)
    expect((await atelier("parse", "same.json")).stdout).toBe('```json\n{"a":1}\n```\n')
    expect((await atelier("parse", "same.txt")).stdout).toBe('{"a":1}\n')
    // Two tools take it: the one that was made for pages reads it, the other shows its source.
    writeFileSync(inFolder("page.html"), "<h1>Title</h1>")
    expect((await atelier("parse", "page.html")).stdout).toBe("# Title\n")
    const { stdout } = await atelier("parse", "same.txt", "--format", "json")
    expect(JSON.parse(stdout)).toMatchObject({ schema_version: "1.0", markdown: '{"a":1}' })
  })

  it("copies of one document are one task, also side by side", async () => {
    const before = await tasksCount()
    mkdirSync(inFolder("copies"))
    for (const name of ["1", "2", "3", "4"]) writeFileSync(inFolder("copies", `${name}.md`), "# Copy\n")
    expect((await atelier("parse", "copies/*.md", "-o", "copied")).code).toBe(0)
    expect(await tasksCount()).toBe(before + 1)
    expect(readFileSync(inFolder("copied", "4.md"), "utf8")).toBe("# Copy\n")
  })

  it("one that fails stops no other, and the exit code is that of the worst", async () => {
    writeFileSync(inFolder("notes", "bad.txt"), new Uint8Array([0xff, 0xfe, 0x00]))
    const mixed = await atelier("parse", "notes/a.md", "notes/bad.txt", "-o", "mixed")
    expect(mixed).toMatchObject({ code: 3, stdout: "mixed/a.md\n" })
    expect(mixed.stderr).toMatch(/^notes\/bad\.txt: .*\(file_not_utf8, req_\w+\)$/m)
  })

  it("refuses two results of one name, and several without a folder, before anything is uploaded", async () => {
    writeFileSync(inFolder("notes", "a.txt"), "x")
    const before = await tasksCount()
    const clash = await atelier("parse", "notes/a.md", "notes/a.txt", "-o", "clash")
    expect(clash).toMatchObject({ code: 2, stderr: expect.stringContaining("would both become clash/a.md") })
    const nowhere = await atelier("parse", "notes/a.md", "notes/a.txt")
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining("--out FOLDER") })
    expect(await tasksCount()).toBe(before)
  })

  it("killed in the middle, the next run finishes what is left without a second task", async () => {
    const before = await tasksCount()
    mkdirSync(inFolder("many"))
    const names = Array.from({ length: 12 }, (_, index) => `${index}.md`)
    for (const name of names) writeFileSync(inFolder("many", name), `# ${name}\n`)
    const { child, ended } = begin("parse", "many/*.md", "-o", "out", "--jobs", "2")
    // The first result is written.
    if (child.stdout !== null) await Promise.race([once(child.stdout, "data"), ended])
    child.kill("SIGKILL")
    await ended
    expect((await atelier("parse", "many/*.md", "-o", "out")).code).toBe(0)
    expect(names.map((name) => readFileSync(inFolder("out", name), "utf8"))).toEqual(
      names.map((name) => `# ${name}\n`),
    )
    expect(await tasksCount()).toBe(before + names.length)
  })
})

describe("tasks", () => {
  it("lists pages, shows one, and tells why it was charged", async () => {
    const { stdout } = await atelier("tasks", "list", "--limit", "1", "--json")
    const page = JSON.parse(stdout)
    expect(page).toMatchObject({ object: "list", has_more: true, last_id: textAt(page, "data.0.id") })
    const id = textAt(page, "last_id")
    const next = await atelier("tasks", "list", "--limit", "1", "--after", id, "--json")
    expect(textAt(JSON.parse(next.stdout), "data.0.id")).not.toBe(id)
    expect((await atelier("tasks", "get", id)).stdout).toContain(`id        ${id}`)
    expect((await atelier("tasks", "history", id)).stdout).toMatch(/submit +queued +hold 50 units/)
  })

  it("cancels what has not begun, and refuses what has ended", async () => {
    const { stdout } = await atelier("tasks", "list", "--limit", "1", "--json")
    const refused = await atelier("tasks", "cancel", textAt(JSON.parse(stdout), "data.0.id"))
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("task_not_cancelable") })
  })
})

describe("listen", () => {
  const secret = () => readFileSync(inFolder("data", "dev-webhook-secret"), "utf8").trim()

  it("receives callbacks of dev on this machine, verifies them, and hands them on as they came", async () => {
    const received: Array<{ readonly id: unknown; readonly body: string }> = []
    const receiver = createServer(async (request, response) => {
      received.push({ id: request.headers["webhook-id"], body: await text(request) })
      response.writeHead(200).end()
    }).listen(0, "127.0.0.1")
    await once(receiver, "listening")
    const to = `http://127.0.0.1:${Object(receiver.address()).port}`
    const flags = ["--port", "0", "--secret", secret(), "--forward", to, "--once", "--json"]
    const { child, ended } = begin("listen", ...flags)
    try {
      let told = ""
      child.stderr?.on("data", (text: string) => {
        told += text
      })
      await expect.poll(() => told, { timeout: 60_000 }).toMatch(/callback_url: http:\S+\/,/)
      const address = /callback_url: (http:\S+\/),/.exec(told)?.[1] ?? ""
      const forged = await fetch(address, { method: "POST", body: "{}" })
      expect(forged.status).toBe(400)
      const made = await atelier("image", "[slow 0s]", "--model", "test-image", "--callback-url", address)
      expect(made.code).toBe(0)
      const { code, stdout } = await ended
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ type: "image.task.completed", data: { state: "completed" } })
      expect(received).toMatchObject([{ id: expect.stringMatching(/^evt_/) }])
      expect(JSON.parse(received[0]?.body ?? "")).toEqual(JSON.parse(stdout))
    } finally {
      child.kill("SIGKILL")
      receiver.close()
    }
  })

  it("without a secret it does not begin", async () => {
    expect(await atelier("listen")).toMatchObject({ code: 2, stderr: expect.stringContaining("--secret") })
  })
})

describe("balance", () => {
  it("shows the wallet in dollars and units", async () => {
    const { stdout } = await atelier("balance", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ object: "balance", granted: 5_000_000 })
    expect((await atelier("balance")).stdout).toMatch(/^granted +\$10\.00 \(5000000 units\)$/m)
  })
})

describe("the command's first file", () => {
  const start = join(root, "packages/cli/src/start.cjs")

  it("says in one line that a Node is too old", () => {
    const pretend = `Object.defineProperty(process.versions, "node", { value: "18.20.0" }); require(${JSON.stringify(start)})`
    const { status, stderr } = spawnSync(process.execPath, ["-e", pretend], { encoding: "utf8" })
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "atelier: expected Node >=22.19, this is 18.20.0\n",
    })
  })
})

describe("tools", () => {
  it("lists what the key may use, with prices", async () => {
    const { stdout } = await atelier("tools")
    expect(stdout).toMatch(/^pptx-md-json +\$0\.0005 per document/m)
  })
})
