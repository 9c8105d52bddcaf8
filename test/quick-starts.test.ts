import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../scripts/workspace.ts"
import { matches, pages } from "./support/markdown.ts"
import { type Installation, install, type Server, serve } from "./support/server.ts"

let installation: Installation
let server: Server

beforeAll(async () => {
  installation = await install()
  server = await serve(installation, "dev")
})
afterAll(async () => {
  await server?.end("SIGTERM")
  installation?.remove()
})

const keyOf = ({ directory }: Installation): string =>
  readFileSync(join(directory, "data", "dev-key"), "utf8").trim()

/** Starts a program of `examples` in the folder of the installation, as the pages say. */
const start = (command: string, args: ReadonlyArray<string>, more: object = {}): ChildProcess =>
  spawn(command, args, {
    cwd: installation.directory,
    env: {
      ...installation.environment,
      ATELIER_URL: installation.url,
      ATELIER_API_KEY: keyOf(installation),
      ...more,
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 300_000,
  })

const node = (program: string, more: object = {}) =>
  start(process.execPath, ["--conditions=atelier:source", join(root, program)], more)

const printed = async (child: ChildProcess): Promise<string> => {
  const streams = [child.stdout, child.stderr].map((stream) => (stream === null ? "" : text(stream)))
  const [stdout, stderr] = await Promise.all([...streams, once(child, "close")])
  if (child.exitCode !== 0) throw new Error(String(stderr))
  return String(stdout)
}

/** What the page of `docs/start` says that the program prints. */
const shownAfter = (page: string, program: string): string => {
  const blocks = pages().find(({ path }) => path === page)?.blocks ?? []
  const index = blocks.findIndex(({ info }) => info[1] === program)
  return blocks[index + 1]?.text.replaceAll("http://127.0.0.1:8787", installation.url) ?? ""
}

const runs = (...args: ReadonlyArray<string>): boolean => spawnSync("python3", args).status === 0
const hasPython = runs("--version")
const hasOpenAi = runs("-c", "import openai")

describe("the quick starts print what their pages show", () => {
  it.each([
    ["docs/start/typescript.md", "examples/start/image.ts"],
    ["docs/start/typescript.md", "examples/start/document.ts"],
    ["docs/start/openai.md", "examples/start/openai.ts"],
    ["docs/mcp.md", "examples/start/mcp.mjs"],
  ])("%s: %s", { timeout: 300_000 }, async (page, program) => {
    const out = await printed(node(program))
    expect(matches(shownAfter(page, program).trim(), out.trim()), out).toBe(true)
  })

  it.skipIf(!hasPython)("docs/start/python.md, with Python", { timeout: 300_000 }, async () => {
    const program = "examples/start/image.py"
    const out = await printed(start("python3", [join(root, program)]))
    expect(matches(shownAfter("docs/start/python.md", program).trim(), out.trim()), out).toBe(true)
    expect(existsSync(join(installation.directory, "lighthouse.png"))).toBe(true)
  })

  it.skipIf(!hasOpenAi)(
    "docs/start/openai.md, with Python and its package openai",
    { timeout: 300_000 },
    async () => {
      const program = "examples/start/openai_client.py"
      const out = await printed(start("python3", [join(root, program)]))
      expect(matches(shownAfter("docs/start/openai.md", program).trim(), out.trim()), out).toBe(true)
    },
  )

  it("docs/start/webhook.md: what is signed is handled once, the rest refused", async () => {
    const secret = `whsec_${Buffer.from("a secret of the tests, 32 bytes!").toString("base64")}`
    const receiver = node("examples/webhook/receiver.ts", { ATELIER_WEBHOOK_SECRET: secret, PORT: "0" })
    const lines = linesOf(receiver)
    const url = /http:\S+/.exec(await lines.next())?.[0] ?? ""
    const data = { id: "imgtask_1", state: "completed", result_url: "http://127.0.0.1/boat.png" }
    const body = JSON.stringify({ type: "image.task.completed", data })
    const deliver = async (sent: string): Promise<number> => {
      const now = new Date()
      const headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": new Webhook(secret).sign("msg_1", now, body),
      }
      return (await fetch(url, { method: "POST", headers, body: sent })).status
    }
    try {
      expect([await deliver(body), await deliver(body), await deliver(`${body} `)]).toEqual([204, 204, 400])
      expect(await lines.next()).toBe("imgtask_1 completed http://127.0.0.1/boat.png")
    } finally {
      receiver.kill()
    }
  })
})

/** The lines that a process prints, one after another. */
const linesOf = (child: ChildProcess) => {
  let rest = ""
  const chunks = child.stdout?.setEncoding("utf8")[Symbol.asyncIterator]()
  return {
    next: async (): Promise<string> => {
      while (!rest.includes("\n")) {
        const chunk = await chunks?.next()
        if (chunk === undefined || chunk.done) return rest
        rest += chunk.value
      }
      const [line = "", ...others] = rest.split("\n")
      rest = others.join("\n")
      return line
    },
  }
}

describe("the routes of the Next.js example", () => {
  it("submit, and tell of the task until it is final", { timeout: 300_000 }, async () => {
    Object.assign(process.env, { ATELIER_URL: installation.url, ATELIER_API_KEY: keyOf(installation) })
    const { POST } = await import("../examples/nextjs/app/api/images/route.ts")
    const { GET } = await import("../examples/nextjs/app/api/images/[id]/route.ts")
    const submit = () => {
      const body = JSON.stringify({ prompt: "A lighthouse", order: "order-of-one-press" })
      return POST(new Request("http://site/api/images", { method: "POST", body }))
    }
    const { id } = Object(await (await submit()).json())
    expect(Object(await (await submit()).json())).toEqual({ id })

    const response = await GET(new Request(`http://site/api/images/${id}`), {
      params: Promise.resolve({ id }),
    })
    const views = (await response.text())
      .trim()
      .split("\n")
      .map((line) => Object(JSON.parse(line)))
    expect(views.at(-1)).toMatchObject({ state: "completed", progress: 100, image: expect.any(String) })
  })
})
