import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refusalIn } from "../support/answers.ts"
import { at, textAt } from "../support/server.ts"
import { openHouse, type ServerHouse } from "./house.ts"

const tool = "notebook-md-json"
const notebook = {
  name: "tides.ipynb",
  content: JSON.stringify({
    nbformat: 4,
    metadata: { language_info: { name: "python" } },
    cells: [{ cell_type: "code", source: "tide = 3", outputs: [{ output_type: "stream", text: "high\n" }] }],
  }),
}

const listed = async (house: ServerHouse): Promise<ReadonlyArray<unknown>> => {
  const data: ReadonlyArray<unknown> = Object((await house.call("/v1/tools")).body).data
  return data.map((entry) => at(entry, "id"))
}

const parses = async (house: ServerHouse): Promise<void> => {
  const id = await house.submit({ tool, ...notebook })
  expect(await house.done(id)).toMatchObject({ status: "succeeded", warnings: [] })
  const { body } = await house.call(`/v1/tasks/${id}/result?format=json`)
  expect(textAt(body, "markdown")).toBe("```python\ntide = 3\n```\n\n```\nhigh\n```\n")
}

describe("contract, Tools: a tool that is not published by default", () => {
  let house: ServerHouse
  beforeAll(async () => {
    house = await openHouse()
  })
  afterAll(() => house.close())

  it("is not there for callers, and is for administrators", async () => {
    expect(await listed(house)).not.toContain(tool)
    expect(refusalIn(await house.upload({ tool, ...notebook }))).toBe("404 tool_not_found")
    expect((await house.admin("GET", `tools/${tool}`)).body).toMatchObject({ id: tool, published: false })
  })

  it("is offered from the moment an administrator publishes it, until it is taken back", async () => {
    expect((await house.admin("PATCH", `tools/${tool}`, { published: true })).status).toBe(200)
    expect(await listed(house)).toContain(tool)
    await parses(house)
    await house.admin("PATCH", `tools/${tool}`, { published: false })
    expect(refusalIn(await house.upload({ tool, ...notebook }))).toBe("404 tool_not_found")
  })
})

describe("contract, Running it: a tool that the configuration publishes", () => {
  let house: ServerHouse
  beforeAll(async () => {
    house = await openHouse({ tools: { [tool]: { published: true } } })
  })
  afterAll(() => house.close())

  it("is offered like any other", async () => {
    expect(await listed(house)).toContain(tool)
    await parses(house)
  })
})
