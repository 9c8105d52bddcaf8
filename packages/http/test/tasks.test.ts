import { request } from "node:http"
import {
  Blobs,
  fingerprint,
  IdempotencyStore,
  type ImageTask,
  type KeyId,
  TaskStore,
  Transaction,
  Transitions,
} from "@atelier/core"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { errorOf, form, Harness, layerWith, mediaUrl } from "./harness.ts"

const submitted = Effect.fnUntraced(function* (key: string, headers = {}) {
  const { call } = yield* Harness
  const store = yield* TaskStore
  const body = { model: "test-1", prompt: "a cat" }
  const answer = yield* call({ method: "POST", path: "/v1/images/tasks", key, headers, body })
  const { task_id } = answer.json as { readonly task_id: string }
  const task = yield* store.get(task_id)
  if (task._tag === "None" || task.value.kind !== "image") return yield* Effect.die("no task")
  return { answer, task: task.value }
})

const step = Effect.fnUntraced(function* (
  task: ImageTask,
  ...steps: Parameters<Transitions["Service"]["apply"]> extends readonly [unknown, infer E, ...infer _]
    ? ReadonlyArray<E>
    : never
) {
  const transitions = yield* Transitions
  const transaction = yield* Transaction
  let now = task
  for (const event of steps) now = yield* transaction.run(transitions.apply(now, event))
  return now
})

const finish = Effect.fnUntraced(function* (task: ImageTask) {
  const transitions = yield* Transitions
  const transaction = yield* Transaction
  const blob = `media/${"cd".repeat(32)}.webp`
  const asset = { blob, url: null, contentType: "image/webp", width: 8, height: 9, bytes: 10 }
  const result = { assets: [asset], jobId: "job", text: null, seed: 7 }
  return yield* transaction.run(transitions.apply(task, "finish", { result, progress: 100 }))
})

layer(layerWith(), { excludeTestServices: true })("tasks", (it) => {
  it.effect("contract, Images: a submission answers 202 with where to poll", () =>
    Effect.gen(function* () {
      const { newKey } = yield* Harness
      const { key } = yield* newKey()
      const { answer, task } = yield* submitted(key)
      assert.strictEqual(answer.status, 202)
      assert.strictEqual(answer.headers["location"], `/v1/tasks/${task.id}`)
      assert.strictEqual(answer.headers["retry-after"], "2")
      assert.isUndefined(answer.headers["idempotency-replayed"])
      assert.deepStrictEqual(answer.json, {
        task_id: task.id,
        id: task.id,
        object: "image.task",
        state: "queued",
        status: "SUBMITTED",
        model: "test-1",
        created_at: Math.floor(task.createdAt / 1000),
      })
    }),
  )

  it.effect("image-tasks 4.5: a repetition gets the first answer, whatever became of the task", () =>
    Effect.gen(function* () {
      const { newKey } = yield* Harness
      const { key } = yield* newKey()
      const first = yield* submitted(key, { "idempotency-key": "same" })
      yield* finish(yield* step(first.task, "start"))
      const again = yield* submitted(key, { "x-idempotency-key": "same" })
      assert.strictEqual(again.answer.status, 202)
      assert.strictEqual(again.answer.text, first.answer.text)
      assert.strictEqual(again.answer.headers["idempotency-replayed"], "true")
      assert.strictEqual(again.answer.headers["location"], first.answer.headers["location"])
    }),
  )

  it.effect("contract, Images: a refusal is repeated too, and says so", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const wrong = {
        method: "POST",
        path: "/v1/images/tasks",
        key,
        headers: { "idempotency-key": "wrong" },
        body: { model: "nope" },
      }
      const first = errorOf(yield* call(wrong))
      const again = yield* call(wrong)
      assert.deepStrictEqual(errorOf(again).error, first.error)
      assert.notStrictEqual(errorOf(again).request_id, first.request_id)
      assert.strictEqual(again.headers["idempotency-replayed"], "true")
    }),
  )

  it.effect(
    "image-tasks 4.5.6: while the first request is being checked, a repetition is 409 with the task's id",
    () =>
      Effect.gen(function* () {
        const { call, newKey } = yield* Harness
        const { key, keyId } = yield* newKey()
        const store = yield* IdempotencyStore
        const now = Date.now()
        const body = { model: "test-1", prompt: "slow" }
        const taskId = "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5"
        yield* store.put(
          {
            keyId: keyId as KeyId,
            idempotencyKey: "busy",
            operation: "/v1/images/tasks",
            fingerprint: fingerprint(body),
            taskId,
            outcome: { _tag: "Reserved", reservedUntil: now + 60_000 },
            createdAt: now,
            expiresAt: now + 600_000,
          },
          now,
        )
        const answer = yield* call({
          method: "POST",
          path: "/v1/images/tasks",
          key,
          headers: { "idempotency-key": "busy" },
          body,
        })
        assert.strictEqual(answer.status, 409)
        assert.strictEqual(answer.headers["retry-after"], "2")
        const error = errorOf(answer)
        assert.strictEqual(error.error.code, "idempotency_request_in_progress")
        assert.strictEqual(error.task_id, taskId)
        assert.deepStrictEqual(error.data, { task_id: taskId })
      }),
  )

  it.effect("image-tasks 2.4, 3: results are shown when the task is completed, not before", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const { task } = yield* submitted(key)
      const read = Effect.map(
        call({ path: `/v1/tasks/${task.id}`, key }),
        ({ json }) => json as Record<string, unknown>,
      )
      const queued = yield* read
      assert.deepInclude(queued, {
        state: "queued",
        status: "QUEUED",
        progress: 0,
        error: null,
        expires_at: 0,
      })
      for (const field of ["result_url", "assets", "data"]) assert.notProperty(queued, field)
      const copying = yield* step(task, "start", "generate")
      assert.deepInclude(yield* read, { state: "in_progress", status: "IN_PROGRESS" })
      yield* finish(copying)
      const url = `${mediaUrl}/media/${"cd".repeat(32)}.webp`
      const asset = { url, content_type: "image/webp", width: 8, height: 9, bytes: 10 }
      assert.deepInclude(yield* read, {
        state: "completed",
        status: "SUCCESS",
        result_url: url,
        assets: [asset],
        data: { results: [asset], job_id: "job", seed: 7 },
        usage: { images: 1, input_images: 0 },
        billing: { held: 15000, charged: 15000, released: 0 },
      })
    }),
  )

  it.effect("contract, Waiting: `wait` is answered when the task ends", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const { task } = yield* submitted(key)
      const waiting = yield* Effect.forkChild(call({ path: `/v1/tasks/${task.id}?wait=60`, key }))
      assert.deepInclude((yield* call({ path: `/v1/tasks/${task.id}?wait=0`, key })).json, {
        state: "queued",
      })
      yield* finish(yield* step(task, "start"))
      assert.deepInclude((yield* Fiber.join(waiting)).json, { state: "completed" })
    }),
  )

  it.effect("contract, Waiting: events show every change and end after the final one", () =>
    Effect.gen(function* () {
      const { call, newKey, port } = yield* Harness
      const { key } = yield* newKey()
      const { task } = yield* submitted(key)
      const events: Array<{ readonly id: string; readonly state: string }> = []
      const path = `/v1/tasks/${task.id}/events`
      const seen = yield* Effect.forkChild(
        Effect.callback<void>((resume) => {
          const headers = { authorization: `Bearer ${key}` }
          request({ port, path, headers, agent: false }, (response) => {
            assert.strictEqual(response.headers["content-type"], "text/event-stream")
            response.on("data", (chunk: Buffer) => {
              for (const match of chunk.toString().matchAll(/id: (\d+)\nevent: task\ndata: (.*)\n\n/g)) {
                events.push({
                  id: match[1] ?? "",
                  state: (JSON.parse(match[2] ?? "") as { state: string }).state,
                })
              }
              if (events.length === 1) resumeFirst()
            })
            response.on("end", () => resume(Effect.void))
          }).end()
        }),
      )
      let resumeFirst = () => {}
      yield* Effect.callback<void>((resume) => {
        resumeFirst = () => resume(Effect.void)
      })
      const final = yield* finish(yield* step(task, "start"))
      yield* Fiber.join(seen)
      assert.strictEqual(events[0]?.state, "queued")
      assert.strictEqual(events.at(-1)?.state, "completed")
      const last = { "last-event-id": String(final.version) }
      assert.strictEqual((yield* call({ path, key, headers: last })).status, 204)
      const rest = yield* call({ path, key, headers: { "last-event-id": "0" } })
      assert.strictEqual(rest.text.match(/event: task/g)?.length, 1)
    }),
  )

  it.effect("contract, Waiting: a queued task is cancelled and refunded, and its history says so", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const { task } = yield* submitted(key, { "idempotency-key": "lost" })
      const canceled = yield* call({ method: "POST", path: `/v1/tasks/${task.id}/cancel`, key })
      assert.strictEqual(canceled.status, 200)
      assert.deepInclude(canceled.json, {
        state: "failed",
        billing: { held: 15000, charged: 0, released: 15000 },
      })
      const { data } = (yield* call({ path: `/v1/tasks/${task.id}/history`, key })).json as {
        readonly data: ReadonlyArray<unknown>
      }
      assert.deepInclude(data[0], {
        event: "submit",
        from: null,
        to: "queued",
        transfers: [{ id: `hold:${task.id}`, kind: "hold", amount: 15000 }],
      })
      assert.deepInclude(data[1], {
        event: "cancel",
        to: "failed",
        transfers: [{ id: `release:${task.id}`, kind: "release", amount: 15000 }],
      })
      const found = yield* call({ path: "/v1/tasks?idempotency_key=lost", key })
      assert.deepInclude(found.json, { id: task.id, state: "failed" })
    }),
  )

  it.effect("contract, Waiting: lists are pages of the key's own tasks, newest first", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const ids: Array<string> = []
      for (let n = 0; n < 5; n++) ids.unshift((yield* submitted(key)).task.id)
      yield* submitted((yield* newKey()).key)
      const page = (query: string) =>
        Effect.map(
          call({ path: `/v1/tasks?${query}`, key }),
          ({ json }) =>
            json as {
              readonly data: ReadonlyArray<{ readonly id: string }>
              readonly has_more: boolean
              readonly last_id: string | null
            },
        )
      const first = yield* page("limit=2")
      assert.deepStrictEqual(
        first.data.map(({ id }) => id),
        ids.slice(0, 2),
      )
      assert.deepInclude(first, { has_more: true, last_id: ids[1] ?? null })
      const rest = yield* page(`limit=100&after=${first.last_id}`)
      assert.deepStrictEqual(
        rest.data.map(({ id }) => id),
        ids.slice(2),
      )
      assert.isFalse(rest.has_more)
      assert.deepInclude(yield* page("state=completed"), { data: [], has_more: false, last_id: null })
      assert.lengthOf((yield* page("state=queued&model=test-1")).data, 5)
      assert.lengthOf((yield* page("model=test-2")).data, 0)
    }),
  )

  it.effect("document-tools 4: upload, invoke, result, deletion", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const blobs = yield* Blobs
      const store = yield* TaskStore
      const transitions = yield* Transitions
      const transaction = yield* Transaction
      const parts = form([
        { name: "note", content: "ignored" },
        { name: "anything", filename: "../Übung \u202e.txt", content: "text" },
      ])
      const uploaded = yield* call({ method: "POST", path: "/v1/tools/test-tool/files", key, ...parts })
      assert.strictEqual(uploaded.status, 201)
      assert.deepInclude(uploaded.json, {
        object: "tool.file",
        tool_id: "test-tool",
        filename: "Übung .txt",
        bytes: 4,
        sha256: "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1",
        status: "ready",
      })
      const { id } = uploaded.json as { readonly id: string }
      const invoke = {
        method: "POST",
        path: "/v1/tools/test-tool/invoke",
        key,
        headers: { "idempotency-key": "12345678" },
        body: { input: { file_id: id } },
      }
      const accepted = yield* call(invoke)
      assert.strictEqual(accepted.status, 202)
      assert.deepInclude(accepted.json, {
        object: "tool.task",
        status: "queued",
        output_formats: ["markdown", "json"],
        billing: { pre_deducted: 50, charged: 0, refunded: 0 },
      })
      const task = yield* store.get((accepted.json as { readonly id: string }).id)
      if (task._tag === "None" || task.value.kind !== "tool") return yield* Effect.die("no task")
      const running = yield* transaction.run(transitions.apply(task.value, "start"))
      const blob = `${running.resultPrefix}result.md`
      yield* blobs.put(blob, new TextEncoder().encode("# Übung"))
      const markdown = {
        format: "markdown",
        blob,
        bytes: 8,
        contentType: "text/markdown; charset=utf-8",
      } as const
      yield* transaction.run(transitions.apply(running, "finish", { results: [markdown] }))
      const replayed = yield* call(invoke)
      assert.strictEqual(replayed.headers["idempotency-replayed"], "true")
      assert.deepInclude(replayed.json, {
        status: "succeeded",
        billing: { pre_deducted: 50, charged: 50, refunded: 0 },
      })
      const result = yield* call({ path: `/v1/tasks/${running.id}/result`, key })
      assert.strictEqual(result.headers["content-type"], "text/markdown; charset=utf-8")
      assert.strictEqual(result.headers["content-length"], "8")
      assert.strictEqual(Buffer.from(result.text, "latin1").toString(), "# Übung")
      for (let n = 0; n < 2; n++) {
        const deleted = yield* call({ method: "DELETE", path: `/v1/tool-files/${id}`, key })
        assert.strictEqual(deleted.status, 202)
        assert.deepInclude(deleted.json, { status: "deleting" })
      }
      const { data } = (yield* call({ path: "/v1/tool-tasks", key })).json as {
        readonly data: ReadonlyArray<unknown>
      }
      assert.lengthOf(data, 1)
    }),
  )
})
