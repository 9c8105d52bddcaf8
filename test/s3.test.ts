import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type S3Server, startS3 } from "./support/s3Server.ts"
import {
  type Account,
  call,
  formOf,
  type Installation,
  install,
  makeAccount,
  run,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

let s3: S3Server
let bucket: string
let installation: Installation
let server: Server
let account: Account

beforeAll(async () => {
  s3 = await startS3()
  bucket = await s3.bucket()
  const made = await install()
  const blobs = { ATELIER_BLOB_URL: `s3://${bucket}/atelier?endpoint=${s3.endpoint}`, ...s3.credentials }
  installation = { ...made, environment: { ...made.environment, ...blobs } }
  server = await serve(installation)
  account = await makeAccount(server.url, 1)
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
  await s3.stop()
})

describe("a server whose blobs are in a bucket", () => {
  it("serves an image out of it, whole and in ranges", async () => {
    const { key } = account
    const json = { model: "gen-image-2", prompt: "a lighthouse at dusk", size: "256x256" }
    const submitted = await call(`${server.url}/v1/images/tasks`, { key, json })
    const task = await call(`${server.url}/v1/tasks/${textAt(submitted.body, "task_id")}?wait=30`, { key })
    expect(task.body).toMatchObject({ state: "completed" })
    const url = textAt(task.body, "result_url")
    const image = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(await s3.keys(bucket)).toContain(`atelier${new URL(url).pathname}`)
    const part = await fetch(url, { headers: { range: "bytes=100-1099" } })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer()).equals(image.subarray(100, 1100))).toBe(true)
  })

  it("parses a document in it, serves the result, and removes the file when it is deleted", async () => {
    const { key } = account
    // Longer than what is kept as a row of the database.
    const text = `# Notes\n\n${"A line of a long document.\n".repeat(4000)}`
    const form = formOf("notes.md", text)
    const upload = await call(`${server.url}/v1/tools/text-md-json/files`, { key, form })
    const file = textAt(upload.body, "id")
    const invoked = await call(`${server.url}/v1/tools/text-md-json/invoke`, {
      key,
      headers: { "idempotency-key": "s3-document" },
      json: { input: { file_id: file } },
    })
    const id = textAt(invoked.body, "id")
    const task = await call(`${server.url}/v1/tasks/${id}?wait=30`, { key })
    expect(task.body).toMatchObject({ id, status: "succeeded" })

    const files = async () => (await s3.keys(bucket)).filter((one) => one.startsWith("atelier/files/"))
    expect((await files()).length).toBe(1)
    expect((await call(`${server.url}/v1/tool-files/${file}`, { key, method: "DELETE" })).status).toBe(202)
    await server.end("SIGTERM")
    server = await serve(installation)
    // The first cleanup is at the start.
    await vi.waitUntil(async () => (await files()).length === 0, { timeout: 60_000 })
    const result = await call(`${server.url}/v1/tasks/${id}/result?format=markdown`, { key })
    expect(result.body).toBe(text)
  })

  it("keeps local files only while it needs them, beside the database", () => {
    expect(existsSync(join(installation.directory, "data", "blobs"))).toBe(false)
    expect(readdirSync(join(installation.directory, "data", "work", "temporary"))).toEqual([])
  })

  it("is found in order by the doctor", async () => {
    const { code, stdout } = await run(installation, ["doctor"])
    expect(stdout).toMatch(/^ok +blobs +written, read and removed$/m)
    expect(code).toBe(0)
  })
})

describe("a bucket that cannot be used refuses the start, by the name of the setting", () => {
  it.each([
    ["no such bucket", { ATELIER_BLOB_URL: "s3://nowhere" }, `"nowhere"`],
    ["a wrong secret", { AWS_SECRET_ACCESS_KEY: "hunter2" }, "AWS_SECRET_ACCESS_KEY does not belong to"],
    ["an unknown key", { AWS_ACCESS_KEY_ID: "hunter2" }, "AWS_ACCESS_KEY_ID is not known"],
  ])("%s", async (_name, more, words) => {
    const { ATELIER_BLOB_URL: url } = { ATELIER_BLOB_URL: `s3://${bucket}`, ...more }
    const environment = { ...more, ATELIER_BLOB_URL: `${url}?endpoint=${s3.endpoint}` }
    const { code, stderr } = await run(installation, ["serve"], environment)
    expect(code).toBe(1)
    expect(stderr).toContain("ATELIER_BLOB_URL: ")
    expect(stderr).toContain(words)
    expect(stderr).not.toContain("hunter2")
  })
})
