import { ExecutorFailed } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { refusalIn } from "../support/answers.ts"
import { type Account, type Answer, at, makeAccount, textAt } from "../support/server.ts"
import { type ClockApp, holdRuns, newIdempotencyKey, openClockApp, until } from "./app.ts"

let app: ClockApp
beforeEach(async () => {
  app = await openClockApp({ limits: { tool_files_per_user_max: 1000, tool_tasks_per_user_max: 200 } })
})
afterEach(() => app.close())

/** Documents whose name begins with `bad` fail. */
const failBad = () => {
  const parse = app.script.runTool
  app.script.runTool = (job, tool) =>
    job.filename.startsWith("bad")
      ? Effect.fail(new ExecutorFailed({ code: "file_corrupt", message: "It is bad.", retryable: false }))
      : parse(job, tool)
}
const listed = async (key = app.account.key): Promise<ReadonlyArray<unknown>> =>
  Object((await app.call("/v1/tool-tasks", { key })).body).data
const ledgerOf = async (user: string): Promise<ReadonlyArray<unknown>> =>
  Object((await app.admin("GET", `ledger?user=${user}&limit=100`)).body).data
const idOf = ({ body }: Answer) => textAt(body, "id")

describe("document-tools 4.8: GET /v1/tool-tasks", () => {
  it("document-tools 4.8: tasks in every state, newest first, with pre-deduction and charge in units", async () => {
    failBad()
    const done = await app.submit()
    await app.done(done)
    const failed = await app.submit({ name: "bad.txt" })
    await app.done(failed)
    const { open } = holdRuns(app)
    const running = await app.submit()
    await until(
      () => app.task(running),
      (task) => at(task, "status") === "running",
    )
    const { status, body } = await app.call("/v1/tool-tasks")
    expect([status, Object.keys(Object(body)), at(body, "object")]).toEqual([200, ["object", "data"], "list"])
    // 0.0001 USD are 50 units (contract, Money).
    expect(await listed()).toMatchObject([
      { id: running, status: "running", billing: { pre_deducted: 50, charged: 0, refunded: 0 } },
      { id: failed, status: "failed", billing: { pre_deducted: 50, charged: 0, refunded: 50 } },
      { id: done, status: "succeeded", billing: { pre_deducted: 50, charged: 50, refunded: 0 } },
    ])
    for (const task of await listed()) expect(task).toEqual(await app.task(textAt(task, "id")))
    open()
    await app.done(running)
  })

  it("document-tools 4.8 and 8: the most recent 100, of the current key, without image tasks", async () => {
    const file = await app.file()
    const ids: Array<string> = []
    while (ids.length < 103) ids.unshift(idOf(await app.invoke(file)))
    await app.call("/v1/images/tasks", { json: { model: "test-model", prompt: "a" } })
    expect((await listed()).map((task) => at(task, "id"))).toEqual(ids.slice(0, 100))
    const { key } = await app.newKey()
    expect(await listed(key)).toEqual([])
    const own = await app.submit({ key })
    expect((await listed(key)).map((task) => at(task, "id"))).toEqual([own])
    for (const id of ids) await app.done(id)
  })
})

describe("document-tools 3, rule 1, and 5.3: pre-deduction, charge and refund", () => {
  it("document-tools 3, rule 1: a submission pre-deducts the catalog's fee; nothing else is charged", async () => {
    const { open } = holdRuns(app)
    const { user, key } = await makeAccount(app.url, 1)
    const file = await app.file({ key })
    expect(await app.money(user)).toEqual({ balance: 500_000, held: 0, spent: 0 })
    const id = idOf(await app.invoke(file, { key }))
    expect(await app.money(user)).toEqual({ balance: 499_950, held: 50, spent: 0 })
    open()
    await app.done(id, key)
    expect(await app.money(user)).toEqual({ balance: 499_950, held: 0, spent: 50 })
    await app.call(`/v1/tasks/${id}/result`, { key })
    await app.call(`/v1/tool-files/${file}`, { key, method: "DELETE" })
    expect(await app.money(user)).toEqual({ balance: 499_950, held: 0, spent: 50 })
  })

  it("document-tools 9.4: an accepted task keeps its fee when the price changes", async () => {
    const { open } = holdRuns(app)
    const { user, key } = await makeAccount(app.url, 1)
    const file = await app.file({ key })
    const before = idOf(await app.invoke(file, { key }))
    await app.admin("PATCH", "tools/test-tool", { unit_price: "0.001" })
    const after = idOf(await app.invoke(file, { key }))
    expect(await app.money(user)).toMatchObject({ held: 550 })
    open()
    expect(await app.done(before, key)).toMatchObject({ billing: { pre_deducted: 50, charged: 50 } })
    expect(await app.done(after, key)).toMatchObject({ billing: { pre_deducted: 500, charged: 500 } })
    expect(await app.money(user)).toEqual({ balance: 499_450, held: 0, spent: 550 })
  })

  it("document-tools 5.3: groups of keys change no price", async () => {
    const { key } = await app.newKey({ group: "studio" })
    expect(await app.task(await app.submit({ key }), key)).toMatchObject({
      billing: { pre_deducted: 50 },
    })
  })

  it("contract, Money: each of hold, settle and release is one transfer named after the task", async () => {
    failBad()
    const { user, key } = await makeAccount(app.url, 1)
    const good = await app.submit({ key })
    await app.done(good, key)
    const bad = await app.submit({ key, name: "bad.txt" })
    await app.done(bad, key)
    const rows = (await ledgerOf(user)).map((row) => [at(row, "id"), at(row, "amount"), at(row, "task_id")])
    expect(rows).toHaveLength(5)
    expect(rows).toEqual(
      expect.arrayContaining([
        [`hold:${good}`, 50, good],
        [`settle:${good}`, 50, good],
        [`hold:${bad}`, 50, bad],
        [`release:${bad}`, 50, bad],
      ]),
    )
  })

  it("contract, Money: whatever happens to a user's tasks, wallet + held + spent is what was granted", async () => {
    failBad()
    const step = fc.constantFrom("good", "bad", "cancel", "replay", "refused")
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const account = await makeAccount(app.url, 0.0004)
      const total = async () => {
        const { balance, held, spent } = await app.money(account.user)
        return balance + held + spent
      }
      const ids: Array<string> = []
      for (const each of steps) {
        const id = await act(each, account)
        if (id !== undefined) ids.push(id)
        expect(await total()).toBe(200)
      }
      let charged = 0
      for (const id of ids) charged += Number(at(await app.done(id, account.key), "billing.charged"))
      expect(await app.money(account.user)).toEqual({ balance: 200 - charged, held: 0, spent: charged })
    })
    await fc.assert(property, { numRuns: 15 })
    expect((await app.admin("GET", "stats?check=true")).body).toMatchObject({ ledger_mismatches: [] })
  })
})

/** One thing that a caller does; the task that it made. */
const act = async (what: string, { key }: Account): Promise<string | undefined> => {
  if (what === "refused") {
    await app.invoke("toolfile_none", { key })
    return undefined
  }
  const file = await app.file({ key, name: what === "bad" ? "bad.txt" : "good.txt" })
  const idempotencyKey = newIdempotencyKey()
  const { status, body } = await app.invoke(file, { key, idempotencyKey })
  if (status === 402) return undefined
  if (what === "replay") await app.invoke(file, { key, idempotencyKey })
  const id = textAt(body, "id")
  if (what === "cancel") await app.call(`/v1/tasks/${id}/cancel`, { key, method: "POST" })
  return id
}

describe("document-tools 7, 402: wallet or key quota insufficient", () => {
  it("document-tools 7, 402: a wallet that does not cover the fee; nothing is held, no task is made", async () => {
    const { user, key } = await makeAccount(app.url, 0.00008)
    const file = await app.file({ key })
    const refused = await app.invoke(file, { key })
    expect(refusalIn(refused)).toBe("402 insufficient_balance")
    expect(at(refused.body, "error.type")).toBe("billing_error")
    expect(textAt(refused.body, "error.message")).toMatch(/\b50\b.*\b40\b|\b40\b.*\b50\b/)
    expect(await app.money(user)).toEqual({ balance: 40, held: 0, spent: 0 })
    expect(await listed(key)).toEqual([])
    await app.admin("POST", `users/${user}/grants`, { usd: "0.00002", reason: "test" })
    expect((await app.invoke(file, { key })).status).toBe(202)
    expect(await app.money(user)).toMatchObject({ balance: 0 })
  })

  it("document-tools 7, 402: a key's own quota that is used up, though the wallet is full", async () => {
    const { key } = await app.newKey({ quota_usd: "0.0002" })
    const file = await app.file({ key })
    for (let count = 0; count < 2; count++) {
      const id = idOf(await app.invoke(file, { key }))
      await app.done(id, key)
    }
    const refused = await app.invoke(file, { key })
    expect(refusalIn(refused)).toBe("402 key_quota_exhausted")
    expect(at(refused.body, "error.type")).toBe("billing_error")
    expect((await app.invoke(await app.file())).status).toBe(202)
  })

  it("contract, Money: what is held counts against the quota, what is refunded comes back to it", async () => {
    failBad()
    const { open } = holdRuns(app)
    const { key } = await app.newKey({ quota_usd: "0.0001" })
    const bad = await app.file({ key, name: "bad.txt" })
    const id = idOf(await app.invoke(bad, { key }))
    expect(refusalIn(await app.invoke(bad, { key }))).toBe("402 key_quota_exhausted")
    open()
    expect(await app.done(id, key)).toMatchObject({ status: "failed" })
    expect((await app.invoke(bad, { key })).status).toBe(202)
  })

  it("of many submissions at once no more are accepted than the wallet covers", async () => {
    const { user, key } = await makeAccount(app.url, 0.0003)
    const file = await app.file({ key })
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.invoke(file, { key })))
    const taken = answers.filter(({ status }) => status === 202)
    expect(taken).toHaveLength(3)
    for (const each of answers.filter(({ status }) => status !== 202)) {
      expect(refusalIn(each)).toBe("402 insufficient_balance")
    }
    for (const each of taken) await app.done(idOf(each), key)
    expect(await app.money(user)).toEqual({ balance: 0, held: 0, spent: 150 })
  })
})
