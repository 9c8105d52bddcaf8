import {
  Blobs,
  Channels,
  DownloadFailed,
  ImageTasks,
  isFinal,
  LedgerStore,
  ModelCatalog,
  type Principal,
  Queue,
  SettingsStore,
  type Task,
  Tasks,
  UpstreamError,
  Workers,
} from "@atelier/core"
import { beginJobs, leaseJobs, RunJob } from "@atelier/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { balanceOf, freshAtelier, generation, image, principalWith, TestScript } from "../support/atelier.ts"

const app = RunJob.layer.pipe(Layer.provideMerge(freshAtelier))

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

const runDue = Effect.gen(function* () {
  const queue = yield* Queue
  yield* Effect.forEach(yield* beginJobs(queue, "image", 10), ({ run }) => run, { discard: true })
})

const codeOf = <A, R>(effect: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.map(Effect.flip(effect), (error) => ("code" in error ? error.code : error._tag))

/** An upstream that makes two images and gives links to them. */
const links = generation([{ url: "https://cdn.example/1" }, { url: "https://cdn.example/2" }])

const unavailable = new UpstreamError({ reason: "unavailable", message: "busy" })

describe("image-tasks 1.5 and 3: copying to permanent storage", () => {
  it.effect(
    "in_progress until every image is copied, no address before, the links are the service's own",
    () =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const script = yield* TestScript
        const tasks = yield* Tasks
        const copied = script.download
        script.generate = () => Effect.succeed(links)
        script.download = (url) =>
          url.endsWith("2") ? Effect.fail(new DownloadFailed({ message: "404" })) : copied(url)
        const { id } = yield* submit(principal, { n: 2 })
        yield* runDue
        const waiting = yield* tasks.get(principal, id)
        assert.ok(waiting.kind === "image")
        assert.deepStrictEqual(
          [waiting.state, waiting.result, waiting.archive?.failures],
          ["archiving", null, 1],
        )
        assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 400_000, held: 100_000, spent: 0 })
        script.download = copied
        yield* TestClock.adjust("1 second")
        yield* runDue
        const done = yield* tasks.get(principal, id)
        assert.ok(done.kind === "image")
        assert.strictEqual(done.state, "completed")
        assert.isNull(done.archive)
        assert.ok(done.result?.assets.every(({ url, blob }) => url === null && blob?.startsWith("media/")))
        assert.deepStrictEqual(script.generated, [id])
      }).pipe(Effect.provide(app)),
  )

  it.effect("rule 1: retries survive restarts; given up after 24 h, the generation stays billed, once", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const tasks = yield* Tasks
      script.generate = () => Effect.succeed(links)
      script.download = () => Effect.fail(new DownloadFailed({ message: "gone" }))
      const { id } = yield* submit(principal, { n: 2 })
      for (let hours = 0; hours < 24; hours++) {
        yield* runDue
        yield* TestClock.adjust("1 hour")
      }
      const task = yield* tasks.get(principal, id)
      assert.isAbove(task.kind === "image" ? (task.archive?.failures ?? 0) : 0, 20)
      const failed = yield* Effect.provide(
        Stream.runLast(Stream.takeUntil(tasks.changes(principal, id), ({ state }) => isFinal(state))),
        Workers.layer,
      )
      assert.strictEqual(Option.getOrThrow(failed).error?.code, "result_archive_failed")
      assert.deepStrictEqual(script.generated, [id])
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 400_000, held: 0, spent: 100_000 })
    }).pipe(Effect.provide(app)),
  )

  it.effect("decision 14: links that may not be followed end at once, and no image is not charged", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const asked: Array<string> = []
      script.generate = () => Effect.succeed(links)
      script.download = (url) =>
        Effect.suspend(() => {
          asked.push(url)
          return Effect.fail(new DownloadFailed({ message: "private", refused: true }))
        })
      const { id } = yield* submit(principal, { n: 2 })
      yield* runDue
      const task = yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))
      assert.deepStrictEqual([task.state, task.error?.code], ["failed", "upstream_failed"])
      assert.notInclude(JSON.stringify(task.error), "cdn.example")
      assert.deepStrictEqual([task.charged, task.released], [0, 100_000])
      assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 500_000, held: 0, spent: 0 })
      yield* TestClock.adjust("25 hours")
      yield* runDue
      assert.strictEqual(asked.length, 2)
      assert.deepStrictEqual(script.generated, [id])
    }).pipe(Effect.provide(app)),
  )

  it.effect("decision 14: beside a link that may not be followed the others are delivered and charged", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const copied = script.download
      let asked = 0
      let later = true
      script.generate = () => Effect.succeed(links)
      script.download = (url) => {
        if (!url.endsWith("2"))
          return later ? Effect.fail(new DownloadFailed({ message: "503" })) : copied(url)
        asked++
        return Effect.fail(new DownloadFailed({ message: "private", refused: true }))
      }
      const { id } = yield* submit(principal, { n: 2 })
      yield* runDue
      const { get } = yield* Tasks
      assert.strictEqual((yield* get(principal, id)).state, "archiving")
      later = false
      yield* TestClock.adjust("1 second")
      yield* runDue
      const task = yield* get(principal, id)
      assert.ok(task.kind === "image" && task.state === "completed")
      assert.deepStrictEqual([task.result?.assets.length, task.charged, task.released], [1, 50_000, 50_000])
      assert.strictEqual(asked, 1)
    }).pipe(Effect.provide(app)),
  )

  it.effect("decision 14: given up after 24 h, a link that may not be followed is not charged", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const tasks = yield* Tasks
      script.generate = () => Effect.succeed(links)
      script.download = (url) =>
        Effect.fail(new DownloadFailed({ message: "no", refused: url.endsWith("2") }))
      const { id } = yield* submit(principal, { n: 2 })
      yield* runDue
      yield* TestClock.adjust("24 hours")
      const failed = yield* Effect.provide(
        Stream.runLast(Stream.takeUntil(tasks.changes(principal, id), ({ state }) => isFinal(state))),
        Workers.layer,
      )
      const { charged, released, error } = Option.getOrThrow(failed)
      assert.deepStrictEqual([charged, released, error?.code], [50_000, 50_000, "result_archive_failed"])
    }).pipe(Effect.provide(app)),
  )

  it.effect("rule 1: processes that die while they copy do not make the service give the images up", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const queue = yield* Queue
      const copied = script.download
      script.generate = () => Effect.succeed(links)
      script.download = () => Effect.fail(new DownloadFailed({ message: "later" }))
      const { id } = yield* submit(principal, { n: 2 })
      yield* runDue
      for (let deaths = 0; deaths < 15; deaths++) {
        yield* TestClock.adjust("10 seconds")
        yield* leaseJobs(queue, "image", 1)
      }
      script.download = copied
      yield* TestClock.adjust("10 seconds")
      yield* runDue
      const task = yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))
      assert.strictEqual(task.state, "completed")
    }).pipe(Effect.provide(app)),
  )

  it.effect(
    "rule 1: of four images two were generated; given up, those two stay billed, the rest is released",
    () =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const script = yield* TestScript
        const tasks = yield* Tasks
        script.generate = () => Effect.succeed(links)
        script.download = () => Effect.fail(new DownloadFailed({ message: "gone" }))
        const { id } = yield* submit(principal, { n: 4 })
        yield* runDue
        yield* TestClock.adjust("24 hours")
        const failed = yield* Effect.provide(
          Stream.runLast(Stream.takeUntil(tasks.changes(principal, id), ({ state }) => isFinal(state))),
          Workers.layer,
        )
        const { charged, released, error } = Option.getOrThrow(failed)
        assert.deepStrictEqual([charged, released, error?.code], [100_000, 100_000, "result_archive_failed"])
        assert.deepStrictEqual(yield* balanceOf(principal), { wallet: 400_000, held: 0, spent: 100_000 })
      }).pipe(Effect.provide(app)),
  )

  it.effect("the same bytes are stored once, under their hash", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const blobs = yield* Blobs
      script.generate = () => Effect.succeed(generation([image("same"), image("same")]))
      const { id } = yield* submit(principal, { n: 2 })
      yield* runDue
      const task = yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))
      const assets = task.kind === "image" ? (task.result?.assets ?? []) : []
      assert.strictEqual(new Set(assets.map(({ blob }) => blob)).size, 1)
      assert.isTrue(Option.isSome(yield* blobs.stat(assets[0]?.blob ?? "")))
    }).pipe(Effect.provide(app)),
  )

  it.effect("contract, Images: a model that passes through hands the upstream's links on", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      const catalog = yield* ModelCatalog
      script.generate = () => Effect.succeed(links)
      yield* catalog.override("test-model", { delivery: "passthrough" })
      const { id } = yield* submit(principal, { n: 2 })
      yield* runDue
      const task = yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))
      assert.ok(task.kind === "image" && task.state === "completed")
      assert.deepStrictEqual(
        task.result?.assets.map(({ url }) => url),
        ["https://cdn.example/1", "https://cdn.example/2"],
      )
      assert.deepStrictEqual(
        task.warnings.map(({ code }) => code),
        ["result_not_archived"],
      )
    }).pipe(Effect.provide(app)),
  )
})

describe("several channels for a model", () => {
  it.effect("the next one is asked where the first certainly did not accept", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      script.repeatable = false
      script.backup = () => Effect.succeed(generation([image("backup")]))
      script.generate = () => Effect.fail(unavailable)
      const { id } = yield* submit(principal)
      yield* runDue
      const task = yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))
      assert.ok(task.kind === "image" && task.state === "completed")
      assert.strictEqual(task.upstream?.channel, "backup")
    }).pipe(Effect.provide(app)),
  )

  it.effect.each(["ambiguous", "failed", "rejected"] as const)(
    "never after the first may have accepted: %s",
    (reason) =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const script = yield* TestScript
        let asked = 0
        script.repeatable = false
        script.backup = () =>
          Effect.sync(() => {
            asked += 1
            return generation([image("backup")])
          })
        script.generate = () => Effect.fail(new UpstreamError({ reason, message: "no" }))
        yield* submit(principal)
        yield* runDue
        yield* TestClock.adjust("1 hour")
        yield* runDue
        assert.strictEqual(asked, 0)
      }).pipe(Effect.provide(app)),
  )

  it.effect("an upstream that says when to come back is asked again then", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* TestScript
      script.generate = () =>
        Effect.fail(new UpstreamError({ reason: "unavailable", message: "429", retryAfterMillis: 30_000 }))
      yield* submit(principal)
      yield* runDue
      yield* TestClock.adjust("29 seconds")
      yield* runDue
      assert.strictEqual(script.generated.length, 1)
      yield* TestClock.adjust("1 second")
      yield* runDue
      assert.strictEqual(script.generated.length, 2)
    }).pipe(Effect.provide(app)),
  )

  it.effect(
    "contract, Images: a step of artgen goes to the channel of the step before, of the same key",
    () =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const other = yield* principalWith("1")
        const script = yield* TestScript
        const made = { ...generation([image("first")]), jobId: "job-1" }
        script.backup = () => Effect.succeed(made)
        script.generate = () => Effect.fail(unavailable)
        const early = yield* codeOf(submit(principal, { job_id: "job-1" }))
        yield* submit(principal)
        yield* runDue
        script.generate = () => Effect.succeed(generation([image("wrong channel")]))
        assert.deepStrictEqual(
          [early, yield* codeOf(submit(other, { job_id: "job-1" }))],
          ["invalid_parameter", "invalid_parameter"],
        )
        const { id } = yield* submit(principal, { job_id: "job-1" })
        yield* runDue
        const task = yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))
        assert.strictEqual(task.kind === "image" && task.upstream?.channel, "backup")
      }).pipe(Effect.provide(app)),
  )
})

describe("a channel that an operator paused", () => {
  const working = Effect.gen(function* () {
    const script = yield* TestScript
    script.repeatable = false
    script.generate = () => Effect.succeed(generation([image("scripted")]))
    return script
  })

  it.effect("new tasks go to the others that serve their model", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* working
      script.backup = () => Effect.succeed(generation([image("backup")]))
      yield* (yield* Channels).pause("scripted", "wrong images")
      const { id } = yield* submit(principal)
      yield* runDue
      const task = yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))
      assert.ok(task.kind === "image" && task.state === "completed")
      assert.deepStrictEqual([task.upstream?.channel, script.generated], ["backup", []])
    }).pipe(Effect.provide(app)),
  )

  it.effect("tasks without another wait for it with their money held, and start within a minute", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* working
      const channels = yield* Channels
      yield* channels.pause("scripted", "")
      const { id } = yield* submit(principal)
      for (let minute = 0; minute < 10; minute++) {
        yield* runDue
        yield* TestClock.adjust("1 minute")
      }
      const waiting = yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))
      assert.deepStrictEqual([waiting.state, script.generated.length], ["queued", 0])
      assert.isAbove((yield* balanceOf(principal)).held, 0)
      yield* runDue
      yield* channels.resume("scripted")
      yield* TestClock.adjust("1 minute")
      yield* runDue
      const done = yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))
      assert.deepStrictEqual([done.state, script.generated.length], ["completed", 1])
      assert.strictEqual((yield* balanceOf(principal)).held, 0)
    }).pipe(Effect.provide(app)),
  )

  it.effect("what it accepted goes on", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const script = yield* working
      script.generate = ({ onAccepted, upstreamId }) =>
        upstreamId === null
          ? Effect.andThen(onAccepted("vendor-1"), Effect.fail(unavailable))
          : Effect.succeed(generation([image("scripted")]))
      const { id } = yield* submit(principal)
      yield* runDue
      yield* (yield* Channels).pause("scripted", "")
      yield* TestClock.adjust("1 minute")
      yield* runDue
      const task = yield* Effect.flatMap(Tasks, (tasks) => tasks.get(principal, id))
      assert.strictEqual(task.state, "completed")
    }).pipe(Effect.provide(app)),
  )

  it.effect("by another process, this one knows a second later", () =>
    Effect.gen(function* () {
      const channels = yield* Channels
      const stored = yield* SettingsStore
      assert.deepStrictEqual([...(yield* channels.paused)], [])
      yield* stored.put("channel", "scripted", { at: 0, reason: "" })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([...(yield* channels.paused)], ["scripted"])
      yield* stored.put("channel", "scripted", null)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([...(yield* channels.paused)], [])
    }).pipe(Effect.provide(app)),
  )
})

describe("image-tasks 5.3: who may use a model, and contract, Waiting: max_cost_usd", () => {
  it.effect("group permission: only keys of the model's groups, and the listing agrees", () =>
    Effect.gen(function* () {
      const vip = yield* principalWith("1", { group: "vip" })
      const plain = yield* principalWith("1")
      const catalog = yield* ModelCatalog
      yield* catalog.override("test-model", { groups: ["vip"] })
      assert.strictEqual(yield* codeOf(submit(plain)), "group_not_allowed")
      assert.deepStrictEqual(yield* catalog.list(plain), [])
      assert.strictEqual((yield* catalog.list(vip)).length, 1)
      yield* submit(vip)
    }).pipe(Effect.provide(app)),
  )

  it.effect("model permission, a disabled model and a closed one are refused, naming the successor", () =>
    Effect.gen(function* () {
      const narrow = yield* principalWith("1", { models: ["other-*"] })
      const plain = yield* principalWith("1")
      const catalog = yield* ModelCatalog
      assert.strictEqual(yield* codeOf(submit(narrow)), "model_not_allowed")
      const closed = yield* Effect.flip(submit(plain, { model: "old-model" }))
      assert.ok(closed._tag === "CoreError" && closed.code === "model_not_found")
      assert.include(closed.message, "test-model")
      yield* catalog.override("test-model", { enabled: false })
      assert.strictEqual(yield* codeOf(submit(plain)), "model_not_found")
    }).pipe(Effect.provide(app)),
  )

  it.effect("a fee above max_cost_usd is refused before anything is held; an equal one is not", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const images = yield* ImageTasks
      const ledger = yield* LedgerStore
      assert.strictEqual(
        yield* codeOf(submit(principal, { n: 2, max_cost_usd: 0.1999 })),
        "max_cost_exceeded",
      )
      assert.strictEqual(yield* codeOf(submit(principal, { max_cost_usd: "cheap" })), "invalid_parameter")
      assert.strictEqual((yield* ledger.balance(principal.user.id)).held, 0)
      yield* submit(principal, { n: 2, max_cost_usd: "0.20" })
      const priced = yield* images.quote(principal, { model: "test-model", prompt: "a", n: 3 })
      assert.strictEqual(priced.units, 150_000)
      assert.strictEqual((yield* ledger.balance(principal.user.id)).held, 100_000)
    }).pipe(Effect.provide(app)),
  )

  it.effect("waiting ends at the final state, at `until`, or with the task's current state", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const tasks = yield* Tasks
      const script = yield* TestScript
      script.generate = () => Effect.succeed(links)
      script.download = () => Effect.fail(new DownloadFailed({ message: "later" }))
      const { id } = yield* submit(principal, { n: 2 })
      const copyFailed = (task: Task) => task.kind === "image" && (task.archive?.failures ?? 0) > 0
      const waiting = yield* Effect.forkChild(tasks.wait(principal, id, 60, copyFailed))
      yield* Effect.yieldNow
      yield* runDue
      const task = yield* Fiber.join(waiting)
      assert.strictEqual(task.state, "archiving")
    }).pipe(Effect.provide(app)),
  )
})
