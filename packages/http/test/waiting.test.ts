import { request } from "node:http"
import { type ImageTask, TaskStore, Tasks, Transaction, Transitions } from "@atelier/core"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { form, Harness, layerWith } from "./harness.ts"

interface Shown {
  readonly queue?: { readonly position: number | null; readonly estimated_seconds: number | null }
}

const submitted = Effect.fnUntraced(function* (key: string, model = "test-1", headers = {}) {
  const { call } = yield* Harness
  const answer = yield* call({
    method: "POST",
    path: "/v1/images/tasks",
    key,
    headers,
    body: { model, prompt: "a cat" },
  })
  const task = yield* (yield* Tasks).getAny((answer.json as { readonly task_id: string }).task_id)
  return task as ImageTask
})

const seen = Effect.fnUntraced(function* (id: string, key: string, query = "") {
  const { call } = yield* Harness
  const { headers, json } = yield* call({ path: `/v1/tasks/${id}${query}`, key })
  return { queue: (json as Shown).queue, retryAfter: headers["retry-after"], etag: headers["etag"] }
})

const started = Effect.fnUntraced(function* (task: ImageTask) {
  const transitions = yield* Transitions
  return yield* (yield* Transaction).run(transitions.apply(task, "start"))
})

/** A task that ran for so long and has ended. */
const ran = Effect.fnUntraced(function* (key: string, seconds: number, model = "test-1") {
  const store = yield* TaskStore
  const transitions = yield* Transitions
  const begun = yield* started(yield* submitted(key, model))
  const result = { assets: [], jobId: null, text: "words", seed: null }
  const done = yield* (yield* Transaction).run(transitions.apply(begun, "finish", { result }))
  const startedAt = (done.finishedAt ?? 0) - seconds * 1000
  yield* store.update({ ...done, startedAt, version: done.version + 1 }, done.version)
})

/** Begins to run the task, as if it had begun some seconds ago. */
const running = Effect.fnUntraced(function* (key: string, seconds: number, model = "test-1") {
  const store = yield* TaskStore
  const begun = yield* started(yield* submitted(key, model))
  yield* store.update(
    { ...begun, startedAt: Date.now() - seconds * 1000, version: begun.version + 1 },
    begun.version,
  )
  return begun.id
})

/** What the task's first events tell of its place; `onFirst` runs after the first of them. */
const placesTold = Effect.fnUntraced(function* (id: string, key: string, count: number, onFirst = () => {}) {
  const { port } = yield* Harness
  return yield* Effect.callback<ReadonlyArray<Shown["queue"]>>((resume) => {
    const headers = { authorization: `Bearer ${key}` }
    const sent = request({ port, path: `/v1/tasks/${id}/events`, headers, agent: false }, (response) => {
      let text = ""
      let isFirst = true
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString()
        const events = Array.from(
          text.matchAll(/data: (.*)\n\n/g),
          ([, data]) => JSON.parse(data ?? "") as Shown,
        )
        if (events.length > 0 && isFirst) onFirst()
        isFirst &&= events.length === 0
        if (events.length < count) return
        sent.destroy()
        resume(Effect.succeed(events.map(({ queue }) => queue)))
      })
      response.on("error", () => {})
    })
    sent.end()
  })
})

layer(layerWith(), { excludeTestServices: true })("waiting where nothing has run yet", (it) => {
  it.effect("contract, Waiting: a queued task says where it stands, without an estimate", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const tasks = [yield* submitted(key), yield* submitted(key), yield* submitted(key)]
      for (const [index, { id }] of tasks.entries()) {
        const expected = { position: index + 1, estimated_seconds: null }
        assert.deepStrictEqual(yield* seen(id, key), { queue: expected, retryAfter: "2", etag: undefined })
        assert.deepStrictEqual(yield* placesTold(id, key, 1), [expected])
      }
      const list = (yield* call({ path: "/v1/tasks", key })).json as { readonly data: ReadonlyArray<Shown> }
      assert.deepStrictEqual(
        list.data.map(({ queue }) => queue),
        [undefined, undefined, undefined],
      )
    }),
  )

  it.effect("contract, Waiting: a task that is found by its idempotency key says where it stands", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const headers = { "idempotency-key": "order-1" }
      const { id } = yield* submitted(key, "test-1", headers)
      const find = call({ path: "/v1/tasks?idempotency_key=order-1", key })
      assert.deepStrictEqual(((yield* find).json as Shown).queue, (yield* seen(id, key)).queue)
      yield* (yield* Tasks).cancelQueued(id)
      assert.isUndefined(((yield* find).json as Shown).queue)
    }),
  )

  it.effect("contract, Waiting: an event tells a queued task's new place", () =>
    Effect.gen(function* () {
      const { newKey } = yield* Harness
      const tasks = yield* Tasks
      const { key } = yield* newKey()
      const [first, second] = [yield* submitted(key), yield* submitted(key)]
      const moved = yield* Deferred.make<void>()
      const told = yield* Effect.forkChild(
        placesTold(second.id, key, 2, () => Deferred.doneUnsafe(moved, Effect.void)),
      )
      yield* Deferred.await(moved)
      yield* tasks.cancelQueued(first.id)
      const [before, after] = yield* Fiber.join(told)
      assert.isBelow(after?.position ?? Infinity, before?.position ?? 0)
    }),
  )

  it.effect("contract, Waiting: a document's task says it too", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const file = form([{ name: "file", filename: "a.txt", content: "words" }])
      const upload = yield* call({ method: "POST", path: "/v1/tools/test-tool/files", key, ...file })
      const { id } = upload.json as { readonly id: string }
      const invoked = yield* call({
        method: "POST",
        path: "/v1/tools/test-tool/invoke",
        key,
        headers: { "idempotency-key": id },
        body: { input: { file_id: id } },
      })
      const { task_id } = invoked.json as { readonly task_id: string }
      assert.deepStrictEqual((yield* seen(task_id, key)).queue, { position: 1, estimated_seconds: null })
    }),
  )
})

layer(layerWith(), { excludeTestServices: true })("waiting after others have run", (it) => {
  it.effect("contract, Waiting: estimates follow from what ran lately", () =>
    Effect.gen(function* () {
      const { newKey } = yield* Harness
      const { key } = yield* newKey()
      for (const seconds of [2, 4, 12]) yield* ran(key, seconds)
      for (const seconds of [100, 120]) yield* ran(key, seconds, "test-2")
      const [first, second] = [yield* submitted(key), yield* submitted(key)]
      // The mean of all five runs is 47.6 s: this one waits for no less.
      const queue = { position: 1, estimated_seconds: 48 }
      assert.deepStrictEqual(yield* seen(first.id, key), { queue, retryAfter: "30", etag: undefined })
      assert.deepStrictEqual((yield* seen(second.id, key)).queue, { position: 2, estimated_seconds: 96 })
      // Of the same model's runs those count that took longer than it has taken so far.
      assert.deepStrictEqual(yield* seen(yield* running(key, 9.5), key), {
        queue: undefined,
        retryAfter: "3",
        etag: undefined,
      })
      assert.strictEqual((yield* seen(yield* running(key, 99.5), key)).retryAfter, "10")
      assert.strictEqual((yield* seen(yield* running(key, 0, "test-2"), key)).retryAfter, "30")
      assert.strictEqual((yield* seen(yield* running(key, 119.5, "test-2"), key)).retryAfter, "1")
    }),
  )

  it.effect("contract, Waiting: who waited, or has the final task, is not told to come back later", () =>
    Effect.gen(function* () {
      const { newKey } = yield* Harness
      const { key } = yield* newKey()
      const task = yield* submitted(key)
      const waited = yield* seen(task.id, key, "?wait=0.01")
      assert.isDefined(waited.queue)
      assert.isUndefined(waited.retryAfter)
      const transitions = yield* Transitions
      const error = { code: "canceled", message: "no" }
      yield* (yield* Transaction).run(transitions.apply(task, "cancel", { error }))
      const final = yield* seen(task.id, key)
      assert.isUndefined(final.queue)
      assert.isUndefined(final.retryAfter)
      assert.isDefined(final.etag)
    }),
  )
})
