import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, type Scope, Stream } from "effect"
import { contentBody, jsonBody, multipartBody } from "../../src/http/UpstreamBody.ts"
import { collectBody, UpstreamHttp } from "../../src/http/UpstreamHttp.ts"
import { bodyOf, clientLayer, get, serve, serveRaw, signal } from "./support.ts"

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const use = (run: Effect.Effect<void, unknown, UpstreamHttp | Scope.Scope>) =>
  Effect.provide(Effect.scoped(run), clientLayer())

describe("UpstreamHttp: requests and responses", () => {
  it.effect("gives status, headers without cookies, body and final URL", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { seen, url } = yield* serve((_, response) => {
          response.writeHead(404, { "x-one": "1", "set-cookie": "a=b", "content-type": "text/plain" })
          response.end("no")
        })
        const response = yield* http.request(get(`${url}/a?b=c#d`))
        assert.strictEqual(response.status, 404)
        assert.strictEqual(response.headers["x-one"], "1")
        assert.isUndefined(response.headers["set-cookie"])
        assert.strictEqual(text(response.body), "no")
        assert.strictEqual(seen[0]?.url, "/a?b=c")
        assert.strictEqual(seen[0]?.headers.host, new URL(url).host)
        yield* http.request(get(url))
        assert.isUndefined(seen[1]?.headers.cookie)
      }),
    ),
  )

  it.effect("sends JSON, bytes and streams whole, with their length where it is known", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve(async (request, response) => {
          const body = await bodyOf(request)
          const {
            "content-length": length,
            "content-type": type,
            "transfer-encoding": coding,
          } = request.headers
          response.end(JSON.stringify({ type, length, coding, body: body.toString() }))
        })
        const post = (body: ReturnType<typeof jsonBody>) =>
          Effect.map(http.request(get(url, { method: "POST", body })), ({ body: answer }) =>
            JSON.parse(text(answer)),
          )
        assert.deepStrictEqual(yield* post(jsonBody({ a: "ä" })), {
          type: "application/json",
          length: "10",
          body: '{"a":"ä"}',
        })
        const chunks = Stream.make(Buffer.from("one "), Buffer.from(""), Buffer.from("two"))
        assert.deepStrictEqual(yield* post(contentBody({ stream: chunks }, "text/plain")), {
          type: "text/plain",
          coding: "chunked",
          body: "one two",
        })
        assert.deepStrictEqual(yield* post(contentBody({ stream: chunks, bytes: 7 }, "text/plain")), {
          type: "text/plain",
          length: "7",
          body: "one two",
        })
      }),
    ),
  )

  it.effect("sends multipart parts that a form parser reads, hostile names included", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve(async (request, response) => {
          const form = await new Response(new Uint8Array(await bodyOf(request)), {
            headers: { "content-type": request.headers["content-type"] ?? "" },
          }).formData()
          const entries = await Promise.all(
            Array.from(form.entries(), async ([name, value]) =>
              typeof value === "string" ? [name, value] : [name, value.name, value.type, await value.text()],
            ),
          )
          response.end(JSON.stringify([request.headers["content-length"] !== undefined, ...entries]))
        })
        const large = Buffer.alloc(300_000, "x")
        const stream = Stream.fromIterable([large, Buffer.from("end")])
        const body = multipartBody([
          { name: "prompt", content: "a\r\n--b ä" },
          {
            name: "image[]",
            filename: 'a"\r\nx: y.png',
            contentType: "image/png",
            content: Buffer.from("PNG"),
          },
          { name: "mask", filename: "m", content: { stream, bytes: 300_003 } },
        ])
        const answer = JSON.parse(text((yield* http.request(get(url, { method: "POST", body }))).body))
        assert.deepStrictEqual(answer.slice(0, 2), [true, ["prompt", "a\r\n--b ä"]])
        assert.deepStrictEqual(answer[2].slice(2), ["image/png", "PNG"])
        assert.deepStrictEqual(answer[3], ["mask", "m", "application/octet-stream", `${large}end`])
        assert.strictEqual(answer.length, 4)
      }),
    ),
  )

  it.effect("undoes gzip, deflate and br, and refuses other encodings and broken data", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const bodies = new Map<string, Buffer>([
          ["gzip", gzipSync("hello")],
          ["deflate", deflateSync("hello")],
          ["br", brotliCompressSync("hello")],
          ["gzip, gzip", gzipSync(gzipSync("hello"))],
          ["compress", Buffer.from("hello")],
        ])
        const { url } = yield* serve((request, response) => {
          const encoding = decodeURIComponent((request.url ?? "").slice(1).replace(/!$/, ""))
          const body = bodies.get(encoding) ?? Buffer.from("")
          response.setHeader("content-encoding", encoding)
          response.end(request.url?.endsWith("!") ? body.subarray(0, body.length - 4) : body)
        })
        for (const encoding of ["gzip", "deflate", "br"]) {
          assert.strictEqual(text((yield* http.request(get(`${url}/${encoding}`))).body), "hello")
          const head = yield* http.request(get(`${url}/${encoding}`, { method: "HEAD" }))
          assert.strictEqual(head.body.length, 0)
        }
        for (const path of ["gzip,%20gzip", "compress", "gzip!", "deflate!", "br!"]) {
          const error = yield* Effect.flip(http.request(get(`${url}/${path}`)))
          assert.deepStrictEqual([error.reason, error.sent], ["InvalidResponse", true], path)
        }
      }),
    ),
  )

  it.effect("keeps operator connections, and opens a new one for public requests and where it is asked", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { seen, url } = yield* serve((_, response) => response.end("ok"))
        const portOf = Effect.fnUntraced(function* (more: object) {
          yield* http.request(get(url, more))
          return seen.at(-1)?.socket.remotePort
        })
        const pooled = yield* portOf({ policy: "operator" })
        assert.strictEqual(yield* portOf({ policy: "operator" }), pooled)
        assert.notStrictEqual(yield* portOf({ policy: "operator", reuseConnection: false }), pooled)
        assert.notStrictEqual(yield* portOf({ policy: "public" }), pooled)
        assert.strictEqual(seen.at(-1)?.headers.connection, "close")
        assert.strictEqual(yield* portOf({ policy: "operator" }), pooled)
      }),
    ),
  )

  it.effect("closes a connection whose body was not read to its end", () => {
    const cut = signal()
    return use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve((_, response) => {
          response.write("begin")
          response.once("close", cut.fire)
        })
        const begin = yield* Effect.scoped(
          Effect.flatMap(http.stream(get(url, { policy: "operator" })), ({ body }) => Stream.runHead(body)),
        )
        assert.strictEqual(Option.getOrThrow(begin).length, 5)
        yield* cut.wait
      }),
    )
  })

  it.effect("fails with BadStatus where it is asked, with an excerpt that holds no secret", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve((request, response) => {
          response.statusCode = 401
          response.end(`wrong key ${request.headers.authorization}\u0000\n\u202e${"x".repeat(9000)}`)
        })
        const headers = { authorization: Redacted.make("Bearer sk-secret") }
        const error = yield* Effect.flip(http.request(get(url, { successOnly: true, headers })))
        assert.deepStrictEqual([error.reason, error.status, error.sent], ["BadStatus", 401, true])
        assert.include(error.message, "answered 401: wrong key … xxx")
        assert.notInclude(error.message, "secret")
        assert.isBelow(error.message.length, 260)
      }),
    ),
  )

  it.effect("uses no proxy of the environment", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve((_, response) => response.end("direct"))
        const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"]
        yield* Effect.acquireRelease(
          Effect.sync(() => names.forEach((name) => (process.env[name] = "http://127.0.0.1:9"))),
          () => Effect.sync(() => names.forEach((name) => delete process.env[name])),
        )
        const fresh = yield* Layer.build(clientLayer())
        const body = yield* Effect.provide(
          Effect.flatMap(UpstreamHttp, (client) => client.request(get(url))),
          fresh,
        )
        assert.strictEqual(text(body.body), "direct")
        assert.strictEqual(text((yield* http.request(get(url))).body), "direct")
      }),
    ),
  )

  it.effect("refuses headers that are the connection's own or cannot be sent, without their values", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { seen, url } = yield* serve((_, response) => response.end())
        const wrong = [
          { Host: "other" },
          { "content-length": "1" },
          { "Transfer-Encoding": "x" },
          { cookie: "a" },
        ]
        for (const headers of [...wrong, { "x-key": "se\ncret" }, { "se cret:": "x" }]) {
          const error = yield* Effect.flip(http.request(get(url, { headers })))
          assert.deepStrictEqual([error.reason, error.sent], ["InvalidRequest", false])
          assert.notInclude(error.message, "cret\n")
        }
        const error = yield* Effect.flip(
          http.request(get(url, { headers: { "x-key": Redacted.make("sk-secret\n") } })),
        )
        assert.notInclude(error.message, "secret")
        assert.strictEqual(seen.length, 0)
      }),
    ),
  )
})

describe("UpstreamHttp: bounds while streaming", () => {
  const bound = { maxResponseBytes: 1000 }

  it.effect("takes a body of exactly the bound, and refuses one byte more, however it is framed", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve((request, response) => {
          const [, framing = "", bytes] = (request.url ?? "").split("/")
          const body = Buffer.alloc(Number(bytes), "x")
          if (framing === "gzip") response.setHeader("content-encoding", "gzip").end(gzipSync(body))
          else if (framing === "length") response.setHeader("content-length", body.length).end(body)
          else if (framing === "close") {
            response.shouldKeepAlive = false
            response.useChunkedEncodingByDefault = false
            response.removeHeader("transfer-encoding")
            response.end(body)
          } else {
            response.write(body.subarray(0, 10))
            response.end(body.subarray(10))
          }
        })
        for (const framing of ["length", "chunked", "gzip", "close"]) {
          const whole = yield* http.request(get(`${url}/${framing}/1000`, bound))
          assert.strictEqual(whole.body.length, 1000, framing)
          const error = yield* Effect.flip(http.request(get(`${url}/${framing}/1001`, bound)))
          assert.deepStrictEqual([error.reason, error.phase, error.sent], ["TooLarge", "body", true], framing)
        }
      }),
    ),
  )

  it.effect("stops a gzip bomb at the bound, whatever its content-length says", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
        const { url } = yield* serve((_, response) => {
          response.setHeader("content-encoding", "gzip")
          response.setHeader("content-length", bomb.length)
          response.end(bomb)
        })
        let read = 0
        const error = yield* Effect.flip(
          Effect.flatMap(http.stream(get(url)), ({ body }) =>
            Stream.runForEach(body, (chunk) => Effect.sync(() => (read += chunk.length))),
          ),
        )
        assert.strictEqual(error.reason, "TooLarge")
        assert.isAtMost(read, 1024 * 1024)
      }),
    ),
  )

  it.effect("refuses a content-length beyond the bound before it reads the body", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve((_, response) => {
          response.setHeader("content-length", 1001)
          response.flushHeaders()
        })
        assert.strictEqual((yield* Effect.flip(http.request(get(url, bound)))).reason, "TooLarge")
        assert.strictEqual((yield* http.request(get(url, { ...bound, method: "HEAD" }))).status, 200)
      }),
    ),
  )

  it.effect("bounds the size and the number of headers", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve((request, response) => {
          if (request.url === "/size") response.setHeader("x-big", "x".repeat(40 * 1024))
          else for (let index = 0; index < 300; index++) response.setHeader(`x-${index}`, "1")
          response.end()
        })
        for (const path of ["size", "count"]) {
          const error = yield* Effect.flip(http.request(get(`${url}/${path}`)))
          assert.deepStrictEqual([error.reason, error.phase, error.sent], ["TooLarge", "headers", true], path)
        }
      }),
    ),
  )

  it.effect("gives what came before a failure to a reader of the stream", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serveRaw((socket) => {
          socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf")
        })
        const response = yield* http.stream(get(url))
        let seen = ""
        const error = yield* Effect.flip(
          Stream.runForEach(response.body, (chunk) => Effect.sync(() => (seen += text(chunk)))),
        )
        assert.strictEqual(seen, "half")
        assert.strictEqual(error.reason, "Aborted")
        assert.strictEqual(text(yield* collectBody(Stream.make(Buffer.from("a"), Buffer.from("b")))), "ab")
      }),
    ),
  )
})
