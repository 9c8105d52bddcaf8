import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refusalIn } from "../support/answers.ts"
import { at, textAt } from "../support/server.ts"
import { openApp, type ServerApp, until } from "./app.ts"

const MiB = 1024 * 1024

let app: ServerApp
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

interface Listed {
  readonly id: string
  readonly [field: string]: unknown
}
const tools = async (key = app.account.key): Promise<ReadonlyArray<Listed>> =>
  Object((await app.call("/v1/tools", { key })).body).data
const tool = async (id: string) => (await tools()).find((each) => each.id === id)
const change = (id: string, json: object) => app.admin("PATCH", `tools/${id}`, json)

describe("document-tools 1: the standard tools", () => {
  it.each([
    ["text-md-json", ".txt .md .csv .json .yaml .xml .html .js .py .java .c .go .rs", 10 * MiB, 30, 0.0001],
    ["file-md-json", ".pdf .docx .xlsx .xls .csv .html .xml .odt .ods", 10 * MiB, 60, 0.001],
    ["pptx-md-json", ".pptx", 10 * MiB, 30, 0.0005],
  ])(
    "document-tools 1: %s takes %s, at most %i bytes, in %i s, for %f USD per document",
    async (id, extensions, maxFileBytes, timeoutSeconds, unitPrice) => {
      expect(await tool(id)).toMatchObject({
        extensions: expect.arrayContaining(extensions.split(" ")),
        max_file_bytes: maxFileBytes,
        timeout_seconds: timeoutSeconds,
        pricing_display: { unit_price: unitPrice },
      })
    },
  )

  it("document-tools 1: no tool takes legacy .doc and .ppt, macro documents or archives", async () => {
    const taken = (await tools()).flatMap(({ extensions }) => [...Object(extensions)])
    for (const extension of [".doc", ".ppt", ".docm", ".pptm", ".xlsm", ".zip", ".exe"]) {
      expect(taken).not.toContain(extension)
    }
  })

  it("document-tools 1.1: the tools there are are those that the catalog returns", async () => {
    for (const { id, extensions } of await tools()) {
      const refused = await app.upload({ tool: id, name: "a.none" })
      expect(refusalIn(refused)).toBe("400 file_type_not_accepted file")
      const message = textAt(refused.body, "error.message")
      for (const extension of Object(extensions)) expect(message).toContain(extension)
    }
    for (const id of ["ocr-md-json", "TEXT-MD-JSON", "text-md-json ", "%00"]) {
      expect(refusalIn(await app.upload({ tool: id }))).toBe("404 tool_not_found")
    }
  })
})

describe("document-tools 2.1 and 4.1: GET /v1/tools", () => {
  it("contract, Tools: a list whose entries have these fields and no others", async () => {
    const { status, body } = await app.call("/v1/tools")
    expect([status, Object.keys(Object(body)), at(body, "object")]).toEqual([200, ["object", "data"], "list"])
    const text = expect.stringMatching(/\w/)
    for (const entry of await tools()) {
      expect(entry).toEqual({
        id: expect.stringMatching(/^[a-z0-9-]+$/),
        object: "tool",
        name: text,
        description: text,
        extensions: expect.toSatisfy((all) => all.length > 0),
        max_file_bytes: expect.toSatisfy(Number.isInteger),
        timeout_seconds: expect.toSatisfy(Number.isInteger),
        output_formats: ["markdown", "json"],
        pricing_display: { unit_price: expect.any(Number), currency: "USD", unit: "document", text },
      })
    }
  })

  it("document-tools 2.1, extensions: with the dot, in lower case, each once", async () => {
    for (const { extensions } of await tools()) {
      const all: ReadonlyArray<string> = [...Object(extensions)]
      for (const extension of all) expect(extension).toMatch(/^\.[a-z0-9_-]+$/)
      expect(new Set(all).size).toBe(all.length)
    }
  })

  it("contract, Tools: only tools that the key may use", async () => {
    const { key } = await app.newKey({ tools: ["text-md-json"] })
    expect((await tools(key)).map(({ id }) => id)).toEqual(["text-md-json"])
    const other = await app.newKey({ tools: ["no-such-tool"] })
    expect(await tools(other.key)).toEqual([])
  })
})

describe("document-tools 2.1, pricing_display: readable, from exact decimals", () => {
  const shown = async (unitPrice: string | number) => {
    expect((await change("text-md-json", { unit_price: unitPrice })).status).toBe(200)
    return at(await tool("text-md-json"), "pricing_display")
  }

  it.each([
    ["0.0001", "$0.0001 per document", 0.0001],
    ["0.000000000001", "$0.000000000001 per document", 1e-12],
    ["0.30", "$0.3 per document", 0.3],
    ["1.000", "$1 per document", 1],
    ["100", "$100 per document", 100],
    ["0", "$0 per document", 0],
    ["123456789012.123456789012", "$123456789012.123456789012 per document", 123456789012.12346],
    [0.07, "$0.07 per document", 0.07],
  ])("document-tools 2.1: a price of %s is shown as %s", async (price, text, unitPrice) => {
    expect(await shown(price)).toEqual({ text, unit_price: unitPrice, currency: "USD", unit: "document" })
  })

  it("document-tools 2.1: whatever the decimal, the text is it, and unit_price the number nearest to it", async () => {
    const decimal = fc
      .tuple(fc.bigInt(0n, 10n ** 6n), fc.bigInt(0n, 10n ** 12n - 1n))
      .map(([whole, part]) => `${whole}.${part.toString().padStart(12, "0")}`)
    const property = fc.asyncProperty(decimal, async (price) => {
      const display = await shown(price)
      const plain = price.replace(/\.?0+$/, "")
      expect(display).toMatchObject({ text: `$${plain} per document`, unit_price: Number(price) })
    })
    await fc.assert(property, { numRuns: 30 })
    await shown("0.0001")
  })

  it.each([-1, "-0.1", "1e-3", "0,1", "", null, "0.0000000000001", true])(
    "document-tools 9.4: %j is no price, and changes nothing",
    async (unitPrice) => {
      const before = await tools()
      expect(refusalIn(await change("text-md-json", { unit_price: unitPrice }))).toBe(
        "400 invalid_parameter unit_price",
      )
      expect(await tools()).toEqual(before)
    },
  )
})

describe("document-tools 9.4: administrators adjust prices, limits and formats at run time", () => {
  it("document-tools 9.4: a price is in force for the next submission", async () => {
    const fee = async () => at(await app.done(await app.submit()), "billing")
    const bill = (units: number) => ({ pre_deducted: units, charged: units, refunded: 0 })
    expect(await fee()).toEqual(bill(50))
    await change("text-md-json", { unit_price: "0.0002" })
    expect(await fee()).toEqual(bill(100))
    // Rounded up once, to whole units (contract, Money).
    await change("text-md-json", { unit_price: "0.000000000001" })
    expect(await fee()).toEqual(bill(1))
    await change("text-md-json", { unit_price: "0" })
    expect(await fee()).toEqual(bill(0))
    await change("text-md-json", { unit_price: "0.0001" })
  })

  it("document-tools 4.2 and 8: a lower administrator limit is in force for the next upload", async () => {
    await change("text-md-json", { max_file_bytes: 100 })
    expect(await tool("text-md-json")).toMatchObject({ max_file_bytes: 100 })
    expect((await app.upload({ content: "a".repeat(100) })).status).toBe(201)
    const refused = await app.upload({ content: "a".repeat(101) })
    expect(refusalIn(refused)).toBe("413 file_too_large file")
    expect(textAt(refused.body, "error.message")).toMatch(/100 bytes.*101/)
    await change("text-md-json", { max_file_bytes: 10 * MiB })
    expect((await app.upload({ content: "a".repeat(101) })).status).toBe(201)
  })

  it("document-tools 4.2: at most 10 MiB, whatever an administrator says: limits are only lowered", async () => {
    const raised = await change("text-md-json", { max_file_bytes: 100 * MiB })
    expect(raised.body).toMatchObject({ max_file_bytes: 10 * MiB })
    expect(await tool("text-md-json")).toMatchObject({ max_file_bytes: 10 * MiB })
    for (const maxFileBytes of [0, -1, 1.5, "100"]) {
      expect(refusalIn(await change("text-md-json", { max_file_bytes: maxFileBytes }))).toBe(
        "400 invalid_parameter max_file_bytes",
      )
    }
  })

  it("document-tools 7, 404: an unpublished tool is not found; what it was paid for stays readable", async () => {
    const id = await app.submit()
    await app.done(id)
    const file = await app.file()
    await change("text-md-json", { published: false })
    expect(await tool("text-md-json")).toBeUndefined()
    expect(refusalIn(await app.upload())).toBe("404 tool_not_found")
    expect(refusalIn(await app.invoke(file))).toBe("404 tool_not_found")
    expect((await app.call(`/v1/tasks/${id}/result`)).status).toBe(200)
    expect((await app.call(`/v1/tool-files/${file}`)).status).toBe(200)
    await change("text-md-json", { published: true })
    expect(await app.done(await app.submit())).toMatchObject({ status: "succeeded" })
  })

  it("document-tools 9.4: what the configuration file says of tools is in force without a restart", async () => {
    const converter = { unit_price: "0.002", max_file_bytes: 1000 }
    app.configure({ tools: { "file-md-json": converter, "pptx-md-json": { published: false } } })
    await until(tools, (all) => all.every(({ id }) => id !== "pptx-md-json"))
    expect(await tool("file-md-json")).toMatchObject({
      max_file_bytes: 1000,
      pricing_display: { unit_price: 0.002 },
    })
    // What an administrator set wins.
    await change("pptx-md-json", { published: true })
    expect(await tool("pptx-md-json")).toBeDefined()
    app.configure({})
    await until(
      () => tool("file-md-json"),
      (entry) => at(entry, "max_file_bytes") === 10 * MiB,
    )
  })

  it("document-tools 9.4: a configuration file that cannot be taken changes nothing, and is logged", async () => {
    const before = await tools()
    for (const [config, logged] of [
      [{ tools: { "no-such-tool": {} } }, "there is no such tool"],
      [{ tools: { "file-md-json": { unit_price: -1 } } }, "tools.file-md-json.unit_price"],
    ] as const) {
      app.configure(config)
      const output = async () => {
        expect(await tools()).toEqual(before)
        return app.server.output()
      }
      await until(output, (text) => text.includes(logged))
    }
    app.configure({})
  })

  it("contract, Running it: changes are audited, and read back", async () => {
    await change("text-md-json", { unit_price: 0.0003, published: true })
    const set = { id: "text-md-json", published: true, unit_price: 0.0003, max_file_bytes: 10 * MiB }
    expect((await app.admin("GET", "tools/text-md-json")).body).toEqual(set)
    const { body } = await app.admin("GET", "audit?limit=1")
    expect(at(body, "data.0")).toMatchObject({
      actor: "ATELIER_ADMIN_TOKEN",
      role: "owner",
      action: "tool.update",
      target: "text-md-json",
      after: { unit_price: "0.0003", published: true },
      outcome: "done",
    })
    await change("text-md-json", { unit_price: "0.0001" })
  })
})
