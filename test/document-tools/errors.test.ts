import { request as httpRequest } from "node:http"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refusalIn } from "../support/answers.ts"
import { type Answer, at, type Call, textAt } from "../support/server.ts"
import { newIdempotencyKey, openApp, type ServerApp } from "./app.ts"

let app: ServerApp
let file: string
let task: string
beforeAll(async () => {
  app = await openApp({ limits: { tool_tasks_per_user_max: 1_000_000 } })
  file = await app.file()
  task = textAt((await app.invoke(file)).body, "id")
  await app.done(task)
})
afterAll(() => app.close())

const wrong: ReadonlyArray<readonly [what: string, path: string, request: Call, refusal: string]> = [
  ["a path without /v1 (document-tools 9.1)", "/tools", {}, "404 not_found"],
  ["a path without /v1 (document-tools 9.1)", "/tools/text-md-json/invoke", { json: {} }, "404 not_found"],
  ["another version", "/v2/tools", {}, "404 not_found"],
  ["a path that there is not", "/v1/tools/text-md-json", {}, "404 not_found"],
  ["a path that there is not", "/v1/tool-files", {}, "404 not_found"],
  ["another method", "/v1/tools", { json: {} }, "405 method_not_allowed"],
  ["another method", "/v1/tools/text-md-json/files", {}, "405 method_not_allowed"],
  ["another method", "/v1/tools/text-md-json/invoke", { method: "PUT", json: {} }, "405 method_not_allowed"],
  ["another method", "/v1/tool-files/toolfile_0", { json: {} }, "405 method_not_allowed"],
  ["another method", "/v1/tool-tasks", { method: "DELETE" }, "405 method_not_allowed"],
  ["another method", "/v1/tasks/tooltask_0/result", { method: "DELETE" }, "405 method_not_allowed"],
  ["an unknown tool", "/v1/tools/none/files", { method: "POST" }, "404 tool_not_found"],
  ["an unknown file", "/v1/tool-files/toolfile_0", {}, "404 file_not_found"],
  ["an unknown file", "/v1/tool-files/toolfile_0", { method: "DELETE" }, "404 file_not_found"],
  ["an unknown task", "/v1/tasks/tooltask_0", {}, "404 task_not_found"],
  ["an unknown task", "/v1/tasks/tooltask_0/result", {}, "404 task_not_found"],
  ["an unknown task", "/v1/tasks/tooltask_0/result?format=json", {}, "404 task_not_found"],
  ["an unknown task", "/v1/tasks/tooltask_0/history", {}, "404 task_not_found"],
  ["an unknown task", "/v1/tasks/tooltask_0/cancel", { method: "POST" }, "404 task_not_found"],
]

describe("document-tools 7 and contract, Errors: one shape, on every path", () => {
  it.each(wrong)("contract, Errors: %s, %s", async (_, path, request, refusal) => {
    const refused = await app.call(path, request)
    expect(refusalIn(refused)).toBe(refusal)
    expect(refused.headers.get("content-type")).toBe("application/json")
    if (refused.status === 405) expect(refused.headers.get("allow")).toMatch(/GET|POST|DELETE/)
  })

  it("document-tools 4.3 and contract, Errors: an invocation that is not application/json is 415", async () => {
    const body = JSON.stringify({ input: { file_id: file } })
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
    ]) {
      const headers = { "content-type": type, "idempotency-key": newIdempotencyKey() }
      expect(refusalIn(await send("/v1/tools/text-md-json/invoke", headers, body))).toBe(
        "415 unsupported_media_type",
      )
    }
    for (const type of ["application/json", "application/json; charset=utf-8", "Application/JSON"]) {
      const headers = { "content-type": type, "idempotency-key": newIdempotencyKey() }
      expect((await send("/v1/tools/text-md-json/invoke", headers, body)).status).toBe(202)
    }
  })

  it.each(["", "{", "nothing", '{"input":{"file_id":"a"},}', "[".repeat(100_000), "{}{}"])(
    "contract, Errors: a body that is no JSON is 400 invalid_json (%#)",
    async (body) => {
      const headers = { "content-type": "application/json", "idempotency-key": newIdempotencyKey() }
      expect(refusalIn(await send("/v1/tools/text-md-json/invoke", headers, body))).toBe("400 invalid_json")
    },
  )

  it.each([
    ["a wait of 61 s", "wait=61", "wait"],
    ["a wait below zero", "wait=-1", "wait"],
    ["a wait of words", "wait=soon", "wait"],
  ])("contract, Waiting: %s is 400 invalid_parameter", async (_, query, param) => {
    expect(refusalIn(await app.call(`/v1/tasks/${task}?${query}`))).toBe(`400 invalid_parameter ${param}`)
  })

  it("contract, Errors: messages name what was wrong and what is allowed, and nothing of the server", async () => {
    const refusals = [
      await app.upload({ name: "a.exe" }),
      await app.upload({ content: "\u0000" }),
      await app.upload({ content: "a".repeat(10 * 1024 * 1024 + 1) }),
      await app.invoke("toolfile_0"),
      await app.invoke(file, { formats: ["html"] }),
      await app.invoke(file, { idempotencyKey: "short" }),
      await app.call(`/v1/tasks/${task}/result?format=html`),
    ]
    const messages = refusals.map(({ body }) => textAt(body, "error.message"))
    const [type, text, size, missing, formats, key, format] = messages
    expect(type).toMatch(/\.txt .*\.exe/)
    expect(text).toMatch(/U\+0000/)
    expect(size).toMatch(/10485760/)
    expect(missing).toMatch(/toolfile_0/)
    for (const each of [formats, format]) expect(each).toMatch(/markdown.*json.*html/)
    expect(key).toMatch(/8 to 64.*short/)
    for (const message of messages)
      expect(message).not.toMatch(/node_modules|packages|\/tmp|sqlite|\bat \w+\.\w+ \(/i)
  })
})

/** One request by Node itself, which lets any bytes stand in the headers. */
const send = (
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
  method = "POST",
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(app.url)
    const sent = { authorization: `Bearer ${app.account.key}`, ...headers }
    const request = httpRequest(
      { host: "127.0.0.1", port, path, method, headers: sent, agent: false },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(
              Object.entries(response.headers).flatMap(([name, value]) =>
                typeof value === "string" ? [[name, value]] : [],
              ),
            ),
            body: parsed(Buffer.concat(chunks).toString()),
          }),
        )
      },
    )
    request.on("error", reject)
    request.end(body)
  })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Answers that no request may get: an internal error, or a refusal of another shape. */
const expectAnswered = (answer: Answer) => {
  expect(answer.status).toBeLessThan(500)
  if (answer.status >= 400) refusalIn(answer)
}

const runs = 150

describe("contract, Errors: no request, however malformed, causes an internal error", () => {
  const header = fc
    .string({ unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)) })
    .map((text) => text.replaceAll("\u007f", ""))
  const json = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc
      .record(
        {
          input: fc.oneof(
            fc.jsonValue(),
            fc.record({ file_id: fc.oneof(fc.constantFrom("x"), fc.jsonValue()) }),
          ),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
    fc.jsonValue().map((options) => JSON.stringify({ input: { file_id: file }, options })),
    fc.string(),
  )

  it("invoke: bodies, content types and idempotency keys", async () => {
    const type = fc.oneof(fc.constant("application/json"), header)
    const key = fc.oneof(fc.stringMatching(/^[\w-]{8,64}$/), header)
    const property = fc.asyncProperty(json, type, key, async (body, contentType, idempotencyKey) => {
      const headers = { "content-type": contentType, "idempotency-key": idempotencyKey }
      expectAnswered(await send("/v1/tools/text-md-json/invoke", headers, body))
    })
    await fc.assert(property, { numRuns: runs })
  })

  it("upload: forms, boundaries and part headers", async () => {
    const line = fc.oneof(
      fc.constantFrom(
        'Content-Disposition: form-data; name="file"; filename="a.txt"',
        'Content-Disposition: form-data; name="file"; filename="',
        "Content-Disposition: form-data; filename*=UTF-8''%zz",
        "Content-Disposition: form-data; filename*=utf-7'x'%ff%fe.txt",
        "Content-Disposition: attachment",
        "Content-Transfer-Encoding: base64",
        "Content-Type: multipart/mixed; boundary=inner",
        `X: ${"x".repeat(20_000)}`,
        ": ",
        "",
      ),
      header,
    )
    const part = fc.tuple(fc.array(line, { maxLength: 4 }), fc.string())
    const form = fc.tuple(
      fc.oneof(fc.constantFrom("form", '"form"', "", "x".repeat(5_000), "fo\\rm"), header),
      fc.array(part, { maxLength: 4 }),
      fc.constantFrom("--form--\r\n", "--form--", "--form", "", "--form\r\n\r\n"),
    )
    const property = fc.asyncProperty(form, async ([boundary, parts, end]) => {
      const body = parts.map(([lines, text]) => `--form\r\n${lines.join("\r\n")}\r\n\r\n${text}\r\n`).join("")
      const headers = { "content-type": `multipart/form-data; boundary=${boundary}` }
      const answer = await send("/v1/tools/text-md-json/files", headers, Buffer.from(body + end, "latin1"))
      expectAnswered(answer)
    })
    await fc.assert(property, { numRuns: runs })
    expect(app.stored("uploads")).toEqual([])
  })

  it("upload: a valid form whose bytes were changed", async () => {
    const whole = Buffer.from(
      '--form\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\ntext\r\n--form--\r\n',
    )
    const change = fc.record({
      at: fc.nat(whole.length - 1),
      byte: fc.nat(255),
      cut: fc.nat(whole.length),
    })
    const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const bytes = Buffer.from(whole)
      for (const { at: index, byte } of changes) bytes[index] = byte
      const headers = { "content-type": "multipart/form-data; boundary=form" }
      const answer = await send("/v1/tools/text-md-json/files", headers, bytes.subarray(0, changes[0]?.cut))
      expectAnswered(answer)
    })
    await fc.assert(property, { numRuns: runs })
    expect(app.stored("uploads")).toEqual([])
  })

  const disposition = 'Content-Disposition: form-data; name="file"; filename="a.txt"'
  it.each([
    ["the only part", `--form\r\n${disposition}\r\n--form--\r\n`],
    ["a part in front of the file", `--form\r\nX: y\r\n--form\r\n${disposition}\r\n\r\ntext\r\n--form--\r\n`],
    ["headers that a NUL ends", `--form\r\n${disposition}\r\n\0\r\ntext\r\n--form--\r\n`],
  ])("upload: a form with headers that do not end: %s", async (_, form) => {
    const headers = { "content-type": "multipart/form-data; boundary=form" }
    const answer = await send("/v1/tools/text-md-json/files", headers, Buffer.from(form))
    expect(refusalIn(answer)).toBe("400 invalid_file file")
    expect(app.stored("uploads")).toEqual([])
  })

  it("every path: identifiers, queries and methods", async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        "%",
        "%zz",
        "%00",
        "%2e%2e",
        "..",
        "%ff%fe",
        "text-md-json",
        "'",
        '"',
        "a".repeat(3_000),
      ),
      fc.string({ unit: "binary", maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
    )
    const path = fc.constantFrom<(id: string) => string>(
      (id) => `/v1/tools/${id}/files`,
      (id) => `/v1/tools/${id}/invoke`,
      (id) => `/v1/tool-files/${id}`,
      (id) => `/v1/tasks/${id}`,
      (id) => `/v1/tasks/${id}/result`,
      (id) => `/v1/tasks/${id}/history`,
      (id) => `/v1/tasks/${id}/cancel`,
      (id) => `/v1/tasks/${task}/result?format=${id}`,
      (id) => `/v1/tasks?idempotency_key=${id}`,
      (id) => `/v1/tasks?after=${id}&limit=${id}`,
      (id) => `/v1/tool-tasks?${id}=${id}`,
    )
    const method = fc.constantFrom("GET", "POST", "DELETE", "PATCH", "OPTIONS")
    const property = fc.asyncProperty(path, segment, method, async (make, id, verb) => {
      const headers = { "idempotency-key": newIdempotencyKey() }
      expectAnswered(await send(make(id), headers, "", verb))
    })
    await fc.assert(property, { numRuns: runs })
  })

  it("the server is still healthy, and logged no failure", async () => {
    expect(await app.done(await app.submit())).toMatchObject({ status: "succeeded" })
    const logged = app.server
      .output()
      .split("\n")
      .filter((line) => /"level":"(ERROR|FATAL)"/.test(line))
    expect(logged).toEqual([])
    expect(at((await app.admin("GET", "stats?check=true")).body, "ledger_mismatches")).toEqual([])
  })
})
