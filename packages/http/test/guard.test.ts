import { createHash } from "node:crypto"
import { connect } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { errorOf, Harness, layerWith } from "./harness.ts"

/** What comes back for raw bytes, until the server closes. */
const sendBytes = (port: number, bytes: string) =>
  Effect.callback<string>((resume) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
    let text = ""
    socket.on("data", (chunk) => {
      text += chunk.toString()
    })
    socket.on("close", () => resume(Effect.succeed(text)))
    socket.on("error", () => {})
  })

layer(layerWith(), { excludeTestServices: true })("contract, Errors", (it) => {
  it.effect("unknown paths are 404, whatever their method", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const paths = [
        "/v1",
        "/v1/nope",
        "/v1/tasks/x/nope",
        "/v1//",
        "/%",
        "/%00",
        "/v1/tasks/%zz",
        "/media/a/b",
      ]
      for (const path of [...paths, `/v1/tasks/${"x".repeat(3000)}`]) {
        for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
          const answer = yield* call({ method, path, key })
          assert.strictEqual(answer.status, 404, path)
          assert.strictEqual(errorOf(answer).error.code, "not_found", path)
        }
      }
    }),
  )

  it.effect("known paths under another method are 405 with Allow", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const cases = [
        ["PUT", "/v1/images/tasks", "POST"],
        ["GET", "/v1/images/quote", "POST"],
        ["POST", "/v1/tasks/imgtask_x", "GET, HEAD"],
        ["POST", "/v1/tool-files/toolfile_x", "GET, HEAD, DELETE"],
        ["OPTIONS", "/v1/models", "GET, HEAD"],
        ["POST", "/media/x.png", "GET, HEAD"],
        ["DELETE", "/healthz", "GET, HEAD"],
        ["PUT", "/admin/v1/users", "POST, GET, HEAD"],
      ] as const
      for (const [method, path, allow] of cases) {
        const answer = yield* call({ method, path: `${path}?x=1` })
        assert.strictEqual(answer.status, 405, path)
        assert.deepStrictEqual(
          (answer.headers["allow"] ?? "").split(", ").sort(),
          allow.split(", ").sort(),
          path,
        )
        assert.strictEqual(errorOf(answer).error.code, "method_not_allowed")
      }
    }),
  )

  it.effect("every answer has an id of ours and the security headers", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const seen = new Set<string>()
      for (const path of [
        "/healthz",
        "/nope",
        "/v1/tasks",
        "/v1/models",
        "/v1/tasks?limit=x",
        "/docs",
        "/openapi.json",
      ]) {
        const answer = yield* call({ path, key, headers: { "x-request-id": "req_of_the_client" } })
        const id = answer.headers["x-request-id"] ?? ""
        assert.match(id, /^req_[0-9a-hjkmnp-tv-z]{26}$/)
        seen.add(id)
        assert.strictEqual(answer.headers["x-content-type-options"], "nosniff")
        assert.isDefined(answer.headers["content-security-policy"])
        if (answer.status >= 400) assert.strictEqual(errorOf(answer).request_id, id)
      }
      assert.strictEqual(seen.size, 7)
    }),
  )

  it.effect("a fault is a 500 that tells nothing of itself", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const answer = yield* call({ method: "POST", path: "/v1/images/tasks", key, body: { model: "dies" } })
      assert.strictEqual(answer.status, 500)
      assert.strictEqual(errorOf(answer).error.code, "internal_error")
      assert.notInclude(answer.text, "secret")
      assert.isDefined(answer.headers["ratelimit"])
    }),
  )

  it.effect("HEAD answers as GET does, without a body", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const answer = yield* call({ method: "HEAD", path: "/healthz" })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.text, "")
      assert.strictEqual((yield* call({ method: "HEAD", path: "/nope" })).status, 404)
    }),
  )

  it.effect("bytes that are no HTTP are refused in the same shape", () =>
    Effect.gen(function* () {
      const { port } = yield* Harness
      const cases = [
        ["NONSENSE\r\n\r\n", 400],
        ["GET / HTTP/1.1\r\nHost: x\r\nContent-Length: nope\r\n\r\n", 400],
        [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`, 431],
      ] as const
      for (const [bytes, status] of cases) {
        const [head = "", body = ""] = (yield* sendBytes(port, bytes)).split("\r\n\r\n")
        assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
        const answer = { status, headers: {}, text: body, json: JSON.parse(body) }
        assert.include(head, `x-request-id: ${errorOf(answer).request_id}`)
      }
    }),
  )

  it.effect("a body that never ends is refused when it is too long, not when it ends", () =>
    Effect.gen(function* () {
      const { port, newKey } = yield* Harness
      const { key } = yield* newKey()
      const endless = `POST /v1/images/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
      const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`
      const text = yield* sendBytes(port, endless + chunk.repeat(40))
      assert.match(text, /^HTTP\/1.1 413 /)
      assert.include(text, '"code":"request_too_large"')
      const declared = endless.replace("Transfer-Encoding: chunked", `Content-Length: ${2 ** 40}`)
      assert.match(yield* sendBytes(port, declared), /^HTTP\/1.1 413 [\s\S]*connection: close/i)
    }),
  )

  it.effect("the documents describe every path, and load nothing from elsewhere", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const spec = (yield* call({ path: "/openapi.json" })).json as { readonly paths: object }
      assert.includeMembers(Object.keys(spec.paths), [
        "/v1/images/tasks",
        "/v1/tasks/{task_id}",
        "/v1/tools/{tool_id}/invoke",
      ])
      const docs = yield* call({ path: "/docs" })
      assert.strictEqual(docs.status, 200)
      assert.notMatch(docs.text, /<(script|link)[^>]+(src|href)="https?:/)
    }),
  )

  it.effect(
    "contract, Endpoints and commands: / leads on to pages that are there, and asks for nothing",
    () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { status, headers, text } = yield* call({ path: "/" })
        assert.deepStrictEqual([status, headers["content-type"]], [200, "text/html; charset=utf-8"])
        assert.include(text, "Ready")
        const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? ""
        const digest = createHash("sha256").update(style).digest("base64")
        assert.match(headers["content-security-policy"] ?? "", /^default-src 'none'; style-src '(\S+)';/)
        assert.include(headers["content-security-policy"] ?? "", `'sha256-${digest}'`)
        assert.notMatch(text, /<(script|link|img)|url\(|@import/)
        const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link)
        assert.includeMembers(links, ["/docs", "/healthz", "/readyz"])
        for (const link of links) assert.strictEqual((yield* call({ path: link })).status, 200, link)
      }),
  )
})
