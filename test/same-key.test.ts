import { once } from "node:events"
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type Account,
  type Answer,
  at,
  call,
  formOf,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

const submissions = 64

/** A reference image that takes a moment to come: the window in which duplicates arrive. */
const gallery = createServer((_, response) => {
  setTimeout(() => response.end(pixel), 200)
})
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

let installation: Installation
let server: Server
let account: Account

beforeAll(async () => {
  installation = await install({
    // However slow the machine is, none of them is shed.
    limits: { rate_per_minute: 100_000, rate_burst: 100_000, overload_delay_ms: 60_000 },
    network: { allow_private: ["127.0.0.1/32"] },
  })
  gallery.listen(0, "127.0.0.1")
  await once(gallery, "listening")
  server = await serve(installation)
  account = await makeAccount(server.url, 5)
})
afterAll(async () => {
  await server.end("SIGTERM")
  gallery.close()
  installation.remove()
})

const send = (path: string, idempotencyKey: string, json: unknown) =>
  call(`${server.url}${path}`, {
    key: account.key,
    headers: { "idempotency-key": idempotencyKey },
    json,
  })

/** One answer is the first; every other one repeats it, or says that it is on its way. */
const expectOneTask = async (answers: ReadonlyArray<Answer>) => {
  const accepted = answers.filter(({ status }) => status === 202)
  const waiting = answers.filter(({ status }) => status === 409)
  expect(accepted.length + waiting.length).toBe(submissions)
  expect(accepted.filter(({ headers }) => headers.get("idempotency-replayed") !== "true")).toHaveLength(1)
  for (const { body, headers } of waiting) {
    expect(at(body, "error.code")).toBe("idempotency_request_in_progress")
    expect(headers.get("retry-after")).toBe("2")
  }
  const ids = new Set(answers.map(({ body }) => textAt(body, "task_id")))
  expect(ids.size).toBe(1)
  const tasks = await call(`${server.url}/v1/tasks?limit=100`, { key: account.key })
  const id = [...ids][0] ?? ""
  expect(at(tasks.body, "data")).toEqual([expect.objectContaining({ id })])
  await call(`${server.url}/v1/tasks/${id}?wait=30`, { key: account.key })
}

describe("64 concurrent submissions under one key make one task", () => {
  it("image-tasks 4.5: images", async () => {
    const json = { model: "gen-image-2", prompt: "once", size: "256x256" }
    await expectOneTask(
      await Promise.all(
        Array.from({ length: submissions }, () => send("/v1/images/tasks", "the same key", json)),
      ),
    )
  })

  it("image-tasks 4.5: images with references, which are checked before", async () => {
    account = await makeAccount(server.url, 5)
    const address = gallery.address()
    const images = [`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/a.png`]
    const json = { model: "gen-image-2", prompt: "once", size: "256x256", images }
    await expectOneTask(
      await Promise.all(
        Array.from({ length: submissions }, () => send("/v1/images/tasks", "the same key", json)),
      ),
    )
  })

  it("document-tools 4.3: documents", async () => {
    account = await makeAccount(server.url, 5)
    const upload = await call(`${server.url}/v1/tools/text-md-json/files`, {
      key: account.key,
      form: formOf("a.txt", "once"),
    })
    const json = { input: { file_id: textAt(upload.body, "id") } }
    await expectOneTask(
      await Promise.all(
        Array.from({ length: submissions }, () =>
          send("/v1/tools/text-md-json/invoke", "the-same-key", json),
        ),
      ),
    )
  })
})
