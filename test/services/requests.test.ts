import {
  type ImageTask,
  ImageTasks,
  type Principal,
  TaskStore,
  Tasks,
  UpstreamError,
  Workers,
} from "@atelier/core"
import { anImageTask } from "@atelier/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { freshAtelier, generation, principalWith, TestScript } from "../support/atelier.ts"

interface Line {
  readonly message: string
  readonly annotations: Readonly<Record<string, unknown>>
}

/** Runs an effect in a fresh service; gives the log lines of it and of its workers. */
const logged = <A, E>(
  run: (lines: ReadonlyArray<Line>) => Effect.Effect<A, E, Layer.Success<typeof freshAtelier>>,
) => {
  const lines: Array<Line> = []
  const logger = Logger.make<unknown, void>(({ fiber, message }) => {
    const [text] = Array.isArray(message) ? message : [message]
    lines.push({ message: String(text), annotations: fiber.getRef(References.CurrentLogAnnotations) })
  })
  return run(lines).pipe(Effect.provide(freshAtelier), Effect.provide(Logger.layer([logger])))
}

const submit = (principal: Principal, requestId: string | null, body: object = {}) =>
  Effect.flatMap(ImageTasks, (images) =>
    Effect.map(
      images.submit({
        principal,
        body: { model: "test-model", prompt: "a", ...body },
        idempotencyKey: null,
        requestId,
      }),
      ({ value }) => value,
    ),
  )

const until = (principal: Principal, task: ImageTask, state: string) =>
  Effect.flatMap(Tasks, (tasks) =>
    tasks.changes(principal, task.id).pipe(
      Stream.filter((now) => now.state === state),
      Stream.runHead,
    ),
  )

const requestId = "req_of-the-customer"

describe("contract, Answers: log lines of a task carry request_id and task_id, and its key_id", () => {
  it.effect("a channel's, an adapter's and the failure's, when an image task is run", () =>
    logged((lines) =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const script = yield* TestScript
        script.generate = () =>
          Effect.andThen(
            Effect.logWarning("from within an adapter"),
            Effect.fail(new UpstreamError({ reason: "unavailable", message: "busy" })),
          )
        script.backup = () => Effect.fail(new UpstreamError({ reason: "rejected", message: "no" }))
        const task = yield* submit(principal, requestId)
        yield* Effect.provide(until(principal, task, "failed"), Workers.layer)
        const about = { task_id: task.id, request_id: requestId, key_id: principal.key.id }
        for (const text of ["from within an adapter", "a channel is unavailable", "a task failed"]) {
          const line = lines.find(({ message }) => message === text)
          assert.deepInclude(line?.annotations, about, text)
        }
        const failure = lines.find(({ message }) => message === "a task failed")
        assert.strictEqual(failure?.annotations["code"], "upstream_rejected")
      }),
    ),
  )

  it.effect("an image's that could not be copied, and a job's that broke", () =>
    logged((lines) =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const script = yield* TestScript
        script.generate = ({ request }) =>
          request.prompt === "link"
            ? Effect.succeed(generation([{ url: "https://example.com/a.png" }]))
            : Effect.die(new Error("broken"))
        script.download = () => Effect.die(new Error("broken too"))
        const linked = yield* submit(principal, "req_linked", { prompt: "link" })
        const broken = yield* submit(principal, "req_broken", { prompt: "break" })
        yield* Effect.andThen(
          until(principal, linked, "archiving"),
          until(principal, broken, "in_progress"),
        ).pipe(
          Effect.andThen(
            Effect.repeat(Effect.yieldNow, {
              until: () => lines.filter(({ message }) => message.startsWith("job failed")).length >= 2,
            }),
          ),
          Effect.provide(Workers.layer),
        )
        const requests = lines.map(({ annotations }) => [annotations["task_id"], annotations["request_id"]])
        assert.deepInclude(requests, [linked.id, "req_linked"])
        assert.deepInclude(requests, [broken.id, "req_broken"])
      }),
    ),
  )

  it.effect("one that its deadline ended, and one that was canceled", () =>
    logged((lines) =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const tasks = yield* Tasks
        const late = yield* submit(principal, "req_late")
        const canceled = yield* submit(principal, "req_canceled")
        yield* tasks.cancel(principal, canceled.id, "req_of-the-cancellation")
        const script = yield* TestScript
        script.generate = () => Effect.never
        yield* TestClock.adjust("1 hour")
        yield* Effect.provide(until(principal, late, "failed"), Workers.layer)
        const failures = lines.filter(({ message }) => message === "a task failed")
        assert.deepStrictEqual(
          failures.map(({ annotations: { task_id, request_id, code } }) => [task_id, request_id, code]),
          [
            [canceled.id, "req_canceled", "canceled"],
            [late.id, "req_late", "timeout"],
          ],
        )
      }),
    ),
  )
})

describe("background duties", () => {
  it.effect("overdue tasks that cannot be ended do not block others, and are logged in one line", () =>
    logged((lines) =>
      Effect.gen(function* () {
        const principal = yield* principalWith("1")
        const store = yield* TaskStore
        // Their users have no account: what they hold cannot be given back.
        yield* Effect.forEach(["req_first", "req_second"], (requestId) =>
          store.insert(anImageTask({ requestId, deadlineAt: 0 })),
        )
        const task = yield* submit(principal, "req_late")
        const script = yield* TestScript
        script.generate = () => Effect.never
        yield* TestClock.adjust("1 hour")
        const told = () => lines.filter(({ message }) => message === "ending an overdue task failed")
        yield* until(principal, task, "failed").pipe(
          Effect.andThen(Effect.repeat(Effect.yieldNow, { until: () => told().length > 0 })),
          Effect.provide(Workers.layer),
        )
        const faults = told()
        assert.deepInclude(faults[0]?.annotations, { request_id: "req_first", failed: 2 })
        assert.lengthOf(faults, 1)
      }),
    ),
  )
})

describe("contract, Answers: a task keeps the id of the request that submitted it", () => {
  it.effect("an embedder may name a request, or none; what is no header's value is refused", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const store = yield* TaskStore
      const named = yield* submit(principal, "trace/4711")
      const nameless = yield* submit(principal, null)
      assert.deepStrictEqual([named.requestId, nameless.requestId], ["trace/4711", null])
      const found = yield* store.list({ requestId: "trace/4711", limit: 10 })
      assert.deepStrictEqual(found, [named])
      assert.deepStrictEqual(
        Option.getOrThrow(yield* store.get(nameless.id)).history[0]?.requestId,
        undefined,
      )
      for (const wrong of ["", "a b", "ü", "x".repeat(129), "a\nb"]) {
        const refused = yield* Effect.flip(submit(principal, wrong))
        assert.deepInclude(refused, { code: "invalid_parameter", param: "request_id" })
      }
      yield* submit(principal, "x".repeat(128))
    }).pipe(Effect.provide(freshAtelier)),
  )
})
