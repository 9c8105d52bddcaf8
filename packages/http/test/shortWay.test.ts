import { WireTask } from "@atelier/api"
import { Admin, type ImageTask, Tasks, type ToolTask, Transaction, Transitions } from "@atelier/core"
import { FailAt } from "@atelier/core/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type Answer, errorOf, form, Harness, layerWith } from "./harness.ts"

const submitImage = Effect.fnUntraced(function* (key: string) {
  const { call } = yield* Harness
  const body = { model: "test-1", prompt: "a cat" }
  const answer = yield* call({ method: "POST", path: "/v1/images/tasks", key, body })
  const task = yield* (yield* Tasks).getAny((answer.json as { readonly task_id: string }).task_id)
  return task as ImageTask
})

const submitDocument = Effect.fnUntraced(function* (key: string) {
  const { call } = yield* Harness
  const file = form([{ name: "file", filename: "a.txt", content: "words" }])
  const upload = yield* call({ method: "POST", path: "/v1/tools/test-tool/files", key, ...file })
  const { id } = upload.json as { readonly id: string }
  const answer = yield* call({
    method: "POST",
    path: "/v1/tools/test-tool/invoke",
    key,
    headers: { "idempotency-key": id },
    body: { input: { file_id: id } },
  })
  const task = yield* (yield* Tasks).getAny((answer.json as { readonly task_id: string }).task_id)
  return task as ToolTask
})

const finish = Effect.fnUntraced(function* (task: ImageTask) {
  const transitions = yield* Transitions
  const { run } = yield* Transaction
  const asset = {
    blob: null,
    url: "https://example.com/ö.png",
    contentType: null,
    width: 8,
    height: 9,
    bytes: null,
  }
  const result = { assets: [asset], jobId: null, text: "“ö” 🌊", seed: 7 }
  const started = yield* run(transitions.apply(task, "start"))
  return yield* run(transitions.apply(started, "finish", { result, progress: 100 }))
})

/** What must not differ: everything but the request's id and what is left of the rate. */
const alike = ({ status, headers, text, json }: Answer) => {
  const { "x-request-id": _id, ratelimit: _rate, date: _date, ...rest } = headers
  return { status, headers: rest, body: text.replace(/req_[0-9a-z]{26}/, ""), json: typeof json }
}

/** The same request by the short way and through the contract's endpoint, which ignores an unknown parameter. */
const bothWays = Effect.fnUntraced(function* (id: string, key: string | undefined, headers = {}) {
  const { call } = yield* Harness
  const short = yield* call({ path: `/v1/tasks/${id}`, key, headers })
  const whole = yield* call({ path: `/v1/tasks/${id}?unknown=1`, key, headers })
  assert.deepStrictEqual(alike(short), alike(whole))
  return short
})

layer(layerWith(), { excludeTestServices: true })(
  "GET /v1/tasks/{id}: the short way and the endpoint",
  (it) => {
    it.effect("answer the same, as the contract has it", () =>
      Effect.gen(function* () {
        const { newKey } = yield* Harness
        const { key } = yield* newKey()
        const queued = yield* submitImage(key)
        const answers = [
          yield* bothWays(queued.id, key),
          yield* bothWays((yield* finish(queued)).id, key),
          yield* bothWays((yield* submitDocument(key)).id, key),
        ]
        for (const answer of answers) {
          assert.strictEqual(answer.status, 200)
          Schema.decodeUnknownSync(WireTask, { onExcessProperty: "error" })(answer.json)
        }
      }),
    )

    it.effect("refuse the same", () =>
      Effect.gen(function* () {
        const { newKey } = yield* Harness
        const admin = yield* Admin
        const [one, other] = [yield* newKey(), yield* newKey()]
        const task = yield* finish(yield* submitImage(one.key))
        yield* bothWays(task.id, one.key)
        const expect = (answer: Answer, status: number, code: string) => {
          assert.strictEqual(answer.status, status)
          assert.strictEqual(errorOf(answer).error.code, code)
        }
        expect(yield* bothWays(task.id, other.key), 404, "task_not_found")
        expect(yield* bothWays("imgtask_none", one.key), 404, "task_not_found")
        expect(yield* bothWays("%", one.key), 404, "not_found")
        expect(yield* bothWays(task.id, undefined), 401, "invalid_api_key")
        expect(yield* bothWays(task.id, "sk-atl-wrong"), 401, "invalid_api_key")
        yield* admin.updateKey(one.keyId, { ipAllowlist: ["192.0.2.1"] })
        expect(yield* bothWays(task.id, one.key), 403, "ip_not_allowed")
        yield* admin.updateKey(one.keyId, { ipAllowlist: [], expiresAt: 1 })
        expect(yield* bothWays(task.id, one.key), 401, "api_key_expired")
        yield* admin.updateKey(one.keyId, { expiresAt: null, disabled: true })
        expect(yield* bothWays(task.id, one.key), 401, "api_key_disabled")
        yield* admin.updateKey(one.keyId, { disabled: false })
        yield* admin.setUserDisabled(one.userId, true)
        expect(yield* bothWays(task.id, one.key), 403, "account_disabled")
        yield* admin.setUserDisabled(one.userId, false)
        const { secret } = yield* admin.rotateKey(one.keyId, 0)
        expect(yield* bothWays(task.id, one.key), 401, "invalid_api_key")
        assert.strictEqual((yield* bothWays(task.id, secret)).status, 200)
      }),
    )

    it.effect("contract, Limits and rates: every request counts", () =>
      Effect.gen(function* () {
        const { call, newKey } = yield* Harness
        const { key, keyId } = yield* newKey()
        const task = yield* finish(yield* submitImage(key))
        yield* (yield* Admin).updateKey(keyId, { ratePerMinute: 5 })
        const path = `/v1/tasks/${task.id}`
        const left = yield* Effect.forEach([1, 2, 3], () => call({ path, key }))
        const statuses = left.map(({ status }) => status)
        assert.strictEqual(statuses[0], 200)
        assert.strictEqual(statuses.at(-1), 429)
        assert.strictEqual(left[0]?.headers["ratelimit-policy"], '"key";q=5;w=60')
      }),
    )

    it.effect("contract, Later decisions: a final task has an ETag, and 304 answers who holds it", () =>
      Effect.gen(function* () {
        const { newKey } = yield* Harness
        const { key } = yield* newKey()
        const task = yield* submitImage(key)
        assert.isUndefined((yield* bothWays(task.id, key)).headers["etag"])
        yield* finish(task)
        const first = yield* bothWays(task.id, key)
        const { etag = "" } = first.headers
        assert.match(etag, /^"[0-9a-f]{32}"$/)
        assert.strictEqual(first.headers["cache-control"], "private, no-cache")
        for (const held of [etag, `W/${etag}`, `"another", ${etag}`, "*"]) {
          const again = yield* bothWays(task.id, key, { "if-none-match": held })
          assert.strictEqual(again.status, 304)
          assert.strictEqual(again.text, "")
          assert.strictEqual(again.headers["etag"], etag)
        }
        assert.strictEqual((yield* bothWays(task.id, key, { "if-none-match": '"another"' })).status, 200)
      }),
    )

    it.effect("a final task is read of storage once, and one that is not, every time", () =>
      Effect.gen(function* () {
        const { call, newKey } = yield* Harness
        const failAt = yield* FailAt
        const { key } = yield* newKey()
        const task = yield* submitImage(key)
        const reads = Effect.fnUntraced(function* () {
          yield* failAt.arm(Number.POSITIVE_INFINITY, "fail")
          yield* call({ path: `/v1/tasks/${task.id}`, key })
          return (yield* failAt.disarm).calls.filter((name) => name === "TaskStore.get").length
        })
        assert.deepStrictEqual([yield* reads(), yield* reads()], [1, 1])
        yield* finish(task)
        assert.deepStrictEqual([yield* reads(), yield* reads(), yield* reads()], [1, 0, 0])
      }),
    )

    it.effect(
      "document-tools 5.5: a final task of a tool that the key lost is refused, and given again with it",
      () =>
        Effect.gen(function* () {
          const { newKey } = yield* Harness
          const admin = yield* Admin
          const { key, keyId } = yield* newKey()
          const task = yield* submitDocument(key)
          yield* (yield* Tasks).cancelQueued(task.id)
          assert.strictEqual((yield* bothWays(task.id, key)).status, 200)
          yield* admin.updateKey(keyId, { tools: ["other-tool"] })
          const refused = yield* bothWays(task.id, key)
          assert.strictEqual(refused.status, 403)
          assert.strictEqual(errorOf(refused).error.code, "tool_not_allowed")
          yield* admin.updateKey(keyId, { tools: ["test-tool"] })
          assert.strictEqual((yield* bothWays(task.id, key)).status, 200)
        }),
    )

    it.effect("a result that was purged changes nothing of its task's answer", () =>
      Effect.gen(function* () {
        const { newKey } = yield* Harness
        const transitions = yield* Transitions
        const { run } = yield* Transaction
        const { key } = yield* newKey()
        const task = yield* submitDocument(key)
        const final = yield* (yield* Tasks).cancelQueued(task.id)
        const before = yield* bothWays(task.id, key)
        yield* run(transitions.amend(final as ToolTask, { purged: true, results: [] }))
        const after = yield* bothWays(task.id, key)
        assert.strictEqual(after.text, before.text)
      }),
    )
  },
)

layer(layerWith({ limits: { final_tasks_bytes_max: 1 } }), { excludeTestServices: true })(
  "GET /v1/tasks/{id} where nothing is kept",
  (it) => {
    it.effect("answers all the same", () =>
      Effect.gen(function* () {
        const { newKey } = yield* Harness
        const { key } = yield* newKey()
        const task = yield* finish(yield* submitImage(key))
        const first = yield* bothWays(task.id, key)
        assert.strictEqual((yield* bothWays(task.id, key)).headers["etag"], first.headers["etag"])
      }),
    )
  },
)
