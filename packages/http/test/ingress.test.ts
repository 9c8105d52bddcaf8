import type { LimitValues } from "@atelier/core"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type Answer, errorOf, Harness, layerWith } from "./harness.ts"
import { head, open, rest, until } from "./sockets.ts"

const json = { "content-type": "application/json" }
const form = { "content-type": "multipart/form-data; boundary=form" }
const tasks = "/v1/images/tasks"

/** What `/metrics` says of a gauge or counter. */
const metric = (name: string) =>
  Effect.gen(function* () {
    const { call } = yield* Harness
    const { text } = yield* call({ path: "/metrics" })
    const line = text.split("\n").find((each) => each.startsWith(`${name} `))
    return Number(line?.split(" ").at(-1))
  })

/** Waits until a gauge has come to a value; the test's own time is the bound. */
const reaches = (name: string, value: number): Effect.Effect<void, never, Harness> =>
  Effect.flatMap(metric(name), (now) =>
    now === value ? Effect.void : Effect.andThen(Effect.sleep("20 millis"), reaches(name, value)),
  )

const refusedAs = (answer: Answer, status: number, code: string) => {
  assert.strictEqual(answer.status, status, answer.text)
  assert.strictEqual(errorOf(answer).error.code, code)
  if (status === 429 || status === 503) assert.match(answer.headers["retry-after"] ?? "", /^\d+$/)
}

const submission = { method: "POST", path: tasks, body: { model: "test-1", prompt: "a cat" } }

const quick: Partial<LimitValues> = {
  body_window_ms: 300,
  body_window_bytes_min: 64,
  headers_ms_max: 300,
}

layer(layerWith({ limits: quick }), { excludeTestServices: true })(
  "what comes too slowly is let go",
  (it) => {
    it.effect.each([
      ["a JSON body", tasks, { ...json, "content-length": 2000 }, '{"model":'],
      ["a chunked JSON body", tasks, { ...json, "transfer-encoding": "chunked" }, '2\r\n{"\r\n'],
      ["an upload", "/v1/tools/test-tool/files", { ...form, "content-length": 900 }, "--form\r\nContent-"],
      [
        "a file of an upload",
        "/v1/tools/test-tool/files",
        { ...form, "content-length": 900 },
        '--form\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext',
      ],
    ] as const)(
      "%s: 408 request_timeout, the connection closes, what it held is given back",
      ([, path, headers, begun]) =>
        Effect.gen(function* () {
          const { newKey, port } = yield* Harness
          const { key } = yield* newKey()
          const socket = yield* open(port)
          const answer = yield* Effect.forkChild(rest(socket))
          socket.write(head(path, key, headers) + begun)
          const text = yield* Fiber.join(answer)
          assert.match(text, /^HTTP\/1.1 408 [\s\S]*connection: close[\s\S]*"request_timeout"/i)
          yield* reaches("atelier_http_bodies_arriving", 0)
          assert.strictEqual(yield* metric("atelier_http_body_bytes"), 0)
        }),
    )

    it.effect("half of a request's headers: 408, the connection closes", () =>
      Effect.gen(function* () {
        const { port } = yield* Harness
        const sockets = yield* Effect.replicateEffect(open(port), 5)
        const answers = yield* Effect.forkChild(Effect.forEach(sockets, rest, { concurrency: "unbounded" }))
        for (const socket of sockets) socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Half: ")
        for (const text of yield* Fiber.join(answers))
          assert.match(text, /^HTTP\/1.1 408 [\s\S]*"request_timeout"/)
      }),
    )
  },
)

layer(layerWith({ limits: { body_window_ms: 2000, body_window_bytes_min: 64 } }), {
  excludeTestServices: true,
})("what keeps up is taken", (it) => {
  it.effect("a body that takes longer than a window", () =>
    Effect.gen(function* () {
      const { newKey, port } = yield* Harness
      const { key } = yield* newKey()
      const socket = yield* open(port)
      const answer = yield* Effect.forkChild(rest(socket))
      const body = JSON.stringify({ ...submission.body, user: "x".repeat(1500) })
      socket.write(head(tasks, key, { ...json, connection: "close", "content-length": body.length }))
      for (let at = 0; at < body.length; at += 60) {
        socket.write(body.slice(at, at + 60))
        yield* Effect.sleep("100 millis")
      }
      assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 202 /)
    }),
  )
})

layer(layerWith(), { excludeTestServices: true })("before a byte of a body is read", (it) => {
  it.effect("a wrong key is refused, and what it would still send is not waited for", () =>
    Effect.gen(function* () {
      const { port } = yield* Harness
      const socket = yield* open(port)
      const answer = yield* Effect.forkChild(rest(socket))
      socket.write(head(tasks, "sk-atl-wrong", { ...json, "content-length": 2000 }))
      assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 401 [\s\S]*connection: close/i)
    }),
  )

  it.effect("so is a key past its rate", () =>
    Effect.gen(function* () {
      const { call, newKey, port } = yield* Harness
      const { key } = yield* newKey({ ratePerMinute: 1 })
      yield* call({ path: "/v1/models", key })
      const socket = yield* open(port)
      const answer = yield* Effect.forkChild(rest(socket))
      socket.write(head(tasks, key, { ...json, "content-length": 2000 }))
      assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 429 [\s\S]*connection: close[\s\S]*"rate_limited"/i)
    }),
  )

  it.effect("100 Continue is sent only to requests that may go on", () =>
    Effect.gen(function* () {
      const { newKey, port } = yield* Harness
      const { key } = yield* newKey()
      const body = JSON.stringify(submission.body)
      const headers = { ...json, expect: "100-continue", connection: "close", "content-length": body.length }
      const stranger = yield* open(port)
      const refused = yield* Effect.forkChild(rest(stranger))
      stranger.write(head(tasks, "sk-atl-wrong", headers))
      assert.match(yield* Fiber.join(refused), /^HTTP\/1.1 401 /)
      const customer = yield* open(port)
      const answer = yield* Effect.forkChild(rest(customer))
      yield* until(customer, head(tasks, key, headers), "HTTP/1.1 100 Continue\r\n\r\n")
      customer.write(body)
      assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 202 /)
    }),
  )

  it.effect("a body in pieces of a byte is refused", () =>
    Effect.gen(function* () {
      const { newKey, port } = yield* Harness
      const { key } = yield* newKey()
      const socket = yield* open(port)
      const answer = yield* Effect.forkChild(rest(socket))
      const headers = { ...json, connection: "close", "transfer-encoding": "chunked" }
      socket.write(head(tasks, key, headers) + "1\r\n \r\n".repeat(1000))
      assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 400 [\s\S]*in \d+ pieces/)
    }),
  )
})

const tight: Partial<LimitValues> = {
  ...quick,
  body_window_ms: 60_000,
  bodies_bytes_max: 16_000,
  bodies_bytes_per_key_max: 10_000,
  bodies_arriving_per_key_max: 4,
}

describe("bodies share a budget", () => {
  /** A body that stops arriving, with this much of it held. */
  const stalled = Effect.fnUntraced(function* (key: string, bytes: number, announced = 8000) {
    const { port } = yield* Harness
    const before = yield* metric("atelier_http_body_bytes")
    const socket = yield* open(port)
    const answer = yield* Effect.forkChild(rest(socket))
    socket.write(head(tasks, key, { ...json, "content-length": announced }) + " ".repeat(bytes))
    while ((yield* metric("atelier_http_body_bytes")) < before + bytes) yield* Effect.sleep("10 millis")
    return { socket, answer }
  })
  const large = {
    ...submission,
    body: { ...submission.body, generation_type: "blend", pad: "x".repeat(7000) },
  }

  it.live("of a key: 429, another key is served, and an end gives back what was held", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const { key: other } = yield* newKey()
      const { socket } = yield* stalled(key, 7000)
      refusedAs(yield* call({ ...large, key }), 429, "too_many_connections")
      assert.strictEqual((yield* call({ ...submission, key })).status, 202)
      assert.strictEqual((yield* call({ ...submission, key: other })).status, 202)
      socket.destroy()
      yield* reaches("atelier_http_body_bytes", 0)
      assert.strictEqual((yield* call({ ...large, key })).status, 202)
    }).pipe(Effect.provide(layerWith({ limits: tight }))),
  )

  it.live("a small file that arrives is held in memory, and counts; a larger one does not", () =>
    Effect.gen(function* () {
      const { newKey, port } = yield* Harness
      const { key } = yield* newKey()
      const begun = '--form\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
      const socket = yield* open(port)
      const answer = yield* Effect.forkChild(rest(socket))
      const headers = { ...form, "content-length": 900, connection: "close" }
      socket.write(head("/v1/tools/test-tool/files", key, headers) + begun + "x".repeat(200))
      yield* Effect.repeat(metric("atelier_http_body_bytes"), {
        until: (bytes) => bytes > 150 && bytes <= 200,
      })
      socket.write("x".repeat(200))
      yield* reaches("atelier_http_body_bytes", 0)
      const sent = begun.length + 400
      const end = "\r\n--form--\r\n"
      socket.write("x".repeat(900 - sent - end.length) + end)
      assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 201 /)
    }).pipe(Effect.provide(layerWith({ limits: { ...tight, small_document_bytes_max: 300 } }))),
  )

  it.live("small files share the budget of a key with other bodies: 429", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      yield* stalled(key, 7000)
      const path = "/v1/tools/test-tool/files"
      const content = `--form\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${"x".repeat(900)}\r\n--form--\r\n`
      const upload = call({ method: "POST", path, key, headers: form, body: content })
      refusedAs(yield* upload, 429, "too_many_connections")
    }).pipe(Effect.provide(layerWith({ limits: { ...tight, bodies_bytes_per_key_max: 7500 } }))),
  )

  it.live(
    "of a key: what is announced counts before it comes, and of one whose length is not told what came",
    () =>
      Effect.gen(function* () {
        const { call, newKey, port } = yield* Harness
        const { key } = yield* newKey()
        const { socket } = yield* stalled(key, 1)
        refusedAs(yield* call({ ...large, key }), 429, "too_many_connections")
        const chunked = yield* open(port)
        const answer = yield* Effect.forkChild(rest(chunked))
        const text = JSON.stringify(submission.body)
        const coded = { ...json, "transfer-encoding": "chunked", connection: "close" }
        chunked.write(`${head(tasks, key, coded)}${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`)
        assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 202 /)
        socket.destroy()
        yield* reaches("atelier_http_body_bytes", 0)
        assert.strictEqual((yield* call({ ...large, key })).status, 202)
      }).pipe(Effect.provide(layerWith({ limits: tight }))),
  )

  it.live("of the process: the body that stopped gives way with 503, and small ones are not kept out", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const { key: other } = yield* newKey()
      const { answer } = yield* stalled(key, 7000)
      assert.strictEqual((yield* call({ ...submission, key: other })).status, 202)
      // Whether a body has stopped is looked at every so often.
      yield* Effect.repeat(
        Effect.delay(
          Effect.map(call({ ...large, key: other }), ({ status }) => status),
          "20 millis",
        ),
        { until: (status) => status === 202 },
      )
      assert.match(yield* Fiber.join(answer), /^HTTP\/1.1 503 [\s\S]*retry-after: 2[\s\S]*"overloaded"/i)
      yield* reaches("atelier_http_body_bytes", 0)
    }).pipe(
      Effect.provide(layerWith({ limits: { ...tight, body_window_ms: 500, body_window_bytes_min: 1 } })),
    ),
  )

  it.live("the number of arriving bodies of a key is limited", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const { key: other } = yield* newKey()
      const held = yield* Effect.replicateEffect(stalled(key, 10, 20), 4)
      refusedAs(yield* call({ ...submission, key }), 429, "too_many_connections")
      assert.strictEqual((yield* call({ ...submission, key: other })).status, 202)
      for (const { socket } of held) socket.destroy()
      yield* reaches("atelier_http_bodies_arriving", 0)
      assert.strictEqual((yield* call({ ...submission, key })).status, 202)
      assert.isAbove(yield* metric('atelier_http_refusals_total{reason="key_bodies"}'), 0)
    }).pipe(Effect.provide(layerWith({ limits: tight }))),
  )
})

describe("event streams and waiting requests", () => {
  it.live("are bounded by key with 429 and by process with 503; places are given back", () =>
    Effect.gen(function* () {
      const { call, newKey, port } = yield* Harness
      const keys = yield* Effect.replicateEffect(newKey(), 2)
      const paths = yield* Effect.forEach(keys, ({ key }) =>
        Effect.map(call({ ...submission, key }), ({ json }) => `/v1/tasks/${(json as { id: string }).id}`),
      )
      const stream = Effect.fnUntraced(function* (user: number) {
        const socket = yield* open(port)
        const request = `GET ${paths[user]}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys[user]?.key}\r\n\r\n`
        yield* until(socket, request, "event: task")
        return socket
      })
      const [first] = yield* Effect.replicateEffect(stream(0), 2)
      const [mine, other] = keys.map(({ key }) => key)
      for (const suffix of ["/events", "?wait=1"]) {
        refusedAs(yield* call({ path: `${paths[0]}${suffix}`, key: mine }), 429, "too_many_connections")
      }
      const generation = { ...submission, path: "/v1/images/generations" }
      refusedAs(yield* call({ ...generation, key: mine }), 429, "too_many_connections")
      assert.strictEqual((yield* call({ path: paths[0] ?? "", key: mine })).status, 200)
      yield* stream(1)
      refusedAs(yield* call({ path: `${paths[1]}?wait=1`, key: other }), 503, "overloaded")
      first?.destroy()
      yield* reaches("atelier_http_readers", 2)
      assert.strictEqual((yield* call({ path: `${paths[0]}?wait=1`, key: mine })).status, 200)
    }).pipe(Effect.provide(layerWith({ limits: { readers_per_key_max: 2, readers_max: 3 } }))),
  )
})

describe("connections", () => {
  const streams = Effect.fnUntraced(function* (count: number) {
    const { call, newKey, port } = yield* Harness
    const { key } = yield* newKey()
    const { json } = yield* call({ ...submission, key })
    const request = `GET /v1/tasks/${(json as { id: string }).id}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
    return yield* Effect.replicateEffect(
      Effect.flatMap(open(port), (socket) => Effect.as(until(socket, request, "event: task"), socket)),
      count,
    )
  })

  it.live("idle ones and half requests give way to new ones of their address", () =>
    Effect.gen(function* () {
      const { call, port } = yield* Harness
      const idle = yield* Effect.replicateEffect(open(port), 10)
      for (const socket of idle) socket.write("GET /healthz HTTP/1.1\r\nX-Half:")
      for (let turn = 0; turn < 10; turn++)
        assert.strictEqual((yield* call({ path: "/healthz" })).status, 200)
      assert.isAtMost(yield* metric("atelier_http_connections"), 4)
    }).pipe(Effect.provide(layerWith({ limits: { connections_per_address_max: 4 } }))),
  )

  it.live("of an address that are all in use: 429; and a place is free when one ends", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [first] = yield* streams(4)
      refusedAs(yield* call({ path: "/healthz" }), 429, "too_many_connections")
      first?.destroy()
      yield* Effect.repeat(
        Effect.map(call({ path: "/healthz" }), ({ status }) => status),
        { until: (status) => status === 200 },
      )
      yield* reaches("atelier_http_connections", 4)
    }).pipe(Effect.provide(layerWith({ limits: { connections_per_address_max: 4 } }))),
  )

  it.live("of a trusted proxy stand for many: only the process bounds them, with 503", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      yield* streams(6)
      refusedAs(yield* call({ path: "/healthz" }), 503, "overloaded")
    }).pipe(
      Effect.provide(
        layerWith({
          trustedProxies: ["127.0.0.1"],
          limits: { connections_per_address_max: 2, connections_max: 6 },
        }),
      ),
    ),
  )
})

layer(layerWith(), { excludeTestServices: true })("requests that do not wait for answers", (it) => {
  const alive = "GET /healthz HTTP/1.1\r\nHost: x\r\n"
  const last = `${alive}Connection: close\r\n\r\n`

  it.effect("are answered in their order, as many as one connection may have", () =>
    Effect.gen(function* () {
      const { port } = yield* Harness
      const socket = yield* open(port)
      const answers = yield* Effect.forkChild(rest(socket))
      socket.write(`${alive}\r\n`.repeat(15) + last)
      assert.strictEqual((yield* Fiber.join(answers)).split("HTTP/1.1 200 ").length - 1, 16)
    }),
  )

  it.effect("past that their connection is closed, and the others are not begun", () =>
    Effect.gen(function* () {
      const { port } = yield* Harness
      const socket = yield* open(port)
      const answers = yield* Effect.forkChild(rest(socket))
      socket.write(`${alive}\r\n`.repeat(1000) + last)
      assert.isBelow((yield* Fiber.join(answers)).split("HTTP/1.1 200 ").length - 1, 1000)
      assert.strictEqual(yield* metric('atelier_http_refusals_total{reason="pipelined"}'), 1)
    }),
  )
})
