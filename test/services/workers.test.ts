import { writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  FileStore,
  type ImageTask,
  ImageTasks,
  type Principal,
  Queue,
  SettingsStore,
  TaskStore,
  Tasks,
  ToolFiles,
  type ToolTask,
  ToolTasks,
  Transaction,
  Transitions,
  UpstreamError,
  Workers,
} from "@atelier/core"
import { leaseJobs } from "@atelier/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
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

const submit = (principal: Principal, body: object = {}) =>
  Effect.flatMap(ImageTasks, (images) =>
    Effect.map(
      images.submit({
        principal,
        body: { model: "test-model", prompt: "a", ...body },
        idempotencyKey: null,
      }),
      ({ value }) => value,
    ),
  )

/** The task once it is final. */
const final = <T extends ImageTask | ToolTask>(principal: Principal, task: T) =>
  Effect.flatMap(Tasks, (tasks) =>
    Effect.map(Stream.runLast(tasks.changes(principal, task.id)), (last) => Option.getOrThrow(last) as T),
  )

/** Lets what runs in the background go on until the task is in this state. */
const inState = (principal: Principal, task: ImageTask | ToolTask, state: string) =>
  Effect.flatMap(Tasks, (tasks) =>
    tasks.changes(principal, task.id).pipe(
      Stream.filter((now) => now.state === state),
      Stream.runHead,
    ),
  )

/** What a worker does that dies right after it has begun a task. */
const dieAfterStart = (task: ImageTask | ToolTask) =>
  Effect.gen(function* () {
    const queue = yield* Queue
    const transaction = yield* Transaction
    const transitions = yield* Transitions
    const jobs = yield* leaseJobs(queue, task.kind, 10)
    assert.deepStrictEqual(
      jobs.map(({ taskId }) => taskId),
      [task.id],
    )
    const started =
      task.kind === "image"
        ? Effect.asVoid(
            transitions.apply(task, "start", { upstream: { channel: "scripted", upstreamId: null } }),
          )
        : Effect.asVoid(transitions.apply(task, "start"))
    yield* transaction.run(started)
    return jobs[0]!
  })

/** Uploads a document and invokes the tool on it. */
const invoke = (principal: Principal, idempotencyKey = "invoke-01") =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const path = join(directory, "upload")
    writeFileSync(path, "hello")
    const files = yield* ToolFiles
    const tools = yield* ToolTasks
    const file = yield* files.upload(principal, "test-tool", {
      path,
      filename: "a.txt",
      bytes: 5,
      sha256: "",
    })
    const { value } = yield* tools.invoke({
      principal,
      toolId: "test-tool",
      fileId: file.id,
      idempotencyKey,
    })
    return { file, task: value }
  })

/** Disks and sockets go on, the clock does not: what was written before it is on the disk after it. */
const moment = Effect.gen(function* () {
  yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
  const settings = yield* SettingsStore
  yield* settings.put("tool", "no tool", null)
})

/** Time goes by, a step for each moment. */
const passing = (step: Duration.Input) => Effect.forever(Effect.andThen(TestClock.adjust(step), moment))

/** The application with its workers running for as long as the effect lasts. */
const working = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, Workers.layer)

describe("image-tasks 3: running an image task", () => {
  it.effect("completed: every image is archived, the fee is settled to the unit", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const task = yield* submit(principal, { n: 2 })
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 400_000, held: 100_000, spent: 0 })
      const done = yield* working(final(principal, task))
      assert.strictEqual(done.state, "completed")
      assert.strictEqual(done.result?.assets.length, 2)
      assert.ok(done.result?.assets.every(({ blob }) => /^media\/[0-9a-f]{64}\.png$/.test(blob ?? "")))
      assert.deepStrictEqual(
        done.history.map(({ event, transfers }) => [event, ...transfers]),
        [["submit", `hold:${task.id}`], ["start"], ["finish", `settle:${task.id}`]],
      )
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 400_000, held: 0, spent: 100_000 })
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("contract, Money: of four images two are delivered, two are charged, the rest is released", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      script.generate = () => Effect.succeed(generation([image("1"), image("2")]))
      const done = yield* working(final(principal, yield* submit(principal, { n: 4 })))
      assert.deepStrictEqual([done.held, done.charged, done.released], [200_000, 100_000, 100_000])
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 400_000, held: 0, spent: 100_000 })
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect.each([
    ["rejected", "upstream_rejected"],
    ["failed", "upstream_failed"],
  ] as const)("failed: an upstream that %s it gives %s and the whole fee back", ([reason, code]) =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      script.generate = () => Effect.fail(new UpstreamError({ reason, message: "no" }))
      const done = yield* working(final(principal, yield* submit(principal)))
      assert.strictEqual(done.state, "failed")
      assert.deepStrictEqual(done.error, { code, message: "no" })
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 500_000, held: 0, spent: 0 })
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("an upstream that certainly did not accept is asked again later", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const refused = yield* Deferred.make<void>()
      script.generate = () =>
        Effect.andThen(
          Deferred.succeed(refused, undefined),
          Effect.fail(new UpstreamError({ reason: "unavailable", message: "busy" })),
        )
      const task = yield* submit(principal)
      const done = yield* working(
        Effect.gen(function* () {
          yield* Deferred.await(refused)
          script.generate = () => Effect.succeed(generation([image("1")]))
          yield* Effect.forkChild(passing("1 second"))
          return yield* final(principal, task)
        }),
      )
      assert.strictEqual(done.state, "completed")
    }).pipe(Effect.provide(freshAtelier)),
  )
})

describe("contract, Images: a generation is never paid twice upstream", () => {
  it.effect("unknown: sent once where the answer was lost, released after 24 hours", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      script.repeatable = false
      script.generate = () => Effect.fail(new UpstreamError({ reason: "ambiguous", message: "cut" }))
      const task = yield* submit(principal)
      yield* working(inState(principal, task, "unknown"))
      assert.deepStrictEqual(yield* Effect.flatMap(Queue, ({ counts }) => counts), [], "its job has ended")
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 450_000, held: 50_000, spent: 0 })
      yield* TestClock.adjust("24 hours")
      const done = yield* working(final(principal, task))
      assert.strictEqual(done.error?.code, "upstream_unknown")
      assert.deepStrictEqual(script.generated, [task.id])
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 500_000, held: 0, spent: 0 })
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("a worker that died after the start: sent again only where that makes no second generation", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const first = yield* submit(principal)
      yield* dieAfterStart(first)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* working(final(principal, first))).state, "completed")
      assert.deepStrictEqual(script.generated, [first.id])
      script.repeatable = false
      const second = yield* submit(principal)
      yield* dieAfterStart(second)
      yield* TestClock.adjust("10 seconds")
      yield* working(inState(principal, second, "unknown"))
      assert.deepStrictEqual(script.generated, [first.id])
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("a worker that was paused past its lease writes nothing when it wakes", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const queue = yield* Queue
      const transaction = yield* Transaction
      const store = yield* TaskStore
      const task = yield* submit(principal)
      const job = yield* dieAfterStart(task)
      yield* TestClock.adjust("10 seconds")
      yield* working(final(principal, task))
      const transitions = yield* Transitions
      const stale = Option.getOrThrow(yield* store.get(task.id))
      const late = yield* Effect.flip(
        transaction.run(Effect.andThen(queue.complete(job), transitions.apply(stale, "fail"))),
      )
      assert.strictEqual(late._tag, "LeaseLost")
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 450_000, held: 0, spent: 50_000 })
    }).pipe(Effect.provide(freshAtelier)),
  )
})

describe("deadlines", () => {
  it.effect(
    "contract, Images: an image task that is not final after 1 h fails with timeout, and its run is stopped",
    () =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const script = yield* TestScript
        const stopped = yield* Deferred.make<void>()
        script.generate = () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(stopped, undefined))
        const task = yield* submit(principal)
        const done = yield* working(
          Effect.gen(function* () {
            yield* inState(principal, task, "in_progress")
            yield* Effect.forkChild(passing("2 seconds"))
            const done = yield* final(principal, task)
            yield* Deferred.await(stopped)
            return done
          }),
        )
        assert.strictEqual(done.error?.code, "timeout")
        assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 500_000, held: 0, spent: 0 })
      }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect(
    "document-tools 3: a tool task that no worker runs fails 300 s after its acceptance and is refunded",
    () =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const { task } = yield* Effect.scoped(invoke(principal))
        const job = yield* dieAfterStart(task)
        assert.strictEqual(job.attempt, 1)
        const store = yield* TaskStore
        yield* TestClock.adjust("299 seconds")
        assert.strictEqual(Option.getOrThrow(yield* store.get(task.id)).state, "running")
        yield* TestClock.adjust("1 second")
        const script = yield* TestScript
        script.runTool = () => Effect.never
        const done = yield* working(final(principal, task))
        assert.strictEqual(done.error?.code, "timeout")
        assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 500_000, held: 0, spent: 0 })
      }).pipe(Effect.provide(freshAtelier)),
  )
})

describe("contract, Running it: stopping", () => {
  it.effect("hands back what runs, and that does not count as a loss", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      script.generate = () => Effect.never
      const task = yield* submit(principal)
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(Workers.layer, scope)
      yield* inState(principal, task, "in_progress")
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* Effect.forkChild(passing("1 second"))
      yield* Fiber.join(closing)
      const queue = yield* Queue
      const [job] = yield* leaseJobs(queue, "image", 1)
      assert.deepStrictEqual([job?.taskId, job?.lost], [task.id, 0])
    }).pipe(Effect.provide(freshAtelier)),
  )
})

describe("document-tools 3: tool tasks, results and files", () => {
  it.effect("succeeded: both results are there, the pre-deduction becomes the charge", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const tools = yield* ToolTasks
      const { task } = yield* Effect.scoped(invoke(principal))
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 499_950, held: 50, spent: 0 })
      const early = yield* Effect.flip(tools.result(principal, task.id))
      assert.strictEqual(early._tag === "CoreError" && early.code, "result_not_ready")
      const done = yield* working(final(principal, task))
      assert.strictEqual(done.state, "succeeded")
      assert.strictEqual((yield* tools.result(principal, task.id)).format, "markdown")
      assert.strictEqual((yield* tools.result(principal, task.id, "json")).format, "json")
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 499_950, held: 0, spent: 50 })
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect(
    "a result is unreadable 2 h after submission, the task stays; the file is removed 2 h after upload",
    () =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const tools = yield* ToolTasks
        const files = yield* ToolFiles
        const { task, file } = yield* Effect.scoped(invoke(principal))
        yield* working(final(principal, task))
        yield* TestClock.adjust(2 * 60 * 60 * 1000 - 1)
        yield* tools.result(principal, task.id)
        yield* TestClock.adjust(1)
        const gone = yield* Effect.flip(tools.result(principal, task.id))
        assert.strictEqual(gone._tag === "CoreError" && gone.code, "result_expired")
        const again = yield* Effect.flip(Effect.scoped(invokeOn(principal, file.id)))
        assert.strictEqual(again._tag === "CoreError" && again.code, "file_expired")
        const store = yield* FileStore
        yield* working(
          Effect.gen(function* () {
            const removed = Effect.map(
              store.get(file.id),
              (found) => Option.getOrThrow(found).status === "deleted",
            )
            yield* Effect.repeat(Effect.andThen(moment, removed), { until: (done) => done })
            const tasks = yield* TaskStore
            const purged = Effect.map(
              tasks.pastExpiry(Number.MAX_SAFE_INTEGER, 10),
              (left) => left.length === 0,
            )
            yield* Effect.repeat(Effect.andThen(moment, purged), { until: (done) => done })
          }),
        )
        assert.strictEqual((yield* files.get(principal, file.id)).status, "deleted")
        const [kept] = yield* tools.recent(principal)
        assert.deepStrictEqual([kept?.state, kept?.charged], ["succeeded", 50])
      }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("document-tools 8: a fifth queued or running task of a user is refused and costs nothing", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      for (const n of [1, 2, 3, 4]) yield* Effect.scoped(invoke(principal, `invoke-0${n}`))
      const error = yield* Effect.flip(Effect.scoped(invoke(principal, "invoke-05")))
      assert.strictEqual(error._tag === "CoreError" && error.code, "too_many_tasks")
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 499_800, held: 200, spent: 0 })
    }).pipe(Effect.provide(freshAtelier)),
  )

  it.effect("document-tools 4.7: a file is not deleted while an unfinished task uses it", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const files = yield* ToolFiles
      const { task, file } = yield* Effect.scoped(invoke(principal))
      const error = yield* Effect.flip(files.remove(principal, file.id))
      assert.strictEqual(error._tag === "CoreError" && error.code, "file_in_use")
      yield* working(final(principal, task))
      assert.strictEqual((yield* files.remove(principal, file.id)).status, "deleting")
      assert.strictEqual((yield* files.remove(principal, file.id)).status, "deleting")
    }).pipe(Effect.provide(freshAtelier)),
  )
})

const invokeOn = (principal: Principal, fileId: string) =>
  Effect.flatMap(ToolTasks, (tools) =>
    tools.invoke({ principal, toolId: "test-tool", fileId, idempotencyKey: "another-01" }),
  )
