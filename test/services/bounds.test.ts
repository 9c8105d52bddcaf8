import { writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  type ImageTask,
  ImageTasks,
  type Principal,
  Queue,
  TaskStore,
  Tasks,
  ToolFiles,
  type ToolTask,
  ToolTasks,
  UpstreamError,
  Workers,
} from "@atelier/core"
import { leaseJobs } from "@atelier/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import {
  balanceOf,
  freshAtelier,
  generation,
  image,
  principalWith,
  TestScript,
  temporaryDirectory,
} from "../support/atelier.ts"

const submit = (principal: Principal) =>
  Effect.flatMap(ImageTasks, (images) =>
    Effect.map(
      images.submit({ principal, body: { model: "test-model", prompt: "a" }, idempotencyKey: null }),
      ({ value }) => value,
    ),
  )

/** The task at its end, run by workers. */
const done = <T extends ImageTask | ToolTask>(principal: Principal, task: T) =>
  Effect.flatMap(Tasks, (tasks) =>
    Effect.map(Stream.runLast(tasks.changes(principal, task.id)), (last) => Option.getOrThrow(last) as T),
  ).pipe(Effect.provide(Workers.layer))

const long = (chars: number) => "ü".repeat(chars)

describe("what upstreams and tools say is kept within bounds", () => {
  it.effect("the message of a failure", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      script.generate = () => Effect.fail(new UpstreamError({ reason: "failed", message: long(100_000) }))
      const { error } = yield* done(principal, yield* submit(principal))
      assert.strictEqual(error?.message, `${long(999)}…`)
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("images, words and the name of a step", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const images = Array.from({ length: 1000 }, (_, index) => image(String(index)))
      script.generate = () =>
        Effect.succeed({ ...generation(images), jobId: long(513), text: long(1_000_000) })
      const task = yield* done(principal, yield* submit(principal))
      assert.strictEqual(task.state, "completed")
      assert.lengthOf(task.result?.assets ?? [], 64)
      assert.strictEqual(task.result?.text?.length, 100_000)
      assert.isNull(task.result?.jobId)
      assert.strictEqual(task.charged, task.held)
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("a name of the task that is too long to be kept fails it, and nothing is charged", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      script.generate = ({ onAccepted }) => Effect.as(onAccepted(long(513)), generation([image("1")]))
      const task = yield* done(principal, yield* submit(principal))
      assert.deepInclude(task.error, { code: "upstream_failed" })
      assert.include(task.error?.message, "513 characters")
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 500_000, held: 0, spent: 0 })
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("images that came inside a request reach every run of it whole, and no page reads them", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const images = [`data:image/png;base64,${"A".repeat(1_000_000)}`, "https://example.com/a.png"]
      const sent: Array<ReadonlyArray<string>> = []
      script.generate = ({ request }) =>
        Effect.suspend(() => {
          sent.push(request.images)
          return sent.length > 1
            ? Effect.succeed(generation([image("1")]))
            : Effect.fail(new UpstreamError({ reason: "unavailable", message: "busy", retryAfterMillis: 0 }))
        })
      const service = yield* ImageTasks
      const { value: task } = yield* service.submit({
        principal,
        body: { model: "test-model", prompt: "a", images },
        idempotencyKey: null,
      })
      const final = yield* done(principal, task)
      assert.deepStrictEqual(sent, [images, images])
      const store = yield* TaskStore
      const page = yield* store.list({ keyId: task.keyId, limit: 100 })
      assert.isBelow(JSON.stringify(page).length, 10_000)
      assert.strictEqual(final.request.images.length, 2)
      assert.deepStrictEqual(yield* store.images(task.id), Option.none())
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("progress is written where it grows, up to 100, however often it is told", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const told = [...Array.from({ length: 1000 }, () => 10), 10.5, Number.NaN, -1, 5, 40, 1e9, 200]
      script.generate = ({ onProgress }) =>
        Effect.as(Effect.forEach(told, onProgress), generation([image("1")]))
      const task = yield* done(principal, yield* submit(principal))
      // start, 10, 40, 100, finish
      assert.strictEqual(task.version, 5)
      assert.strictEqual(task.progress, 100)
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect.each([864_000_000, Number.POSITIVE_INFINITY, Number.NaN, -1e300])(
    "a wait of %d ms that an upstream asks for is an hour at most",
    (retryAfterMillis) =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const script = yield* TestScript
        const queue = yield* Queue
        const asked = yield* Deferred.make<void>()
        const busy = new UpstreamError({ reason: "unavailable", message: "busy", retryAfterMillis })
        script.generate = () => Effect.andThen(Deferred.succeed(asked, undefined), Effect.fail(busy))
        const task = yield* submit(principal)
        // Workers that stop end what they do: the job is given back then.
        yield* Effect.provide(Deferred.await(asked), Workers.layer)
        yield* TestClock.adjust("1 hour")
        const jobs = yield* leaseJobs(queue, "image", 1)
        assert.deepStrictEqual(
          jobs.map(({ taskId, lost }) => [taskId, lost]),
          [[task.id, 0]],
        )
      }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("warnings of a tool: a hundred, and one that says how many more there are", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const warnings = Array.from({ length: 1000 }, () => ({ code: "odd", message: long(5000) }))
      const plain = script.runTool
      script.runTool = (job, id) => Effect.map(plain(job, id), (output) => ({ ...output, warnings }))
      const files = yield* ToolFiles
      const tools = yield* ToolTasks
      const path = join(yield* temporaryDirectory, "a.txt")
      writeFileSync(path, "hello")
      const upload = { path, filename: "a.txt", bytes: 5, sha256: "" }
      const file = yield* files.upload(principal, "test-tool", upload)
      const { value } = yield* tools.invoke({
        principal,
        toolId: "test-tool",
        fileId: file.id,
        idempotencyKey: "document-1",
      })
      const task = yield* done(principal, value)
      assert.strictEqual(task.state, "succeeded")
      assert.lengthOf(task.warnings, 101)
      assert.isAtMost(task.warnings[0]?.message.length ?? 0, 1000)
      assert.deepInclude(task.warnings.at(-1), { code: "warnings_left_out" })
    }).pipe(Effect.provide(freshAtelier)),
  )
})
