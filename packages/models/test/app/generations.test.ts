import type { ImageTask, Principal } from "@atelier/core"
import { atEveryStep, type Fault, failingStores } from "@atelier/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import {
  cutAfterHeaders,
  cutBeforeHeaders,
  cutMidBody,
  held,
  htmlError,
  idempotencyKeyOf,
  json,
  makeVendor,
  type Reply,
  silence,
  tooManyRequests,
} from "../../src/testing/vendor.ts"
import { appOver, appWith, customer, dayLater, moneyOf, now, runAll, runDue, submit } from "../support/app.ts"
import { channelOf, route, studioOf } from "../support/openai.ts"

/** Made and paid, but the answer is lost. */
const losses: ReadonlyArray<readonly [string, (generation: unknown) => Reply]> = [
  ["cut before the answer", () => cutBeforeHeaders],
  ["cut after its headers", () => cutAfterHeaders],
  ["cut inside it", (generation) => cutMidBody(JSON.stringify(generation))],
  ["a proxy's 504", () => htmlError(504)],
]

describe("contract, Images: upstream duty, at a vendor that honours the reference", () => {
  it.effect.each(losses)("exactly one generation, charged once: %s", ([, lose]) =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      const paid = studioOf(true)
      vendor.on("POST", route, paid.deliver(lose), paid.deliver(lose), paid.deliver())
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        const task = yield* submit(principal, { n: 2 })
        yield* runAll
        const done = yield* now(task)
        assert.deepStrictEqual(
          [done.state, done.charged, done.result?.assets.length],
          ["completed", done.held, 2],
        )
        assert.deepStrictEqual(yield* moneyOf(principal), { held: 0, spent: done.held })
        assert.strictEqual(paid.made.length, 1)
        const keys = vendor.requests.map(idempotencyKeyOf)
        assert.deepStrictEqual(keys, [task.id, task.id, task.id])
      }).pipe(Effect.provide(appWith(channelOf(vendor, true))))
    }),
  )
})

describe("contract, Images: upstream duty, at a vendor that takes no reference", () => {
  it.effect.each(losses)("sent once; unknown, then released after 24 hours: %s", ([, lose]) =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      const paid = studioOf(false)
      vendor.on("POST", route, paid.deliver(lose), paid.deliver())
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        const task = yield* submit(principal)
        yield* runAll
        assert.strictEqual((yield* now(task)).state, "unknown")
        assert.deepStrictEqual(yield* moneyOf(principal), { held: task.held, spent: 0 })
        yield* dayLater(principal, task)
        const failed = yield* now(task)
        assert.deepStrictEqual([failed.state, failed.error?.code], ["failed", "upstream_unknown"])
        assert.deepStrictEqual(yield* moneyOf(principal), { held: 0, spent: 0 })
        assert.deepStrictEqual([vendor.requests.length, paid.made.length], [1, 1])
      }).pipe(Effect.provide(appWith(channelOf(vendor, false))))
    }),
  )

  const notAccepted: ReadonlyArray<readonly [string, Reply]> = [
    ["429", tooManyRequests("7")],
    ["503 with JSON", json({ error: { message: "Overloaded." } }, 503)],
    ["401", json({ error: { message: "No.", code: "invalid_api_key" } }, 401)],
  ]
  it.effect.each(notAccepted)("what was not accepted is sent again: %s", ([, refuse]) =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      const paid = studioOf(false)
      vendor.on("POST", route, refuse, refuse, paid.deliver())
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        const task = yield* submit(principal)
        yield* runAll
        assert.strictEqual((yield* now(task)).state, "completed")
        assert.deepStrictEqual(yield* moneyOf(principal), { held: 0, spent: task.held })
        assert.deepStrictEqual([vendor.requests.length, paid.made.length], [3, 1])
      }).pipe(Effect.provide(appWith(channelOf(vendor, false))))
    }),
  )

  const refusals: ReadonlyArray<readonly [string, Reply, string]> = [
    ["content", json({ error: { message: "x", code: "moderation_blocked" } }, 400), "upstream_rejected"],
    ["a bad request", json({ error: { message: "x", code: "invalid_value" } }, 400), "upstream_failed"],
    ["500 with JSON", json({ error: { message: "x" } }, 500), "upstream_failed"],
    ["no image in the answer", json({ data: [] }), "upstream_failed"],
  ]
  it.effect.each(refusals)("what was refused is released at once: %s", ([, refuse, code]) =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      vendor.on("POST", route, refuse)
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        const task = yield* submit(principal)
        yield* runDue
        const failed = yield* now(task)
        assert.deepStrictEqual([failed.state, failed.error?.code], ["failed", code])
        assert.deepStrictEqual(yield* moneyOf(principal), { held: 0, spent: 0 })
        assert.strictEqual(vendor.requests.length, 1)
      }).pipe(Effect.provide(appWith(channelOf(vendor, false))))
    }),
  )
})

describe("contract, Images: a process that dies at any store call of a run", () => {
  const faults: ReadonlyArray<Fault> = ["fail", "die", "lose"]

  /** Submits a task, dies at a step of its run, goes on; then the next task at the next step. */
  const dying = <E, R>(
    fault: Fault,
    principal: Principal,
    settled: (task: ImageTask) => Effect.Effect<void, E, R>,
  ) =>
    atEveryStep(fault, (act) =>
      Effect.gen(function* () {
        const task = yield* submit(principal)
        yield* Effect.exit(act(runDue))
        yield* TestClock.adjust("10 seconds")
        yield* runAll
        yield* settled(task)
      }),
    )

  it.effect.each(faults)("with the reference honoured: one generation for each task (%s)", (fault) =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      const paid = studioOf(true)
      vendor.on("POST", route, paid.deliver())
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        let tasks = 0
        let spent = 0
        const calls = yield* dying(fault, principal, (task) =>
          Effect.gen(function* () {
            const done = yield* now(task)
            assert.deepStrictEqual([done.state, done.charged], ["completed", done.held])
            tasks += 1
            spent += done.held
            assert.strictEqual(paid.made.length, tasks)
          }),
        )
        assert.deepStrictEqual(yield* moneyOf(principal), { held: 0, spent })
        assert.isAbove(calls.length, 5)
      }).pipe(Effect.provide(appOver(failingStores, channelOf(vendor, true))))
    }),
  )

  it.effect.each(faults)("without: at most one generation, and charged only with its images (%s)", (fault) =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      const paid = studioOf(false)
      vendor.on("POST", route, paid.deliver())
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        let tasks = 0
        let spent = 0
        const states = new Set<string>()
        const lost: Array<ImageTask> = []
        yield* dying(fault, principal, (task) =>
          Effect.gen(function* () {
            const found = yield* now(task)
            assert.include(["completed", "unknown"], found.state)
            tasks += 1
            spent += found.charged
            states.add(found.state)
            if (found.state === "unknown") lost.push(task)
            assert.isAtMost(paid.made.length, tasks)
          }),
        )
        yield* Effect.forEach(lost, (task) => dayLater(principal, task))
        assert.deepStrictEqual(yield* moneyOf(principal), { held: 0, spent })
        assert.deepStrictEqual([...states].sort(), ["completed", "unknown"])
      }).pipe(Effect.provide(appOver(failingStores, channelOf(vendor, false))))
    }),
  )
})

describe("contract, Images: a process that stops while the vendor works", () => {
  it.effect.each([
    [true, "completed"],
    [false, "unknown"],
  ] as const)("reference honoured: %s; the task goes on to be %s; one generation", ([honours, state]) =>
    Effect.gen(function* () {
      const vendor = yield* makeVendor
      const paid = studioOf(honours)
      const working = held(silence)
      vendor.on(
        "POST",
        route,
        paid.deliver(() => working.reply),
        paid.deliver(),
      )
      yield* Effect.gen(function* () {
        const principal = yield* customer()
        const task = yield* submit(principal)
        const run = yield* Effect.forkChild(runDue)
        yield* Effect.promise(() => working.waiting)
        yield* Fiber.interrupt(run)
        yield* runAll
        const found = yield* now(task)
        assert.deepStrictEqual([found.state, paid.made.length], [state, 1])
        const money = honours ? { held: 0, spent: task.held } : { held: task.held, spent: 0 }
        assert.deepStrictEqual(yield* moneyOf(principal), money)
      }).pipe(Effect.provide(appWith(channelOf(vendor, honours))))
    }),
  )
})
