import { createAtelier } from "@atelier/node"

// As in the server's configuration: a plugin by its path, a channel by its adapter, a model by its family.
const atelier = await createAtelier({
  database: "sqlite::memory:",
  directory: import.meta.dirname,
  plugins: ["./plugin.ts"],
  channels: [{ id: "swatches", adapter: "swatch", models: { "swatch-*": "*" } }],
  models: { "swatch-1": { price: { factor: "2" } } },
})
console.log("models", await atelier.images.models())

await atelier.users.ensure("customer-42", { balanceUsd: "1" })
const submission = { user: "customer-42", model: "swatch-1", prompt: "the sea at noon", size: "large" }
const { usd } = await atelier.images.quote(submission)
const { id } = await atelier.images.submit(submission)
const task = await atelier.tasks.wait(id)
console.log(task.object === "image.task" && task.state, usd, "USD", task.billing.charged, "units")
await atelier.close()
