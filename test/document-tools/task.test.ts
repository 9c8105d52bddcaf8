import { ExecutorFailed } from "@atelier/core"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { events, refusalIn, type ServerSentEvent } from "../support/answers.ts"
import { at, textAt } from "../support/server.ts"
import { type ClockApp, holdRuns, openClockApp, until } from "./app.ts"

let app: ClockApp
let parse: ClockApp["script"]["runTool"]
beforeEach(async () => {
  // One document at a time: the next one waits in `queued`.
  app = await openClockApp({ limits: { tool_jobs_concurrent_max: 1 } })
  parse = app.script.runTool
})
afterEach(() => app.close())

const wallet = 50_000_000
const fail = (code: string, retryable = false) =>
  Effect.fail(new ExecutorFailed({ code, message: `It is ${code}.`, retryable }))
const inStatus = (id: string, status: string) =>
  until(
    () => app.task(id),
    (task) => at(task, "status") === status,
  )
/** The same where a duty of the workers has to come by, for which time must pass. */
const laterIn = (id: string, status: string) =>
  until(
    async () => {
      await app.passes("1 second")
      return app.task(id)
    },
    (task) => at(task, "status") === status,
  )
const refunded = { pre_deducted: 50, charged: 0, refunded: 50 }

describe("document-tools 2.4 and 3: states of a task", () => {
  it("document-tools 3: queued, running, succeeded; the pre-deducted fee becomes the charge", async () => {
    const first = holdRuns(app)
    const blocking = await app.submit()
    await inStatus(blocking, "running")
    const id = await app.submit()
    await app.passes("10 seconds")
    expect(await app.task(id)).toMatchObject({
      id: expect.stringMatching(/^tooltask_/),
      status: "queued",
      started_at: null,
      finished_at: null,
      billing: { pre_deducted: 50, charged: 0, refunded: 0 },
    })
    expect(await app.money()).toEqual({ balance: wallet - 100, held: 100, spent: 0 })
    first.open()
    for (const each of [blocking, id]) await app.done(each)
    const second = holdRuns(app)
    const running = await inStatus(await app.submit(), "running")
    expect(running).toMatchObject({ started_at: 10, finished_at: null, error: null })
    await app.passes("5 seconds")
    second.open()
    const done = await app.done(textAt(running, "id"))
    expect(done).toMatchObject({
      status: "succeeded",
      error: null,
      billing: { pre_deducted: 50, charged: 50, refunded: 0 },
      created_at: 10,
      started_at: 10,
      finished_at: 15,
      expires_at: 7210,
    })
    expect(await app.money()).toEqual({ balance: wallet - 150, held: 0, spent: 150 })
  })

  it.each(["file_corrupt", "archive_limit_exceeded", "result_too_large", "timeout", "executor_crashed"])(
    "document-tools 3: any failure, as %s, refunds the whole pre-deduction",
    async (code) => {
      app.script.runTool = () => fail(code)
      const id = await app.submit()
      expect(await app.done(id)).toMatchObject({
        status: "failed",
        error: { code, message: `It is ${code}.` },
        billing: refunded,
        finished_at: 0,
      })
      expect(await app.money()).toEqual({ balance: wallet, held: 0, spent: 0 })
      expect(refusalIn(await app.call(`/v1/tasks/${id}/result`))).toBe("409 task_failed")
    },
  )

  it("document-tools 1.3: on failure no task switches to another parser, or is tried again", async () => {
    const asked: Array<string> = []
    app.script.runTool = (_, tool) => {
      asked.push(tool)
      return fail("file_corrupt")
    }
    const id = await app.submit()
    await app.done(id)
    await app.passes("10 minutes")
    expect(asked).toEqual(["test-tool"])
    expect(await app.task(id)).toMatchObject({ tool_id: "test-tool", status: "failed", billing: refunded })
    expect((await app.call("/v1/tool-tasks")).body).toMatchObject({ data: [{ id }] })
    expect(at((await app.call("/v1/tool-tasks")).body, "data.1")).toBeUndefined()
  })

  it("contract, Tools: final states never change", async () => {
    const id = await app.submit()
    const done = await app.done(id)
    expect(refusalIn(await app.call(`/v1/tasks/${id}/cancel`, { method: "POST" }))).toBe(
      "409 task_not_cancelable",
    )
    await app.passes("10 minutes")
    expect(await app.task(id)).toEqual(done)
  })
})

describe("document-tools 8: processing takes at most 300 seconds after acceptance, whatever happens", () => {
  it("an executor that hangs: failed with timeout at 300 s, and refunded", async () => {
    app.script.runTool = () => Effect.never
    const id = await app.submit()
    await inStatus(id, "running")
    await app.passes("299 seconds")
    expect(await app.task(id)).toMatchObject({ status: "running" })
    await app.passes("1 second")
    const failed = await inStatus(id, "failed")
    expect(failed).toMatchObject({ error: { code: "timeout" }, billing: refunded, finished_at: 300 })
    expect(textAt(failed, "error.message")).toContain("300 seconds")
    // The worker is free again.
    app.script.runTool = parse
    expect(await app.done(await app.submit())).toMatchObject({ status: "succeeded" })
  })

  it("a queue that never reaches it: failed with timeout at 300 s, and refunded", async () => {
    app.script.runTool = () => Effect.never
    const blocking = await app.submit()
    await inStatus(blocking, "running")
    await app.passes("100 seconds")
    const id = await app.submit()
    app.script.runTool = () => Effect.never
    await app.passes("200 seconds")
    await inStatus(blocking, "failed")
    await app.passes("99 seconds")
    expect(at(await app.task(id), "status")).not.toBe("failed")
    await app.passes("1 second")
    expect(await inStatus(id, "failed")).toMatchObject({ error: { code: "timeout" }, billing: refunded })
    expect(await app.money()).toEqual({ balance: wallet, held: 0, spent: 0 })
  })

  it("an executor that fails at every attempt: failed at 300 s, and refunded", async () => {
    let attempts = 0
    app.script.runTool = () => {
      attempts += 1
      return Effect.die(new Error("a fault of the executor"))
    }
    const id = await app.submit()
    // The next attempts are due after 1 and 2 seconds. A worker may begin to wait for its next one after time has passed.
    await until(
      async () => {
        await app.passes("50 millis")
        return attempts
      },
      (count) => count === 3,
    )
    await app.passes("280 seconds")
    const failed = await laterIn(id, "failed")
    expect(failed).toMatchObject({ error: { code: "timeout" }, billing: refunded })
    expect(JSON.stringify(failed)).not.toContain("a fault of the executor")
    expect(at(failed, "finished_at")).toBeGreaterThanOrEqual(300)
  })

  it("a temporary outage: retried within the task's time, and charged once", async () => {
    let attempts = 0
    app.script.runTool = (job, tool) => {
      attempts += 1
      return attempts < 3 ? fail("converter_unavailable", true) : parse(job, tool)
    }
    const id = await app.submit()
    await laterIn(id, "succeeded")
    expect(attempts).toBe(3)
    expect(await app.money()).toEqual({ balance: wallet - 50, held: 0, spent: 50 })
  })
})

describe("document-tools 4.4 and contract, Waiting: reading a task", () => {
  it("document-tools 4.4: the task, as often as asked; reading changes nothing", async () => {
    const { open } = holdRuns(app)
    const id = await app.submit()
    const running = await inStatus(id, "running")
    for (let reads = 0; reads < 3; reads++) expect(await app.task(id)).toEqual(running)
    open()
    await app.done(id)
  })

  it("contract, Waiting: wait answers when the task is final, or at its end with the present state", async () => {
    const { open } = holdRuns(app)
    const id = await app.submit()
    await inStatus(id, "running")
    const impatient = app.call(`/v1/tasks/${id}?wait=20`)
    const patient = app.call(`/v1/tasks/${id}?wait=60`)
    let answered = false
    void impatient.then(() => {
      answered = true
    })
    await app.passes("19 seconds")
    await app.task(id)
    expect(answered).toBe(false)
    await until(
      async () => {
        await app.passes("1 second")
        return answered
      },
      (done) => done,
    )
    expect((await impatient).body).toMatchObject({ id, status: "running" })
    open()
    expect((await patient).body).toMatchObject({ id, status: "succeeded" })
  })

  it("contract, Waiting: events are the task at every change, the final one last; then the stream closes", async () => {
    const first = holdRuns(app)
    const blocking = await app.submit()
    await inStatus(blocking, "running")
    const id = await app.submit()
    const seen: Array<ServerSentEvent> = []
    for await (const event of events(`${app.url}/v1/tasks/${id}/events`, app.account.key)) {
      seen.push(event)
      first.open()
    }
    expect(new Set(seen.map(({ event }) => event))).toEqual(new Set(["task"]))
    const statuses = seen.map(({ data }) => at(data, "status"))
    expect([statuses[0], statuses.at(-1)]).toEqual(["queued", "succeeded"])
    expect(seen.at(-1)?.data).toEqual(await app.task(id))
    const headers = { "last-event-id": seen.at(-1)?.id ?? "" }
    expect((await app.call(`/v1/tasks/${id}/events`, { headers })).status).toBe(204)
  })

  it("contract, Waiting: cancel ends a queued task, refunds it, and its document is never parsed", async () => {
    const parsed: Array<string> = []
    app.script.runTool = (job, tool) => {
      parsed.push(job.filename)
      return parse(job, tool)
    }
    const { open } = holdRuns(app)
    const running = await app.submit({ name: "first.txt" })
    await inStatus(running, "running")
    const file = await app.file({ name: "canceled.txt" })
    const queued = await app.invoke(file)
    const id = textAt(queued.body, "id")
    const cancel = (task: string) => app.call(`/v1/tasks/${task}/cancel`, { method: "POST" })
    const refused = await cancel(running)
    expect(refusalIn(refused)).toBe("409 task_not_cancelable")
    expect(at(refused.body, "data.task_id")).toBe(running)
    const canceled = await cancel(id)
    expect(canceled).toMatchObject({
      status: 200,
      body: { id, status: "failed", error: { code: "canceled" }, billing: refunded, started_at: null },
    })
    expect(refusalIn(await cancel(id))).toBe("409 task_not_cancelable")
    expect((await app.call(`/v1/tool-files/${file}`, { method: "DELETE" })).status).toBe(202)
    open()
    await app.done(running)
    await app.done(await app.submit({ name: "later.txt" }))
    expect(parsed).toEqual(["first.txt", "later.txt"])
    expect(await app.task(id)).toEqual(canceled.body)
    expect(await app.money()).toEqual({ balance: wallet - 100, held: 0, spent: 100 })
  })

  it("contract, Waiting: history has every transition with its transfers, of a success and of a failure", async () => {
    const id = await app.submit()
    await app.done(id)
    app.script.runTool = () => fail("file_corrupt")
    const failed = await app.submit()
    await app.done(failed)
    const transfer = (kind: string, task: string) => [{ id: `${kind}:${task}`, kind, amount: 50 }]
    const entry = (event: string, from: string | null, to: string, transfers: object = []) => ({
      event,
      from,
      to,
      transfers,
      request_id: event === "submit" ? expect.stringMatching(/^req_/) : null,
      occurred_at: 0,
    })
    expect((await app.call(`/v1/tasks/${id}/history`)).body).toEqual({
      object: "list",
      data: [
        entry("submit", null, "queued", transfer("hold", id)),
        entry("start", "queued", "running"),
        entry("finish", "running", "succeeded", transfer("settle", id)),
      ],
    })
    expect((await app.call(`/v1/tasks/${failed}/history`)).body).toEqual({
      object: "list",
      data: [
        entry("submit", null, "queued", transfer("hold", failed)),
        entry("start", "queued", "running"),
        entry("fail", "running", "failed", transfer("release", failed)),
      ],
    })
  })

  it("contract, Waiting: GET /v1/tasks has tool tasks by status and by tool, beside image tasks", async () => {
    const json = { model: "test-model", prompt: "a" }
    await app.call("/v1/images/tasks", { json })
    const first = await app.submit()
    const second = await app.submit({ tool: "other-tool" })
    for (const id of [first, second]) await app.done(id)
    const listed = async (query: string) => {
      const { body } = await app.call(`/v1/tasks?${query}`)
      return Object(body).data.map((task: unknown) => at(task, "id"))
    }
    expect(await listed("state=succeeded")).toEqual([second, first])
    expect(await listed("model=other-tool")).toEqual([second])
    expect(await listed("state=running")).toEqual([])
    expect(await listed("limit=3")).toHaveLength(3)
  })

  it("document-tools 6: a tool task has no callbacks", async () => {
    const id = await app.submit()
    await app.done(id)
    expect((await app.call(`/v1/tasks/${id}/callbacks`)).body).toEqual({ object: "list", data: [] })
    const again = await app.call(`/v1/tasks/${id}/callbacks/redeliver`, { method: "POST" })
    expect(refusalIn(again)).toBe("404 not_found")
  })
})
