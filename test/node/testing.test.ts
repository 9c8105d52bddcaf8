import { AssertionError } from "node:assert"
import { type Atelier, AtelierError } from "@atelier/node"
import { createTestAtelier, type TestAtelier, type TestAtelierOptions } from "@atelier/node/testing"
import { afterEach, describe, expect, it } from "vitest"
import { rejection } from "./started.ts"

const open = new Set<Atelier>()
afterEach(async () => {
  for (const atelier of open) await atelier.close()
  open.clear()
})

const testing = async (options?: TestAtelierOptions): Promise<TestAtelier> => {
  const atelier = await createTestAtelier({ users: { "customer-42": "10" }, log: () => {}, ...options })
  open.add(atelier)
  return atelier
}

const image = { user: "customer-42", model: "gen-image-2", prompt: "A lighthouse", size: "256x256" } as const
const note = {
  user: "customer-42",
  tool: "pptx-md-json",
  file: Buffer.from("no presentation, and none is read"),
  filename: "deck.pptx",
} as const

/** An application's own code, as its test finds it. */
const shop = (atelier: Atelier) => ({
  order: (title: string) =>
    atelier.transaction(async (tx) => {
      const task = await tx.images.submit({ ...image, prompt: title })
      await tx.query("INSERT INTO orders (title, task_id) VALUES (?, ?)", [title, task.id])
      return task
    }),
  orders: () => atelier.transaction((tx) => tx.query("SELECT title, paid FROM orders")),
})

const withTable = async (atelier: Atelier): Promise<void> => {
  await atelier.transaction((tx) => tx.query("CREATE TABLE orders (title TEXT, task_id TEXT, paid INTEGER)"))
}

describe("createTestAtelier: what the application submits", () => {
  it("nothing runs before drain; drain runs what is due, and tells the application", async () => {
    const atelier = await testing()
    await withTable(atelier)
    atelier.onFinished((task, tx) =>
      tx.query("UPDATE orders SET paid = ? WHERE task_id = ?", [task.billing.charged, task.id]),
    )
    const task = await shop(atelier).order("a bridge")
    expect(await atelier.tasks.get(task.id)).toMatchObject({ state: "queued" })
    const [submitted] = await atelier.assertSubmitted({
      user: "customer-42",
      model: "gen-image-2",
      request: { prompt: /bridge/, n: 1 },
    })
    expect(submitted.task.id).toBe(task.id)
    await atelier.assertNotSubmitted({ user: "another-user" })

    const { finished, waiting } = await atelier.drain()
    expect(finished).toMatchObject([{ id: task.id, state: "completed" }])
    expect(waiting).toEqual([])
    const held = task.billing.held
    await atelier.assertBalance("customer-42", { held: 0, spent: held, granted: "10" })
    expect(await shop(atelier).orders()).toEqual([{ title: "a bridge", paid: held }])
  })

  it("an image has the asked size; a document is what the script says, and no tool reads it", async () => {
    const atelier = await testing()
    atelier.documentTools.next({ markdown: "# Minutes\n" })
    const one = await atelier.images.submit({ ...image, size: "320x256", n: 2 })
    const two = await atelier.documents.submit(note)
    expect((await atelier.drain()).finished).toHaveLength(2)
    const result = await atelier.tasks.result(one.id)
    expect(result).toMatchObject({ images: [{ width: 320, height: 256 }, { width: 320 }] })
    expect(await atelier.tasks.result(two.id)).toMatchObject({
      markdown: "# Minutes\n",
      json: { schema_version: "1.0", markdown: "# Minutes\n" },
    })
    expect(atelier.upstream.requests).toMatchObject([{ model: "gen-image-2", n: 2, width: 320 }])
    expect(atelier.documentTools.requests).toMatchObject([{ tool: "pptx-md-json", filename: "deck.pptx" }])
  })

  it("waiting for a task drains, so that code which waits runs as it is", async () => {
    const atelier = await testing()
    const { id } = await atelier.images.submit(image)
    expect(await atelier.tasks.wait(id)).toMatchObject({ state: "completed" })
    const seen: Array<string> = []
    const next = await atelier.images.submit(image)
    for await (const task of atelier.tasks.watch(next.id)) {
      if (task.object === "image.task") seen.push(task.state)
    }
    expect(seen.at(-1)).toBe("completed")
  })
})

describe("createTestAtelier: upstreams and tools that fail, and time", () => {
  it("refusals, failures and fewer images than asked for are paid as the service pays them", async () => {
    const atelier = await testing()
    atelier.upstream.next({ rejected: "not this" }, { failed: "out of paint" }, { images: 1 })
    atelier.documentTools.next({ failed: { code: "file_corrupt", message: "The file is cut off." } })
    const rejected = await atelier.images.submit(image)
    const failed = await atelier.images.submit(image)
    const partial = await atelier.images.submit({ ...image, n: 2 })
    const corrupt = await atelier.documents.submit(note)
    await atelier.drain()
    const errors = [rejected, failed, corrupt].map(
      async ({ id }) => (await atelier.tasks.get(id)).error?.code,
    )
    expect(await Promise.all(errors)).toEqual(["upstream_rejected", "upstream_failed", "file_corrupt"])
    const { billing } = await atelier.tasks.get(partial.id)
    await atelier.assertBalance("customer-42", { held: 0, spent: partial.billing.held / 2 })
    expect(billing).toMatchObject({ charged: partial.billing.held / 2 })
    atelier.uploads.next({ refused: { code: "file_encrypted", message: "The file has a password." } })
    expect(await rejection(atelier.documents.submit(note))).toMatchObject({ code: "file_encrypted" })
    await atelier.documents.submit(note)
  })

  it("an upstream that is away is asked again when the time has come", async () => {
    const atelier = await testing()
    atelier.upstream.next({ unavailable: "maintenance", retryAfterSeconds: 600 })
    const { id } = await atelier.images.submit(image)
    expect((await atelier.drain()).waiting).toMatchObject([{ id }])
    atelier.clock.advance("9 minutes")
    expect((await atelier.drain()).waiting).toMatchObject([{ id }])
    atelier.clock.advance("1 minute")
    expect((await atelier.drain()).finished).toMatchObject([{ id, state: "completed" }])
    expect(atelier.upstream.requests).toHaveLength(2)
  })

  it("what never answers fails at its deadline, or is canceled while it runs", async () => {
    const atelier = await testing()
    atelier.upstream.always({ silent: true })
    atelier.documentTools.next({ silent: true })
    const late = await atelier.images.submit(image)
    const canceled = await atelier.images.submit(image)
    const document = await atelier.documents.submit(note)
    expect((await atelier.drain()).waiting).toHaveLength(3)
    expect(await atelier.tasks.cancel(canceled.id)).toMatchObject({ state: "in_progress" })
    await atelier.drain()
    expect(await atelier.tasks.get(canceled.id)).toMatchObject({
      state: "failed",
      error: { code: "canceled" },
    })
    atelier.clock.advance("1 hour")
    await atelier.drain()
    expect(await atelier.tasks.get(late.id)).toMatchObject({ error: { code: "timeout" } })
    expect(await atelier.tasks.get(document.id)).toMatchObject({ error: { code: "timeout" } })
    await atelier.assertBalance("customer-42", { held: 0, spent: 0 })
  })

  it("drain throws what a handler threw; after a second of the clock it is called again", async () => {
    const atelier = await testing()
    let calls = 0
    atelier.onFinished(async () => {
      calls += 1
      if (calls === 1) throw new Error("no mail today")
    })
    await atelier.images.submit(image)
    expect(await rejection(atelier.drain())).toMatchObject({ message: "no mail today" })
    await atelier.drain()
    expect(calls).toBe(1)
    atelier.clock.advance("1 second")
    await atelier.drain()
    expect(calls).toBe(2)
  })

  it("an idempotency key is forgotten after seven days of the clock, results of documents when they expire", async () => {
    const atelier = await testing({ now: new Date("2030-01-01T00:00:00Z") })
    expect(atelier.clock.now()).toEqual(new Date("2030-01-01T00:00:00Z"))
    const keyed = { ...image, idempotencyKey: "order-1" }
    const one = await atelier.images.submit(keyed)
    expect((await atelier.images.submit(keyed)).id).toBe(one.id)
    const document = await atelier.documents.submit(note)
    await atelier.drain()
    atelier.clock.advance("8 days")
    await atelier.drain()
    expect((await atelier.images.submit(keyed)).id).not.toBe(one.id)
    expect(await rejection(atelier.tasks.result(document.id))).toMatchObject({ code: "result_expired" })
  })
})

describe("createTestAtelier: failures that say what is there instead", () => {
  const failed = async (promise: Promise<unknown>): Promise<string> => {
    const error = await rejection(promise)
    expect(error).toBeInstanceOf(AssertionError)
    return (error as AssertionError).message
  }

  it("of submissions, of money, and of a wait that cannot end", async () => {
    const atelier = await testing()
    expect(await failed(atelier.assertSubmitted({ model: "artgen" }))).toBe(
      "Expected a task with { model: 'artgen' }, found 0. Nothing was submitted.",
    )
    const { id } = await atelier.images.submit(image)
    expect(await failed(atelier.assertSubmitted({ model: /^gen/ }, { count: 2 }))).toBe(
      `Expected 2 tasks with { model: /^gen/ }, found 1. Submitted:\n  ${id}: user 'customer-42', model gen-image-2, prompt 'A lighthouse', queued`,
    )
    expect(await failed(atelier.assertNotSubmitted())).toContain("Expected no task with {}, found 1.")
    expect(await failed(atelier.assertBalance("customer-42", { wallet: "10", spent: 0 }))).toMatch(
      /^The balance of 'customer-42' is another:\n {2}wallet: expected 5000000 units \(10 USD\), found \d+ units/,
    )
    atelier.upstream.always({ silent: true })
    expect(await failed(atelier.tasks.wait(id))).toContain("Move the clock")
    expect(() => atelier.clock.advance("soon" as never)).toThrow(AssertionError)
  })

  it("the service's own errors are those of the application", async () => {
    const atelier = await testing({ users: { poor: "0" } })
    const poor = await rejection(atelier.images.submit({ ...image, user: "poor" }))
    expect(poor).toBeInstanceOf(AtelierError)
    expect(poor).toMatchObject({ code: "insufficient_balance" })
  })
})
