import { request } from "node:http"
import { connect } from "node:net"
import { defaultLimits, Limits, Storage } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { Overload, OverloadPolicy } from "../src/Overload.ts"
import { transactionsMax } from "../src/Shedding.ts"
import { adminToken, errorOf, Harness, layerWith } from "./harness.ts"
import { stalledDisk } from "./stalledDisk.ts"

/** No transaction waits. */
const waitingNowhereElse = Overload.layer.pipe(
  Layer.provide([
    Layer.succeed(Limits, defaultLimits),
    Layer.mock(Storage, { waiting: () => ({ count: 0, millis: 0 }) }),
  ]),
)

describe("contract, Later decisions: when submissions are shed", () => {
  const bounds = { overload_delay_ms: 200, overload_window_ms: 300, transactions_waiting_max: 10 }
  /** A moment, the delay then, and whether a submission is refused. */
  const cases: ReadonlyArray<
    readonly [name: string, steps: ReadonlyArray<readonly [at: number, delay: number, refused: boolean]>]
  > = [
    [
      "no delay",
      [
        [0, 0, false],
        [1000, 0, false],
      ],
    ],
    [
      "a delay at the bound",
      [
        [0, 200, false],
        [400, 200, false],
        [800, 200, false],
      ],
    ],
    [
      "one long stall that is over",
      [
        [0, 0, false],
        [900, 880, false],
        [950, 0, false],
        [1000, 0, false],
      ],
    ],
    [
      "a burst shorter than the window",
      [
        [0, 250, false],
        [200, 290, false],
        [290, 10, false],
        [600, 0, false],
      ],
    ],
    [
      "a queue that stands for the window",
      [
        [0, 250, false],
        [299, 500, false],
        [300, 500, true],
      ],
    ],
    [
      "a delay that was short once in the window",
      [
        [0, 250, false],
        [200, 0, false],
        [300, 250, false],
        [599, 250, false],
        [600, 250, true],
      ],
    ],
    [
      "a standing queue lets in what keeps it short",
      [
        [0, 250, false],
        [300, 250, true],
        [310, 190, false],
        [320, 201, true],
        [500, 190, false],
      ],
    ],
    [
      "it stands until it was short for the window",
      [
        [0, 250, false],
        [300, 250, true],
        [400, 0, false],
        [699, 0, false],
        [700, 0, false],
        [710, 250, false],
      ],
    ],
    [
      "it still stands just before",
      [
        [0, 250, false],
        [300, 250, true],
        [400, 0, false],
        [699, 0, false],
        [699, 250, true],
      ],
    ],
  ]
  for (const [name, steps] of cases) {
    it(name, () => {
      const policy = new OverloadPolicy(bounds)
      const decided = steps.map(([at, delay]) => [at, delay, policy.refuses(at, delay, 0, 100)])
      assert.deepStrictEqual(
        decided,
        steps.map((step) => [...step]),
      )
    })
  }

  it("few submissions are taken, however late the process is", () => {
    const policy = new OverloadPolicy(bounds)
    policy.refuses(0, 5000, 0, 0)
    assert.deepStrictEqual(
      [0, 64, 65].map((inFlight) => policy.refuses(1000, 5000, 0, inFlight)),
      [false, false, true],
    )
  })

  it("one that did not wait itself is taken while others do", () => {
    const policy = new OverloadPolicy(bounds)
    policy.refuses(0, 250, 0, 100)
    assert.deepStrictEqual(
      [201, 200, 0].map((own) => policy.refuses(300, 250, 0, 100, own)),
      [true, false, false],
    )
  })

  it("too many waiting transactions, at once and whatever the delay", () => {
    const policy = new OverloadPolicy(bounds)
    assert.deepStrictEqual(
      [9, 10, 11, 9].map((count) => policy.refuses(0, 0, count, 100)),
      [false, true, true, false],
    )
  })
})

describe("contract, Later decisions: what the server has not begun is a delay too", () => {
  it.live("submissions that wait longer than the bound, for the window, are refused", () =>
    Effect.gen(function* () {
      const overload = yield* Overload
      overload.watch(() => ({ inFlight: 100, waitingCount: 50, waitingMillis: 500 }))
      assert.isFalse(overload.refuses(500))
      // The event loop is looked at many times within the window.
      yield* Effect.repeat(
        Effect.delay(
          Effect.sync(() => overload.refuses(500)),
          "10 millis",
        ),
        { until: (refused) => refused },
      )
      assert.isFalse(overload.refuses(0))
    }).pipe(Effect.provide(waitingNowhereElse)),
  )
})

const submission = (key: string, headers: Readonly<Record<string, string>> = {}) => ({
  method: "POST",
  path: "/v1/images/tasks",
  key,
  headers,
  body: { model: "test-1", prompt: "a cat" },
})

const neverShed = { overload_delay_ms: 600_000, transactions_waiting_max: 1000, rate_burst: 1000 }

/** One submission waits for the stalled disk and one for the writer: with this bound, a third is too many. */
const oneMayWait = { transactions_waiting_max: 1 }

/** The value of a metric without labels. */
const metric = Effect.fnUntraced(function* (name: string) {
  const { call } = yield* Harness
  const { text } = yield* call({ path: "/metrics", key: adminToken })
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1] ?? Number.NaN)
})

const untilWaiting = (count: number | ((waiting: number) => boolean)) =>
  Effect.repeat(metric("atelier_transactions_waiting"), {
    until: typeof count === "number" ? (waiting) => waiting === count : count,
  })

/** Submissions that wait, the first for the disk and the second for the writer. */
const twoWait = Effect.fnUntraced(function* (key: string) {
  const { call } = yield* Harness
  const disk = yield* stalledDisk
  const first = yield* Effect.forkChild(call(submission(key)))
  yield* Effect.repeat(
    Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
    {
      until: () => disk.commits.length === 1,
    },
  )
  const second = yield* Effect.forkChild(call(submission(key)))
  yield* untilWaiting(1)
  return { disk, first, second }
})

describe("contract, Later decisions: 503 overloaded; until then callers take turns", () => {
  it.live("what the store has no room for waits by caller, and callers take turns", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const [many, one] = [yield* newKey({}, "100"), yield* newKey()]
      const disk = yield* stalledDisk
      const submit = (key: string) =>
        Effect.map(call(submission(key)), ({ json, status }) => {
          assert.strictEqual(status, 202)
          return (json as { readonly id: string }).id
        })
      const sent = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 100 }, () => submit(many.key)),
          { concurrency: "unbounded" },
        ),
      )
      yield* untilWaiting((waiting) => waiting >= transactionsMax)
      // All have arrived, and the server has gone on: without room in the store no further one begins.
      yield* Effect.repeat(metric("atelier_http_connections"), { until: (open) => open >= 100 })
      yield* Effect.repeat(call({ path: "/healthz" }), { times: 200 })
      const full = yield* metric("atelier_transactions_waiting")
      const other = yield* Effect.forkChild(submit(one.key))
      yield* Effect.repeat(call({ path: "/v1/models", key: one.key }), { times: 3 })
      // The only one of its caller begins all the same.
      assert.strictEqual(yield* metric("atelier_transactions_waiting"), full + 1)
      yield* disk.recover
      const [ids, id] = [yield* Fiber.join(sent), yield* Fiber.join(other)]
      // Ids are made when a submission begins, and sort by time. Some begin before the first waits for the store.
      assert.isBelow(ids.filter((each) => each < id).length, 25)
    }).pipe(Effect.scoped, Effect.provide(layerWith({ limits: neverShed }))),
  )
})

describe("contract, Later decisions: 503 overloaded", () => {
  it.live("submissions are refused while the disk stalls, reads are answered, and all is well after", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const before = yield* call(submission(key))
      const { disk, first, second } = yield* twoWait(key)
      for (const path of [
        "/v1/images/tasks",
        "/v1/images/generations",
        "/v1/images/quote",
        "/v1/tools/test-tool/files",
        "/v1/tools/test-tool/invoke",
      ]) {
        const refused = yield* call({ ...submission(key), path })
        assert.strictEqual(refused.status, 503, path)
        assert.strictEqual(errorOf(refused).error.code, "overloaded")
        assert.strictEqual(errorOf(refused).error.type, "server_error")
        assert.strictEqual(errorOf(refused).request_id, refused.headers["x-request-id"])
        assert.match(refused.headers["retry-after"] ?? "", /^[1-9]\d*$/)
        assert.strictEqual(refused.headers["x-content-type-options"], "nosniff")
      }
      const { id } = before.json as { readonly id: string }
      for (const path of ["/v1/models", `/v1/tasks/${id}`, "/v1/tasks", "/healthz", "/readyz"]) {
        assert.strictEqual((yield* call({ path, key })).status, 200, path)
      }
      assert.strictEqual(yield* metric("atelier_shed_total"), 5)
      yield* disk.recover
      assert.deepStrictEqual(
        [(yield* Fiber.join(first)).status, (yield* Fiber.join(second)).status],
        [202, 202],
      )
      assert.strictEqual((yield* call(submission(key))).status, 202)
    }).pipe(Effect.scoped, Effect.provide(layerWith({ limits: oneMayWait }))),
  )

  it.live("a queue that stands for the window is refused by its delay alone", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey({}, "100")
      const { disk } = yield* twoWait(key)
      // Those that are not refused yet wait like the first two.
      const refused = yield* Deferred.make<number>()
      const tries = yield* Effect.forkChild(
        Effect.forever(
          Effect.andThen(
            Effect.forkChild(
              Effect.flatMap(call(submission(key)), ({ status }) =>
                status === 202 ? Effect.void : Deferred.succeed(refused, status),
              ),
            ),
            Effect.sleep("20 millis"),
          ),
        ),
      )
      assert.strictEqual(yield* Deferred.await(refused), 503)
      yield* Fiber.interrupt(tries)
      yield* disk.recover
      yield* Effect.repeat(call(submission(key)), { until: ({ status }) => status === 202 })
    }).pipe(
      Effect.scoped,
      Effect.provide(layerWith({ limits: { overload_delay_ms: 20, overload_window_ms: 20 } })),
    ),
  )

  it.live("pages of an allowed origin may read the refusal, and its Retry-After", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const { disk } = yield* twoWait(key)
      const { status, headers } = yield* call(submission(key, { origin: "https://app.example.com" }))
      assert.deepStrictEqual(
        [status, headers["access-control-allow-origin"]],
        [503, "https://app.example.com"],
      )
      assert.include(headers["access-control-expose-headers"] ?? "", "retry-after")
      const other = yield* call(submission(key, { origin: "https://evil.example.com" }))
      assert.deepStrictEqual([other.status, other.headers["access-control-allow-origin"]], [503, undefined])
      yield* disk.recover
    }).pipe(
      Effect.scoped,
      Effect.provide(layerWith({ limits: oneMayWait, corsOrigins: ["https://app.example.com"] })),
    ),
  )

  it.live("nothing is recorded under the idempotency key of what was refused", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const { disk, first, second } = yield* twoWait(key)
      const again = submission(key, { "idempotency-key": "order-1" })
      assert.strictEqual((yield* call(again)).status, 503)
      yield* disk.recover
      yield* Fiber.joinAll([first, second])
      const accepted = yield* call(again)
      assert.deepStrictEqual([accepted.status, accepted.headers["idempotency-replayed"]], [202, undefined])
    }).pipe(Effect.scoped, Effect.provide(layerWith({ limits: oneMayWait }))),
  )

  it.live("no body is waited for: a large one ends its connection, a small one does not", () =>
    Effect.gen(function* () {
      const { newKey, port } = yield* Harness
      const { key } = yield* newKey()
      const { disk } = yield* twoWait(key)
      const answerTo = (headers: string) =>
        Effect.callback<string>((resume) => {
          const socket = connect(port, "127.0.0.1", () =>
            socket.write(`POST /v1/images/tasks HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`),
          )
          socket.once("data", (text) => {
            socket.destroy()
            resume(Effect.succeed(text.toString()))
          })
        })
      for (const unread of [
        "Content-Length: 200000",
        "Transfer-Encoding: chunked",
        "Content-Length: 9\r\nExpect: 100-continue",
      ]) {
        const text = yield* answerTo(unread)
        assert.match(text, /^HTTP\/1.1 503 [\s\S]*connection: close[\s\S]*"code":"overloaded"/i)
      }
      assert.match(yield* answerTo("Content-Length: 9"), /^HTTP\/1.1 503 [\s\S]*connection: keep-alive/i)
      yield* disk.recover
    }).pipe(Effect.scoped, Effect.provide(layerWith({ limits: oneMayWait }))),
  )

  it.live("nothing is done for a caller who left while waiting", () =>
    Effect.gen(function* () {
      const { call, newKey, port } = yield* Harness
      const { key } = yield* newKey()
      const { disk, first, second } = yield* twoWait(key)
      const left = request({
        host: "127.0.0.1",
        port,
        method: "POST",
        path: "/v1/images/tasks",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      })
      left.on("error", () => {})
      left.end(JSON.stringify(submission(key).body))
      yield* untilWaiting(2)
      left.destroy()
      yield* untilWaiting(1)
      yield* disk.recover
      yield* Fiber.joinAll([first, second])
      const { json } = yield* call({ path: "/v1/tasks", key })
      assert.strictEqual((json as { readonly data: ReadonlyArray<unknown> }).data.length, 2)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        layerWith({ limits: { transactions_waiting_max: defaultLimits.transactions_waiting_max } }),
      ),
    ),
  )
})
