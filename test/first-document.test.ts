import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type Account,
  call,
  formOf,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

let installation: Installation
let server: Server
let account: Account

beforeAll(async () => {
  installation = await install()
  server = await serve(installation)
  account = await makeAccount(server.url, 1)
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
})

const text = "# Notes\n\nA first document, with “quotes” and `code`.\n"
const get = (path: string) => call(`${server.url}${path}`, { key: account.key })

describe("a first document", () => {
  it("is uploaded, parsed, read in both formats, listed and deleted", async () => {
    const upload = await call(`${server.url}/v1/tools/text-md-json/files`, {
      key: account.key,
      form: formOf("notes.md", text),
    })
    expect(upload.status).toBe(201)
    const file = textAt(upload.body, "id")
    expect(upload.body).toMatchObject({
      filename: "notes.md",
      bytes: Buffer.byteLength(text),
      status: "ready",
    })

    const invoked = await call(`${server.url}/v1/tools/text-md-json/invoke`, {
      key: account.key,
      headers: { "idempotency-key": "first-document" },
      json: { input: { file_id: file } },
    })
    expect(invoked.status).toBe(202)
    const id = textAt(invoked.body, "id")
    const task = await get(`/v1/tasks/${id}?wait=30`)
    // document-tools 1: 0.0001 USD for each document, 50 units.
    expect(task.body).toMatchObject({
      status: "succeeded",
      output_formats: ["markdown", "json"],
      billing: { pre_deducted: 50, charged: 50, refunded: 0 },
    })

    const markdown = await get(`/v1/tasks/${id}/result?format=markdown`)
    expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8")
    expect(markdown.body).toBe(text)
    const json = await get(`/v1/tasks/${id}/result?format=json`)
    expect(json.body).toMatchObject({
      schema_version: "1.0",
      markdown: text,
      structure_source: "text",
      warnings: [],
      input_bytes: Buffer.byteLength(text),
    })

    expect((await get("/v1/tool-tasks")).body).toMatchObject({
      object: "list",
      data: [{ id, file_id: file }],
    })
    expect((await get("/v1/tasks?model=text-md-json")).body).toMatchObject({
      data: [{ id }],
      has_more: false,
    })

    const removed = await call(`${server.url}/v1/tool-files/${file}`, { method: "DELETE", key: account.key })
    expect(removed.status).toBe(202)
    expect(removed.body).toMatchObject({ id: file, status: "deleting" })
  })
})
