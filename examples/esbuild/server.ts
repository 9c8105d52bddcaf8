import { fileURLToPath } from "node:url"
import { createAtelier } from "@atelier/node"

// The folder of the worker modules in the bundle, beside this file.
const atelier = await createAtelier({
  database: "sqlite::memory:",
  tools: { "notebook-md-json": { published: true } },
  workerModules: fileURLToPath(new URL("./atelier", import.meta.url)),
})
await atelier.users.ensure("customer-42", { balanceUsd: "1" })

const own = { user: "customer-42" }
const file = Buffer.alloc(100_000, "# Minutes\n\nWe met.\n\n")
const text = await atelier.documents.submit({ ...own, tool: "text-md-json", file, filename: "minutes.md" })
console.log("text", (await atelier.tasks.wait(text.id)).error ?? "read")

const cells = [{ cell_type: "markdown", metadata: {}, source: ["# Results"] }]
const notebook = Buffer.from(JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }))
const submission = { ...own, tool: "notebook-md-json", file: notebook, filename: "results.ipynb" }
const parsing = await atelier.documents.submit(submission)
await atelier.tasks.wait(parsing.id)
const result = await atelier.tasks.result(parsing.id)
console.log("notebook", result.object === "tool.result" && result.markdown?.trim())

const image = await atelier.images.submit({
  ...own,
  model: "gen-image-2",
  prompt: "A bridge",
  size: "256x256",
})
const drawn = await atelier.tasks.wait(image.id)
console.log("image", drawn.object === "image.task" && drawn.state)
await atelier.close()
