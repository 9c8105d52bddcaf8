import { once } from "node:events"
import { readFileSync } from "node:fs"
import type { IncomingHttpHeaders } from "node:http"
import { createServer } from "node:https"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminToken, at, textAt } from "../support/server.ts"
import { type App, newPrompt, openApp, refusalIn } from "./app.ts"

const fixture = (name: string) => join(import.meta.dirname, "fixtures", name)

interface Delivery {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A customer's server over HTTPS, under a certificate that the server under test is told to trust. */
const deliveries: Array<Delivery> = []
let arrived = Promise.withResolvers<void>()
let status = 204
const receiver = createServer(
  { cert: readFileSync(fixture("receiver.cert.pem")), key: readFileSync(fixture("receiver.key.pem")) },
  async (request, response) => {
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    deliveries.push({ headers: request.headers, body })
    response.writeHead(status).end()
    arrived.resolve()
  },
)
/** The next delivery. */
const delivery = async (): Promise<Delivery> => {
  while (deliveries.length === 0) {
    await arrived.promise
    arrived = Promise.withResolvers()
  }
  const first = deliveries.shift()
  if (first === undefined) throw new Error("nothing was delivered")
  return first
}

let app: App
let callbackUrl: string
beforeAll(async () => {
  receiver.listen(0, "127.0.0.1")
  await once(receiver, "listening")
  const address = receiver.address()
  callbackUrl = `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hook`
  app = await openApp({}, { NODE_EXTRA_CA_CERTS: fixture("receiver.cert.pem") })
})
afterAll(async () => {
  await app.close()
  receiver.closeAllConnections()
  receiver.close()
})

/** A key and its webhook secret. */
const newKey = async () => {
  const path = `/admin/v1/users/${app.account.user}/keys`
  const { body } = await app.call(path, { key: adminToken, json: {} })
  return { key: textAt(body, "key"), secret: textAt(body, "webhook_secret") }
}
/** An attempt is recorded milliseconds after it was made. */
const looksMax = 5000
/** The deliveries of a task, as soon as the last attempt is recorded. */
const recorded = async (id: string, key: string, attempts: number): Promise<unknown> => {
  for (let looks = 0; looks < looksMax; looks++) {
    const { body } = await app.call(`/v1/tasks/${id}/callbacks`, { key })
    const { data } = Object(body)
    if ((data[0]?.attempts.length ?? 0) >= attempts) return body
  }
  throw new Error(`the task ${id} had fewer than ${attempts} attempts`)
}

describe("image-tasks 6: callback_url", () => {
  it.each([
    ["gen-image-2", "a boat", "completed"],
    ["imagine-image-2.0", "a boat", "completed"],
    ["dream-4.5", "a boat", "completed"],
    ["test-image", "[fail]", "failed"],
  ])(
    "image-tasks 6 and contract, Waiting: %s, %s: one signed POST tells that the task is %s",
    async (model, prompt, state) => {
      const { key, secret } = await newKey()
      const json = { model, prompt: newPrompt(prompt), callback_url: callbackUrl }
      const id = await app.submit(json, { key })
      const { headers, body } = await delivery()
      expect(headers["content-type"]).toBe("application/json")
      const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const
      const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
      expect(signed["webhook-signature"]).toMatch(/^v1,/)
      const event: unknown = new Webhook(secret).verify(body, signed)
      const task = await app.task(id, { key })
      expect(event).toEqual({
        type: `image.task.${state}`,
        timestamp: at(task, "finished_at"),
        data: task,
      })
      expect(at(task, "state")).toBe(state)
      expect(await recorded(id, key, 1)).toEqual({
        object: "list",
        data: [
          {
            id: signed["webhook-id"],
            object: "callback",
            task_id: id,
            url: callbackUrl,
            state: "delivered",
            attempts: [
              {
                status_code: 204,
                error: null,
                duration_ms: expect.any(Number),
                attempted_at: expect.toSatisfy(Number.isInteger),
              },
            ],
            attempts_total: 1,
            created_at: expect.toSatisfy(Number.isInteger),
          },
        ],
      })
      expect(deliveries).toEqual([])
    },
  )

  it("contract, Waiting: every attempt is recorded; redeliver makes the next one now, under the same id", async () => {
    const { key } = await newKey()
    status = 500
    const id = await app.submit(
      { model: "gen-image-2", prompt: newPrompt(), callback_url: callbackUrl },
      { key },
    )
    const first = await delivery()
    expect(at(await recorded(id, key, 1), "data.0")).toMatchObject({
      state: "pending",
      attempts: [{ status_code: 500 }],
    })
    status = 200
    const again = await app.call(`/v1/tasks/${id}/callbacks/redeliver`, { key, method: "POST" })
    expect(again).toMatchObject({ status: 202, body: { object: "callback", task_id: id, state: "pending" } })
    const second = await delivery()
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"])
    expect(second.body).toBe(first.body)
    expect(at(await recorded(id, key, 2), "data.0")).toMatchObject({
      state: "delivered",
      attempts: [{ status_code: 500 }, { status_code: 200 }],
    })
  })

  it("a task's callback is redelivered 5 times a minute: then 429 with Retry-After", async () => {
    const { key } = await newKey()
    status = 200
    const id = await app.submit(
      { model: "gen-image-2", prompt: newPrompt(), callback_url: callbackUrl },
      { key },
    )
    await delivery()
    const redeliver = () => app.call(`/v1/tasks/${id}/callbacks/redeliver`, { key, method: "POST" })
    const answers = await Promise.all(Array.from({ length: 40 }, redeliver))
    const refused = answers.filter((answer) => answer.status !== 202)
    expect(refused).toHaveLength(35)
    expect(new Set(refused.map(refusalIn))).toEqual(new Set(["429 rate_limited"]))
    expect(at(refused[0]?.body, "error.message")).toMatch(/5 times a minute.*retry after \d+ s/)
    const seconds = Number(refused[0]?.headers.get("retry-after"))
    expect(seconds > 0 && seconds <= 60).toBe(true)
    await recorded(id, key, 2)
    const { attempts_total: made } = Object(
      at((await app.call(`/v1/tasks/${id}/callbacks`, { key })).body, "data.0"),
    )
    expect(made).toBeLessThanOrEqual(6)
    deliveries.length = 0
  })

  it.each([
    "https://127.0.0.2/hook",
    "https://10.0.0.1/hook",
    "https://[::1]/hook",
    "https://169.254.169.254/latest",
    "https://0x7f000002/hook",
  ])(
    "contract, Waiting: never to a private address: %s is refused at submission, and by a quote",
    async (elsewhere) => {
      const json = { model: "gen-image-2", prompt: newPrompt(), callback_url: elsewhere }
      for (const path of ["/v1/images/tasks", "/v1/images/quote"]) {
        expect(refusalIn(await app.call(path, { json }))).toBe("400 invalid_parameter callback_url")
      }
    },
  )

  it("contract, Waiting: a task without callback_url has no callbacks, and none to deliver", async () => {
    const id = await app.submit({ model: "gen-image-2", prompt: newPrompt() })
    await app.done(id)
    expect((await app.call(`/v1/tasks/${id}/callbacks`)).body).toEqual({ object: "list", data: [] })
    const path = `/v1/tasks/${id}/callbacks/redeliver`
    expect(refusalIn(await app.call(path, { method: "POST" }))).toBe("404 not_found")
  })
})
