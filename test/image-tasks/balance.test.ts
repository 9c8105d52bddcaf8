import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminToken, at } from "../support/server.ts"
import { type App, newPrompt, openApp, unitsOf } from "./app.ts"

let app: App
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

const submission = () => ({ model: "imagine-image-2.0", prompt: newPrompt() })
const price = unitsOf(0.0495)

describe("contract, Money: GET /v1/balance", () => {
  it("tells wallet, held and spent, which add up to what was granted, and the use of the key", async () => {
    const before = await app.call("/v1/balance")
    expect(before).toMatchObject({
      status: 200,
      body: {
        object: "balance",
        wallet: unitsOf(100),
        held: 0,
        spent: 0,
        granted: unitsOf(100),
        key_quota: null,
        key_used: 0,
        units_per_usd: 500_000,
      },
    })
    await app.done(await app.submit(submission()))
    expect((await app.call("/v1/balance")).body).toMatchObject({
      wallet: unitsOf(100) - price,
      held: 0,
      spent: price,
      granted: unitsOf(100),
      key_used: price,
    })
  })

  it("tells the quota of the key that asks, as it is now", async () => {
    const { id, key } = await app.newKey({ quota_usd: 1 })
    const asked = async () => (await app.call("/v1/balance", { key })).body
    expect(await asked()).toMatchObject({ key_quota: unitsOf(1), key_used: 0 })
    await app.done(await app.submit(submission(), { key }), { key })
    expect(await asked()).toMatchObject({ key_quota: unitsOf(1), key_used: price })
    const json = { quota_usd: 2 }
    await app.call(`/admin/v1/keys/${id}`, { method: "PATCH", key: adminToken, json })
    expect(at(await asked(), "key_quota")).toBe(unitsOf(2))
  })
})
