import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refusalIn } from "../support/answers.ts"
import { type Answer, at, textAt } from "../support/server.ts"
import { type ClockApp, newIdempotencyKey, openClockApp } from "./app.ts"

let app: ClockApp
let file: string
beforeAll(async () => {
  app = await openClockApp({ limits: { tool_files_per_user_max: 1000, tool_tasks_per_user_max: 1000 } })
  file = await app.file()
})
afterAll(() => app.close())

const path = "/v1/tools/test-tool/invoke"
/** Invokes with a body as it is given. */
const send = (json: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  app.call(path, { json, headers: { "idempotency-key": newIdempotencyKey(), ...headers } })
const valid = () => ({ input: { file_id: file } })
const count = async (): Promise<number> => {
  const { body } = await app.admin("GET", "stats")
  const counts: ReadonlyArray<{ readonly count: number }> = Object(body).tasks
  return counts.reduce((sum, each) => sum + each.count, 0)
}

describe("document-tools 4.3: success", () => {
  it("document-tools 4.3: 202 with the task; contract, Errors: Location and Retry-After", async () => {
    const { status, headers, body } = await app.invoke(file)
    const id = textAt(body, "id")
    expect(status).toBe(202)
    expect(headers.get("location")).toBe(`/v1/tasks/${id}`)
    expect(headers.get("retry-after")).toBe("2")
    expect(headers.get("idempotency-replayed")).toBeNull()
    const created = Number(at(body, "created_at"))
    expect(body).toEqual({
      id: expect.stringMatching(/^tooltask_[0-9a-z]{26}$/),
      task_id: id,
      object: "tool.task",
      tool_id: "test-tool",
      file_id: file,
      output_formats: ["markdown", "json"],
      status: "queued",
      error: null,
      warnings: [],
      billing: { pre_deducted: 50, charged: 0, refunded: 0 },
      created_at: created,
      started_at: null,
      finished_at: null,
      expires_at: created + 7200,
    })
  })

  it.each([
    [undefined, ["markdown", "json"]],
    [{}, ["markdown", "json"]],
    [{ output_formats: ["markdown"] }, ["markdown"]],
    [{ output_formats: ["json"] }, ["json"]],
    [{ output_formats: ["json", "markdown"] }, ["markdown", "json"]],
    [{ output_formats: ["json", "json"] }, ["json"]],
  ])("document-tools 2.3, options.output_formats: options of %j produce %j", async (options, formats) => {
    const answer = await send({ ...valid(), ...(options === undefined ? {} : { options }) })
    expect(answer).toMatchObject({ status: 202, body: { output_formats: formats } })
    const done = await app.done(textAt(answer.body, "id"))
    expect(done).toMatchObject({ status: "succeeded", output_formats: formats })
  })

  it("one file may be parsed more than once, each time for its fee", async () => {
    const before = await app.money()
    const ids = [await app.invoke(file), await app.invoke(file)].map(({ body }) => textAt(body, "id"))
    for (const id of ids) expect(await app.done(id)).toMatchObject({ status: "succeeded" })
    expect(ids[0]).not.toBe(ids[1])
    expect((await app.money()).spent - before.spent).toBe(100)
  })
})

const unknownFields: ReadonlyArray<readonly [json: object, param: string]> = [
  [{ url: "https://example.com/a.pdf" }, "url"],
  [{ file_url: "https://example.com/a.pdf" }, "file_url"],
  [{ price: 0 }, "price"],
  [{ max_cost_usd: 1 }, "max_cost_usd"],
  [{ callback_url: "https://example.com" }, "callback_url"],
  [{ ocr: true }, "ocr"],
  [{ stream: false }, "stream"],
  [{ metadata: {} }, "metadata"],
  [{ constructor: 1 }, "constructor"],
  [{ input: { file_id: "f", url: "https://example.com/a.pdf" } }, "input.url"],
  [{ input: { file_id: "f", file_ids: [] } }, "input.file_ids"],
  [{ options: { ocr: false } }, "options.ocr"],
  [{ options: { output_formats: ["json"], unit_price: 0 } }, "options.unit_price"],
  [{ options: { language: "de" } }, "options.language"],
]

describe("document-tools 2.3, 6 and 9.2: no URL, OCR switch, client price, callback or other options", () => {
  it.each(unknownFields)("%j is 400 unknown_parameter, and named", async (json, param) => {
    const before = await count()
    expect(refusalIn(await send({ ...valid(), ...json }))).toBe(`400 unknown_parameter ${param}`)
    expect(await count()).toBe(before)
  })

  it("a __proto__ is one more field that there is not", async () => {
    const headers = {
      authorization: `Bearer ${app.account.key}`,
      "content-type": "application/json",
      "idempotency-key": newIdempotencyKey(),
    }
    const body = `{"input":{"file_id":"${file}"},"__proto__":{"price":0}}`
    const response = await fetch(app.url + path, { method: "POST", headers, body })
    const error: unknown = await response.json()
    expect([response.status, at(error, "error.code")]).toEqual([400, "unknown_parameter"])
  })
})

const wrong: ReadonlyArray<readonly [json: unknown, refusal: string]> = [
  [{}, "400 invalid_parameter input"],
  [[], "400 invalid_parameter"],
  ["file", "400 invalid_parameter"],
  [null, "400 invalid_parameter"],
  [{ input: null }, "400 invalid_parameter input"],
  [{ input: {} }, "400 invalid_parameter input.file_id"],
  [{ input: { file_id: 7 } }, "400 invalid_parameter input.file_id"],
  [{ input: { file_id: null } }, "400 invalid_parameter input.file_id"],
  [{ input: { file_id: ["toolfile_1"] } }, "400 invalid_parameter input.file_id"],
  [{ input: { file_id: "" } }, "404 file_not_found input.file_id"],
  [{ input: { file_id: "toolfile_00000000000000000000000000" } }, "404 file_not_found input.file_id"],
  [{ input: { file_id: "\u0000\ud800" } }, "404 file_not_found input.file_id"],
  [{ input: { file_id: "x".repeat(200_000) } }, "404 file_not_found input.file_id"],
]
const wrongOptions: ReadonlyArray<readonly [options: unknown, refusal: string]> = [
  [null, "400 invalid_parameter options"],
  [[], "400 invalid_parameter options"],
  ["json", "400 invalid_parameter options"],
  [{ output_formats: null }, "400 invalid_parameter options.output_formats"],
  [{ output_formats: "markdown" }, "400 invalid_parameter options.output_formats"],
  [{ output_formats: [] }, "400 invalid_parameter options.output_formats"],
  [{ output_formats: ["html"] }, "400 invalid_parameter options.output_formats.0"],
  [{ output_formats: ["markdown", "JSON"] }, "400 invalid_parameter options.output_formats.1"],
  [{ output_formats: [null] }, "400 invalid_parameter options.output_formats.0"],
]

describe("document-tools 7, 400: a parameter that is invalid", () => {
  it.each(wrong)("document-tools 2.3: %j", async (json, refusal) => {
    expect(refusalIn(await send(json))).toBe(refusal)
  })

  it.each(wrongOptions)("document-tools 2.3: options of %j", async (options, refusal) => {
    expect(refusalIn(await send({ ...valid(), options }))).toBe(refusal)
  })

  it("document-tools 2.2: a file is usable only with the tool through which it was uploaded", async () => {
    const refused = await app.invoke(file, { tool: "other-tool" })
    expect(refusalIn(refused)).toBe("400 invalid_file input.file_id")
    expect(textAt(refused.body, "error.message")).toMatch(/test-tool.*other-tool/)
    const other = await app.file({ tool: "other-tool" })
    expect(refusalIn(await app.invoke(other))).toBe("400 invalid_file input.file_id")
    expect((await app.invoke(other, { tool: "other-tool" })).status).toBe(202)
  })

  it("document-tools 7, 404: a file of another key, a tool that there is not", async () => {
    expect(refusalIn(await app.invoke(file, await app.newKey()))).toBe("404 file_not_found input.file_id")
    expect(refusalIn(await app.invoke(file, { tool: "no-tool" }))).toBe("404 tool_not_found")
  })
})
