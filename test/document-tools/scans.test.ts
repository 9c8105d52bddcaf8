import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pdfOf, scan } from "../../benchmarks/support/scans.ts"
import { refusalIn } from "../support/answers.ts"
import { textAt } from "../support/server.ts"
import { openApp, type ServerApp } from "./app.ts"

const paper = { font: "sans", size: 14, skew: 0, noise: 0, resolution: 200 } as const
const page: [number, number] = [260, 120]
const document = { name: "scan.pdf", content: pdfOf([scan(["Harbour office"], paper, page)], page) }

describe("a scan", () => {
  let app: ServerApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  const warningOf = async (): Promise<string> => {
    const task = await app.done(await app.submit({ tool: "file-md-json", ...document }))
    expect(task).toMatchObject({ status: "succeeded", warnings: [{ code: "no_text_layer" }] })
    return textAt(task, "warnings.0.message")
  }

  it("has no text for file-md-json, whose warning names the tool that reads it where it is published", async () => {
    expect(await warningOf()).not.toContain("scan-md-json")
    expect(refusalIn(await app.upload({ tool: "scan-md-json", ...document }))).toBe("404 tool_not_found")
    await app.admin("PATCH", "tools/scan-md-json", { published: true })
    expect(await warningOf()).toContain("scan-md-json")
  })

  it("is read by scan-md-json for its own price, with its confidence", async () => {
    await app.admin("PATCH", "tools/scan-md-json", { published: true, unit_price: "0.02" })
    const { spent } = await app.money()
    const id = await app.submit({ tool: "scan-md-json", ...document })
    expect(await app.done(id)).toMatchObject({
      status: "succeeded",
      warnings: [{ code: "text_recognized", message: expect.stringMatching(/by page: 1: \d+\.$/) }],
    })
    const { body } = await app.call(`/v1/tasks/${id}/result?format=json`)
    expect(body).toMatchObject({ markdown: "Harbour office\n", capabilities: { ocr: true } })
    expect((await app.money()).spent - spent).toBe(10_000)
  })
})

describe("documents.refuse_without_text_layer", () => {
  let app: ServerApp
  beforeAll(async () => {
    app = await openApp({
      documents: { refuse_without_text_layer: true },
      tools: { "scan-md-json": { published: true } },
    })
  })
  afterAll(() => app.close())

  it("refuses a PDF without a text layer at upload, and names the tool that reads it; nothing is charged", async () => {
    const before = await app.money()
    const answer = await app.upload({ tool: "file-md-json", ...document })
    expect(refusalIn(answer)).toBe("400 no_text_layer file")
    expect(textAt(answer.body, "error.message")).toContain("scan-md-json")
    expect(await app.money()).toEqual(before)
  })

  it("takes everything else, scans at the other tool too", async () => {
    expect((await app.upload({ tool: "file-md-json", name: "a.csv", content: "a,b\n" })).status).toBe(201)
    expect((await app.upload({ tool: "scan-md-json", ...document })).status).toBe(201)
  })
})
