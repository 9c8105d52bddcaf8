import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { type Answer, adminToken, errorOf, form, Harness, layerWith } from "./harness.ts"

interface Owned {
  readonly request_id: string | null
  readonly task: { readonly id: string }
}

/** What the admin API finds by a request's id. */
const submittedBy = Effect.fnUntraced(function* (requestId: string, more = "") {
  const { call } = yield* Harness
  const path = `/admin/v1/tasks?request_id=${encodeURIComponent(requestId)}${more}`
  const answer = yield* call({ path, key: adminToken })
  assert.strictEqual(answer.status, 200)
  const { data } = answer.json as { readonly data: ReadonlyArray<Owned> }
  return data.map(({ request_id, task }) => [request_id, task.id])
})

const requestIdOf = ({ headers }: Answer): string => headers["x-request-id"] ?? ""
const taskOf = ({ json }: Answer): string => (json as { readonly id: string }).id

const image = (key: string, headers = {}) => ({
  method: "POST",
  path: "/v1/images/tasks",
  key,
  headers,
  body: { model: "test-1", prompt: "a cat" },
})

const historyOf = Effect.fnUntraced(function* (key: string, id: string) {
  const { call } = yield* Harness
  const { json } = yield* call({ path: `/v1/tasks/${id}/history`, key })
  const { data } = json as { readonly data: ReadonlyArray<{ event: string; request_id: string | null }> }
  return data.map(({ event, request_id }) => [event, request_id])
})

layer(layerWith(), { excludeTestServices: true })("contract, Answers: the request of a task", (it) => {
  it.effect("an image task is found by the id that its submission was answered with", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key, userId } = yield* newKey()
      const answer = yield* call(image(key))
      const found = [[requestIdOf(answer), taskOf(answer)]]
      assert.deepStrictEqual(yield* submittedBy(requestIdOf(answer)), found)
      assert.deepStrictEqual(yield* submittedBy(requestIdOf(answer), `&user=${userId}&state=queued`), found)
      assert.deepStrictEqual(yield* submittedBy(requestIdOf(answer), "&state=failed"), [])
      assert.deepStrictEqual(yield* submittedBy("req_none"), [])
    }),
  )

  it.effect("a repetition leaves the id of the first submission", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const first = yield* call(image(key, { "idempotency-key": "again" }))
      const replayed = yield* call(image(key, { "idempotency-key": "again" }))
      assert.strictEqual(taskOf(replayed), taskOf(first))
      assert.notStrictEqual(requestIdOf(replayed), requestIdOf(first))
      assert.deepStrictEqual(yield* submittedBy(requestIdOf(first)), [[requestIdOf(first), taskOf(first)]])
      assert.deepStrictEqual(yield* submittedBy(requestIdOf(replayed)), [])
    }),
  )

  it.effect("history: a submission and a cancellation name their requests, each its own", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const submission = yield* call(image(key))
      const id = taskOf(submission)
      const canceled = yield* call({ method: "POST", path: `/v1/tasks/${id}/cancel`, key })
      assert.strictEqual(canceled.status, 200)
      assert.deepStrictEqual(yield* historyOf(key, id), [
        ["submit", requestIdOf(submission)],
        ["cancel", requestIdOf(canceled)],
      ])
      assert.deepStrictEqual(yield* submittedBy(requestIdOf(canceled)), [])
    }),
  )

  it.effect("a tool task is found too", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const parts = form([{ name: "file", filename: "a.txt", content: "text" }])
      const upload = yield* call({ method: "POST", path: "/v1/tools/test-tool/files", key, ...parts })
      const answer = yield* call({
        method: "POST",
        path: "/v1/tools/test-tool/invoke",
        key,
        headers: { "idempotency-key": "document-1" },
        body: { input: { file_id: taskOf(upload) } },
      })
      assert.strictEqual(answer.status, 202)
      assert.deepStrictEqual(yield* submittedBy(requestIdOf(answer)), [[requestIdOf(answer), taskOf(answer)]])
      assert.deepStrictEqual(yield* historyOf(key, taskOf(answer)), [["submit", requestIdOf(answer)]])
    }),
  )

  it.effect("the synchronous endpoint's task is found by the id of its error", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const waiting = yield* Effect.forkChild(call({ ...image(key), path: "/v1/images/generations" }))
      const id = yield* call({ path: "/v1/tasks", key }).pipe(
        Effect.map(({ json }) => (json as { data: ReadonlyArray<{ id: string }> }).data[0]?.id ?? ""),
        Effect.repeat({ until: (id) => id !== "", schedule: Schedule.spaced("5 millis") }),
      )
      yield* call({ method: "POST", path: `/v1/tasks/${id}/cancel`, key })
      const answer = yield* Fiber.join(waiting)
      const { request_id, task_id } = errorOf(answer)
      assert.deepStrictEqual([answer.status, task_id], [502, id])
      assert.deepStrictEqual(yield* submittedBy(request_id), [[request_id, id]])
    }),
  )

  it.effect("a field's name of any length is repeated in a few characters", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const body = { input: { file_id: "x" }, [`a${"b".repeat(1500)}`]: 1 }
      const headers = { "idempotency-key": "document-1" }
      const answer = yield* call({ method: "POST", path: "/v1/tools/test-tool/invoke", key, headers, body })
      const { error } = errorOf(answer)
      assert.strictEqual(error.code, "unknown_parameter")
      assert.isBelow((error.param ?? "").length + error.message.length, 400)
    }),
  )
})
