import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import {
  type Account,
  at,
  call,
  commandsOf,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

let home: Installation
let server: Server
let account: Account
beforeAll(async () => {
  home = await install({
    channels: [
      { id: "local", adapter: "local", models: { "gen-image-*": "*", "imagine-image-2.0": "*" } },
      { id: "faulty", adapter: "faulty", models: { "test-image": "*" } },
    ],
    network: { cors_origins: ["https://app.example.com"] },
  })
  server = await serve(home)
  account = await makeAccount(server.url, 10)
})
afterAll(async () => {
  await server.end("SIGTERM")
  home.remove()
})

const connect = async (headers: Readonly<Record<string, string>> = {}) => {
  const client = new Client({ name: "test", version: "1" })
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${account.key}`, ...headers } },
  })
  // The package's own types leave out undefined where it is given.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  onTestFinished(() => client.close())
  return client
}
const use = (client: Client, name: string, input: Record<string, unknown>) =>
  client.callTool({ name, arguments: input })
const tasks = async () =>
  Object((await call(`${server.url}/v1/tasks?limit=100`, { key: account.key })).body).data.length
const textIn = (result: unknown) => textAt(result, "content.0.text")
const small = { model: "test-image", size: "256x256" }

describe("contract, Endpoints and commands: /mcp", () => {
  it("lists its tools with their inputs, to the official client", async () => {
    const client = await connect()
    expect(client.getServerVersion()).toMatchObject({ name: "atelier" })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      "generate_image",
      "edit_image",
      "parse_document",
      "get_task",
      "quote",
      "balance",
    ])
    expect(tools[0]?.inputSchema).toMatchObject({ type: "object", required: ["prompt"] })
  })

  it("makes an image: its link, its small picture and its price are in the result", async () => {
    const client = await connect()
    const result = await use(client, "generate_image", {
      model: "gen-image-2",
      prompt: "a boat",
      size: "256x256",
      quality: "low",
    })
    const task = at(result, "structuredContent.task")
    expect(task).toMatchObject({ object: "image.task", state: "completed" })
    expect(result.content).toContainEqual(
      expect.objectContaining({
        type: "resource_link",
        uri: textAt(task, "result_url"),
        mimeType: "image/png",
      }),
    )
    expect(at(result, "structuredContent.price.units")).toBe(at(task, "billing.charged"))
    expect(textIn(result)).toMatch(/Price: 0\.\d+ USD/)
    const { body } = await call(`${server.url}/v1/tasks/${textAt(task, "id")}`, { key: account.key })
    expect(body).toEqual(task)
  })

  it("a large image is a link and a thumbnail of it; one that cannot be read is the link alone", async () => {
    const client = await connect()
    const made = await use(client, "generate_image", {
      model: "gen-image-2",
      prompt: "a boat",
      size: "2:1",
      resolution: "4K",
    })
    const [asset] = Object(at(made, "structuredContent.task.assets"))
    expect(asset.bytes).toBeGreaterThan(256 * 1024)
    const imagesIn = ({ content }: typeof made) =>
      (content as ReadonlyArray<{ readonly type: string; readonly data: string; readonly mimeType: string }>)
        .filter(({ type }) => type === "image")
        .map(({ data, mimeType }) => ({ mimeType, bytes: Buffer.from(data, "base64") }))
    const task = { task_id: textAt(made, "structuredContent.task.id") }
    // A slow machine may need longer for it than a caller waits: then it is there later.
    let shown = made
    while (imagesIn(shown).length === 0) {
      await setTimeout(5_000)
      shown = await use(client, "get_task", task)
    }
    const [thumbnail, ...others] = imagesIn(shown)
    expect([others.length, thumbnail?.mimeType]).toEqual([0, "image/png"])
    expect(thumbnail?.bytes.length).toBeLessThanOrEqual(256 * 1024)
    // The size stands in the PNG's first chunk: as wide as it may be, and the shape of the image.
    expect([thumbnail?.bytes.readUInt32BE(16), thumbnail?.bytes.readUInt32BE(20)]).toEqual([
      512,
      Math.round((512 * asset.height) / asset.width),
    ])
    const again = await use(client, "get_task", task)
    expect(imagesIn(again)).toEqual([thumbnail])

    const begun = await use(client, "generate_image", {
      model: "gen-image-2",
      prompt: "a ship",
      size: "2:1",
      resolution: "4K",
      wait_seconds: 0,
    })
    const id = textAt(begun, "structuredContent.task.id")
    const { body } = await call(`${server.url}/v1/tasks/${id}?wait=50`, { key: account.key })
    const name = new URL(textAt(body, "result_url")).pathname.replace("/media/", "")
    const file = join(home.directory, "data/blobs/objects/media", name)
    writeFileSync(file, readFileSync(file).fill(7, 100))
    const broken = await use(client, "get_task", { task_id: id })
    expect(imagesIn(broken)).toEqual([])
    expect(broken.content).toContainEqual(expect.objectContaining({ type: "resource_link" }))
  })

  it("edits images that came in Base64", async () => {
    const client = await connect()
    const made = await use(client, "generate_image", { ...small, prompt: "a boat" })
    const picture = await (await fetch(textAt(made, "structuredContent.task.result_url"))).arrayBuffer()
    const edited = await use(client, "edit_image", {
      ...small,
      prompt: "a red boat",
      images_base64: [Buffer.from(picture).toString("base64")],
    })
    expect(at(edited, "structuredContent.task")).toMatchObject({
      state: "completed",
      usage: { input_images: 1 },
    })
  })

  it("parses a document to Markdown, with its price", async () => {
    const client = await connect()
    const result = await use(client, "parse_document", {
      filename: "note.md",
      content_base64: Buffer.from("# Title\n\nWords.\n").toString("base64"),
    })
    expect(textIn(result)).toBe("# Title\n\nWords.\n")
    expect(at(result, "structuredContent.price.usd")).toBe(0.0001)
  })

  it("takes for a document the tool that was made for it", async () => {
    const client = await connect()
    const contentBase64 = Buffer.from("<h1>Title</h1><p>Words.</p>").toString("base64")
    const result = await use(client, "parse_document", {
      filename: "page.html",
      content_base64: contentBase64,
    })
    expect(textIn(result)).toBe("# Title\n\nWords.\n")
    expect(at(result, "structuredContent.task.tool_id")).toBe("file-md-json")
  })

  it("answers with the task's id when the wait is over, and get_task goes on", async () => {
    const client = await connect()
    const begun = await use(client, "generate_image", {
      ...small,
      prompt: "a boat [slow 1s]",
      wait_seconds: 0,
    })
    const id = textAt(begun, "structuredContent.task.id")
    expect(textIn(begun)).toContain(`get_task`)
    const result = await use(client, "get_task", { task_id: id, wait_seconds: 50 })
    expect(at(result, "structuredContent.task")).toMatchObject({ id, state: "completed" })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain(`atelier://tasks/${id}`)
    const { contents } = await client.readResource({ uri: `atelier://tasks/${id}` })
    expect(JSON.parse(textAt(contents, "0.text"))).toMatchObject({ id, state: "completed" })
    await expect(client.readResource({ uri: "atelier://tasks/imgtask_0" })).rejects.toThrow("no resource")
  })

  it("tells the progress of a task to a client that asks for it", async () => {
    const client = await connect()
    const seen: Array<number> = []
    const result = await client.callTool(
      { name: "generate_image", arguments: { ...small, prompt: "a boat [slow 1s]" } },
      undefined,
      { onprogress: ({ progress }) => void seen.push(progress) },
    )
    expect(at(result, "structuredContent.task.state")).toBe("completed")
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  it("ends a call with progress when its time is over, and not after as long again", async () => {
    const client = await connect()
    const begun = await use(client, "generate_image", {
      ...small,
      prompt: "a boat [slow 60s]",
      wait_seconds: 0,
    })
    const taskId = textAt(begun, "structuredContent.task.id")
    const ended: Array<string> = []
    const wait = async (name: string, waitSeconds: number, onprogress?: () => void) => {
      const options = onprogress === undefined ? {} : { onprogress }
      await client.callTool(
        { name: "get_task", arguments: { task_id: taskId, wait_seconds: waitSeconds } },
        undefined,
        options,
      )
      ended.push(name)
    }
    await Promise.all([wait("three seconds", 3), wait("two seconds, with progress", 2, () => {})])
    expect(ended).toEqual(["two seconds, with progress", "three seconds"])
  })

  it("keeps no file of a document that was refused", async () => {
    const poor = await makeAccount(server.url, 0)
    const client = await connect({ authorization: `Bearer ${poor.key}` })
    const document = { filename: "a.txt", content_base64: "dGV4dA==" }
    const refused = async () => {
      const result = await use(client, "parse_document", document)
      expect(at(result, "structuredContent.error.code")).toBe("insufficient_balance")
    }
    // More than a user may keep (document-tools 3); one that is being removed has its place for a second.
    for (let file = 0; file < 22; file++) await vi.waitFor(refused, { timeout: 60_000, interval: 200 })
  })

  it("does not charge a repetition of the same request, nor one under the same key", async () => {
    const before = await tasks()
    const message = {
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { name: "generate_image", arguments: { ...small, prompt: "once" } },
    }
    const send = async (session: string) => {
      const answer = await call(`${server.url}/mcp`, {
        key: account.key,
        json: message,
        headers: { "mcp-session-id": session },
      })
      return textAt(answer.body, "result.structuredContent.task.id")
    }
    expect(await send("session-a")).toBe(await send("session-a"))
    expect(await tasks()).toBe(before + 1)
    await send("session-b")
    expect(await tasks()).toBe(before + 2)
    const client = await connect()
    const document = {
      filename: "a.txt",
      content_base64: Buffer.from("text").toString("base64"),
      idempotency_key: "document-1",
    }
    const ids = [await use(client, "parse_document", document), await use(client, "parse_document", document)]
    expect(textAt(ids[0], "structuredContent.task.id")).toBe(textAt(ids[1], "structuredContent.task.id"))
    expect(await tasks()).toBe(before + 3)
    const other = await use(client, "parse_document", { ...document, content_base64: "b3RoZXI=" })
    expect(at(other, "structuredContent.error.code")).toBe("idempotency_key_reused")
  })

  it("keeps to the ceiling of a call, and to that of a session", async () => {
    const refusal = (result: unknown) => [at(result, "isError"), at(result, "structuredContent.error.code")]
    const paid = { model: "gen-image-2", prompt: "a boat", size: "256x256" }
    const client = await connect()
    const over = await use(client, "generate_image", { ...paid, max_cost_usd: 0.000001 })
    expect(refusal(over)).toEqual([true, "max_cost_exceeded"])
    const document = { filename: "a.txt", content_base64: "dGV4dA==" }
    const dear = await use(client, "parse_document", { ...document, max_cost_usd: 0.00001 })
    expect(refusal(dear)).toEqual([true, "max_cost_exceeded"])
    const cheap = await use(client, "parse_document", { ...document, max_cost_usd: 0.0001 })
    expect(at(cheap, "isError")).toBeUndefined()
    const price = Number(at(await use(client, "quote", paid), "structuredContent.usd"))
    const bounded = await connect({ "atelier-session-max-cost-usd": String(price * 1.5) })
    const once = { ...paid, idempotency_key: "within-the-ceiling" }
    for (let repetition = 0; repetition < 2; repetition++) {
      expect(at(await use(bounded, "generate_image", once), "structuredContent.task.state")).toBe("completed")
    }
    expect(refusal(await use(bounded, "generate_image", paid))).toEqual([true, "max_cost_exceeded"])
  })

  it("tells prices and the balance, and refusals in the words of /v1", async () => {
    const client = await connect()
    expect(at(await use(client, "quote", { tool: "text-md-json" }), "structuredContent.usd")).toBe(0.0001)
    const { body } = await call(`${server.url}/v1/balance`, { key: account.key })
    expect((await use(client, "balance", {})).structuredContent).toEqual(body)
    const refused = await use(client, "generate_image", { model: "nothing", prompt: "a boat" })
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { error: { code: "model_not_found" } },
    })
    const wrong = await use(client, "generate_image", { prompt: 1 })
    expect(wrong).toMatchObject({ isError: true, structuredContent: { error: { param: "prompt" } } })
  })

  it("refuses a wrong key, pages of other origins, and other methods, as /v1 does", async () => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
    const code = async (headers: Readonly<Record<string, string>>, key = account.key) => {
      const { status, body } = await call(`${server.url}/mcp`, { key, json: ping, headers })
      return [status, at(body, "error.code")]
    }
    expect(await code({})).toEqual([200, undefined])
    expect(await code({}, "sk-atl-unknown")).toEqual([401, "invalid_api_key"])
    expect(await code({ origin: "https://evil.example.com" })).toEqual([403, "origin_not_allowed"])
    expect(await code({ origin: "https://app.example.com" })).toEqual([200, undefined])
    expect(await code({ origin: server.url })).toEqual([200, undefined])
    const { status, headers } = await call(`${server.url}/mcp`, { key: account.key })
    expect([status, headers.get("allow")]).toEqual([405, "POST"])
  })

  it("is bridged to standard input and output by `atelier mcp`", async () => {
    const client = new Client({ name: "test", version: "1" })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [...commandsOf(), "mcp"],
        env: { PATH: process.env["PATH"] ?? "", ATELIER_URL: server.url, ATELIER_API_KEY: account.key },
      }),
    )
    onTestFinished(() => client.close())
    const result = await use(client, "generate_image", { ...small, prompt: "a boat" })
    expect(at(result, "structuredContent.task.state")).toBe("completed")
  })
})
