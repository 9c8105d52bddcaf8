import { Callbacks, KeyStore } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import * as OpenAiImages from "../../src/adapters/OpenAiImages.ts"
import { bytes, cutBeforeHeaders, htmlError, json, makeVendor } from "../../src/testing/vendor.ts"
import { sampleBytes } from "../http/samples.ts"
import { appWith, customer, runAll, submit } from "../support/app.ts"
import { makeSecureVendor } from "../support/secureVendor.ts"

describe("contract, Waiting: callbacks, from the vendor's answer to the customer's server", () => {
  it.effect("posted until it is answered 2xx; every post is one that the reference library accepts", () =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      const receiver = yield* makeSecureVendor
      const b64Json = Buffer.from(sampleBytes("png")).toString("base64")
      vendor.on("POST", "/v1/images/generations", json({ data: [{ b64_json: b64Json }] }))
      receiver.on("POST", "/hook", htmlError(500), cutBeforeHeaders, bytes("ok", "text/plain"))
      yield* Effect.gen(function* () {
        // The library holds the signed time to this machine's clock.
        yield* TestClock.setTime(Date.now())
        const principal = yield* customer()
        const task = yield* submit(principal, { callback_url: `${receiver.url}/hook` })
        yield* runAll
        const keys = yield* KeyStore
        const { webhookSecret } = Option.getOrThrow(yield* keys.getKey(principal.key.id))
        const webhook = new Webhook(webhookSecret)
        const events = receiver.requests.map(({ body, headers }) =>
          webhook.verify(
            body,
            Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
          ),
        )
        assert.strictEqual(events.length, 3)
        for (const event of events) {
          assert.deepInclude(event, { type: "image.task.completed" })
          assert.deepInclude(Object(event).data, { id: task.id, state: "completed" })
        }
        assert.strictEqual(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size, 1)
        const [first] = receiver.requests
        const forged = Buffer.from(String(first?.body).replace("completed", "failed"))
        assert.throws(() =>
          webhook.verify(forged, {
            "webhook-id": String(first?.headers["webhook-id"]),
            "webhook-timestamp": String(first?.headers["webhook-timestamp"]),
            "webhook-signature": String(first?.headers["webhook-signature"]),
          }),
        )
        const callbacks = yield* Callbacks
        const delivery = Option.getOrThrow(yield* callbacks.get(principal, task.id))
        assert.deepStrictEqual(
          [delivery.state, ...delivery.attempts.map(({ status }) => status)],
          ["delivered", 500, null, 200],
        )
        assert.strictEqual(vendor.requests.length, 1)
      }).pipe(
        Effect.provide(
          appWith((settings) => [{ channel: OpenAiImages.make(settings(vendor)), models: ["gen-image-2"] }], {
            resolve: async () => ["127.0.0.1"],
          }),
        ),
      )
    }),
  )
})
