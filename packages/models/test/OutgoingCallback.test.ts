import { Callback } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import * as OutgoingCallback from "../src/OutgoingCallback.ts"
import { bytes, cutAfterHeaders, cutBeforeHeaders, held, makeVendor, silence } from "../src/testing/vendor.ts"
import { clientLayer } from "./http/support.ts"
import { makeSecureVendor } from "./support/secureVendor.ts"

const use = <E>(
  run: Effect.Effect<void, E, Callback | Scope.Scope>,
  options: Parameters<typeof clientLayer>[0] = {},
) =>
  Effect.provide(
    Effect.scoped(run),
    OutgoingCallback.layer.pipe(
      Layer.provide(clientLayer({ resolve: async () => ["127.0.0.1"], ...options })),
    ),
  )

const body = JSON.stringify({ type: "image.task.completed", data: { prompt: "Fenêtre 🪟" } })
const headers = { "content-type": "application/json", "webhook-id": "evt_1" }
const post = (url: string) => Effect.flatMap(Callback, (callback) => callback.post(url, headers, body))

const redirect =
  (status: number, location: string) =>
  ({ response }: { response: import("node:http").ServerResponse }) =>
    void response.writeHead(status, { location }).end()

describe("contract, Waiting: one POST to a customer's server", () => {
  it.effect("answers the status, whatever it is; headers and body arrive byte for byte", () =>
    use(
      Effect.gen(function* () {
        const vendor = yield* makeSecureVendor
        for (const status of [200, 204, 301, 404, 500]) {
          vendor.on("POST", "/hook", ({ response }) => void response.writeHead(status).end())
          assert.strictEqual(yield* post(`${vendor.url}/hook`), status)
        }
        const [first] = vendor.requests
        assert.strictEqual(first?.body.toString(), body)
        assert.strictEqual(first?.headers["content-type"], "application/json")
        assert.strictEqual(first?.headers["webhook-id"], "evt_1")
      }),
    ),
  )

  it.effect("a status is an answer, though its body is cut, huge or never ends", () =>
    use(
      Effect.gen(function* () {
        const vendor = yield* makeSecureVendor
        vendor.on("POST", "/cut", cutAfterHeaders)
        vendor.on("POST", "/huge", bytes(Buffer.alloc(1e6)))
        const begun = Promise.withResolvers<void>()
        vendor.on("POST", "/endless", ({ response }) => {
          response.writeHead(202).write("x", () => begun.resolve())
        })
        assert.strictEqual(yield* post(`${vendor.url}/cut`), 200)
        assert.strictEqual(yield* post(`${vendor.url}/huge`), 200)
        const fiber = yield* Effect.forkChild(post(`${vendor.url}/endless`))
        yield* Effect.promise(() => begun.promise)
        while (fiber.pollUnsafe() === undefined) {
          yield* TestClock.adjust("1 second")
          yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
        }
        assert.strictEqual(yield* Fiber.join(fiber), 202)
      }),
    ),
  )

  it.effect("no answer: the connection is cut, or 15 seconds pass", () =>
    use(
      Effect.gen(function* () {
        const vendor = yield* makeSecureVendor
        vendor.on("POST", "/cut", cutBeforeHeaders)
        assert.match((yield* Effect.flip(post(`${vendor.url}/cut`))).message, /cut before a response/)
        const mute = held(silence)
        vendor.on("POST", "/mute", mute.reply)
        const fiber = yield* Effect.forkChild(Effect.flip(post(`${vendor.url}/mute`)))
        yield* Effect.promise(() => mute.waiting)
        yield* TestClock.adjust("14 seconds")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.match((yield* Fiber.join(fiber)).message, /no response in time/)
      }),
    ),
  )

  it.effect(
    "follows 307 and 308 with the same body, three times at most; other redirects are the answer",
    () =>
      use(
        Effect.gen(function* () {
          const vendor = yield* makeSecureVendor
          vendor.on("POST", "/a", redirect(307, "/b"))
          vendor.on("POST", "/b", redirect(308, "/hook"))
          vendor.on("POST", "/c", redirect(302, "/hook"))
          vendor.on("POST", "/loop", redirect(307, "/loop"))
          vendor.on("POST", "/hook", bytes("ok", "text/plain"))
          assert.strictEqual(yield* post(`${vendor.url}/a`), 200)
          assert.strictEqual(vendor.asked("POST", "/hook")[0]?.body.toString(), body)
          assert.strictEqual(yield* post(`${vendor.url}/c`), 302)
          assert.match((yield* Effect.flip(post(`${vendor.url}/loop`))).message, /more than 3 redirects/)
          assert.strictEqual(vendor.asked("POST", "/loop").length, 4)
        }),
      ),
  )

  it.effect("never without TLS, nor to a private address: not at once, by DNS or by a redirect", () =>
    use(
      Effect.gen(function* () {
        const vendor = yield* makeSecureVendor
        const port = new URL(vendor.url).port
        vendor.on("POST", "/metadata", redirect(307, "https://169.254.169.254/latest"))
        vendor.on("POST", "/inside", redirect(307, "https://inside.example/"))
        vendor.on("POST", "/plain", redirect(307, `http://upstream.test:${port}/hook`))
        const refused = (url: string) => Effect.map(Effect.flip(post(url)), ({ message }) => message)
        assert.match(yield* refused(`http://upstream.test:${port}/hook`), /not an https URL/)
        assert.match(yield* refused("https://10.0.0.1/hook"), /not at a public address/)
        assert.match(yield* refused("https://inside.example/hook"), /not public|public address/)
        assert.match(yield* refused(`${vendor.url}/metadata`), /not at a public address/)
        assert.match(yield* refused(`${vendor.url}/inside`), /public/)
        assert.match(yield* refused(`${vendor.url}/plain`), /from https to http/)
        assert.strictEqual(vendor.requests.length, 3)
      }),
      { resolve: async (name) => (name === "inside.example" ? ["10.0.0.1"] : ["127.0.0.1"]) },
    ),
  )
})

describe("a server to try things with delivers to its own machine", () => {
  const toOwnMachine = (run: Effect.Effect<void, unknown, Callback | Scope.Scope>) =>
    Effect.provide(
      Effect.scoped(run),
      OutgoingCallback.layerWithLoopback.pipe(
        Layer.provide([
          clientLayer({ allowPrivate: [], resolve: async () => ["127.0.0.1"] }),
          layerWebCrypto,
        ]),
      ),
    )

  it.effect("where the address names it, over HTTP too; not by a redirect, and not by DNS", () =>
    toOwnMachine(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        const port = new URL(vendor.url).port
        vendor.on("POST", "/hook", bytes("ok", "text/plain"))
        vendor.on("POST", "/moved", redirect(307, "/hook"))
        assert.strictEqual(yield* post(`http://127.0.0.1:${port}/hook`), 200)
        assert.strictEqual(yield* post(`http://localhost:${port}/hook`), 200)
        const refused = (url: string) => Effect.map(Effect.flip(post(url)), ({ message }) => message)
        assert.strictEqual(yield* post(`http://127.0.0.1:${port}/moved`), 307)
        assert.match(yield* refused(`http://customer.example:${port}/hook`), /not an https URL/)
        assert.match(yield* refused(`https://customer.example:${port}/hook`), /not at a public address/)
        assert.match(yield* refused("https://10.0.0.1/hook"), /not at a public address/)
        assert.strictEqual(vendor.asked("POST", "/hook").length, 2)
      }),
    ),
  )
})
