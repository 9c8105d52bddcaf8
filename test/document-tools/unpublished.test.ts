import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refusalIn } from "../support/answers.ts"
import { at, textAt } from "../support/server.ts"
import { openApp, type ServerApp } from "./app.ts"

const tool = "notebook-md-json"
const notebook = {
  name: "tides.ipynb",
  content: JSON.stringify({
    nbformat: 4,
    metadata: { language_info: { name: "python" } },
    cells: [{ cell_type: "code", source: "tide = 3", outputs: [{ output_type: "stream", text: "high\n" }] }],
  }),
}

const listed = async (app: ServerApp): Promise<ReadonlyArray<unknown>> => {
  const data: ReadonlyArray<unknown> = Object((await app.call("/v1/tools")).body).data
  return data.map((entry) => at(entry, "id"))
}

const parses = async (app: ServerApp): Promise<void> => {
  const id = await app.submit({ tool, ...notebook })
  expect(await app.done(id)).toMatchObject({ status: "succeeded", warnings: [] })
  const { body } = await app.call(`/v1/tasks/${id}/result?format=json`)
  expect(textAt(body, "markdown")).toBe("```python\ntide = 3\n```\n\n```\nhigh\n```\n")
}

describe("contract, Tools: a tool that is not published by default", () => {
  let app: ServerApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  it("is hidden from callers, and visible to administrators", async () => {
    expect(await listed(app)).not.toContain(tool)
    expect(refusalIn(await app.upload({ tool, ...notebook }))).toBe("404 tool_not_found")
    expect((await app.admin("GET", `tools/${tool}`)).body).toMatchObject({ id: tool, published: false })
  })

  it("is offered from the moment an administrator publishes it until it is unpublished", async () => {
    expect((await app.admin("PATCH", `tools/${tool}`, { published: true })).status).toBe(200)
    expect(await listed(app)).toContain(tool)
    await parses(app)
    await app.admin("PATCH", `tools/${tool}`, { published: false })
    expect(refusalIn(await app.upload({ tool, ...notebook }))).toBe("404 tool_not_found")
  })
})

describe("contract, Running it: a tool that the configuration publishes", () => {
  let app: ServerApp
  beforeAll(async () => {
    app = await openApp({ tools: { [tool]: { published: true } } })
  })
  afterAll(() => app.close())

  it("is offered like any other", async () => {
    expect(await listed(app)).toContain(tool)
    await parses(app)
  })
})
