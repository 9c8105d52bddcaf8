import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminToken, at, type Call, makeAccount, textAt } from "../support/server.ts"
import { type App, events, newPrompt, openApp, refusalIn, type ServerSentEvent } from "./app.ts"
import { answer, held } from "./vendor.ts"

let app: App
beforeAll(async () => {
  // One job at a time: a task waits in `queued` while the vendor holds another.
  app = await openApp({ limits: { image_jobs_concurrent_max: 1 } })
})
afterAll(() => app.close())

const request = (more: object = {}) => ({ model: "gen-image-2", prompt: newPrompt(), ...more })
/** A task that the vendor works on until `open` is called. */
const working = async (more: object = {}) => {
  const json = request(more)
  const generation = held()
  app.vendor.on(json.prompt, generation.reply)
  const id = await app.submit(json)
  await generation.asked
  return { id, open: generation.open }
}
const quote = (json: object) => app.call("/v1/images/quote", { json })
const moneyOf = async (user = app.account.user) => {
  const { body } = await app.call(`/admin/v1/users/${user}`, { key: adminToken })
  return { balance: at(body, "balance"), held: at(body, "held"), spent: at(body, "spent") }
}

describe("contract, Waiting: wait", () => {
  it("contract, Waiting: ?wait= answers as soon as the task is final", async () => {
    const { id, open } = await working()
    const waiting = app.call(`/v1/tasks/${id}?wait=60`)
    open()
    expect(await waiting).toMatchObject({ status: 200, body: { id, state: "completed" } })
  })

  it("contract, Waiting: or with the present state at the end of the wait", async () => {
    const { id, open } = await working()
    for (const seconds of ["0", "0.05"]) {
      expect((await app.call(`/v1/tasks/${id}?wait=${seconds}`)).body).toMatchObject({
        state: "in_progress",
      })
    }
    open()
    await app.done(id)
  })
})

describe("contract, Waiting: events", () => {
  it("contract, Waiting: an SSE `task` at every change, the final one last; then the stream closes", async () => {
    const first = await working()
    const id = await app.submit(request())
    const seen: Array<ServerSentEvent> = []
    for await (const event of events(`${app.url}/v1/tasks/${id}/events`, app.account.key)) {
      seen.push(event)
      first.open()
    }
    const states = seen.map(({ data }) => at(data, "state"))
    expect([states[0], states.at(-1)]).toEqual(["queued", "completed"])
    expect(new Set(seen.map(({ event }) => event))).toEqual(new Set(["task"]))
    expect(seen.at(-1)?.data).toEqual(await app.task(id))
    const versions = seen.map((event) => Number(event.id))
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
  })

  it("contract, Waiting: Last-Event-ID skips what was seen; after the final one there is nothing", async () => {
    const { id, open } = await working()
    const url = `${app.url}/v1/tasks/${id}/events`
    let last = ""
    for await (const event of events(url, app.account.key)) {
      last = event.id
      break
    }
    open()
    const rest: Array<ServerSentEvent> = []
    for await (const event of events(url, app.account.key, { "last-event-id": last })) rest.push(event)
    expect(rest.length).toBeGreaterThan(0)
    for (const event of rest) expect(Number(event.id)).toBeGreaterThan(Number(last))
    expect(at(rest.at(-1)?.data, "state")).toBe("completed")
    const headers = { "last-event-id": rest.at(-1)?.id ?? "" }
    expect((await app.call(`/v1/tasks/${id}/events`, { headers })).status).toBe(204)
    for (const none of ["abc", "-1", "1e9", ""]) {
      const { body } = await app.call(`/v1/tasks/${id}/events`, { headers: { "last-event-id": none } })
      expect(String(body)).toContain('"state":"completed"')
    }
  })
})

describe("contract, Waiting: cancel", () => {
  it("contract, Waiting: a queued task becomes failed with canceled and is refunded: 200", async () => {
    const first = await working()
    const before = await moneyOf()
    const id = await app.submit(request())
    expect(await moneyOf()).not.toEqual(before)
    const canceled = await app.call(`/v1/tasks/${id}/cancel`, { method: "POST" })
    expect(canceled).toMatchObject({
      status: 200,
      body: {
        id,
        state: "failed",
        status: "FAILURE",
        error: { code: "canceled" },
        billing: { held: 20_000, charged: 0, released: 20_000 },
      },
    })
    expect(await moneyOf()).toEqual(before)
    const again = await app.call(`/v1/tasks/${id}/cancel`, { method: "POST" })
    expect(refusalIn(again)).toBe("409 task_not_cancelable")
    first.open()
    await app.done(first.id)
    expect(await app.task(id)).toEqual(canceled.body)
  })

  it("contract, Waiting: otherwise 409 task_not_cancelable, naming the task", async () => {
    const { id, open } = await working()
    const refused = await app.call(`/v1/tasks/${id}/cancel`, { method: "POST" })
    expect(refusalIn(refused)).toBe("409 task_not_cancelable")
    expect(at(refused.body, "data.task_id")).toBe(id)
    open()
    expect(await app.done(id)).toMatchObject({ state: "completed" })
  })
})

describe("contract, Waiting: the key's tasks", () => {
  const list = async (query: string, more: Call) => {
    const { body } = await app.call(`/v1/tasks?${query}`, more)
    const { data, ...page } = Object(body)
    return { ...page, ids: data.map((task: unknown) => at(task, "id")) }
  }

  it("contract, Waiting: newest first, in cursor pages { object, data, has_more, last_id }", async () => {
    const { key } = await app.newKey()
    const ids: Array<string> = []
    for (let count = 0; count < 5; count++) ids.unshift(await app.submit(request(), { key }))
    await app.submit(request())
    const pages = [await list("limit=2", { key })]
    while (pages.at(-1)?.has_more === true && pages.length < 5) {
      pages.push(await list(`limit=2&after=${pages.at(-1)?.last_id}`, { key }))
    }
    const page = (from: number, to: number, hasMore: boolean) => ({
      object: "list",
      ids: ids.slice(from, to),
      has_more: hasMore,
      last_id: ids[to - 1],
    })
    expect(pages).toEqual([page(0, 2, true), page(2, 4, true), page(4, 5, false)])
    const beyond = await list(`limit=2&after=${ids[4]}`, { key })
    expect(beyond).toEqual({ object: "list", ids: [], has_more: false, last_id: null })
  })

  it("contract, Waiting: by state and by model", async () => {
    const { key } = await app.newKey()
    const made = await app.submit(request(), { key })
    await app.done(made, { key })
    const failed = await app.submit({ model: "test-image", prompt: "[fail]" }, { key })
    await app.done(failed, { key })
    expect(await list("state=completed", { key })).toMatchObject({ ids: [made] })
    expect(await list("state=failed", { key })).toMatchObject({ ids: [failed] })
    expect(await list("state=queued", { key })).toMatchObject({ ids: [] })
    expect(await list("model=test-image", { key })).toMatchObject({ ids: [failed] })
    expect(await list("state=completed&model=test-image", { key })).toMatchObject({ ids: [] })
  })

  it("contract, Waiting: an idempotency key finds its task again, for its API key alone", async () => {
    const headers = { "idempotency-key": "order 4711, line 1" }
    const id = await app.submit(request(), { headers })
    const path = `/v1/tasks?idempotency_key=${encodeURIComponent(headers["idempotency-key"])}`
    expect((await app.call(path)).body).toMatchObject({ id, object: "image.task" })
    expect(refusalIn(await app.call(path, await app.newKey()))).toBe("404 task_not_found")
  })

  it("contract, Waiting: history has every transition with its time and its transfers", async () => {
    const id = await app.submit({ model: "imagine-image-2.0", prompt: newPrompt(), n: 2 })
    await app.done(id)
    const { body } = await app.call(`/v1/tasks/${id}/history`)
    const units = 49_500
    const step = (event: string, from: string | null, to: string, ...kinds: ReadonlyArray<string>) => ({
      event,
      from,
      to,
      transfers: kinds.map((kind) => ({ id: `${kind}:${id}`, kind, amount: units })),
      occurred_at: expect.toSatisfy(Number.isInteger),
      request_id: null,
    })
    expect(body).toEqual({
      object: "list",
      data: [
        { ...step("submit", null, "queued", "hold"), request_id: expect.stringMatching(/^req_/) },
        step("start", "queued", "in_progress"),
        step("generate", "in_progress", "in_progress"),
        step("finish", "in_progress", "completed", "settle"),
      ],
    })
  })

  it("contract, Waiting: the history of a failure has the release", async () => {
    const prompt = newPrompt()
    app.vendor.on(prompt, answer(400, { error: { message: "no", code: "moderation_blocked" } }))
    const id = await app.submit(request({ prompt }))
    await app.done(id)
    const { body } = await app.call(`/v1/tasks/${id}/history`)
    expect(at(body, "data.2")).toMatchObject({
      event: "fail",
      from: "in_progress",
      to: "failed",
      transfers: [{ id: `release:${id}`, kind: "release", amount: 20_000 }],
    })
    expect(body).not.toHaveProperty("data.3")
  })
})

describe("contract, Waiting: prices before the work", () => {
  it("contract, Waiting: quote answers quota_units, usd and breakdown; nothing is held or made", async () => {
    const before = await moneyOf()
    const imageUrls = ["https://example.com/a.png"]
    const { status, body } = await quote({
      model: "imagine-image-2.0",
      prompt: "a",
      n: 2,
      image_urls: imageUrls,
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        quota_units: 53_625,
        usd: 0.10725,
        breakdown: [
          { description: expect.any(String), quantity: 2, unit_price: 0.0495, amount: 0.099 },
          { description: expect.any(String), quantity: 1, unit_price: 0.00825, amount: 0.00825 },
        ],
      },
    })
    expect(await moneyOf()).toEqual(before)
  })

  it("contract, Waiting: quote refuses what a submission would be refused", async () => {
    expect(refusalIn(await quote(request({ n: 11 })))).toBe("400 invalid_parameter n")
    expect(refusalIn(await quote({ prompt: "a" }))).toBe("400 invalid_parameter model")
    expect(refusalIn(await quote(request({ max_cost_usd: 0.01 })))).toBe("400 max_cost_exceeded max_cost_usd")
  })

  it("contract, Waiting: a fee above max_cost_usd is refused before anything is held; an equal one is not", async () => {
    const { user, key } = await makeAccount(app.url, 1)
    const json = request({ n: 2, max_cost_usd: 0.0799 })
    const refused = await app.call("/v1/images/tasks", { key, json })
    expect(refusalIn(refused)).toBe("400 max_cost_exceeded max_cost_usd")
    expect(textAt(refused.body, "error.message")).toMatch(/0\.08 USD.*0\.0799/)
    expect(await moneyOf(user)).toEqual({ balance: 500_000, held: 0, spent: 0 })
    for (const maxCostUsd of [0.08, "0.08", null]) {
      await app.submit(request({ n: 2, max_cost_usd: maxCostUsd }), { key })
    }
    const generous = [0.1 + 0.2, 1e21]
    for (const maxCostUsd of generous) {
      expect((await quote(request({ n: 2, max_cost_usd: maxCostUsd }))).status).toBe(200)
    }
    expect(refusalIn(await quote(request({ max_cost_usd: 1e-7 })))).toBe("400 max_cost_exceeded max_cost_usd")
    for (const maxCostUsd of [-1, "cheap", true]) {
      const wrong = await app.call("/v1/images/tasks", { key, json: request({ max_cost_usd: maxCostUsd }) })
      expect(refusalIn(wrong)).toBe("400 invalid_parameter max_cost_usd")
    }
  })
})
