import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminToken, at, type Call, makeAccount, textAt } from "../support/server.ts"
import { type App, newPrompt, openApp, refusalIn } from "./app.ts"

let app: App
beforeAll(async () => {
  app = await openApp({ models: { "gen-image-2.5": { groups: ["studio"] } } })
})
afterAll(() => app.close())

/** What a submission with a key is refused with; `202` where it is accepted. */
const submitted = async (key: string, json: object = {}) => {
  const body = { model: "gen-image-2", prompt: newPrompt(), ...json }
  const answer = await app.call("/v1/images/tasks", { key, json: body })
  return answer.status === 202 ? "202" : refusalIn(answer)
}
const patch = (path: string, json: object) =>
  app.call(`/admin/v1/${path}`, { method: "PATCH", key: adminToken, json })
const tomorrow = () => Math.floor(Date.now() / 1000) + 86_400

const paths: ReadonlyArray<readonly [path: string, request: Call]> = [
  ["/v1/images/tasks", { json: {} }],
  ["/v1/images/generations", { json: {} }],
  ["/v1/images/quote", { json: {} }],
  ["/v1/images/edits", { json: {} }],
  ["/v1/models", {}],
  ["/v1/models/gen-image-2", {}],
  ["/v1/balance", {}],
  ["/v1/tasks", {}],
  ["/v1/tasks/imgtask_0", {}],
  ["/v1/tasks/imgtask_0/events", {}],
  ["/v1/tasks/imgtask_0/cancel", { method: "POST" }],
  ["/v1/tasks/imgtask_0/history", {}],
  ["/v1/tasks/imgtask_0/callbacks", {}],
  ["/v1/tasks/imgtask_0/callbacks/redeliver", { method: "POST" }],
]

describe("image-tasks 5: authentication", () => {
  it.each(paths)("image-tasks 5.1 and 4: %s asks for Authorization: Bearer", async (path, request) => {
    const { method = request.json === undefined ? "GET" : "POST", json } = request
    const send = (authorization?: string) =>
      fetch(app.url + path, {
        method,
        headers: {
          "content-type": "application/json",
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: json === undefined ? null : JSON.stringify(json),
      })
    const { key } = app.account
    for (const authorization of [undefined, "", "Bearer", `Basic ${key}`, key]) {
      const response = await send(authorization)
      const body: unknown = await response.json()
      expect([response.status, at(body, "error.code")]).toEqual([401, "invalid_api_key"])
      expect(at(body, "error.type")).toBe("authentication_error")
      expect(response.headers.get("www-authenticate")).toBe("Bearer")
    }
    expect((await send(`Bearer ${key}`)).status).not.toBe(401)
    expect((await send(`bearer ${key}`)).status).not.toBe(401)
  })

  it("image-tasks 5.2 and 7, 401: an invalid key", async () => {
    const { key } = await app.newKey()
    for (const wrong of [`sk-atl-${"A".repeat(43)}`, key.slice(0, -1), `${key}x`, adminToken, "x"]) {
      expect(await submitted(wrong)).toBe("401 invalid_api_key")
    }
  })

  it("image-tasks 5.2 and 7, 401: a disabled key, until it is enabled again", async () => {
    const { id, key } = await app.newKey()
    await patch(`keys/${id}`, { disabled: true })
    expect(await submitted(key)).toBe("401 api_key_disabled")
    await patch(`keys/${id}`, { disabled: false })
    expect(await submitted(key)).toBe("202")
  })

  it("contract, Errors: an expired key is 401 api_key_expired", async () => {
    expect(await submitted((await app.newKey({ expires_at: 1_700_000_000 })).key)).toBe("401 api_key_expired")
    expect(await submitted((await app.newKey({ expires_at: tomorrow() })).key)).toBe("202")
  })
})

describe("image-tasks 5.3: permission", () => {
  it("image-tasks 5.3 and 7, 403: insufficient balance, and nothing is made of it", async () => {
    const { user, key } = await makeAccount(app.url, 0.05)
    const json = { model: "gen-image-2", prompt: newPrompt(), n: 2 }
    const refused = await app.call("/v1/images/tasks", { key, json })
    expect(refusalIn(refused)).toBe("403 insufficient_balance")
    expect(at(refused.body, "error.type")).toBe("billing_error")
    expect(app.vendor.asked(json.prompt)).toHaveLength(0)
    expect((await app.call("/v1/tasks", { key })).body).toMatchObject({ data: [] })
    const account = await app.call(`/admin/v1/users/${user}`, { key: adminToken })
    expect(account.body).toMatchObject({ balance: 25_000, held: 0, spent: 0 })
    expect(await submitted(key)).toBe("202")
    expect(await submitted(key)).toBe("403 insufficient_balance")
  })

  it("contract, Money: a key's own quota that is used up is 403 insufficient_balance too", async () => {
    const { key } = await app.newKey({ quota_usd: 0.04 })
    expect([await submitted(key), await submitted(key)]).toEqual(["202", "403 insufficient_balance"])
  })

  it("image-tasks 5.3 and 7, 403: group permission", async () => {
    const json = { model: "gen-image-2.5" }
    const [stranger, member] = [await app.newKey({ group: "press" }), await app.newKey({ group: "studio" })]
    expect(await submitted(stranger.key, json)).toBe("403 group_not_allowed model")
    expect(await submitted(app.account.key, json)).toBe("403 group_not_allowed model")
    expect(await submitted(member.key, json)).toBe("202")
  })

  it("image-tasks 5.3 and 7, 403: model permission", async () => {
    const { key } = await app.newKey({ models: ["dream-*", "gen-image-2"] })
    expect(await submitted(key, { model: "artgen" })).toBe("403 model_not_allowed model")
    expect(await submitted(key, { model: "dream-4.5" })).toBe("202")
    expect(await submitted(key)).toBe("202")
  })

  it("contract, Errors: an address that is not on the key's list is 403 ip_not_allowed", async () => {
    const [elsewhere, here] = [["192.0.2.0/24", "2001:db8::/32"], ["127.0.0.0/8"]]
    expect(await submitted((await app.newKey({ ip_allowlist: elsewhere })).key)).toBe("403 ip_not_allowed")
    expect(await submitted((await app.newKey({ ip_allowlist: here })).key)).toBe("202")
  })

  it("contract, Errors: a disabled account is 403 account_disabled", async () => {
    const { user, key } = await makeAccount(app.url, 1)
    await patch(`users/${user}`, { disabled: true })
    expect(await submitted(key)).toBe("403 account_disabled")
    await patch(`users/${user}`, { disabled: false })
    expect(await submitted(key)).toBe("202")
  })

  it("image-tasks 5.3: refusals of permission come before those of parameters and balance", async () => {
    const { user } = await makeAccount(app.url, 0)
    const json = { models: ["dream-*"] }
    const created = await app.call(`/admin/v1/users/${user}/keys`, { key: adminToken, json })
    expect(await submitted(textAt(created.body, "key"), { n: 99 })).toBe("403 model_not_allowed model")
    expect(await submitted(textAt(created.body, "key"), { model: "dream-4.5", n: 99 })).toBe(
      "400 invalid_parameter n",
    )
  })
})

describe("image-tasks 7, 429: rate limited", () => {
  it("image-tasks 7, 429: a key of one request a minute gets its second refused, with Retry-After", async () => {
    const { key } = await app.newKey({ rate_per_minute: 1 })
    const request = { key, headers: { "idempotency-key": "the original key" } }
    const json = { model: "gen-image-2", prompt: newPrompt() }
    const first = await app.call("/v1/images/tasks", { ...request, json })
    expect(first.status).toBe(202)
    const second = await app.call("/v1/images/tasks", { ...request, json })
    expect(refusalIn(second)).toBe("429 rate_limited")
    expect(at(second.body, "error.type")).toBe("rate_limit_error")
    const seconds = Number(second.headers.get("retry-after"))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(second.headers.get("ratelimit-policy")).toBe('"key";q=1;w=60')
    expect(second.headers.get("ratelimit")).toMatch(/^"key";r=0;t=\d+$/)
  })

  it("contract, Limits and rates: every answer tells what is left, and keys do not share it", async () => {
    const [one, other] = [
      await app.newKey({ rate_per_minute: 600 }),
      await app.newKey({ rate_per_minute: 600 }),
    ]
    const { headers } = await app.call("/v1/models", one)
    expect(headers.get("ratelimit-policy")).toBe('"key";q=600;w=60')
    const left = /^"key";r=(\d+);t=\d+$/.exec(headers.get("ratelimit") ?? "")?.[1]
    const { headers: others } = await app.call("/v1/models", other)
    expect(others.get("ratelimit")).toContain(`r=${left}`)
  })
})
