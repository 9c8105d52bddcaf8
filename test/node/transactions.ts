import { type Atelier, AtelierError, type Task, type Tx } from "@atelier/node"
import { describe, expect, it } from "vitest"
import { at } from "../support/server.ts"
import { rejection } from "./started.ts"

const image = { model: "gen-image-2", prompt: "A lighthouse", size: "256x256" } as const

/** How a database names parameters, and what its driver says of a doubled key. */
export interface Dialect {
  readonly param: (index: number) => string
  readonly uniqueCode: string | number
}

/** What transactions and hooks hold on every database; `fresh` gives services on an empty one, sharing it. */
export const transactionSuite = (
  name: string,
  { param, uniqueCode }: Dialect,
  fresh: () => Promise<{
    readonly start: (options?: { readonly workers?: boolean }) => Promise<Atelier>
  }>,
): void => {
  const shop = async (options?: { readonly workers?: boolean }) => {
    const { start } = await fresh()
    const atelier = await start(options)
    await atelier.users.ensure("ada", { balanceUsd: "1" })
    await atelier.transaction(async (tx) => {
      await tx.query("CREATE TABLE orders (title TEXT PRIMARY KEY, task_id TEXT, state TEXT)")
    })
    return { atelier, start }
  }
  const insert = `INSERT INTO orders (title, task_id, state) VALUES (${param(1)}, ${param(2)}, 'open')`
  const order = (tx: Tx, title: string) =>
    tx.images.submit({ user: "ada", ...image }).then(async (task) => {
      await tx.query(insert, [title, task.id])
      return task
    })
  const orders = (atelier: Atelier) =>
    atelier.transaction((tx) => tx.query<{ title: string; state: string }>("SELECT title, state FROM orders"))
  const all = async (atelier: Atelier) => {
    const found: Array<Task> = []
    for await (const task of atelier.tasks.list()) found.push(task)
    return found
  }

  describe(`${name}: the application's transaction`, () => {
    it("its row, the task, its hold and its job are there together, and the task runs", async () => {
      const { atelier } = await shop()
      const task = await atelier.transaction((tx) => order(tx, "a bridge"))
      expect(await atelier.tasks.wait(task.id)).toMatchObject({ state: "completed" })
      expect(await orders(atelier)).toHaveLength(1)
    })

    it("what its body throws comes out as it is, and undoes everything", async () => {
      const { atelier } = await shop({ workers: false })
      const thrown = new Error("out of stock")
      const failing = atelier.transaction(async (tx) => {
        await order(tx, "a bridge")
        throw thrown
      })
      expect(await rejection(failing)).toBe(thrown)
      expect(await orders(atelier)).toEqual([])
      expect(await all(atelier)).toEqual([])
      expect(await atelier.users.balance("ada")).toMatchObject({ held: 0 })
    })

    it("a constraint that the application broke is the driver's own error", async () => {
      const { atelier } = await shop({ workers: false })
      await atelier.transaction((tx) => order(tx, "a bridge"))
      const error = await rejection(atelier.transaction((tx) => order(tx, "a bridge")))
      expect(error).not.toBeInstanceOf(AtelierError)
      expect(error).toMatchObject({ [typeof uniqueCode === "number" ? "errcode" : "code"]: uniqueCode })
      expect(await all(atelier)).toHaveLength(1)
    })

    it("a refusal that the body handles undoes only itself", async () => {
      const { atelier } = await shop({ workers: false })
      await atelier.users.ensure("poor")
      await atelier.transaction(async (tx) => {
        await tx.query(insert, ["kept", null])
        const refused = await rejection(tx.images.submit({ user: "poor", ...image }))
        expect(refused).toMatchObject({ code: "insufficient_balance" })
      })
      expect(await orders(atelier)).toMatchObject([{ title: "kept" }])
    })

    it("users, money and cancelling are part of it", async () => {
      const { atelier } = await shop({ workers: false })
      const task = await atelier.images.submit({ user: "ada", ...image })
      await atelier.transaction(async (tx) => {
        await tx.users.ensure("bob", { balanceUsd: "2" })
        await tx.users.grant("bob", { usd: "1" })
        expect(await tx.users.balance("bob")).toMatchObject({ granted: 1_500_000 })
        expect(await tx.tasks.cancel(task.id)).toMatchObject({ state: "failed" })
      })
      expect(await atelier.users.balance("bob")).toMatchObject({ granted: 1_500_000 })
      expect(await atelier.users.balance("ada")).toMatchObject({ held: 0, wallet: 500_000 })
    })

    it("a task that is canceled in the transaction that submits it never begins", async () => {
      const { atelier } = await shop()
      // A place is free then, and nothing waits: outside of a transaction a task would begin at once.
      await atelier.tasks.wait((await atelier.images.submit({ user: "ada", ...image })).id)
      const before = await atelier.users.balance("ada")
      const task = await atelier.transaction(async (tx) => {
        const { id } = await tx.images.submit({ user: "ada", ...image })
        return await tx.tasks.cancel(id)
      })
      expect(task).toMatchObject({ state: "failed", error: { code: "canceled" } })
      expect(await atelier.users.balance("ada")).toEqual(before)
      const events = (await atelier.tasks.history(task.id)).map(({ event }) => event)
      expect(events).toEqual(["submit", "cancel"])
    })

    it("calls of tx that are made at once take turns", async () => {
      const { atelier } = await shop({ workers: false })
      const submit = (tx: Tx) => tx.images.submit({ user: "ada", ...image })
      await atelier.transaction((tx) => Promise.all(Array.from({ length: 5 }, () => submit(tx))))
      expect(await all(atelier)).toHaveLength(5)
    })

    it("a call that its body did not wait for is there whole, or not at all", async () => {
      const { atelier } = await shop({ workers: false })
      const submit = (tx: Tx) => tx.images.submit({ user: "ada", ...image })
      let begun: Promise<Task> | undefined
      await atelier.transaction(async (tx) => {
        begun = submit(tx)
        // The call has begun when the body returns.
        await Promise.resolve()
      })
      const held = Number(at(await begun, "billing.held"))
      expect(await atelier.users.balance("ada")).toMatchObject({ held })
      const thrown = new Error("out of stock")
      let left: Promise<unknown> | undefined
      const failing = atelier.transaction(async (tx) => {
        left = rejection(submit(tx))
        await Promise.resolve()
        throw thrown
      })
      expect(await rejection(failing)).toBe(thrown)
      await left?.catch(() => {})
      expect(await all(atelier)).toHaveLength(1)
      expect(await atelier.users.balance("ada")).toMatchObject({ held })
    })

    it("a call of the service inside a body fails at once, and says what to do", async () => {
      const { atelier } = await shop({ workers: false })
      const errors = await atelier.transaction(async () => [
        await rejection(atelier.images.submit({ user: "ada", ...image })),
        await rejection(atelier.transaction(async () => {})),
        await rejection(atelier.users.balance("ada")),
      ])
      for (const error of errors) {
        expect(error).toMatchObject({ code: "transaction_open" })
        expect(String(error)).toContain("`tx`")
      }
      expect(await atelier.users.balance("ada")).toMatchObject({ held: 0 })
    })

    it("a call of tx after its end fails, and so does a reference image in it", async () => {
      const { atelier } = await shop({ workers: false })
      const kept = await atelier.transaction(async (tx) => tx)
      expect(await rejection(kept.query("SELECT 1"))).toMatchObject({ code: "transaction_ended" })
      const withImage = { user: "ada", ...image, images: ["https://example.com/a.png"] }
      const refused = await rejection(atelier.transaction((tx) => tx.images.submit(withImage)))
      expect(refused).toMatchObject({ code: "invalid_parameter", param: "images" })
    })
  })

  describe(`${name}: onFinished`, () => {
    it("the handler's row and the charge are there together", async () => {
      const { atelier } = await shop()
      const seen: Array<string> = []
      atelier.onFinished(async (task, tx) => {
        seen.push(task.id)
        const { billing } = task
        expect(await tx.users.balance(task.user)).toMatchObject({ spent: billing.charged })
        await tx.query(`UPDATE orders SET state = 'done' WHERE task_id = ${param(1)}`, [task.id])
      })
      const task = await atelier.transaction((tx) => order(tx, "a bridge"))
      await atelier.tasks.wait(task.id)
      expect(seen).toEqual([task.id])
      expect(await orders(atelier)).toEqual([{ title: "a bridge", state: "done" }])
    })

    it("a handler that throws undoes its own writes, never the charge, and is called again", async () => {
      const { atelier } = await shop()
      let calls = 0
      const told = Promise.withResolvers<void>()
      atelier.onFinished(async (task, tx) => {
        calls += 1
        await tx.query(`UPDATE orders SET state = 'done' WHERE task_id = ${param(1)}`, [task.id])
        if (calls === 1) throw new Error("not now")
        told.resolve()
      })
      const task = await atelier.transaction((tx) => order(tx, "a bridge"))
      expect(await atelier.tasks.wait(task.id)).toMatchObject({ state: "completed" })
      await told.promise
      await expect.poll(() => orders(atelier), { timeout: 60_000 }).toMatchObject([{ state: "done" }])
      expect(calls).toBe(2)
      expect(await atelier.users.balance("ada")).toMatchObject({ held: 0 })
    })

    it("after forgetFinished nothing is kept for a handler, until there is one again", async () => {
      const { atelier } = await shop()
      const told: Array<string> = []
      atelier.onFinished(async ({ id }) => void told.push(id))
      await atelier.users.balance("ada")
      await atelier.forgetFinished()
      const unheard = await atelier.images.submit({ user: "ada", ...image })
      await atelier.tasks.wait(unheard.id)
      atelier.onFinished(async ({ id }) => void told.push(id))
      const heard = await atelier.images.submit({ user: "ada", ...image })
      await atelier.tasks.wait(heard.id)
      expect(told).toEqual([heard.id])
    })

    it("what finished while no process had a handler is told after a restart", async () => {
      const { atelier, start } = await shop()
      const stop = atelier.onFinished(async () => {})
      await atelier.users.balance("ada")
      stop()
      const task = await atelier.images.submit({ user: "ada", ...image })
      await atelier.tasks.wait(task.id)
      await atelier.close()
      const other = await start({ workers: false })
      const told = Promise.withResolvers<Task>()
      other.onFinished(async (finished) => told.resolve(finished))
      expect(await told.promise).toMatchObject({ id: task.id, state: "completed", user: "ada" })
    })
  })
}
