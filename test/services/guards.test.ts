import { writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  type ImageTask,
  ImageTasks,
  Limits,
  type Principal,
  Queue,
  type TaskKind,
  Tasks,
  ToolFiles,
  ToolTasks,
  UpstreamError,
} from "@atelier/core"
import { beginJobs, RunJob } from "@atelier/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import {
  atelierOver,
  balanceOf,
  generation,
  image,
  principalWith,
  type Script,
  TestScript,
  temporaryDirectory,
} from "../support/atelier.ts"

/** The service over real SQLite, and the runner of single jobs: no worker takes any. */
const app = Layer.unwrap(
  Effect.map(temporaryDirectory, (directory) =>
    RunJob.layer.pipe(Layer.provideMerge(atelierOver(directory, (stores) => stores))),
  ),
)

const submitImage = (principal: Principal) =>
  Effect.flatMap(ImageTasks, (images) =>
    Effect.map(
      images.submit({ principal, body: { model: "test-model", prompt: "a" }, idempotencyKey: null }),
      ({ value }) => value,
    ),
  )

const upload = Effect.fnUntraced(function* (principal: Principal, bytes: number) {
  const path = join(yield* temporaryDirectory, "upload")
  writeFileSync(path, "x".repeat(bytes))
  const files = yield* ToolFiles
  return yield* files.upload(principal, "test-tool", { path, filename: "a.txt", bytes, sha256: "" })
})

const submitDocument = Effect.fnUntraced(function* (principal: Principal) {
  const tools = yield* ToolTasks
  const { id: fileId } = yield* upload(principal, 5)
  const key = { idempotencyKey: "document-01" }
  return (yield* tools.invoke({ principal, toolId: "test-tool", fileId, ...key })).value
})

const claim = Effect.fnUntraced(function* (kind: TaskKind) {
  const queue = yield* Queue
  const [job] = yield* beginJobs(queue, kind, 1)
  return job ?? assert.fail("no job was due")
})

/** Lets the lease of what was claimed before run out, and takes it over. */
const takeOver = Effect.fnUntraced(function* (kind: TaskKind) {
  const { job_lease_ms } = yield* Limits
  yield* TestClock.adjust(job_lease_ms + 1)
  return yield* claim(kind)
})

const stateOf = (principal: Principal, id: string) =>
  Effect.flatMap(Tasks, (tasks) => Effect.map(tasks.get(principal, id), (task): string => task.state))

const submit = (kind: TaskKind, principal: Principal) =>
  Effect.scoped(
    Effect.gen(function* () {
      return kind === "image" ? yield* submitImage(principal) : yield* submitDocument(principal)
    }),
  )

describe("decision 6: a worker that lost the lease writes nothing", () => {
  for (const kind of ["image", "tool"] as const) {
    it.effect(`${kind}: a job that was taken over before it began begins nothing`, () =>
      Effect.gen(function* () {
        const script = yield* TestScript
        const principal = yield* principalWith("1")
        let runs = 0
        const { runTool } = script
        script.runTool = (job, tool) => {
          runs += 1
          return runTool(job, tool)
        }
        const task = yield* submit(kind, principal)
        const old = yield* claim(kind)
        const taken = yield* takeOver(kind)
        yield* old.run
        assert.include(["in_progress", "running"], yield* stateOf(principal, task.id))
        assert.strictEqual(runs + script.generated.length, 0)
        yield* taken.run
        assert.include(["completed", "succeeded"], yield* stateOf(principal, task.id))
        assert.strictEqual(runs + script.generated.length, 1)
      }).pipe(Effect.provide(app)),
    )

    it.effect(`${kind}: a job that was taken over while it ran ends nothing, and is charged once`, () =>
      Effect.gen(function* () {
        const script = yield* TestScript
        const principal = yield* principalWith("1")
        const task = yield* submit(kind, principal)
        const queue = yield* Queue
        const runJob = yield* RunJob
        const lose = Effect.orDie(takeOver(kind)).pipe(
          Effect.provideService(Queue, queue),
          Effect.provideService(RunJob, runJob),
        )
        let taken: Effect.Success<typeof lose> | undefined
        const { generate, runTool } = script
        const once = Effect.suspend(() => {
          if (taken !== undefined) return Effect.void
          return Effect.map(lose, (job) => {
            taken = job
          })
        })
        script.generate = (input) => Effect.andThen(once, generate(input))
        script.runTool = (job, tool) => Effect.andThen(once, runTool(job, tool))
        const old = yield* claim(kind)
        yield* old.run
        assert.include(["in_progress", "running"], yield* stateOf(principal, task.id))
        assert.strictEqual((yield* balanceOf(principal)).spent, 0)
        yield* (taken ?? assert.fail("the lease was lost")).run
        assert.include(["completed", "succeeded"], yield* stateOf(principal, task.id))
        const { held, spent } = yield* balanceOf(principal)
        assert.deepStrictEqual([held, spent], [0, task.held])
      }).pipe(Effect.provide(app)),
    )
  }
})

describe("decision 6: a task whose process dies again and again", () => {
  for (const kind of ["image", "tool"] as const) {
    it.effect(`${kind}: is given up and refunded after as many losses as are allowed`, () =>
      Effect.gen(function* () {
        const [script, { job_losses_max }] = [yield* TestScript, yield* Limits]
        const principal = yield* principalWith("1")
        const { id } = yield* submit(kind, principal)
        const { runTool } = script
        script.runTool = (job, tool) => Effect.andThen(Effect.die("it ran once more"), runTool(job, tool))
        let job = yield* claim(kind)
        for (let lost = 0; lost < job_losses_max; lost++) job = yield* takeOver(kind)
        yield* job.run
        const task = yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))
        assert.deepStrictEqual([task.state, task.error?.code], ["failed", "worker_failed"])
        assert.strictEqual(script.generated.length, 0)
        assert.deepInclude(yield* balanceOf(principal), { held: 0, spent: 0 })
      }).pipe(Effect.provide(app)),
    )
  }
})

describe("decision 6: a worker that lost the lease while the upstream worked", () => {
  /** Runs an image task whose upstream does `meanwhile` after the job was taken over; what is written of it then. */
  const writtenAfterTakeover = (meanwhile: Script["generate"]) =>
    Effect.gen(function* () {
      const [script, queue] = [yield* TestScript, yield* Queue]
      const principal = yield* principalWith("1")
      const runJob = yield* RunJob
      const lose = Effect.orDie(takeOver("image")).pipe(
        Effect.provideService(Queue, queue),
        Effect.provideService(RunJob, runJob),
      )
      script.generate = (input) => Effect.andThen(lose, meanwhile(input))
      const { id } = yield* submitImage(principal)
      yield* (yield* claim("image")).run
      const task = (yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))) as ImageTask
      return [task.state, task.upstream?.upstreamId, task.progress, task.error]
    })
  const untouched = ["in_progress", null, 0, null]

  it.effect("keeps no id of the upstream's", () =>
    Effect.gen(function* () {
      const written = yield* writtenAfterTakeover(({ onAccepted }) =>
        Effect.as(onAccepted("late"), generation([])),
      )
      assert.deepStrictEqual(written, untouched)
    }).pipe(Effect.provide(app)),
  )

  it.effect("tells no progress", () =>
    Effect.gen(function* () {
      const written = yield* writtenAfterTakeover(({ onProgress }) =>
        Effect.as(onProgress(50), generation([])),
      )
      assert.deepStrictEqual(written, untouched)
    }).pipe(Effect.provide(app)),
  )

  it.effect("fails no task", () =>
    Effect.gen(function* () {
      const failure = new UpstreamError({ reason: "failed", message: "late" })
      assert.deepStrictEqual(yield* writtenAfterTakeover(() => Effect.fail(failure)), untouched)
    }).pipe(Effect.provide(app)),
  )
})

describe("contract, Images: upstream duty", () => {
  it.effect("a task that is given back before anything was sent goes to any channel, and is known", () =>
    Effect.gen(function* () {
      const script = yield* TestScript
      const principal = yield* principalWith("1")
      script.repeatable = false
      const { id } = yield* submitImage(principal)
      const task = Effect.map(
        Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id)),
        (found) => found as ImageTask,
      )
      const begun = yield* claim("image")
      assert.deepStrictEqual((yield* task).upstream, { channel: "scripted", upstreamId: null })
      yield* begun.giveBack
      assert.isNull((yield* task).upstream)
      yield* (yield* claim("image")).run
      assert.strictEqual((yield* task).state, "completed")
      assert.strictEqual(script.generated.length, 1)
    }).pipe(Effect.provide(app)),
  )

  it.effect("a task whose commit took as long as a lease was sent to none, and is known", () =>
    Effect.gen(function* () {
      const [script, { job_lease_ms }] = [yield* TestScript, yield* Limits]
      const principal = yield* principalWith("1")
      script.repeatable = false
      const { id } = yield* submitImage(principal)
      const begun = yield* claim("image")
      yield* TestClock.adjust(job_lease_ms)
      yield* begun.run
      assert.strictEqual(script.generated.length, 0)
      yield* (yield* claim("image")).run
      assert.strictEqual(yield* stateOf(principal, id), "completed")
      assert.strictEqual(script.generated.length, 1)
    }).pipe(Effect.provide(app)),
  )

  it.effect("a task that waited past its deadline is not started, and fails", () =>
    Effect.gen(function* () {
      const [script, limits] = [yield* TestScript, yield* Limits]
      const principal = yield* principalWith("1")
      const { id } = yield* submitImage(principal)
      yield* TestClock.adjust(limits.image_task_deadline_ms)
      yield* (yield* claim("image")).run
      const task = yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))
      assert.deepStrictEqual([task.state, task.error?.code], ["failed", "timeout"])
      assert.strictEqual(script.generated.length, 0)
      assert.deepInclude(yield* balanceOf(principal), { held: 0, spent: 0 })
    }).pipe(Effect.provide(app)),
  )

  it.effect("once a channel has accepted, no other is asked, even if it is down then", () =>
    Effect.gen(function* () {
      const script = yield* TestScript
      const principal = yield* principalWith("1")
      const asked: Array<string> = []
      script.generate = ({ upstreamId, onAccepted, request }) =>
        Effect.gen(function* () {
          asked.push(`first, ${upstreamId}`)
          if (upstreamId !== null) return generation([image(request.prompt)])
          yield* onAccepted("step-1")
          return yield* new UpstreamError({ reason: "unavailable", message: "503", retryAfterMillis: 10 })
        })
      script.backup = () => {
        asked.push("backup")
        return Effect.succeed(generation([image("a second one, paid again")]))
      }
      const { id } = yield* submitImage(principal)
      yield* (yield* claim("image")).run
      assert.deepStrictEqual(asked, ["first, null"])
      yield* TestClock.adjust(10)
      yield* (yield* claim("image")).run
      assert.deepStrictEqual(asked, ["first, null", "first, step-1"])
      const task = (yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))) as ImageTask
      assert.deepStrictEqual([task.state, task.upstream?.channel], ["completed", "scripted"])
    }).pipe(Effect.provide(app)),
  )
})

describe("contract, Waiting, cancelling, events", () => {
  it.effect("as a task that waits is refused for one that began, and leaves no mark on it", () =>
    Effect.gen(function* () {
      const tasks = yield* Tasks
      const principal = yield* principalWith("1")
      const { id } = yield* submitImage(principal)
      yield* claim("image")
      const refused = yield* Effect.flip(tasks.cancelQueued(id))
      assert.deepInclude(refused, { code: "task_not_cancelable", taskId: id })
      const task = yield* tasks.get(principal, id)
      assert.deepStrictEqual(
        [task.error, task.history.map(({ event }) => event)],
        [null, ["submit", "start"]],
      )
    }).pipe(Effect.provide(app)),
  )
})

describe("document-tools 4.2 and 8: a file's size", () => {
  it.effect("is bounded by its tool, whichever service submits the file", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const error = yield* Effect.flip(Effect.scoped(upload(principal, 1001)))
      assert.deepInclude(error, { code: "file_too_large", param: "file" })
      const kept = yield* Effect.scoped(upload(principal, 1000))
      assert.deepStrictEqual([kept.status, kept.bytes], ["ready", 1000])
    }).pipe(Effect.provide(app)),
  )
})
