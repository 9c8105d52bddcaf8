import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refusalIn } from "../support/answers.ts"
import { heldResults } from "../support/atelier.ts"
import { at, textAt } from "../support/server.ts"
import { type ClockApp, holdRuns, openApp, openClockApp, type ServerApp, until } from "./app.ts"

const MiB = 1024 * 1024

describe("document-tools 2.5 and 4.5: the result of a real tool", () => {
  let app: ServerApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  it("document-tools 2.5 and contract, Tools: format=json has exactly these fields", async () => {
    const content = "name,age\nAda,36\n"
    const id = await app.submit({ name: "people.csv", content })
    await app.done(id)
    const { status, headers, body } = await app.call(`/v1/tasks/${id}/result?format=json`)
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"])
    expect(body).toEqual({
      schema_version: "1.0",
      markdown: expect.stringContaining(content),
      structure_source: "text",
      capabilities: expect.objectContaining({
        ocr: false,
        page_coordinates: false,
        bounding_boxes: false,
        structured_tables: false,
      }),
      warnings: [],
      input_bytes: content.length,
    })
  })

  it("document-tools 4.5: format=markdown is the same Markdown, with its length", async () => {
    const id = await app.submit({ name: "people.csv", content: "name,age\nÄda,36\n" })
    await app.done(id)
    const json = await app.call(`/v1/tasks/${id}/result?format=json`)
    const { status, headers, body } = await app.call(`/v1/tasks/${id}/result?format=markdown`)
    expect([status, headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"])
    expect(body).toBe(at(json.body, "markdown"))
    expect(headers.get("content-length")).toBe(String(Buffer.byteLength(String(body))))
  })

  it("document-tools 2.5: warnings of the parser are in the result and in the task", async () => {
    const id = await app.submit({ content: "next line\u0085\n" })
    const task = await app.done(id)
    const { body } = await app.call(`/v1/tasks/${id}/result?format=json`)
    expect(at(task, "warnings")).toEqual([{ code: "c1_controls", message: expect.stringMatching(/\w/) }])
    expect(at(body, "warnings")).toEqual(at(task, "warnings"))
  })

  it("contract, Tools: format absent is markdown if it was requested, else json", async () => {
    for (const [formats, type] of [
      [undefined, "text/markdown; charset=utf-8"],
      [["json", "markdown"], "text/markdown; charset=utf-8"],
      [["markdown"], "text/markdown; charset=utf-8"],
      [["json"], "application/json"],
    ] as const) {
      const id = await app.submit(formats === undefined ? {} : { formats })
      await app.done(id)
      const { headers } = await app.call(`/v1/tasks/${id}/result`)
      expect(headers.get("content-type")).toBe(type)
    }
  })

  it.each([
    ["markdown", "json"],
    ["json", "markdown"],
  ])("document-tools 4.5 and 7, 406: only %s was requested, %s is not given", async (requested, other) => {
    const id = await app.submit({ formats: [requested] })
    // The format is wrong whatever becomes of the task.
    const early = await app.call(`/v1/tasks/${id}/result?format=${other}`)
    await app.done(id)
    const late = await app.call(`/v1/tasks/${id}/result?format=${other}`)
    for (const refused of [early, late]) {
      expect(refusalIn(refused)).toBe("406 format_not_requested format")
      expect(at(refused.body, "task_id")).toBe(id)
    }
    expect((await app.call(`/v1/tasks/${id}/result?format=${requested}`)).status).toBe(200)
  })

  it.each(["html", "", "MARKDOWN", "markdown,json", "pdf"])(
    "document-tools 4.5: format=%s is 400 invalid_parameter",
    async (format) => {
      const id = await app.submit()
      const refused = await app.call(`/v1/tasks/${id}/result?format=${format}`)
      expect(refusalIn(refused)).toBe("400 invalid_parameter format")
    },
  )

  it("document-tools 4.5: an image task has no such result", async () => {
    const json = { model: "gen-image-2", prompt: "a boat", size: "256x256" }
    const id = textAt((await app.call("/v1/images/tasks", { json })).body, "task_id")
    await app.done(id)
    expect(refusalIn(await app.call(`/v1/tasks/${id}/result`))).toBe("404 task_not_found")
  })
})

describe("document-tools 3, 4.5 and 8: results in time", () => {
  let app: ClockApp
  beforeAll(async () => {
    app = await openClockApp()
  })
  afterAll(() => app.close())
  const result = (id: string) => app.call(`/v1/tasks/${id}/result`)
  const status = async (id: string) => at(await app.task(id), "status")

  it("document-tools 7, 409: the result is not yet complete; polling is advised after 2 s", async () => {
    const { open } = holdRuns(app)
    const id = await app.submit()
    const refused = await result(id)
    expect(refusalIn(refused)).toBe("409 result_not_ready")
    expect(refused.headers.get("retry-after")).toBe("2")
    expect(refused.body).toMatchObject({ task_id: id, data: { task_id: id } })
    await until(
      () => status(id),
      (now) => now === "running",
    )
    expect(refusalIn(await result(id))).toBe("409 result_not_ready")
    open()
    await app.done(id)
    expect(await result(id)).toMatchObject({ status: 200, body: "as markdown" })
  })

  it("document-tools 8: a single result is at most 20 MiB; a larger one fails with result_too_large, refunded", async () => {
    const before = await app.money()
    const parse = app.script.runTool
    const results = (sizes: Readonly<Record<string, number>>) => {
      app.script.runTool = ({ outputDirectory, outputFormats }) =>
        Effect.map(outputDirectory, (directory) => ({
          results: outputFormats.map((format) => {
            const path = join(directory, format)
            const bytes = sizes[format] ?? 0
            writeFileSync(path, Buffer.alloc(bytes, "a"))
            return { format, path, bytes, contentType: "text/plain" }
          }),
          warnings: [],
        }))
    }
    results({ markdown: 20 * MiB, json: 20 * MiB })
    const whole = await app.submit()
    expect(await app.done(whole)).toMatchObject({ status: "succeeded" })
    expect((await result(whole)).headers.get("content-length")).toBe(String(20 * MiB))
    for (const sizes of [{ markdown: 20 * MiB + 1 }, { json: 20 * MiB + 1 }]) {
      results(sizes)
      const id = await app.submit()
      const failed = await app.done(id)
      expect(failed).toMatchObject({
        status: "failed",
        error: { code: "result_too_large" },
        billing: { pre_deducted: 50, charged: 0, refunded: 50 },
      })
      expect(textAt(failed, "error.message")).toMatch(/20971521 bytes.*20971520/)
      expect(refusalIn(await result(id))).toBe("409 task_failed")
    }
    app.script.runTool = parse
    expect((await app.money()).spent - before.spent).toBe(50)
  })

  it("document-tools 3, rule 2 and 7, 410: a result past expires_at; task and accounting stay queryable", async () => {
    const { open } = holdRuns(app)
    const id = await app.submit()
    // Two hours from submission, not from success (document-tools 8).
    await app.passes("100 seconds")
    open()
    const done = await app.done(id)
    await app.outage("2 hours")
    const other = await app.submit()
    await app.done(other)
    expect(Number(at(done, "expires_at")) - Number(at(done, "created_at"))).toBe(7200)
    for (const format of ["markdown", "json"]) {
      const gone = await app.call(`/v1/tasks/${id}/result?format=${format}`)
      expect(refusalIn(gone)).toBe("410 result_expired")
      expect(at(gone.body, "task_id")).toBe(id)
    }
    expect(await app.task(id)).toEqual(done)
    expect((await app.call(`/v1/tasks/${id}/history`)).status).toBe(200)
    const { body } = await app.call("/v1/tool-tasks")
    expect(Object(body).data).toContainEqual(done)
    expect((await result(other)).status).toBe(200)
  })

  it.each(["in files", "in the database"])(
    "document-tools 8, %s: there until the last moment of its two hours; then removed within a minute",
    async (place) => {
      if (place === "in the database") app.script.runTool = heldResults
      const id = await app.submit()
      await app.done(id)
      expect(app.stored("objects/results").length > 0).toBe(place === "in files")
      const stored = async () => app.kept("results").length
      await app.outage(2 * 60 * 60 * 1000 - 1)
      expect((await result(id)).status).toBe(200)
      // contract, Tools: 128 random bits in the name of each.
      for (const key of app.kept("results")) {
        expect(key).toMatch(/^results\/[0-9a-f]{32}\/result\.(md|json)$/)
      }
      expect(await stored()).toBeGreaterThan(0)
      await app.passes(1)
      expect(refusalIn(await result(id))).toBe("410 result_expired")
      await app.passes("1 minute")
      await until(stored, (left) => left === 0)
      expect(refusalIn(await result(id))).toBe("410 result_expired")
      expect(await app.task(id)).toMatchObject({ status: "succeeded", billing: { charged: 50 } })
    },
  )
})
