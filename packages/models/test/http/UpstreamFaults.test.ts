import { readFileSync } from "node:fs"
import * as Https from "node:https"
import { networkInterfaces } from "node:os"
import * as Tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { contentBody } from "../../src/http/UpstreamBody.ts"
import { UpstreamHttp } from "../../src/http/UpstreamHttp.ts"
import { clientLayer, get, loopback, portOf, serve, serveRaw, signal } from "./support.ts"

const use = <E>(
  run: Effect.Effect<void, E, UpstreamHttp | Scope.Scope>,
  options: Parameters<typeof clientLayer>[0] = {},
) => Effect.provide(Effect.scoped(run), clientLayer(options))

describe("UpstreamHttp: certainly not sent, or maybe accepted", () => {
  it.effect("a refused connection and a name without address: certainly not sent", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { port } = yield* Effect.scoped(serve(() => {}))
        const refused = yield* Effect.flip(http.request(get(`http://127.0.0.1:${port}/`, { method: "POST" })))
        assert.deepStrictEqual([refused.reason, refused.sent], ["ConnectFailed", false])
        assert.include(refused.message, "ECONNREFUSED")
        const unknown = yield* Effect.flip(http.request(get("http://nowhere.example/")))
        assert.deepStrictEqual([unknown.reason, unknown.sent], ["DnsFailed", false])
      }),
      { resolve: async () => [] },
    ),
  )

  it.effect("a look-up that fails or does not end: certainly not sent", () => {
    const asked = signal()
    let aborted = false
    return use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const failed = yield* Effect.flip(http.request(get("http://servfail.example/")))
        assert.deepStrictEqual([failed.reason, failed.sent], ["DnsFailed", false])
        const fiber = yield* Effect.forkChild(
          Effect.flip(http.request(get("http://slow.example/", { connectTimeoutMillis: 500 }))),
        )
        yield* asked.wait
        yield* TestClock.adjust(500)
        const error = yield* Fiber.join(fiber)
        assert.deepStrictEqual([error.reason, error.phase, error.sent], ["Timeout", "connect", false])
        yield* Effect.promise(() => new Promise(setImmediate))
        assert.isTrue(aborted, "the look-up was told to stop")
      }),
      {
        resolve: (hostname, _, stop) => {
          if (hostname === "servfail.example") return Promise.reject(new Error("ESERVFAIL"))
          asked.fire()
          stop.addEventListener("abort", () => (aborted = true))
          return new Promise(() => {})
        },
      },
    )
  })

  it.effect("a TLS session that does not come about: certainly not sent", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve(() => assert.fail("nothing must arrive"))
        const error = yield* Effect.flip(
          http.request(get(url.replace("http:", "https:"), { method: "POST" })),
        )
        assert.deepStrictEqual([error.reason, error.sent], ["ConnectFailed", false])
      }),
    ),
  )

  it.effect("no response in time, and a connection cut before it: maybe accepted", () => {
    const arrived = signal()
    return use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve(() => arrived.fire())
        const fiber = yield* Effect.forkChild(
          Effect.flip(http.request(get(url, { method: "POST", headersTimeoutMillis: 2000 }))),
        )
        yield* arrived.wait
        yield* TestClock.adjust(2000)
        const late = yield* Fiber.join(fiber)
        assert.deepStrictEqual([late.reason, late.phase, late.sent], ["Timeout", "headers", true])

        const cutter = yield* serveRaw((socket) => socket.destroy())
        const cut = yield* Effect.flip(http.request(get(cutter.url, { method: "POST" })))
        assert.deepStrictEqual([cut.reason, cut.phase, cut.sent], ["Aborted", "headers", true])

        const half = yield* serveRaw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-"))
        const broken = yield* Effect.flip(http.request(get(half.url)))
        assert.strictEqual(broken.sent, true)
      }),
    )
  })

  it.effect("slow headers count against the total time too", () => {
    const arrived = signal()
    return use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serveRaw((socket) => {
          socket.write("HTTP/1.1 200 OK\r\nx-a: b\r\n")
          arrived.fire()
        })
        const fiber = yield* Effect.forkChild(Effect.flip(http.request(get(url, { timeoutMillis: 3000 }))))
        yield* arrived.wait
        yield* TestClock.adjust(3000)
        const error = yield* Fiber.join(fiber)
        assert.deepStrictEqual([error.reason, error.phase, error.sent], ["Timeout", "headers", true])
      }),
    )
  })

  for (const [name, limits] of [
    ["a pause inside the body", { idleTimeoutMillis: 1000 }],
    ["the total time while the body comes", { timeoutMillis: 1000 }],
  ] as const) {
    it.effect(`${name} is bounded`, () =>
      use(
        Effect.gen(function* () {
          const http = yield* UpstreamHttp
          const begun = signal()
          const { url } = yield* serve((_, response) => void response.write("begin"))
          const response = yield* http.stream(get(url, limits))
          const fiber = yield* Effect.forkChild(
            Effect.flip(Stream.runForEach(response.body, () => Effect.sync(begun.fire))),
          )
          yield* begun.wait
          yield* TestClock.adjust(1000)
          const error = yield* Fiber.join(fiber)
          assert.deepStrictEqual([error.reason, error.phase, error.sent], ["Timeout", "body", true])
        }),
      ),
    )
  }

  it.effect("a body shorter than its content-length, or cut in its chunks, is no body", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const cases = [
          "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf",
          "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhal",
          "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n",
        ]
        for (const answer of cases) {
          const { url } = yield* serveRaw((socket) => socket.end(answer))
          const error = yield* Effect.flip(http.request(get(url)))
          assert.deepStrictEqual([error.reason, error.phase, error.sent], ["Aborted", "body", true], answer)
        }
      }),
    ),
  )

  it.effect("a body longer than its content-length ends where that says", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serveRaw((socket) =>
          socket.end("HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\nfour and more"),
        )
        const { body } = yield* http.request(get(url))
        assert.strictEqual(Buffer.from(body).toString(), "four")
      }),
    ),
  )

  it.effect("an answer that is not HTTP, or contradicts itself, is refused", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const cases = [
          "SSH-2.0-OpenSSH_9.9\r\n",
          "HTTP/1.1 200 OK\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
          "HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nfour",
          "HTTP/1.1 200 OK\r\ncontent-length: -4\r\n\r\nfour",
          "HTTP/1.1 200 OK\r\nx: a\nb\r\n\r\n",
        ]
        for (const answer of cases) {
          const { url } = yield* serveRaw((socket) => socket.end(answer))
          const error = yield* Effect.flip(http.request(get(url)))
          assert.deepStrictEqual([error.reason, error.sent], ["InvalidResponse", true], answer)
        }
        const upgrade = yield* serveRaw((socket) =>
          socket.write("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
        )
        const error = yield* Effect.flip(http.request(get(upgrade.url)))
        assert.isTrue(error.sent)
      }),
    ),
  )

  it.effect("a request body that fails or miscounts ends the request", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve(() => {})
        const bad = [
          { stream: Stream.concat(Stream.make(Buffer.from("a")), Stream.fail("disk gone")) },
          { stream: Stream.make(Buffer.from("abc")), bytes: 4 },
          { stream: Stream.make(Buffer.from("abc")), bytes: 2 },
        ]
        for (const content of bad) {
          const body = contentBody(content, "text/plain")
          const error = yield* Effect.flip(http.request(get(url, { method: "POST", body })))
          assert.deepStrictEqual([error.reason, error.sent], ["RequestBodyFailed", true])
          assert.notInclude(error.message, "disk gone")
        }
      }),
    ),
  )

  it.effect("an answer before the whole body was sent is the answer", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serveRaw((socket) => {
          socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n")
        })
        const stream = Stream.concat(Stream.make(Buffer.from("begin")), Stream.never)
        const body = contentBody({ stream }, "text/plain")
        const response = yield* http.request(get(url, { method: "POST", body, policy: "operator" }))
        assert.strictEqual(response.status, 413)
      }),
    ),
  )

  it.effect("an unread body may break", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        for (const header of ["x: y", "content-encoding: gzip", "content-encoding: br"]) {
          const closed = signal()
          const { url } = yield* serveRaw((socket) => {
            socket.once("close", closed.fire)
            socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 10\r\n${header}\r\n\r\nhalf`)
          })
          assert.strictEqual((yield* http.stream(get(url))).status, 200)
          yield* closed.wait
        }
      }),
    ),
  )

  it.effect("an interruption cuts the connection", () => {
    const arrived = signal()
    const closed = signal()
    return use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve((_, response) => {
          response.once("close", closed.fire)
          arrived.fire()
        })
        const fiber = yield* Effect.forkChild(http.request(get(url)))
        yield* arrived.wait
        yield* Fiber.interrupt(fiber)
        yield* closed.wait
      }),
    )
  })
})

/** Some containers have none. */
const hasIpv6 = Object.values(networkInterfaces()).some((found) =>
  found?.some(({ address }) => address === "::1"),
)

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8")

describe("contract, Waiting: also after DNS resolution and redirects", () => {
  it.effect("connects to the very address that was checked, under the name's own Host", () => {
    let asked = 0
    return use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { port, seen } = yield* serve((_, response) => response.end("ok"))
        const response = yield* http.request(get(`http://rebind.example:${port}/`))
        assert.strictEqual(response.status, 200)
        assert.strictEqual(seen[0]?.headers.host, `rebind.example:${port}`)
        assert.strictEqual(asked, 1)
        const second = yield* Effect.flip(http.request(get(`http://rebind.example:${port}/`)))
        assert.deepStrictEqual([second.reason, second.sent], ["AddressRefused", false])
        assert.strictEqual(seen.length, 1)
      }),
      { resolve: async () => (++asked === 1 ? ["127.0.0.1"] : ["10.0.0.1"]) },
    )
  })

  it.effect("refuses a name with one address among its answers that is not public", () => {
    const answers: { readonly [name: string]: ReadonlyArray<string> } = {
      "private.example": ["10.0.0.1"],
      "mixed.example": ["127.0.0.1", "8.8.8.8", "169.254.169.254"],
      "mapped.example": ["::ffff:10.0.0.1"],
      "ula.example": ["fd00:ec2::254"],
      "zone.example": ["fe80::1%lo"],
      "garbage.example": ["1.2.3"],
    }
    return use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        for (const name of Object.keys(answers)) {
          for (const policy of ["public", "operator"] as const) {
            const error = yield* Effect.flip(http.request(get(`http://${name}/`, { policy })))
            assert.deepStrictEqual([error.reason, error.sent], ["AddressRefused", false], name)
            for (const address of answers[name] ?? []) assert.notInclude(error.message, address)
          }
        }
      }),
      { resolve: async (name) => answers[name] ?? [] },
    )
  })

  it.effect("never asks DNS for localhost, and goes to the permitted loopback address", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { port } = yield* serve((_, response) => response.end("ok"))
        const response = yield* http.request(get(`http://localhost:${port}/`))
        assert.strictEqual(response.status, 200)
      }),
      { allowPrivate: ["127.0.0.0/8"], resolve: () => Promise.reject(new Error("asked")) },
    ),
  )

  it.effect.skipIf(!hasIpv6)(
    "reaches IPv6 addresses, given as such or by a name, and the other address where one is dead",
    () =>
      use(
        Effect.gen(function* () {
          const http = yield* UpstreamHttp
          const { port, seen, url } = yield* serve((_, response) => response.end("six"), "::1")
          assert.strictEqual((yield* http.request(get(url))).status, 200)
          assert.strictEqual((yield* http.request(get(`http://six.example:${port}/`))).status, 200)
          assert.strictEqual((yield* http.request(get(`http://both.example:${port}/`))).status, 200)
          assert.strictEqual(seen[0]?.headers.host, `[::1]:${port}`)
        }),
        { resolve: async (name) => (name === "both.example" ? ["127.0.0.1", "::1"] : ["::1"]) },
      ),
  )

  it.effect("asks for the name in TLS, and checks the certificate against it", () => {
    const before = Tls.getCACertificates("default")
    const cert = fixture("upstream.test.cert.pem")
    return use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const names: Array<unknown> = []
        const server = Https.createServer(
          { cert, key: fixture("upstream.test.key.pem") },
          (request, response) => {
            names.push(request.socket instanceof Tls.TLSSocket ? request.socket.servername : undefined)
            response.end("ok")
          },
        )
        yield* Effect.acquireRelease(
          Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
          () => Effect.sync(() => server.close()),
        )
        const port = portOf(server)
        const untrusted = yield* Effect.flip(http.request(get(`https://upstream.test:${port}/`)))
        assert.deepStrictEqual([untrusted.reason, untrusted.sent], ["ConnectFailed", false])

        Tls.setDefaultCACertificates([...before, cert])
        for (const policy of ["public", "operator", "operator"] as const) {
          assert.strictEqual(
            (yield* http.request(get(`https://upstream.test:${port}/`, { policy }))).status,
            200,
          )
        }
        assert.deepStrictEqual(names, ["upstream.test", "upstream.test", "upstream.test"])
        const other = yield* Effect.flip(http.request(get(`https://other.test:${port}/`, { method: "POST" })))
        assert.deepStrictEqual([other.reason, other.sent], ["ConnectFailed", false])
        assert.include(other.message, "ERR_TLS_CERT_ALTNAME_INVALID")
      }).pipe(Effect.ensuring(Effect.sync(() => Tls.setDefaultCACertificates(before)))),
      { resolve: async () => ["127.0.0.1"] },
    )
  })

  it.effect("checks every hop of a redirect, and says that something was sent", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { seen, url } = yield* serve((request, response) => {
          const to = decodeURIComponent((request.url ?? "").slice(1))
          if (to === "") response.end("end")
          else response.writeHead(302, { location: to }).end()
        })
        const via = (to: string) => get(`${url}/${encodeURIComponent(to)}`, { redirects: 3 })
        const hostile = [
          ["http://10.0.0.1/", "AddressRefused"],
          ["http://169.254.169.254/latest/", "AddressRefused"],
          ["http://[::ffff:10.0.0.1]/", "AddressRefused"],
          ["//192.168.0.1/", "AddressRefused"],
          ["http://inside.example/", "AddressRefused"],
          ["http://gone.example/", "DnsFailed"],
          ["file:///etc/passwd", "InvalidUrl"],
          ["http://u:p@127.0.0.1/", "InvalidUrl"],
          ["http://127.0.0.1:22/", "InvalidUrl"],
          ["http://", "InvalidUrl"],
        ] as const
        for (const [to, reason] of hostile) {
          const error = yield* Effect.flip(http.request(via(to)))
          assert.deepStrictEqual([error.reason, error.sent], [reason, true], to)
        }
        assert.strictEqual(seen.length, hostile.length)
        const end = yield* http.request(via(`${url}/`))
        assert.deepStrictEqual([end.status, end.finalUrl], [200, `${url}/`])
      }),
      { resolve: async (name) => (name === "inside.example" ? ["10.1.1.1"] : []) },
    ),
  )

  it.effect("follows as many redirects as asked and no more; at none, a redirect is a response", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { seen, url } = yield* serve((request, response) => {
          const left = Number((request.url ?? "").slice(1))
          if (left === 0) response.end("end")
          else response.writeHead(301, { location: `/${left - 1}` }).end()
        })
        assert.strictEqual((yield* http.request(get(`${url}/3`, { redirects: 3 }))).finalUrl, `${url}/0`)
        assert.strictEqual(seen.length, 4)
        const error = yield* Effect.flip(http.request(get(`${url}/4`, { redirects: 3 })))
        assert.deepStrictEqual([error.reason, error.sent], ["TooManyRedirects", true])
        assert.strictEqual(seen.length, 8)
        const response = yield* http.request(get(`${url}/1`))
        assert.deepStrictEqual([response.status, response.headers["location"]], [301, "/0"])
      }),
    ),
  )

  it.effect(
    "repeats a POST only for 307 and 308, only from memory, and hands no secret to another origin",
    () =>
      use(
        Effect.gen(function* () {
          const http = yield* UpstreamHttp
          const other = yield* serve(async (request, response) => {
            const { authorization, "x-public": x } = request.headers
            response.end(JSON.stringify([request.method, authorization ?? null, x ?? null]))
          })
          const { url } = yield* serve((request, response) => {
            const status = Number((request.url ?? "").slice(1))
            response.writeHead(status, { location: other.url }).end()
          })
          const headers = { authorization: "Bearer x", "x-public": "1" }
          const post = (status: number, content: Parameters<typeof contentBody>[0]) =>
            http.request(
              get(`${url}/${status}`, {
                method: "POST",
                redirects: 1,
                headers,
                body: contentBody(content, "text/plain"),
              }),
            )
          for (const status of [301, 302, 303]) {
            assert.strictEqual((yield* post(status, Buffer.from("b"))).status, status)
          }
          for (const status of [307, 308]) {
            const { body } = yield* post(status, Buffer.from("b"))
            assert.deepStrictEqual(JSON.parse(Buffer.from(body).toString()), ["POST", null, "1"])
            assert.strictEqual(
              (yield* post(status, { stream: Stream.make(Buffer.from("b")) })).status,
              status,
            )
          }
        }),
      ),
  )

  it.effect("holds a redirect of an upstream to another origin to the rules of public URLs", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { url } = yield* serve((_, response) => {
          response.writeHead(302, { location: "http://127.0.0.2:81/" }).end()
        })
        const error = yield* Effect.flip(http.request(get(url, { policy: "operator", redirects: 1 })))
        assert.deepStrictEqual([error.reason, error.sent], ["InvalidUrl", true])
      }),
    ),
  )

  it.effect("permits nothing private without network.allow_private", () =>
    use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const { seen, url } = yield* serve((_, response) => response.end("ok"))
        for (const policy of ["public", "operator"] as const) {
          const error = yield* Effect.flip(http.request(get(url, { policy })))
          assert.deepStrictEqual([error.reason, error.sent], ["AddressRefused", false])
          assert.strictEqual((yield* Effect.flip(http.checkUrl(url, policy))).reason, "AddressRefused")
        }
        assert.strictEqual(seen.length, 0)
      }),
      { allowPrivate: [] },
    ),
  )
})

describe("UpstreamHttp: redirects between https and http", () => {
  it.effect("refuses to leave https, unless it is asked", () => {
    const before = Tls.getCACertificates("default")
    const cert = fixture("upstream.test.cert.pem")
    return use(
      Effect.gen(function* () {
        const http = yield* UpstreamHttp
        const plain = yield* serve((_, response) => response.end("plain"))
        const server = Https.createServer({ cert, key: fixture("upstream.test.key.pem") }, (_, response) => {
          response.writeHead(307, { location: plain.url }).end()
        })
        yield* Effect.acquireRelease(
          Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
          () => Effect.sync(() => server.close()),
        )
        Tls.setDefaultCACertificates([...before, cert])
        const port = portOf(server)
        const request = get(`https://upstream.test:${port}/`, { redirects: 1 })
        const error = yield* Effect.flip(http.request(request))
        assert.deepStrictEqual([error.reason, error.sent], ["InvalidUrl", true])
        assert.strictEqual((yield* http.request({ ...request, allowDowngrade: true })).status, 200)
      }).pipe(Effect.ensuring(Effect.sync(() => Tls.setDefaultCACertificates(before)))),
      { allowPrivate: loopback, resolve: async () => ["127.0.0.1"] },
    )
  })
})
