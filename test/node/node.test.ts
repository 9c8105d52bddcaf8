import { createReadStream } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { AtelierError, createAtelier } from "@atelier/node"
import { describe, expect, it } from "vitest"
import { newFolder, rejection, started } from "./started.ts"

const image = { model: "gen-image-2", prompt: "A lighthouse", size: "256x256" } as const

describe("createAtelier: two jobs with promises", () => {
  it("an image: submitted, waited for, paid, read", async () => {
    const atelier = await started({ database: "sqlite::memory:" })
    const made = await atelier.users.ensure("customer-42", { balanceUsd: "10" })
    expect(made).toMatchObject({ id: "customer-42", created: true, wallet: 5_000_000 })
    expect(await atelier.users.ensure("customer-42", { balanceUsd: "10" })).toMatchObject({
      created: false,
      granted: 5_000_000,
    })

    const submission = { user: "customer-42", ...image, idempotencyKey: "order-1" }
    const quote = await atelier.images.quote(submission)
    const task = await atelier.images.submit(submission)
    expect(task).toMatchObject({ object: "image.task", user: "customer-42", model: "gen-image-2" })
    expect(task.billing.held).toBe(quote.units)
    const done = await atelier.tasks.wait(task.id)
    expect(done).toMatchObject({ id: task.id, state: "completed", user: "customer-42" })
    expect((await atelier.images.submit(submission)).id).toBe(task.id)

    expect(await atelier.users.balance("customer-42")).toEqual({
      wallet: 5_000_000 - quote.units,
      held: 0,
      spent: quote.units,
      granted: 5_000_000,
    })
    const result = await atelier.tasks.result(task.id)
    if (result.object !== "image.result") throw new Error("not images")
    expect(result.images).toMatchObject([{ contentType: "image/png", width: 256, height: 256 }])
    const [{ data, url } = { data: null, url: "" }] = result.images
    expect(url).toMatch(/^\/media\/[0-9a-f]{64}\.png$/)
    expect((await atelier.images.read(url))?.data).toEqual(data)
  })

  it("a document by path, bytes, Blob and stream, and the same one under its key", async () => {
    const folder = newFolder()
    const path = join(folder, "note.md")
    await writeFile(path, "# Minutes\n\nWe met.\n")
    const atelier = await started({ database: `sqlite:${join(folder, "atelier.db")}` })
    await atelier.users.ensure("customer-42", { balanceUsd: "1" })
    const own = { user: "customer-42", tool: "text-md-json" }
    const bytes = Buffer.from("# Minutes\n\nWe met.\n")
    const first = await atelier.documents.submit({ ...own, file: path, idempotencyKey: "deck-1" })
    const tasks = [
      first,
      await atelier.documents.submit({ ...own, file: bytes, filename: "note.md" }),
      await atelier.documents.submit({ ...own, file: new File([bytes], "note.md") }),
      await atelier.documents.submit({ ...own, file: createReadStream(path), filename: "note.md" }),
    ]
    for (const { id } of tasks) {
      expect(await atelier.tasks.wait(id)).toMatchObject({ status: "succeeded" })
      expect(await atelier.tasks.result(id)).toMatchObject({
        markdown: "# Minutes\n\nWe met.\n",
        json: { schema_version: "1.0" },
      })
    }
    const again = await atelier.documents.submit({ ...own, file: path, idempotencyKey: "deck-1" })
    expect(again.id).toBe(first.id)
    const other = { ...own, file: Buffer.from("other"), filename: "note.md", idempotencyKey: "deck-1" }
    expect(await rejection(atelier.documents.submit(other))).toMatchObject({ code: "idempotency_key_reused" })
  })

  it("a large document goes through a file, and one beyond the tool's limit is refused", async () => {
    const folder = newFolder()
    const atelier = await started({
      database: `sqlite:${join(folder, "atelier.db")}`,
      tools: { "text-md-json": { max_file_bytes: 300_000 } },
    })
    await atelier.users.ensure("ada", { balanceUsd: "1" })
    const own = { user: "ada", tool: "text-md-json", filename: "long.txt" }
    const task = await atelier.documents.submit({ ...own, file: Buffer.alloc(200_000, "line\n") })
    expect(await atelier.tasks.wait(task.id)).toMatchObject({ status: "succeeded" })
    const refused = await rejection(atelier.documents.submit({ ...own, file: Buffer.alloc(300_001, "a") }))
    expect(refused).toMatchObject({ code: "file_too_large", param: "file", retryable: false })
  })

  it("changes, lists, history and cancelling", async () => {
    const atelier = await started({ database: "sqlite::memory:", workers: false })
    await atelier.users.ensure("ada", { balanceUsd: "1" })
    await atelier.users.ensure("bob", { balanceUsd: "1" })
    const one = await atelier.images.submit({ user: "ada", ...image })
    const two = await atelier.images.submit({ user: "bob", ...image })
    const seen: Array<string> = []
    const watching = (async () => {
      for await (const task of atelier.tasks.watch(one.id)) {
        if (task.object === "image.task") seen.push(task.state)
      }
    })()
    expect(await atelier.tasks.cancel(one.id)).toMatchObject({ state: "failed", error: { code: "canceled" } })
    await watching
    expect(seen.at(-1)).toBe("failed")
    expect((await atelier.tasks.history(one.id)).map(({ event }) => event)).toEqual(["submit", "cancel"])
    const ids = async (options?: Parameters<typeof atelier.tasks.list>[0]) => {
      const found: Array<string> = []
      for await (const { id } of atelier.tasks.list(options)) found.push(id)
      return found
    }
    expect(await ids()).toEqual([two.id, one.id])
    expect(await ids({ user: "ada" })).toEqual([one.id])
    expect(await ids({ state: "queued" })).toEqual([two.id])
    expect(await ids({ limit: 1 })).toEqual([two.id])
  })
})

describe("createAtelier: what goes wrong", () => {
  it("refusals are AtelierError, with code, param, task and whether to repeat; without words of HTTP", async () => {
    const atelier = await started({ database: "sqlite::memory:", workers: false })
    await atelier.users.ensure("poor")
    const poor = await rejection(atelier.images.submit({ user: "poor", ...image }))
    expect(poor).toBeInstanceOf(AtelierError)
    expect(poor).toMatchObject({ code: "insufficient_balance", retryable: false, taskId: undefined })
    const errors = [
      await rejection(atelier.images.submit({ user: "unknown-user", ...image })),
      await rejection(atelier.images.submit({ user: "poor", ...image, model: "gen-image-9" })),
      await rejection(atelier.images.submit({ user: "poor", ...image, size: "9:99" })),
      await rejection(
        atelier.documents.submit({ user: "poor", tool: "none", file: Buffer.from("a"), filename: "a.md" }),
      ),
      await rejection(
        atelier.documents.submit({
          user: "poor",
          tool: "text-md-json",
          file: Buffer.from("a"),
          filename: "a.md",
          idempotencyKey: "not ä",
        }),
      ),
      await rejection(atelier.tasks.get("imgtask_none")),
      await rejection(atelier.users.balance("unknown-user")),
      await rejection(atelier.users.ensure("")),
      await rejection(atelier.users.grant("poor", { usd: "-1" })),
    ]
    expect(
      errors.map((error) => (error instanceof AtelierError ? [error.code, error.param] : error)),
    ).toEqual([
      ["not_found", "user"],
      ["model_not_found", "model"],
      ["invalid_parameter", "size"],
      ["tool_not_found", null],
      ["invalid_idempotency_key", null],
      ["task_not_found", null],
      ["not_found", "id"],
      ["invalid_parameter", "id"],
      ["invalid_parameter", "usd"],
    ])
    for (const error of errors) expect(String(error)).not.toMatch(/header|HTTP|\bGET\b|\bPOST\b|\/v1\//i)
  })

  it("an option that is wrong is refused by its name, before anything is opened", async () => {
    const problems = [
      rejection(createAtelier({ database: "mysql://localhost/x" })),
      rejection(createAtelier({ database: "postgres://localhost/x" })),
      rejection(createAtelier({ database: "sqlite::memory:", blobs: "ftp:here" })),
      rejection(createAtelier({ database: "sqlite::memory:", tools: { none: { published: true } } })),
      rejection(createAtelier({ database: "sqlite::memory:", plugins: ["./none.ts"] })),
    ]
    expect((await Promise.all(problems)).map((error) => (error as AtelierError).param)).toEqual([
      "database",
      "blobs",
      "blobs",
      "tools.none",
      "plugins.0",
    ])
  })

  it("an aborted call throws the signal's reason; the task stays", async () => {
    const atelier = await started({ database: "sqlite::memory:", workers: false })
    await atelier.users.ensure("ada", { balanceUsd: "1" })
    const task = await atelier.images.submit({ user: "ada", ...image })
    const controller = new AbortController()
    const waiting = rejection(atelier.tasks.wait(task.id, { signal: controller.signal }))
    const watching = rejection(
      (async () => {
        for await (const _ of atelier.tasks.watch(task.id, { signal: controller.signal })) {
        }
      })(),
    )
    const reason = new Error("the customer left")
    controller.abort(reason)
    expect(await waiting).toBe(reason)
    expect(await watching).toBe(reason)
    expect(await atelier.tasks.get(task.id)).toMatchObject({ state: "queued" })
  })

  it("what comes after close is refused", async () => {
    const atelier = await started({ database: "sqlite::memory:" })
    await atelier.close()
    await atelier.close()
    expect(await rejection(atelier.users.ensure("ada"))).toMatchObject({ code: "closed" })
  })

  it("a grant under a key is made once", async () => {
    const atelier = await started({ database: "sqlite::memory:", workers: false })
    await atelier.users.ensure("ada")
    const once = { usd: "2.50", reason: "invoice 7", idempotencyKey: "invoice-7" }
    await atelier.users.grant("ada", once)
    expect(await atelier.users.grant("ada", once)).toMatchObject({ wallet: 1_250_000 })
    const other = await rejection(atelier.users.grant("ada", { ...once, usd: "3" }))
    expect(other).toMatchObject({ code: "idempotency_key_reused" })
  })
})

describe("createAtelier: restarts and several processes", () => {
  it("a task that was accepted by a process without workers is run by another, also after a restart", async () => {
    const database = `sqlite:${join(newFolder(), "atelier.db")}`
    const accepting = await started({ database, workers: false })
    await accepting.users.ensure("ada", { balanceUsd: "1" })
    const task = await accepting.images.submit({ user: "ada", ...image })
    await accepting.close()
    const working = await started({ database })
    expect(await working.tasks.wait(task.id)).toMatchObject({ state: "completed", user: "ada" })
  })

  it("many that ensure the same user at once make one, with one opening balance", async () => {
    const atelier = await started({ database: "sqlite::memory:", workers: false })
    const users = await Promise.all(
      Array.from({ length: 20 }, () => atelier.users.ensure("ada", { balanceUsd: "1" })),
    )
    expect(users.filter(({ created }) => created)).toHaveLength(1)
    expect(new Set(users.map(({ userId }) => userId)).size).toBe(1)
    expect(await atelier.users.balance("ada")).toMatchObject({ granted: 500_000 })
  })
})
