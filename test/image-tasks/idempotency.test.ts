import { request as httpRequest } from "node:http"
import { defaultLimits } from "@atelier/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, adminToken, at, textAt } from "../support/server.ts"
import { type App, newPrompt, openApp, refusalIn } from "./app.ts"
import { held } from "./vendor.ts"

let app: App
/** It forgets idempotency records at once. */
let forgetful: App
beforeAll(async () => {
  const limits = { idempotency_retention_ms: 1 }
  ;[app, forgetful] = await Promise.all([openApp(), openApp({ limits })])
})
afterAll(() => Promise.all([app.close(), forgetful.close()]))

const path = "/v1/images/tasks"
let keys = 0
const newKey = () => `order ${++keys}`
const body = (more: object = {}) => ({ model: "gen-image-2", prompt: newPrompt(), ...more })
const submit = (key: string, json: object, apiKey = app.account.key) =>
  app.call(path, { key: apiKey, headers: { "idempotency-key": key }, json })
const idOf = (answer: Answer) => textAt(answer.body, "task_id")
const isReplay = ({ headers }: Answer) => headers.get("idempotency-replayed") === "true"

describe("image-tasks 4.5: idempotent submission", () => {
  it("image-tasks 4.5.1: the key is optional; without it every request is a task", async () => {
    const json = body()
    const answers = [await app.call(path, { json }), await app.call(path, { json })]
    expect(new Set(answers.map(idOf)).size).toBe(2)
    expect(answers.map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null, null])
  })

  it("image-tasks 4.5.2: the legacy header X-Idempotency-Key is also accepted, for the same key", async () => {
    const [key, json] = [newKey(), body()]
    const legacy = await app.call(path, { headers: { "x-idempotency-key": key }, json })
    const again = await submit(key, json)
    expect([isReplay(legacy), isReplay(again), idOf(again)]).toEqual([false, true, idOf(legacy)])
  })

  it("contract, Images: both headers with one value are one key; with two they are refused", async () => {
    const [key, json] = [newKey(), body()]
    const both = (other: string) =>
      app.call(path, { headers: { "idempotency-key": key, "x-idempotency-key": other }, json })
    expect((await both(key)).status).toBe(202)
    expect(refusalIn(await both("another"))).toBe("400 invalid_idempotency_key")
  })

  it("image-tasks 4.5.3 and 8: a key has at most 128 characters", async () => {
    expect((await submit("k".repeat(128), body())).status).toBe(202)
    expect(refusalIn(await submit("k".repeat(129), body()))).toBe("400 invalid_idempotency_key")
  })

  it("contract, Images: a key is printable ASCII, and not empty", async () => {
    expect((await submit(`!"#'()~ ,{}`, body())).status).toBe(202)
    for (const key of ["", "schlüssel"]) {
      expect(refusalIn(await submit(key, body()))).toBe("400 invalid_idempotency_key")
    }
  })

  it("image-tasks 4.5.3 and 5.4: a key is unique within one API token, not among two", async () => {
    const [key, json] = [newKey(), body()]
    const other = await app.newKey()
    const answers = [await submit(key, json), await submit(key, json, other.key)]
    expect(answers.map(isReplay)).toEqual([false, false])
    expect(new Set(answers.map(idOf)).size).toBe(2)
  })

  it("image-tasks 4.5.4 and 8: records are kept 7 days; after that the key is free", async () => {
    expect(defaultLimits.idempotency_retention_ms).toBe(7 * 24 * 60 * 60 * 1000)
    const headers = { "idempotency-key": newKey() }
    const first = await forgetful.call(path, { headers, json: body() })
    const later = await forgetful.call(path, { headers, json: body() })
    expect([first.status, later.status, isReplay(later)]).toEqual([202, 202, false])
    expect(idOf(later)).not.toBe(idOf(first))
  })

  it("image-tasks 4.5.5: the same request again gets the first response, replayed, and no new task", async () => {
    const [key, json] = [newKey(), body()]
    const first = await submit(key, json)
    await app.done(idOf(first))
    const again = await submit(key, json)
    expect([first.status, isReplay(first)]).toEqual([202, false])
    expect([again.status, isReplay(again)]).toEqual([202, true])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get("location")).toBe(first.headers.get("location"))
    expect(app.vendor.asked(json.prompt)).toHaveLength(1)
  })

  it("contract, Images: order of fields, white space and order of headers do not make a different request", async () => {
    const key = newKey()
    const prompt = newPrompt()
    const first = await submit(key, { model: "gen-image-2", prompt, metadata: { job_id: "a", mask: "b" } })
    const text = `{ "metadata" : {"mask":"b",\n"job_id":"a"}, "prompt": ${JSON.stringify(prompt)}, "model": "gen-image-2" }`
    const again = await fetch(app.url + path, {
      method: "POST",
      headers: {
        "idempotency-key": key,
        authorization: `Bearer ${app.account.key}`,
        "content-type": "application/json",
      },
      body: text,
    })
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([202, "true"])
    expect(textAt(await again.json(), "task_id")).toBe(idOf(first))
  })

  it("image-tasks 4.5.6, 7 and 8, idempotency_request_in_progress: 409, Retry-After: 2, the reserved task", async () => {
    const image = `${app.vendor.url}/pictures/${keys}.png`
    const checking = held()
    app.vendor.on(new URL(image).pathname, checking.reply)
    const [key, json] = [newKey(), body({ images: [image] })]
    const first = submit(key, json)
    await checking.asked
    const second = await submit(key, json)
    expect(refusalIn(second)).toBe("409 idempotency_request_in_progress")
    expect(second.headers.get("retry-after")).toBe("2")
    checking.open()
    const accepted = await first
    expect(accepted.status).toBe(202)
    expect(textAt(second.body, "data.task_id")).toBe(idOf(accepted))
    const third = await submit(key, json)
    expect([isReplay(third), idOf(third)]).toEqual([true, idOf(accepted)])
  })

  it("image-tasks 4.5.7 and 7, idempotency_key_reused: the same key with a different request is 409", async () => {
    const [key, json] = [newKey(), body()]
    await submit(key, json)
    for (const other of [{ ...json, n: 2 }, { ...json, unknown: 1 }, body()]) {
      expect(refusalIn(await submit(key, other))).toBe("409 idempotency_key_reused")
    }
  })

  it("image-tasks 4.5.8: after a time-out or no response, a retry with the same key gets the task", async () => {
    const image = `${app.vendor.url}/pictures/${keys}-lost.png`
    const checking = held()
    app.vendor.on(new URL(image).pathname, checking.reply)
    const [key, json] = [newKey(), body({ images: [image] })]
    const lost = httpRequest(app.url + path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${app.account.key}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
    })
    lost.on("error", () => {})
    lost.end(JSON.stringify(json))
    await checking.asked
    lost.destroy()
    checking.open()
    let answer = await submit(key, json)
    for (let tries = 0; answer.status === 409 && tries < 100; tries++) answer = await submit(key, json)
    expect(answer.status).toBe(202)
    await app.done(idOf(answer))
    expect(idOf(await submit(key, json))).toBe(idOf(answer))
    const { body: found } = await app.call(`/v1/tasks?idempotency_key=${encodeURIComponent(key)}`)
    expect(at(found, "id")).toBe(idOf(answer))
  })

  it("image-tasks 4.5.8 and 7: after an explicit refusal, a new task uses a new key", async () => {
    const [key, json] = [newKey(), body({ n: 99 })]
    const first = await submit(key, json)
    const again = await submit(key, json)
    expect([first, again].map(refusalIn)).toEqual(["400 invalid_parameter n", "400 invalid_parameter n"])
    expect([isReplay(first), isReplay(again)]).toEqual([false, true])
    const mended = { ...json, n: 1 }
    expect(refusalIn(await submit(key, mended))).toBe("409 idempotency_key_reused")
    expect((await submit(newKey(), mended)).status).toBe(202)
  })

  it("contract, Images: 403 is recorded, 401 and 429 are not", async () => {
    const json = body()
    const narrow = await app.newKey({ models: ["dream-*"] })
    const key = newKey()
    const denied = [await submit(key, json, narrow.key), await submit(key, json, narrow.key)]
    expect(denied.map(refusalIn)).toEqual(Array(2).fill("403 model_not_allowed model"))
    expect(denied.map(isReplay)).toEqual([false, true])

    const slow = await app.newKey({ rate_per_minute: 1 })
    await app.call("/v1/models", slow)
    expect(refusalIn(await submit(key, json, slow.key))).toBe("429 rate_limited")
    const settings = { method: "PATCH", key: adminToken, json: { rate_per_minute: null, disabled: true } }
    await app.call(`/admin/v1/keys/${slow.id}`, settings)
    expect(refusalIn(await submit(key, json, slow.key))).toBe("401 api_key_disabled")
    await app.call(`/admin/v1/keys/${slow.id}`, { ...settings, json: { disabled: false } })
    const accepted = await submit(key, json, slow.key)
    expect([accepted.status, isReplay(accepted)]).toEqual([202, false])
  })
})
