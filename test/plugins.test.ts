import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "../scripts/workspace.ts"
import { adminToken, call, install, serve } from "./support/server.ts"

it("decision 27: a server lists its plugins for operators, each with what it adds", async () => {
  const installation = await install({ plugins: [join(root, "examples/plugin/plugin.ts")] })
  const server = await serve(installation)
  try {
    const listed = await call(`${server.url}/admin/v1/plugins`, { key: adminToken })
    expect(listed).toMatchObject({
      status: 200,
      body: {
        object: "list",
        data: [{ name: "swatches", tools: [], adapters: ["swatch"], models: ["swatch-1"] }],
      },
    })
    expect((await call(`${server.url}/admin/v1/plugins`)).status).toBe(401)
  } finally {
    await server.end("SIGTERM")
    installation.remove()
  }
})
