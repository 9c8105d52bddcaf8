import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, at, type Call, textAt } from "../support/server.ts"
import { type App, newPrompt, openApp, refusalIn } from "./app.ts"
import { answer } from "./vendor.ts"

let app: App
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

const valid = { model: "gen-image-2", prompt: "a boat" }

describe("image-tasks 7: errors", () => {
  it.each([
    ["n", { n: 11 }, /\bn\b.*10.*11/],
    ["size", { size: "1x1" }, /size.*1x1/],
    ["quality", { quality: "best" }, /quality.*low, medium, high.*best/],
    ["model", { model: "nothing" }, /nothing/],
  ])(
    "image-tasks 7, 400: parameters that violate the model's limits; contract, Errors: %s is named, with its value",
    async (param, json, message) => {
      const { status, body } = await app.call("/v1/images/tasks", { json: { ...valid, ...json } })
      expect(status).toBe(400)
      expect(at(body, "error")).toMatchObject({ type: "invalid_request_error", param })
      expect(textAt(body, "error.message")).toMatch(message)
    },
  )
})

const wrong: ReadonlyArray<readonly [what: string, path: string, request: Call, refusal: string]> = [
  ["an unknown path", "/v1/images", {}, "404 not_found"],
  ["an unknown path", "/v2/images/tasks", { json: valid }, "404 not_found"],
  ["another method", "/v1/images/tasks", { method: "GET" }, "405 method_not_allowed"],
  ["another method", "/v1/images/generations", { method: "PUT", json: valid }, "405 method_not_allowed"],
  ["another method", "/v1/models", { json: {} }, "405 method_not_allowed"],
  ["another method", "/v1/tasks/imgtask_0", { method: "DELETE" }, "405 method_not_allowed"],
  ["an array", "/v1/images/tasks", { json: [valid] }, "400 invalid_parameter"],
  ["no object", "/v1/images/quote", { json: "a boat" }, "400 invalid_parameter"],
  ["a field of a wrong type", "/v1/images/tasks", { json: { ...valid, n: {} } }, "400 invalid_parameter n"],
  [
    "a body over 256 KiB",
    "/v1/images/tasks",
    { json: { ...valid, note: "a".repeat(262_144) } },
    "413 request_too_large",
  ],
  ["an unknown task", "/v1/tasks/imgtask_0", {}, "404 task_not_found"],
  ["an unknown task", "/v1/tasks/imgtask_0/events", {}, "404 task_not_found"],
  ["an unknown task", "/v1/tasks/imgtask_0/history", {}, "404 task_not_found"],
  ["an unknown task", "/v1/tasks/imgtask_0/cancel", { method: "POST" }, "404 task_not_found"],
  ["an unknown task", "/v1/tasks/imgtask_0/callbacks", {}, "404 task_not_found"],
  ["an unknown task", "/v1/tasks?idempotency_key=none", {}, "404 task_not_found"],
  ["a wait of 61 s", "/v1/tasks/imgtask_0?wait=61", {}, "400 invalid_parameter wait"],
  ["a wait of words", "/v1/tasks/imgtask_0?wait=soon", {}, "400 invalid_parameter wait"],
  ["a page of 101", "/v1/tasks?limit=101", {}, "400 invalid_parameter limit"],
  ["a page of none", "/v1/tasks?limit=0", {}, "400 invalid_parameter limit"],
  ["an unknown state", "/v1/tasks?state=done", {}, "400 invalid_parameter state"],
  ["an unknown model", "/v1/models/none", {}, "404 not_found"],
  ["an unknown picture", `/media/${"0".repeat(64)}.png`, {}, "404 not_found"],
]

describe("contract, Errors: one shape, on every path", () => {
  it.each(wrong)("contract, Errors: %s, %s", async (_, path, request, refusal) => {
    const refused = await app.call(path, request)
    expect(refusalIn(refused)).toBe(refusal)
    expect(refused.headers.get("content-type")).toBe("application/json")
    if (refused.status === 405) expect(refused.headers.get("allow")).toMatch(/GET|POST/)
  })

  it.each(["{", "", '{"model":"gen-image-2",}', '"\u{d8}', "[".repeat(100_000)])(
    "contract, Errors: malformed JSON is 400 invalid_json (%#)",
    async (body) => {
      const response = await fetch(`${app.url}/v1/images/tasks`, {
        method: "POST",
        headers: { authorization: `Bearer ${app.account.key}`, "content-type": "application/json" },
        body,
      })
      const refused: Answer = {
        status: response.status,
        headers: response.headers,
        body: await response.json(),
      }
      expect(refusalIn(refused)).toBe("400 invalid_json")
    },
  )

  it("contract, Errors: every answer has its own x-request-id", async () => {
    const paths = ["/v1/models", "/v1/tasks", "/v1/none", "/healthz", "/v1/models"]
    const ids = await Promise.all(
      paths.map(async (path) => (await app.call(path)).headers.get("x-request-id")),
    )
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-z]{26}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("contract, Errors: no upstream secret leaves in a message, nor its address", async () => {
    const prompt = newPrompt()
    const message = "Incorrect API key provided: vendor-key."
    app.vendor.on(prompt, answer(500, { error: { message } }))
    const failed = await app.call("/v1/images/generations", { json: { ...valid, prompt } })
    expect(refusalIn(failed)).toBe("502 upstream_failed")
    const task = await app.task(textAt(failed.body, "task_id"))
    for (const text of [JSON.stringify(failed.body), JSON.stringify(task)]) {
      expect(text).not.toContain("vendor-key")
      expect(text).not.toContain(app.vendor.url)
    }
  })
})
