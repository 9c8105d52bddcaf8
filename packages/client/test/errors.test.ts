import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import {
  Atelier,
  AtelierError,
  AuthenticationError,
  BillingError,
  ConnectionError,
  InvalidRequestError,
  PermissionError,
  RateLimitError,
  ServerError,
  UpstreamError,
  WaitTimeoutError,
} from "@atelier/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

/** Answers with the status, headers and body that its path names; counts what it was asked. */
let asked = 0
let reply: { readonly status: number; readonly headers?: Record<string, string>; readonly body: string } = {
  status: 200,
  body: "{}",
}
const server = createServer((request, response) => {
  request.resume()
  asked += 1
  response.writeHead(reply.status, { "x-request-id": "req_1", ...reply.headers }).end(reply.body)
})
let baseURL = ""
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const client = (options: object = {}) =>
  new Atelier({ apiKey: "sk-atl-test", baseURL, retryDelayMs: 1, ...options })

const failure = async (call: Promise<unknown>): Promise<AtelierError> => {
  const error = await call.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  if (!(error instanceof AtelierError)) throw new Error(`no error of the client: ${String(error)}`)
  return error
}

const refusal = (type: string, code: string, more: object = {}) =>
  JSON.stringify({ error: { message: "No.", type, code, param: "n" }, request_id: "req_1", ...more })

describe("contract, Errors: one class for each kind", () => {
  it.each([
    [400, "invalid_request_error", "invalid_parameter", InvalidRequestError, 1],
    [404, "invalid_request_error", "model_not_found", InvalidRequestError, 1],
    [409, "invalid_request_error", "idempotency_key_reused", InvalidRequestError, 1],
    [401, "authentication_error", "invalid_api_key", AuthenticationError, 1],
    [403, "permission_error", "model_not_allowed", PermissionError, 1],
    [403, "billing_error", "insufficient_balance", BillingError, 1],
    [402, "billing_error", "key_quota_exhausted", BillingError, 1],
    [502, "upstream_error", "upstream_failed", UpstreamError, 1],
    [429, "rate_limit_error", "rate_limited", RateLimitError, 3],
    [500, "server_error", "internal_error", ServerError, 3],
    [503, "server_error", "overloaded", ServerError, 3],
  ])("%i %s %s", async (status, type, code, kind, times) => {
    asked = 0
    reply = { status, headers: { "retry-after": "0" }, body: refusal(type, code, { task_id: "imgtask_1" }) }
    const error = await failure(client({ maxRetries: 2 }).models.list())
    expect(error).toBeInstanceOf(kind)
    expect(error).toMatchObject({
      code,
      status,
      param: "n",
      requestId: "req_1",
      taskId: "imgtask_1",
      retryAfter: 0,
    })
    expect(asked).toBe(times)
  })

  it("a redirect is told, and not followed with the key", async () => {
    asked = 0
    reply = { status: 301, headers: { location: `${baseURL}/elsewhere` }, body: "" }
    const error = await failure(client().models.list())
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ code: "redirected", retryable: false })
    expect(asked).toBe(1)
  })

  it("a server that asks for more than a minute is not waited for", async () => {
    asked = 0
    reply = {
      status: 429,
      headers: { "retry-after": "61" },
      body: refusal("rate_limit_error", "rate_limited"),
    }
    expect(await failure(client().models.list())).toMatchObject({ retryAfter: 61 })
    expect(asked).toBe(1)
  })

  it("a submission without an answer names its idempotency key", async () => {
    reply = { status: 502, body: "<html>" }
    const error = await failure(
      client({ maxRetries: 1 }).images.submit({ model: "m" }, { idempotencyKey: "order-12" }),
    )
    expect(error).toMatchObject({
      code: "unexpected_answer",
      status: 502,
      idempotencyKey: "order-12",
      retryable: true,
    })
  })

  it("a wait that ends early names its task, which goes on", async () => {
    const task = { id: "imgtask_1", object: "image.task", state: "in_progress" }
    reply = { status: 200, body: JSON.stringify(task) }
    const error = await failure(client().tasks.wait("imgtask_1", { timeoutMs: 20 }))
    expect(error).toBeInstanceOf(WaitTimeoutError)
    expect(error).toMatchObject({ code: "wait_timeout", taskId: "imgtask_1" })
  })

  it("an AbortSignal ends every call with its own reason", async () => {
    reply = {
      status: 429,
      headers: { "retry-after": "30" },
      body: refusal("rate_limit_error", "rate_limited"),
    }
    const controller = new AbortController()
    const calls = [
      client().models.list({ signal: controller.signal }),
      client().images.generate({ model: "m", prompt: "p" }, { signal: controller.signal }),
      client().tasks.wait("imgtask_1", { signal: controller.signal, timeoutMs: 60_000 }),
      client().tasks.wait("imgtask_1", { signal: controller.signal, onUpdate: () => {} }),
    ]
    const reason = new Error("enough")
    controller.abort(reason)
    expect(await Promise.all(calls.map((call) => call.catch((cause: unknown) => cause)))).toEqual([
      reason,
      reason,
      reason,
      reason,
    ])
  })

  it("what cannot be sent is refused before anything is", async () => {
    asked = 0
    expect(() => new Atelier({ apiKey: "", baseURL })).toThrow("apiKey is missing")
    expect(() => new Atelier({ apiKey: "k", baseURL: "localhost:8787" })).toThrow("baseURL must be")
    expect(await failure(client().tasks.get("../keys"))).toMatchObject({ param: "id" })
    expect(await failure(client().images.submit({ model: "m" }, { idempotencyKey: "é" }))).toMatchObject({
      param: "idempotencyKey",
    })
    expect(await failure(client().documents.parse(new Blob(["x"])))).toMatchObject({ param: "filename" })
    expect(asked).toBe(0)
  })
})
