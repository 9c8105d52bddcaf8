import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refusalIn } from "../support/answers.ts"
import { type Answer, adminToken, at, call, makeAccount, textAt } from "../support/server.ts"
import { type ClockApp, newIdempotencyKey, openClockApp } from "./app.ts"

let app: ClockApp
let file: string
beforeAll(async () => {
  app = await openClockApp({ limits: { tool_files_per_user_max: 1000, tool_tasks_per_user_max: 1000 } })
  file = await app.file()
})
afterAll(() => app.close())

const idOf = ({ body }: Answer) => textAt(body, "id")
const replayed = ({ headers }: Answer) => headers.get("idempotency-replayed")

describe("document-tools 4.3 and 8: the idempotency key", () => {
  const withKey = (value: string | undefined) =>
    app.call("/v1/tools/test-tool/invoke", {
      headers: value === undefined ? {} : { "idempotency-key": value },
      json: { input: { file_id: file } },
    })

  it.each(["12345678", "order-4711", "ORDER_4711_b", "_-_-_-_-", "a".repeat(64)])(
    "document-tools 8: %s is taken: 8 to 64 letters, digits, hyphens and underscores",
    async (value) => {
      expect((await withKey(value)).status).toBe(202)
    },
  )

  it.each([
    ["", "is empty"],
    ["1234567", "has 7 characters"],
    ["a".repeat(65), "has 65"],
    ["order 4711", "has a space"],
    ["order.4711", "has a dot"],
    ["order/4711", "has a slash"],
    ["order:4711", "has a colon"],
    ["ördnung-4711", "has an umlaut"],
    ["order,4711", "has a comma"],
  ])("document-tools 7, 400: %j %s", async (value) => {
    const refused = await withKey(value)
    expect(refusalIn(refused)).toBe("400 invalid_idempotency_key")
    expect(textAt(refused.body, "error.message")).toMatch(/8 to 64/)
  })

  it("document-tools 7, 400: it is required, and one", async () => {
    expect(refusalIn(await withKey(undefined))).toBe("400 invalid_idempotency_key")
    const headers = new Headers({
      authorization: `Bearer ${app.account.key}`,
      "content-type": "application/json",
    })
    headers.append("idempotency-key", "the-first-key")
    headers.append("idempotency-key", "the-second-key")
    const body = JSON.stringify({ input: { file_id: file } })
    const twice = await fetch(`${app.url}/v1/tools/test-tool/invoke`, { method: "POST", headers, body })
    expect([twice.status, at(await twice.json(), "error.code")]).toEqual([400, "invalid_idempotency_key"])
  })

  it("document-tools 8: of any printable text exactly what the rule says is taken", async () => {
    const printable = fc.string({
      unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
    })
    const likely = fc.stringMatching(/^[A-Za-z0-9_-]{6,66}$/)
    const property = fc.asyncProperty(fc.oneof(printable, likely), async (value) => {
      const { status } = await withKey(value)
      expect(status).toBe(/^[A-Za-z0-9_-]{8,64}$/.test(value) ? 202 : 400)
    })
    await fc.assert(property, { numRuns: 100 })
  })
})

describe("document-tools 4.3: a retry of the same operation", () => {
  it("does not pre-deduct again: 202 with the task's current state, marked as a repetition", async () => {
    const { user, key } = await makeAccount(app.url, 1)
    const own = await app.file({ key })
    const idempotencyKey = newIdempotencyKey()
    const first = await app.invoke(own, { idempotencyKey, key })
    const second = await app.invoke(own, { idempotencyKey, key })
    expect([first.status, second.status, idOf(second)]).toEqual([202, 202, idOf(first)])
    expect([replayed(first), replayed(second)]).toEqual([null, "true"])
    expect(second.headers.get("location")).toBe(`/v1/tasks/${idOf(first)}`)
    await app.done(idOf(first), key)
    const third = await app.invoke(own, { idempotencyKey, key })
    expect(third.body).toEqual(await app.task(idOf(first), key))
    expect(third.body).toMatchObject({ status: "succeeded", billing: { pre_deducted: 50, charged: 50 } })
    expect(await app.money(user)).toEqual({ balance: 499_950, held: 0, spent: 50 })
  })

  it("is the same when formats are omitted, in another order or named twice", async () => {
    for (const [formats, others] of [
      [
        undefined,
        [
          ["markdown", "json"],
          ["json", "markdown"],
          ["json", "markdown", "json"],
        ],
      ],
      [["json"], [["json", "json"]]],
    ] as const) {
      const idempotencyKey = newIdempotencyKey()
      const invocation = { idempotencyKey, ...(formats === undefined ? {} : { formats }) }
      const first = await app.invoke(file, invocation)
      for (const again of others) {
        const answer = await app.invoke(file, { idempotencyKey, formats: again })
        expect([answer.status, idOf(answer), replayed(answer)]).toEqual([202, idOf(first), "true"])
      }
    }
  })

  it("document-tools 7, 409: a changed file, changed formats or another tool under the same key", async () => {
    const idempotencyKey = newIdempotencyKey()
    const first = await app.invoke(file, { idempotencyKey })
    const before = await app.money()
    const other = await app.file()
    for (const answer of [
      await app.invoke(other, { idempotencyKey }),
      await app.invoke("toolfile_none", { idempotencyKey }),
      await app.invoke(file, { idempotencyKey, formats: ["markdown"] }),
      await app.invoke(file, { idempotencyKey, formats: ["json"] }),
      await app.invoke(await app.file({ tool: "other-tool" }), { idempotencyKey, tool: "other-tool" }),
      await app.invoke(file, { idempotencyKey, tool: "other-tool" }),
    ]) {
      expect(refusalIn(answer)).toBe("409 idempotency_key_reused")
    }
    expect((await app.money()).balance).toBe(before.balance)
    expect(idOf(await app.invoke(file, { idempotencyKey }))).toBe(idOf(first))
  })

  it("image-tasks 4.5 and document-tools 4.3: one key of one API key stands for one task of both services", async () => {
    const idempotencyKey = newIdempotencyKey()
    const headers = { "idempotency-key": idempotencyKey }
    const image = await app.call("/v1/images/tasks", {
      headers,
      json: { model: "test-model", prompt: "a" },
    })
    expect(image.status).toBe(202)
    expect(refusalIn(await app.invoke(file, { idempotencyKey }))).toBe("409 idempotency_key_reused")
  })

  it("belongs to its API key: another API key's is another operation", async () => {
    const idempotencyKey = newIdempotencyKey()
    const first = await app.invoke(file, { idempotencyKey })
    const { key } = await app.newKey()
    const second = await app.invoke(await app.file({ key }), { idempotencyKey, key })
    expect([second.status, replayed(second)]).toEqual([202, null])
    expect(idOf(second)).not.toBe(idOf(first))
  })

  it("is answered though the file, the price or the tool is not what it was", async () => {
    const idempotencyKey = newIdempotencyKey()
    const passing = await app.file()
    const first = await app.invoke(passing, { idempotencyKey })
    await app.done(idOf(first))
    await app.call(`/v1/tool-files/${passing}`, { method: "DELETE" })
    await app.admin("PATCH", "tools/test-tool", { published: false, unit_price: "3" })
    const again = await app.invoke(passing, { idempotencyKey })
    await app.admin("PATCH", "tools/test-tool", { published: true, unit_price: "0.0001" })
    expect([again.status, idOf(again), replayed(again)]).toEqual([202, idOf(first), "true"])
    expect(refusalIn(await app.invoke(passing))).toBe("410 file_expired input.file_id")
  })

  it("document-tools 3, rule 4: an unfinished task is not recreated: it is returned, and can be looked up", async () => {
    const idempotencyKey = newIdempotencyKey()
    const first = await app.invoke(file, { idempotencyKey })
    const found = await app.call(`/v1/tasks?idempotency_key=${idempotencyKey}`)
    expect(idOf(found)).toBe(idOf(first))
    const stranger = await app.newKey()
    const none = await app.call(`/v1/tasks?idempotency_key=${idempotencyKey}`, stranger)
    expect(refusalIn(none)).toBe("404 task_not_found")
  })
})

describe("document-tools 4.3: a refused submission records nothing", () => {
  it("402: the same key works when there is money", async () => {
    const { user, key } = await makeAccount(app.url, 0)
    const poor = await app.file({ key })
    const idempotencyKey = newIdempotencyKey()
    const refused = await app.invoke(poor, { key, idempotencyKey })
    expect(refusalIn(refused)).toBe("402 insufficient_balance")
    const none = await app.call(`/v1/tasks?idempotency_key=${idempotencyKey}`, { key })
    expect(refusalIn(none)).toBe("404 task_not_found")
    await app.admin("POST", `users/${user}/grants`, { usd: 1, reason: "test" })
    const taken = await app.invoke(poor, { key, idempotencyKey })
    expect([taken.status, replayed(taken)]).toEqual([202, null])
  })

  it("400, 404 and 410: the same key works for the request that is right", async () => {
    const idempotencyKey = newIdempotencyKey()
    const gone = await app.file()
    await app.call(`/v1/tool-files/${gone}`, { method: "DELETE" })
    const refusals = [
      await app.invoke(file, { idempotencyKey, formats: [] }),
      await app.invoke("toolfile_none", { idempotencyKey }),
      await app.invoke(gone, { idempotencyKey }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([400, 404, 410])
    expect((await app.invoke(file, { idempotencyKey })).status).toBe(202)
  })
})

describe("contract, Tools: an idempotency key is kept 7 days", () => {
  // Every duty of the server runs as often as it would in seven days.
  it("contract, Tools: a repetition before their end is answered by the task, one after is a task of its own", async () => {
    const other = await openClockApp({ workers: false })
    const { key } = other.account
    const ask = (path: string) => call(`${other.url}${path}`, { key })
    const idempotencyKey = newIdempotencyKey()
    const first = await other.invoke(await other.file(), { idempotencyKey })
    const sevenDaysMs = 7 * 24 * 60 * 60 * 1000
    await other.outage(sevenDaysMs - 60_000)
    await other.passes(59_999)
    const again = await other.invoke(textAt(first.body, "file_id"), { idempotencyKey })
    expect([again.status, idOf(again)]).toEqual([202, idOf(first)])
    await other.passes(1)
    expect((await ask(`/v1/tasks?idempotency_key=${idempotencyKey}`)).status).toBe(404)
    const later = await other.invoke(await other.file(), { idempotencyKey })
    expect([later.status, replayed(later)]).toEqual([202, null])
    expect(idOf(later)).not.toBe(idOf(first))
    expect((await call(`${other.url}/admin/v1/stats?check=true`, { key: adminToken })).body).toMatchObject({
      ledger_mismatches: [],
    })
    await other.close()
  })
})
