import type { ServerResponse } from "node:http"
import { afterAll, expect, it } from "vitest"
import { adminToken, at } from "../support/server.ts"
import { openApp, refusalIn } from "./app.ts"

const upstream = "/replicate/predictions/p1"

/** A model of the operator's own, on a vendor that can cancel. */
const app = await openApp({
  channels: (vendor) => [
    {
      id: "replicate",
      adapter: "replicate",
      base_url: `${vendor}/replicate`,
      api_key: "vendor-key",
      models: { "flux-pro": "owner/name" },
    },
  ],
  models: { "flux-pro": { family: "gen-image", price: { table: [{ usd: "0.05" }] } } },
})
afterAll(() => app.close())

const answer =
  (body: object, status = 200) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  }

/** A task that the vendor accepted and works on. */
const running = async () => {
  app.vendor.on("/replicate/models/owner/name/predictions", answer({ id: "p1", status: "starting" }, 201))
  app.vendor.on(upstream, answer({ id: "p1", status: "processing" }))
  const before = app.vendor.asked(upstream).length
  const id = await app.submit({ model: "flux-pro", prompt: "a bridge" })
  await expect.poll(() => app.vendor.asked(upstream).length, { timeout: 60_000 }).toBeGreaterThan(before)
  return id
}
const wallet = async () => at((await app.call("/v1/balance")).body, "wallet")

it("contract, Later decisions: a running task whose channel can cancel: 202, then failed with canceled, refunded", async () => {
  const before = await wallet()
  const id = await running()
  expect(await wallet()).not.toBe(before)
  app.vendor.on(`${upstream}/cancel`, (response) => {
    app.vendor.on(upstream, answer({ id: "p1", status: "canceled" }))
    answer({ id: "p1", status: "canceled" })(response)
  })
  const asked = await app.call(`/v1/tasks/${id}/cancel`, { method: "POST" })
  expect(asked).toMatchObject({ status: 202, body: { id, state: "in_progress" } })
  expect(await app.done(id)).toMatchObject({
    state: "failed",
    error: { code: "canceled" },
    billing: { held: 25_000, charged: 0, released: 25_000 },
  })
  expect(await wallet()).toBe(before)
  const history = at((await app.call(`/v1/tasks/${id}/history`)).body, "data")
  expect(history).toMatchObject([
    { event: "submit" },
    { event: "start" },
    {
      event: "cancel",
      from: "in_progress",
      to: "in_progress",
      request_id: asked.headers.get("x-request-id"),
    },
    { event: "fail", to: "failed", request_id: null },
  ])
  const again = await app.call(`/v1/tasks/${id}/cancel`, { method: "POST" })
  expect(refusalIn(again)).toBe("409 task_not_cancelable")
})

it("409 where the upstream does not cancel it any more, or cannot be asked; the task goes on", async () => {
  const id = await running()
  for (const status of [422, 500]) {
    app.vendor.on(`${upstream}/cancel`, answer({ detail: "too late" }, status))
    const refused = await app.call(`/v1/tasks/${id}/cancel`, { method: "POST" })
    expect(refusalIn(refused)).toBe("409 task_not_cancelable")
  }
  app.vendor.on(upstream, answer({ id: "p1", status: "failed", error: "out of memory" }))
  expect(await app.done(id)).toMatchObject({ state: "failed", error: { code: "upstream_failed" } })
})

it("an operator's cancel of a running task: 202, refunded, in the audit log, and the same under its key", async () => {
  const before = await wallet()
  const id = await running()
  let asked = 0
  app.vendor.on(`${upstream}/cancel`, (response) => {
    asked += 1
    app.vendor.on(upstream, answer({ id: "p1", status: "canceled" }))
    answer({ id: "p1", status: "canceled" })(response)
  })
  const cancel = () =>
    app.call(`/admin/v1/tasks/${id}/cancel`, {
      method: "POST",
      key: adminToken,
      headers: { "idempotency-key": "stop-it" },
    })
  expect(await cancel()).toMatchObject({ status: 202, body: { task: { id, state: "in_progress" } } })
  expect(await app.done(id)).toMatchObject({ state: "failed", error: { code: "canceled" } })
  expect(await wallet()).toBe(before)
  expect(await cancel()).toMatchObject({ status: 200, body: { task: { id, state: "failed" } } })
  expect(asked).toBe(1)
  const { body } = await app.call("/admin/v1/audit?limit=1", { key: adminToken })
  expect(at(body, "data.0")).toMatchObject({ action: "task.cancel", target: id, outcome: "done" })
})
