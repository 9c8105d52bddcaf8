import { createHmac } from "node:crypto"
import {
  Admin,
  AdminTasks,
  CallbackFailed,
  Callbacks,
  ImageTasks,
  KeyStore,
  makeSecretBox,
  type Principal,
  Queue,
  SecretBox,
  SettingsStore,
  Tasks,
  UpstreamError,
} from "@atelier/core"
import { beginJobs, RunJob } from "@atelier/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { freshAtelier, principalWith, TestScript } from "../support/atelier.ts"

const app = RunJob.layer.pipe(Layer.provideMerge(freshAtelier))

interface Post {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** A receiver that gives these answers one after another, the last one forever; null: no answer. */
const receiver = Effect.fnUntraced(function* (...statuses: ReadonlyArray<number | null>) {
  const script = yield* TestScript
  const posts: Array<Post> = []
  script.post = (url, headers, body) =>
    Effect.suspend(() => {
      const status = statuses[Math.min(posts.length, statuses.length - 1)]
      posts.push({ url, headers, body })
      return status === null || status === undefined
        ? Effect.fail(new CallbackFailed({ message: "no answer" }))
        : Effect.succeed(status)
    })
  return posts
})

/** What Standard Webhooks says that a secret makes of a post. */
const signatureOf = ({ headers, body }: Post, secret: string): string => {
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
  const mac = createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
  return `v1,${mac.update(signed).digest("base64")}`
}

const sealing = Layer.effect(SecretBox, makeSecretBox([Redacted.make(new Uint8Array(32).fill(7))])).pipe(
  Layer.provide(SecureRandom.layerWebCrypto),
)

const submit = (principal: Principal, callbackUrl = "https://example.org/hook") =>
  Effect.flatMap(ImageTasks, (images) =>
    Effect.map(
      images.submit({
        principal,
        body: { model: "test-model", prompt: "a", callback_url: callbackUrl },
        idempotencyKey: null,
      }),
      ({ value }) => value,
    ),
  )

const runDue = Effect.gen(function* () {
  const queue = yield* Queue
  for (const kind of ["image", "callback"] as const) {
    yield* Effect.forEach(yield* beginJobs(queue, kind, 10), ({ run }) => run, { discard: true })
  }
})

const deliveryOf = (principal: Principal, taskId: string) =>
  Effect.flatMap(Callbacks, (callbacks) => Effect.map(callbacks.get(principal, taskId), Option.getOrThrow))

describe("contract, Waiting: callbacks", () => {
  it.effect("one POST for the final state, signed by Standard Webhooks with the key's secret", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const posts = yield* receiver(204)
      const task = yield* submit(principal)
      yield* runDue
      yield* TestClock.adjust("1 day")
      yield* runDue
      assert.strictEqual(posts.length, 1)
      const [{ url, headers, body }] = posts as [Post]
      assert.strictEqual(url, "https://example.org/hook")
      const event = JSON.parse(body)
      assert.deepStrictEqual([event.type, event.data.id], ["image.task.completed", task.id])
      assert.isTrue(Number.isInteger(event.timestamp))
      const keys = yield* KeyStore
      const secret = Option.getOrThrow(yield* keys.getKey(principal.key.id)).webhookSecret
      assert.match(secret, /^whsec_/)
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
      const mac = createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
        .update(signed)
        .digest("base64")
      assert.strictEqual(headers["webhook-signature"], `v1,${mac}`)
      assert.match(headers["webhook-id"] ?? "", /^evt_/)
      assert.strictEqual((yield* deliveryOf(principal, task.id)).state, "delivered")
    }).pipe(Effect.provide(app)),
  )

  it.effect(
    "contract, Admin credentials: for the overlap of a rotation both secrets sign, after it the new one",
    () =>
      Effect.gen(function* () {
        const admin = yield* Admin
        const keys = yield* KeyStore
        const principal = yield* principalWith("1")
        const { id } = principal.key
        const old = Option.getOrThrow(yield* keys.getKey(id)).webhookSecret
        const posts = yield* receiver(500)
        const { secret: present } = yield* admin.rotateWebhookSecret(id, 60_000)
        yield* submit(principal)
        yield* runDue
        yield* TestClock.adjust("59 seconds")
        yield* runDue
        yield* TestClock.adjust("1 minute")
        yield* runDue
        const used = posts.map((post) =>
          (post.headers["webhook-signature"] ?? "")
            .split(" ")
            .map((signature) => [old, present].find((secret) => signature === signatureOf(post, secret))),
        )
        assert.deepStrictEqual(used, [[present, old], [present, old], [present]])
      }).pipe(Effect.provide(app)),
  )

  it.effect("a webhook secret that is encrypted in the database signs as it is", () =>
    Effect.gen(function* () {
      const admin = yield* Admin
      const keys = yield* KeyStore
      const principal = yield* principalWith("1")
      const { secret } = yield* admin.rotateWebhookSecret(principal.key.id, 0)
      const stored = Option.getOrThrow(yield* keys.getKey(principal.key.id)).webhookSecret
      assert.match(stored, /^sealed:1:/)
      assert.notInclude(stored, secret.slice(6))
      const posts = yield* receiver(204)
      yield* submit(principal)
      yield* runDue
      const [post] = posts as [Post]
      assert.strictEqual(post.headers["webhook-signature"], signatureOf(post, secret))
    }).pipe(Effect.provide(app), Effect.provide(sealing)),
  )

  it.effect("a webhook secret that cannot be read is an attempt that failed, and nothing is sent", () =>
    Effect.gen(function* () {
      const keys = yield* KeyStore
      const principal = yield* principalWith("1")
      const key = Option.getOrThrow(yield* keys.getKey(principal.key.id))
      yield* keys.updateKey({ ...key, webhookSecret: "sealed:1:0123456789abcdef:AAAA" })
      const posts = yield* receiver(204)
      const task = yield* submit(principal)
      yield* runDue
      assert.strictEqual(posts.length, 0)
      const { attempts, state } = yield* deliveryOf(principal, task.id)
      assert.strictEqual(state, "pending")
      assert.strictEqual(attempts[0]?.error, "The webhook secret cannot be read.")
    }).pipe(Effect.provide(app)),
  )

  it.effect("a failed and a canceled task are told of too", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const posts = yield* receiver(200)
      const script = yield* TestScript
      const tasks = yield* Tasks
      yield* tasks.cancel(principal, (yield* submit(principal)).id)
      script.generate = () => Effect.fail(new UpstreamError({ reason: "rejected", message: "no" }))
      yield* submit(principal)
      yield* runDue
      yield* runDue
      const told = posts.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data.error.code])
      assert.sameDeepMembers(told, [
        ["image.task.failed", "canceled"],
        ["image.task.failed", "upstream_rejected"],
      ])
    }).pipe(Effect.provide(app)),
  )

  it.effect(
    "anything but 2xx is tried again with growing delays, under the same id; every attempt is kept",
    () =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const posts = yield* receiver(500, null, 302, 200)
        const task = yield* submit(principal)
        for (const delay of ["0 seconds", "5 seconds", "20 seconds", "80 seconds"] as const) {
          yield* TestClock.adjust(delay)
          yield* runDue
        }
        const delivery = yield* deliveryOf(principal, task.id)
        assert.deepStrictEqual(
          delivery.attempts.map(({ at, status, error }) => [at, status, error]),
          [
            [0, 500, null],
            [5000, null, "no answer"],
            [25_000, 302, null],
            [105_000, 200, null],
          ],
        )
        assert.strictEqual(delivery.state, "delivered")
        assert.strictEqual(new Set(posts.map(({ headers }) => headers["webhook-id"])).size, 1)
        assert.strictEqual(new Set(posts.map(({ body }) => body)).size, 1)
        assert.strictEqual(new Set(posts.map(({ headers }) => headers["webhook-timestamp"])).size, 4)
      }).pipe(Effect.provide(app)),
  )

  it.effect("it is abandoned after 24 hours, and can be requested again", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const callbacks = yield* Callbacks
      const posts = yield* receiver(500)
      const task = yield* submit(principal)
      for (let hours = 0; hours <= 25; hours++) {
        yield* runDue
        yield* TestClock.adjust("1 hour")
      }
      assert.strictEqual((yield* deliveryOf(principal, task.id)).state, "failed")
      const attempts = posts.length
      yield* TestClock.adjust("1 day")
      yield* runDue
      assert.strictEqual(posts.length, attempts)
      assert.strictEqual((yield* callbacks.redeliver(principal, task.id)).state, "pending")
      yield* runDue
      assert.strictEqual(posts.length, attempts + 1)
    }).pipe(Effect.provide(app)),
  )

  it.effect("the newest 20 attempts are kept, and all are counted", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const callbacks = yield* Callbacks
      const posts = yield* receiver(500)
      const task = yield* submit(principal)
      yield* runDue
      for (let asked = 1; asked <= 24; asked++) {
        yield* TestClock.adjust("2 hours")
        yield* callbacks.redeliver(principal, task.id)
        yield* runDue
      }
      const { attempts, attemptsTotal } = yield* deliveryOf(principal, task.id)
      assert.isAbove(posts.length, 20)
      assert.strictEqual(attemptsTotal, posts.length)
      assert.strictEqual(attempts.length, 20)
      assert.strictEqual(attempts.at(-1)?.at, 24 * 2 * 60 * 60 * 1000)
      assert.deepStrictEqual(
        attempts.toSorted((a, b) => a.at - b.at),
        attempts,
      )
    }).pipe(Effect.provide(app)),
  )

  it.effect("an operator's redelivery is in the audit log, without what the address may hold in secret", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const posts = yield* receiver(200)
      const url = "https://example.org/hook/7?token=of-the-customer"
      const task = yield* submit(principal, url)
      yield* runDue
      yield* (yield* AdminTasks).redeliver(task.id)
      yield* runDue
      assert.deepStrictEqual(
        posts.map((post) => post.url),
        [url, url],
      )
      const [entry] = yield* (yield* SettingsStore).listAudit({ action: "task.redeliver", limit: 1 })
      assert.deepInclude(entry, { target: task.id, after: { url: "https://example.org/hook/7" } })
      assert.notInclude(JSON.stringify(entry), "of-the-customer")
    }).pipe(Effect.provide(app)),
  )

  it.effect("a task is redelivered 5 times a minute and 20 times a day, however many ask at once", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const callbacks = yield* Callbacks
      const posts = yield* receiver(500)
      const task = yield* submit(principal)
      yield* runDue
      const ask = Effect.all(
        Array.from({ length: 30 }, () => Effect.result(callbacks.redeliver(principal, task.id))),
        { concurrency: "unbounded" },
      )
      const waits: Array<number | undefined> = []
      for (const minute of [0, 1, 2, 3, 4]) {
        const answers = yield* ask
        const refused = answers.flatMap((answer) => (answer._tag === "Failure" ? [answer.failure] : []))
        assert.strictEqual(30 - refused.length, minute < 4 ? 5 : 0)
        for (const error of refused)
          assert.strictEqual(error._tag === "CoreError" && error.code, "rate_limited")
        const [first] = refused
        waits.push(first?._tag === "CoreError" ? first.retryAfterSeconds : undefined)
        yield* runDue
        yield* TestClock.adjust("1 minute")
      }
      assert.deepStrictEqual(waits, [60, 60, 60, 24 * 60 * 60 - 3 * 60, 24 * 60 * 60 - 4 * 60])
      assert.isAtMost(posts.length, 1 + 20 + 5)
      yield* TestClock.adjust("1 day")
      assert.strictEqual((yield* callbacks.redeliver(principal, task.id)).state, "pending")
    }).pipe(Effect.provide(app)),
  )

  it.effect("an attempt under way while another is asked for is counted too, and decides nothing", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const callbacks = yield* Callbacks
      const script = yield* TestScript
      const task = yield* submit(principal)
      script.post = () => Effect.as(Effect.orDie(callbacks.redeliver(principal, task.id)), 200)
      yield* runDue
      const between = yield* deliveryOf(principal, task.id)
      assert.deepStrictEqual([between.state, between.attemptsTotal], ["pending", 1])
      script.post = () => Effect.succeed(204)
      yield* runDue
      const after = yield* deliveryOf(principal, task.id)
      assert.deepStrictEqual(
        [after.state, after.attempts.map(({ status }) => status)],
        ["delivered", [200, 204]],
      )
    }).pipe(Effect.provide(app)),
  )

  it.effect("a task of another key, and one without a callback, have none to deliver", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const other = yield* principalWith("1")
      const callbacks = yield* Callbacks
      const images = yield* ImageTasks
      const told = yield* submit(principal)
      const foreign = yield* Effect.flip(callbacks.redeliver(other, told.id))
      assert.strictEqual(foreign._tag === "CoreError" && foreign.code, "task_not_found")
      const body = { model: "test-model", prompt: "a" }
      const { value: silent } = yield* images.submit({ principal, body, idempotencyKey: null })
      yield* runDue
      const none = yield* Effect.flip(callbacks.redeliver(principal, silent.id))
      assert.strictEqual(none._tag === "CoreError" && none.code, "not_found")
    }).pipe(Effect.provide(app)),
  )
})
