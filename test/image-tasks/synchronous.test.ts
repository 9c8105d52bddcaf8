import OpenAI, { APIError, BadRequestError } from "openai"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, textAt } from "../support/server.ts"
import { type App, newPrompt, openApp, refusalIn } from "./app.ts"
import { answer, deliver, held, madeOf, pixel } from "./vendor.ts"

let app: App
/** It waits for nothing: neither for generations nor for copies that fail. */
let hasty: App
beforeAll(async () => {
  const limits = { image_sync_timeout_ms: 1, image_archive_deadline_ms: 1 }
  ;[app, hasty] = await Promise.all([openApp(), openApp({ limits })])
})
afterAll(() => Promise.all([app.close(), hasty.close()]))

const path = "/v1/images/generations"
const generate = (json: object, at = app) =>
  at.call(path, { json: { model: "gen-image-2", prompt: newPrompt(), ...json } })
const refused = async (json: object) => refusalIn(await generate(json))
/** Ids of the key's tasks, newest first. */
const tasks = async (key: string) => {
  const { data } = Object((await app.call("/v1/tasks?limit=100", { key })).body)
  return data.map(({ id }: { readonly id: string }) => id)
}

describe("image-tasks 4.3: synchronous generation", () => {
  it.each(["gen-image-2", "imagine-image-2.0", "dream-4.5", "alt-dream-3", "test-image"])(
    "image-tasks 4.3: %s answers data[].url in permanent storage, task_id and expires_at",
    async (model) => {
      const { status, body } = await generate({ model, n: 2 })
      expect(status).toBe(200)
      expect(Object.keys(Object(body))).toEqual([
        "created",
        "data",
        "task_id",
        "expires_at",
        "usage",
        "warnings",
      ])
      const url = expect.stringMatching(`^${app.url}/media/[0-9a-f]{64}\\.png$`)
      expect(body).toMatchObject({ expires_at: 0, data: [{ url }, { url }], usage: { images: 2 } })
      expect((await fetch(textAt(body, "data.0.url"))).status).toBe(200)
      const task = await app.task(textAt(body, "task_id"))
      const { billing } = Object(task)
      expect(task).toMatchObject({ state: "completed", model, created_at: at(body, "created") })
      expect(billing.charged).toBe(billing.held)
    },
  )

  it("image-tasks 4.3: the call waits until images are copied", async () => {
    const prompt = newPrompt()
    const copying = held()
    app.vendor.on(madeOf(prompt), copying.reply)
    let answered = false
    const call = generate({ model: "dream-4.5", prompt }).finally(() => {
      answered = true
    })
    await copying.asked
    await app.call("/v1/models")
    expect(answered).toBe(false)
    copying.open()
    expect(await call).toMatchObject({ status: 200 })
  })

  it.each(["dream-4.5", "alt-dream-3"])(
    "image-tasks 4.3 and contract, Errors: %s refuses stream: true and b64_json at once, with 400",
    async (model) => {
      const prompt = newPrompt()
      const common = { model, prompt }
      expect(await refused({ ...common, stream: true })).toBe("400 unsupported_parameter stream")
      const b64 = { ...common, response_format: "b64_json" }
      expect(await refused(b64)).toBe("400 unsupported_parameter response_format")
      expect(app.vendor.asked(prompt)).toHaveLength(0)
      const allowed = { ...common, stream: false, response_format: "url" }
      expect(await generate(allowed)).toMatchObject({ status: 200 })
    },
  )

  it("contract, Images: other models answer b64_json where it is asked for, and never stream", async () => {
    const { body } = await generate({ response_format: "b64_json", n: 2 })
    const b64Json = pixel.toString("base64")
    expect(at(body, "data")).toEqual([{ b64_json: b64Json }, { b64_json: b64Json }])
    expect(await refused({ stream: true })).toBe("400 unsupported_parameter stream")
    expect(await refused({ response_format: "png" })).toBe("400 invalid_parameter response_format")
    expect(await refused({ stream: "yes" })).toBe("400 invalid_parameter stream")
  })

  it("image-tasks 4.3: supported only for models that support it; contract, Images: not artgen", async () => {
    const json = { model: "artgen" }
    expect(await refused(json)).toBe("400 model_not_supported_on_endpoint model")
    const { body } = await app.call("/v1/models/artgen")
    expect(at(body, "endpoints")).toEqual(["/v1/images/tasks"])
  })

  it("image-tasks 4.3 and 7, 502 result_archive_failed: billed, recovered by polling, made once", async () => {
    const prompt = newPrompt()
    app.vendor.on(madeOf(prompt), answer(503, {}), deliver)
    const failed = await generate({ model: "dream-4.5", prompt })
    expect(refusalIn(failed)).toBe("502 result_archive_failed")
    const id = textAt(failed.body, "task_id")
    expect(textAt(failed.body, "error.message")).toContain(id)
    expect(await app.done(id)).toMatchObject({
      state: "completed",
      billing: { held: 22_500, charged: 22_500 },
    })
    expect(app.vendor.asked(prompt)).toHaveLength(1)
    const { body } = await app.call(`/v1/tasks/${id}/history`)
    expect(JSON.stringify(body).match(/"kind":"settle"/g)).toHaveLength(1)
  })

  it("image-tasks 4.3 and 3, rule 1: also where the retries finally fail, the generation is billed", async () => {
    const prompt = newPrompt()
    hasty.vendor.on(madeOf(prompt), answer(503, {}))
    const id = await hasty.submit({ model: "dream-4.5", prompt })
    expect(await hasty.done(id)).toMatchObject({
      state: "failed",
      error: { code: "result_archive_failed" },
      billing: { held: 22_500, charged: 22_500, released: 0 },
    })
    expect(hasty.vendor.asked(prompt)).toHaveLength(1)
  })

  it("decision 14: links that may not be followed end the task at once, and nothing is charged", async () => {
    const [prompt, half] = [newPrompt(), newPrompt()]
    const refusedLink = { url: "http://169.254.169.254/latest/meta-data" }
    const link = { url: `${app.vendor.url}${madeOf(half)}` }
    app.vendor.on(prompt, answer(200, { data: [refusedLink] }))
    app.vendor.on(half, answer(200, { data: [refusedLink, link] }))
    const failed = await generate({ model: "dream-4.5", prompt })
    expect(refusalIn(failed)).toBe("502 upstream_failed")
    expect(await app.task(textAt(failed.body, "task_id"))).toMatchObject({
      state: "failed",
      billing: { held: 22_500, charged: 0, released: 22_500 },
    })
    const { body } = await generate({ model: "dream-4.5", prompt: half, n: 2 })
    expect(Object(body).data).toHaveLength(1)
    expect(await app.task(textAt(body, "task_id"))).toMatchObject({
      state: "completed",
      billing: { charged: 22_500, released: 22_500 },
    })
  })

  it("image-tasks 4.5: idempotency applies to the task endpoint only, unless configured", async () => {
    const request = {
      headers: { "idempotency-key": "synchronous" },
      json: { model: "gen-image-2", prompt: "a" },
    }
    const ids = [await app.call(path, request), await app.call(path, request)]
    expect(textAt(ids[0]?.body, "task_id")).not.toBe(textAt(ids[1]?.body, "task_id"))
  })
})

describe("contract, Images: the task under a synchronous call", () => {
  it("contract, Images: a wait that is over is 504 generation_timeout, and the task goes on", async () => {
    const prompt = newPrompt()
    const working = held()
    hasty.vendor.on(prompt, working.reply)
    const late = await generate({ prompt }, hasty)
    expect(refusalIn(late)).toBe("504 generation_timeout")
    expect(late.headers.get("x-should-retry")).toBe("false")
    const id = textAt(late.body, "task_id")
    expect(["queued", "in_progress"]).toContain(at(await hasty.task(id), "state"))
    working.open()
    expect(await hasty.done(id)).toMatchObject({ state: "completed", billing: { charged: 20_000 } })
    expect(hasty.vendor.asked(prompt)).toHaveLength(1)
  })

  it("contract, Images: a client that disconnects changes nothing", async () => {
    const { key } = await app.newKey()
    const prompt = newPrompt()
    const working = held()
    app.vendor.on(prompt, working.reply)
    const client = new AbortController()
    const call = fetch(app.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "gen-image-2", prompt }),
      signal: client.signal,
    })
    await working.asked
    client.abort()
    await expect(call).rejects.toThrow()
    working.open()
    const [id, ...others] = await tasks(key)
    expect(others).toEqual([])
    expect(await app.done(id, { key })).toMatchObject({
      state: "completed",
      billing: { charged: 20_000 },
    })
    expect(app.vendor.asked(prompt)).toHaveLength(1)
  })

  it.each([
    ["[fail]", "502 upstream_failed", "upstream_error"],
    ["[reject]", "400 upstream_rejected", "invalid_request_error"],
  ])("contract, Later decisions: %s is %s, with its task, not charged", async (prompt, refusal, type) => {
    const failed = await generate({ model: "test-image", prompt })
    expect(refusalIn(failed)).toBe(refusal)
    expect(at(failed.body, "error.type")).toBe(type)
    const task = await app.task(textAt(failed.body, "task_id"))
    const [, code] = refusal.split(" ")
    expect(task).toMatchObject({ state: "failed", error: { code }, billing: { charged: 0 } })
  })
})

describe("contract, Later decisions: synchronous_idempotency", () => {
  let keyed: App
  beforeAll(async () => {
    keyed = await openApp({ synchronous_idempotency: true })
  })
  afterAll(() => keyed.close())
  let keys = 0
  const newRequest = (json: object = {}) => ({
    headers: { "idempotency-key": `synchronous ${++keys}` },
    json: { model: "gen-image-2", prompt: newPrompt(), ...json },
  })

  it("a repetition gets the finished generation, and makes nothing", async () => {
    const request = newRequest({ n: 2 })
    const first = await keyed.call(path, request)
    const again = await keyed.call(path, request)
    expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([200, null])
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"])
    expect(again.body).toEqual(first.body)
    expect(keyed.vendor.asked(request.json.prompt)).toHaveLength(1)
    const legacy = { "x-idempotency-key": request.headers["idempotency-key"] }
    expect((await keyed.call(path, { ...request, headers: legacy })).body).toEqual(first.body)
  })

  it("while the first is under way: 409 with Retry-After and its task; then its generation", async () => {
    const request = newRequest()
    const working = held()
    keyed.vendor.on(request.json.prompt, working.reply)
    const first = keyed.call(path, request)
    await working.asked
    const meanwhile = await Promise.all(Array.from({ length: 8 }, () => keyed.call(path, request)))
    for (const answer of meanwhile) {
      expect(refusalIn(answer)).toBe("409 idempotency_request_in_progress")
      expect(answer.headers.get("retry-after")).toBe("2")
    }
    working.open()
    const { status, body } = await first
    expect(status).toBe(200)
    expect(new Set(meanwhile.map((answer) => textAt(answer.body, "task_id")))).toEqual(
      new Set([textAt(body, "task_id")]),
    )
    expect((await keyed.call(path, request)).body).toEqual(body)
    expect(keyed.vendor.asked(request.json.prompt)).toHaveLength(1)
  })

  it("the key is shared with /v1/images/tasks: another endpoint or body under it is 409", async () => {
    const request = newRequest()
    await keyed.call(path, request)
    const reused = "409 idempotency_key_reused"
    expect(refusalIn(await keyed.call("/v1/images/tasks", request))).toBe(reused)
    expect(refusalIn(await keyed.call(path, { ...request, json: { ...request.json, n: 2 } }))).toBe(reused)
    const other = newRequest()
    await keyed.submit(other.json, { headers: other.headers })
    expect(refusalIn(await keyed.call(path, other))).toBe(reused)
  })

  it.each([
    ["[fail]", "502 upstream_failed"],
    ["[reject]", "400 upstream_rejected"],
  ])("a task that failed is answered as it was: %s, %s", async (directive, refusal) => {
    const request = newRequest({ model: "test-image", prompt: newPrompt(directive) })
    const first = await keyed.call(path, request)
    const again = await keyed.call(path, request)
    expect([refusalIn(first), refusalIn(again)]).toEqual([refusal, refusal])
    expect(textAt(again.body, "task_id")).toBe(textAt(first.body, "task_id"))
    expect(again.headers.get("idempotency-replayed")).toBe("true")
  })

  it("a refusal of the request is kept too, and a key that is none is refused", async () => {
    const request = newRequest({ n: 99 })
    await keyed.call(path, request)
    const again = await keyed.call(path, request)
    expect([refusalIn(again), again.headers.get("idempotency-replayed")]).toEqual([
      "400 invalid_parameter n",
      "true",
    ])
    const headers = { "idempotency-key": "a", "x-idempotency-key": "b" }
    expect(refusalIn(await keyed.call(path, { ...newRequest(), headers }))).toBe(
      "400 invalid_idempotency_key",
    )
  })
})

describe("contract, Errors: the OpenAI client on the synchronous endpoint", () => {
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${app.url}/v1`, maxRetries: 2 })

  it("image-tasks 4.3: images.generate reads url", async () => {
    const { data = [] } = await clientOf(app.account.key).images.generate({
      model: "gen-image-2",
      prompt: newPrompt(),
      n: 2,
    })
    expect(data).toHaveLength(2)
    for (const { url = "" } of data) expect((await fetch(url)).status).toBe(200)
  })

  it("image-tasks 4.3: images.generate reads b64_json", async () => {
    const { data = [] } = await clientOf(app.account.key).images.generate({
      model: "gen-image-2",
      prompt: newPrompt(),
      response_format: "b64_json",
    })
    expect(data.map(({ b64_json: b64Json }) => b64Json)).toEqual([pixel.toString("base64")])
  })

  it("contract, Later decisions: content that is refused is a BadRequestError, and not sent again", async () => {
    const { key } = await app.newKey()
    const error = await clientOf(key)
      .images.generate({ model: "test-image", prompt: newPrompt("[reject]") })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({ status: 400, code: "upstream_rejected", type: "invalid_request_error" })
    expect(await tasks(key)).toHaveLength(1)
  })

  it.each([
    ["dream-4.5", "result_archive_failed", madeOf, answer(503, {})],
    ["gen-image-2", "upstream_failed", String, answer(500, { error: { message: "x" } })],
  ] as const)(
    "image-tasks 7: its retries do not resubmit on 502 (%s, %s)",
    async (model, code, scripted, fault) => {
      const { key } = await app.newKey()
      const prompt = newPrompt()
      app.vendor.on(scripted(prompt), fault)
      const error = await clientOf(key)
        .images.generate({ model, prompt })
        .catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(APIError)
      expect(error).toMatchObject({ status: 502, code, type: "upstream_error" })
      expect(await tasks(key)).toHaveLength(1)
      expect(app.vendor.asked(prompt)).toHaveLength(1)
    },
  )
})
