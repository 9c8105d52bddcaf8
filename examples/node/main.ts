import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AtelierError, createAtelier } from "@atelier/node"

const directory = await mkdtemp(join(tmpdir(), "atelier-node-"))
const atelier = await createAtelier({ database: `sqlite:${join(directory, "atelier.db")}` })

// A table of the application's own, in the same database.
await atelier.transaction(async (tx) => {
  await tx.query("CREATE TABLE orders (title TEXT PRIMARY KEY, task_id TEXT, state TEXT)")
})

// Called with every final task; the row and the charge are stored together.
atelier.onFinished(async (task, tx) => {
  const state = task.object === "image.task" ? task.state : task.status
  await tx.query("UPDATE orders SET state = ? WHERE task_id = ?", [state, task.id])
})

// Users by your own ids.
await atelier.users.ensure("customer-42", { balanceUsd: "10" })

// The order and the task: stored together, or not at all.
const task = await atelier.transaction(async (tx) => {
  const accepted = await tx.images.submit({
    user: "customer-42",
    model: "gen-image-2",
    prompt: "A bridge in the rain",
    size: "256x256",
    idempotencyKey: "order-1",
  })
  await tx.query("INSERT INTO orders VALUES (?, ?, 'open')", ["A bridge in the rain", accepted.id])
  return accepted
})
const image = await atelier.tasks.wait(task.id, { signal: AbortSignal.timeout(60_000) })
console.log("image", image.object === "image.task" && image.state, image.billing.charged, "units")
console.log("orders", await atelier.transaction((tx) => tx.query("SELECT title, state FROM orders")))

const path = join(directory, "minutes.md")
await writeFile(path, "# Minutes\n\nWe met.\n")
const parsing = await atelier.documents.submit({ user: "customer-42", tool: "text-md-json", file: path })
await atelier.tasks.wait(parsing.id)
const result = await atelier.tasks.result(parsing.id)
console.log("document", result.object === "tool.result" && result.markdown)

try {
  await atelier.images.submit({ user: "customer-42", model: "gen-image-2", prompt: "", size: "9:9" })
} catch (error) {
  if (!(error instanceof AtelierError)) throw error
  console.log("refused", error.code, error.param, error.retryable)
}

await atelier.close()
await rm(directory, { recursive: true })
