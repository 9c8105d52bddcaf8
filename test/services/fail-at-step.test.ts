import { writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  CallbackStore,
  DownloadFailed,
  FileStore,
  ImageTasks,
  isFinal,
  type JobKind,
  LedgerStore,
  Limits,
  type Principal,
  Queue,
  SmallBlobs,
  TaskStore,
  type ToolFile,
  ToolFiles,
  ToolTasks,
  Transaction,
} from "@atelier/core"
import {
  atEveryStep,
  beginJobs,
  FailAt,
  type Fault,
  failingStores,
  leaseJobs,
  RunJob,
} from "@atelier/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import {
  atelierOver,
  balanceOf,
  generation,
  heldResults,
  principalWith,
  TestScript,
  temporaryDirectory,
} from "../support/atelier.ts"

const faults: ReadonlyArray<Fault> = ["fail", "die", "lose"]

/** The application over stores whose every call can be made to fail, and the runner of single jobs. */
const app = Layer.unwrap(
  Effect.map(temporaryDirectory, (directory) =>
    RunJob.layer.pipe(Layer.provideMerge(atelierOver(directory, failingStores))),
  ),
)

/** What must be true at every moment: no charge without a task, no task without its hold, its job or its end. */
const requireSound = Effect.fnUntraced(function* (principal: Principal) {
  const store = yield* TaskStore
  const ledger = yield* LedgerStore
  const tasks = yield* store.list({ keyId: principal.key.id, limit: 1000 })
  const transfers = yield* ledger.list({ userId: principal.user.id, limit: 1000 })
  const { held, spent } = yield* balanceOf(principal)
  const open = tasks.filter(({ state }) => !isFinal(state))
  assert.strictEqual(
    held,
    sum(open, (task) => task.held),
  )
  assert.strictEqual(
    spent,
    sum(tasks, (task) => task.charged),
  )
  for (const task of tasks) {
    const own = transfers.filter(({ taskId }) => taskId === task.id)
    assert.strictEqual(own.filter(({ phase }) => phase === "open").length, 1, task.id)
    assert.strictEqual(
      own.filter(({ phase }) => phase === "close").length,
      isFinal(task.state) ? 1 : 0,
      task.id,
    )
  }
  const known = new Set<string>(tasks.map(({ id }) => id))
  assert.ok(transfers.every(({ taskId }) => taskId === null || known.has(taskId)))
  const queue = yield* Queue
  const jobs = sum(yield* queue.counts, ({ ready, leased }) => ready + leased)
  const callbacks = yield* CallbackStore
  const deliveries = yield* Effect.forEach(tasks, ({ id }) => callbacks.get(id))
  const pending = deliveries.filter((found) => Option.isSome(found) && found.value.state === "pending")
  const working = open.filter(({ state }) => state !== "unknown")
  assert.strictEqual(jobs, working.length + pending.length)
  return tasks
})

const sum = <A>(items: ReadonlyArray<A>, of: (item: A) => number) =>
  items.reduce((total, item) => total + of(item), 0)

const image = (principal: Principal, idempotencyKey: string, body: object = {}) =>
  Effect.flatMap(ImageTasks, (images) =>
    images.submit({ principal, body: { model: "test-model", prompt: "a", n: 2, ...body }, idempotencyKey }),
  )

const uploadOne = Effect.fnUntraced(function* (principal: Principal) {
  const files = yield* ToolFiles
  const path = join(yield* temporaryDirectory, "upload")
  writeFileSync(path, "hello")
  return yield* files.upload(principal, "test-tool", { path, filename: "a.txt", bytes: 5, sha256: "" })
})

const uploadSmall = (principal: Principal) =>
  Effect.flatMap(ToolFiles, (files) => {
    const data = new TextEncoder().encode("hello")
    return files.upload(principal, "test-tool", { data, filename: "a.txt", bytes: 5, sha256: "" })
  })

/** Runs every job, letting leases of runs that died and delays of retries go by, until nothing is left to do. */
const runAll = Effect.gen(function* () {
  const queue = yield* Queue
  for (let turns = 0; (yield* queue.counts).length > 0; turns++) {
    assert.isBelow(turns, 50, "jobs are left over")
    for (const kind of ["image", "tool", "callback"] as const) {
      const jobs = yield* beginJobs(queue, kind, 10)
      yield* Effect.forEach(jobs, ({ run }) => run, { discard: true })
    }
    yield* TestClock.adjust("5 seconds")
  }
})

/** One leased job, begun and run with the fault; what dies in between is what a dead process leaves. */
const runOne = (kind: JobKind, between: Effect.Effect<void> = Effect.void) =>
  Effect.gen(function* () {
    const queue = yield* Queue
    const transaction = yield* Transaction
    const runJob = yield* RunJob
    for (const job of yield* leaseJobs(queue, kind, 1)) {
      const { run } = yield* transaction.run(runJob.begin(job))
      yield* between
      yield* run
    }
  })

/**
 * Acts with the fault at each store call in turn; `check` follows without faults, and does again what a caller
 * would. Steps count from 1. Answers the names of the calls.
 */
const eachStep = <E, R, E2, R2>(
  fault: Fault,
  act: (step: number) => Effect.Effect<unknown, E, R>,
  check: (step: number) => Effect.Effect<void, E2, R2>,
) => {
  let step = 0
  return atEveryStep(fault, (faulty) =>
    Effect.suspend(() => {
      step += 1
      return Effect.andThen(Effect.exit(faulty(act(step))), check(step))
    }),
  )
}

describe.each(faults)("a store call that meets the fault `%s`", (fault) => {
  it.effect("submit: no charge without a task, no task without a hold; a retry makes no second task", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1000")
      const calls = yield* eachStep(
        fault,
        (step) => image(principal, `submit-${step}`),
        (step) =>
          Effect.gen(function* () {
            yield* requireSound(principal)
            yield* image(principal, `submit-${step}`)
            assert.strictEqual((yield* requireSound(principal)).length, step)
          }),
      )
      assert.includeMembers([...calls], ["LedgerStore.post", "TaskStore.insert", "Queue.enqueue"])
    }).pipe(Effect.provide(app)),
  )

  it.effect("submit with reference images: the same, through the reservation of the key", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1000")
      const body = { images: ["https://example.org/a.png"] }
      yield* eachStep(
        fault,
        (step) => image(principal, `submit-${step}`, body),
        (step) =>
          Effect.gen(function* () {
            yield* requireSound(principal)
            // A reservation that could not be taken back is void after 30 s.
            yield* TestClock.adjust("30 seconds")
            yield* image(principal, `submit-${step}`, body)
            assert.strictEqual((yield* requireSound(principal)).length, step)
          }),
      )
    }).pipe(Effect.provide(app)),
  )

  it.effect("invoke: no pre-deduction without a task; a retry makes no second task", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1000")
      const invoke = yield* invoking(principal)
      yield* eachStep(fault, invoke, (step) =>
        Effect.gen(function* () {
          yield* requireSound(principal)
          yield* invoke(step)
          assert.strictEqual((yield* requireSound(principal)).length, step)
          yield* runAll
        }),
      )
    }).pipe(Effect.provide(app)),
  )

  it.effect("run of an image task: one end, one settlement, one callback", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1000")
      const script = yield* TestScript
      const waiting = { callback_url: "https://example.org/hook" }
      yield* image(principal, "run-1", waiting)
      const calls = yield* eachStep(
        fault,
        () => runOne("image"),
        (step) =>
          Effect.gen(function* () {
            yield* requireSound(principal)
            yield* TestClock.adjust("10 seconds")
            yield* runAll
            const tasks = yield* requireSound(principal)
            assert.deepStrictEqual(new Set(tasks.map(({ state }) => state)), new Set(["completed"]))
            yield* image(principal, `run-${step + 1}`, waiting)
          }),
      )
      assert.includeMembers([...calls], ["TaskStore.update", "LedgerStore.post", "Transaction.commit"])
      assert.isAtLeast(script.generated.length, calls.length)
    }).pipe(Effect.provide(app)),
  )

  it.effect("delivery of a callback: told at least once, always under one id, and then never again", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1000")
      const script = yield* TestScript
      const callbacks = yield* CallbackStore
      const told: Array<string> = []
      script.post = (_url, headers, body) =>
        Effect.sync(() => {
          told.push(`${JSON.parse(body).data.id} ${headers["webhook-id"]}`)
          return 200
        })
      const submitOne = (step: number) =>
        Effect.andThen(
          image(principal, `told-${step}`, { callback_url: "https://example.org/hook" }),
          runOne("image"),
        )
      yield* submitOne(1)
      yield* eachStep(
        fault,
        () => runOne("callback"),
        (step) =>
          Effect.gen(function* () {
            yield* TestClock.adjust("10 seconds")
            yield* runAll
            for (const { id } of yield* requireSound(principal)) {
              const delivery = Option.getOrThrow(yield* callbacks.get(id))
              assert.strictEqual(delivery.state, "delivered")
              assert.include(told, `${id} ${delivery.eventId}`)
              assert.strictEqual(new Set(told.filter((each) => each.startsWith(id))).size, 1)
            }
            yield* submitOne(step + 1)
          }),
      )
    }).pipe(Effect.provide(app)),
  )

  it.effect("run at an upstream that takes no reference: at most one generation for each task", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1000")
      const script = yield* TestScript
      script.repeatable = false
      yield* image(principal, "run-1")
      let unsent = 0
      const calls = yield* eachStep(
        fault,
        // What is known of the channels' pauses is read again then.
        () => runOne("image", TestClock.adjust("1 second")),
        (step) =>
          Effect.gen(function* () {
            yield* TestClock.adjust("10 seconds")
            yield* runAll
            const unknown = (yield* requireSound(principal)).filter(({ state }) => state === "unknown")
            unsent = unknown.filter(({ id }) => !script.generated.includes(id)).length
            yield* image(principal, `run-${step + 1}`)
          }),
      )
      assert.include(calls, "SettingsStore.all")
      // Only where the process ends with the commit of its start nothing tells that it was not sent.
      assert.strictEqual(unsent, fault === "lose" ? 1 : 0)
      assert.strictEqual(new Set(script.generated).size, script.generated.length)
    }).pipe(Effect.provide(app)),
  )

  it.effect("upload of a small file: kept whole or not at all", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1000")
      const store = yield* FileStore
      const small = yield* SmallBlobs
      let kept: ToolFile | undefined
      const calls = yield* eachStep(
        fault,
        () =>
          Effect.map(uploadSmall(principal), (file) => {
            kept = file
          }),
        () =>
          Effect.gen(function* () {
            // What was answered is there; what was not takes a place at most until it expires.
            if (kept === undefined) return
            assert.deepStrictEqual(yield* store.get(kept.id), Option.some(kept))
            assert.isTrue(Option.isSome(yield* small.get(kept.blob)))
            kept = undefined
          }),
      )
      assert.includeMembers([...calls], ["FileStore.insert", "SmallBlobs.put", "Transaction.commit"])
    }).pipe(Effect.provide(app)),
  )

  it.effect.each([
    ["results in files", false],
    ["small results", true],
  ] as const)("run of a tool task, %s: one end, one charge", ([, isHeld]) =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1000")
      const script = yield* TestScript
      const tools = yield* ToolTasks
      if (isHeld) script.runTool = heldResults
      const invoke = yield* invoking(principal)
      yield* invoke(1)
      yield* eachStep(
        fault,
        () => runOne("tool"),
        (step) =>
          Effect.gen(function* () {
            yield* requireSound(principal)
            yield* TestClock.adjust("10 seconds")
            yield* runAll
            const tasks = yield* requireSound(principal)
            assert.deepStrictEqual(new Set(tasks.map(({ state }) => state)), new Set(["succeeded"]))
            for (const { id, history } of tasks) {
              assert.deepStrictEqual(
                history.map(({ event }) => event),
                ["submit", "start", "finish"],
              )
              const { content } = yield* tools.openResult(principal, id, "json")
              assert.strictEqual(yield* Stream.mkString(Stream.decodeText(content)), "as json")
            }
            yield* invoke(step + 1)
          }),
      )
    }).pipe(Effect.provide(app)),
  )

  it.effect("archive: links are copied once they can be; the generation is made and charged once", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1000")
      const script = yield* TestScript
      const copied = script.download
      let downloads = 0
      script.repeatable = false
      script.generate = ({ request, reference, onAccepted }) =>
        Effect.as(
          onAccepted(reference),
          generation(
            Array.from({ length: request.n }, (_, index) => ({ url: `https://cdn.example/${index}` })),
          ),
        )
      script.download = (url) => {
        downloads += 1
        return downloads % 3 === 0 ? Effect.fail(new DownloadFailed({ message: "later" })) : copied(url)
      }
      yield* image(principal, "run-1")
      yield* eachStep(
        fault,
        () => runOne("image"),
        (step) =>
          Effect.gen(function* () {
            yield* TestClock.adjust("10 seconds")
            yield* runAll
            yield* requireSound(principal)
            yield* image(principal, `run-${step + 1}`)
          }),
      )
      const tasks = yield* requireSound(principal)
      const completed = tasks.filter(({ state }) => state === "completed")
      assert.isAbove(completed.length, 5)
      assert.ok(completed.every(({ charged }) => charged === 100_000))
    }).pipe(Effect.provide(app)),
  )
})

describe("decision 17: a task that was sent to no channel", () => {
  it.effect("is given back even where storage is away at first", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const [script, queue, transaction] = [yield* TestScript, yield* Queue, yield* Transaction]
      const [runJob, failAt, limits] = [yield* RunJob, yield* FailAt, yield* Limits]
      script.repeatable = false
      yield* image(principal, "away")
      const [job] = yield* leaseJobs(queue, "image", 1)
      const { run } = yield* transaction.run(runJob.begin(job ?? assert.fail("a job is due")))
      // The commit took as long as a lease.
      yield* TestClock.adjust(limits.job_lease_ms)
      yield* failAt.arm(1, "away")
      const fiber = yield* Effect.forkChild(run)
      yield* TestClock.adjust("1 second")
      assert.isAbove((yield* failAt.disarm).calls.length, 1)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(fiber)
      assert.strictEqual(script.generated.length, 0)
      yield* runAll
      const states = (yield* requireSound(principal)).map(({ state }) => state)
      assert.deepStrictEqual([states, script.generated.length], [["completed"], 1])
    }).pipe(Effect.provide(app)),
  )
})

const invoking = Effect.fnUntraced(function* (principal: Principal) {
  const tools = yield* ToolTasks
  const file = yield* Effect.scoped(uploadOne(principal))
  return (step: number) =>
    tools.invoke({
      principal,
      toolId: "test-tool",
      fileId: file.id,
      idempotencyKey: `invoke-${String(step).padStart(3, "0")}`,
    })
})
