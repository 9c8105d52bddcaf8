import { rm } from "node:fs/promises"
import { join } from "node:path"
import { refuse, StorageError } from "@atelier/core"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Logger, References, Schedule, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Exchange, streamed } from "../src/Answer.ts"
import * as FailureLog from "../src/FailureLog.ts"
import { errorOf, form, Harness, layerWith } from "./harness.ts"

interface Line {
  readonly level: string
  readonly message: string
  readonly annotations: Readonly<Record<string, unknown>>
}

/** A logger, and what was logged by it. */
const collecting = () => {
  const lines: Array<Line> = []
  const logger = Logger.make<unknown, void>(({ fiber, logLevel, message }) => {
    lines.push({
      level: logLevel,
      message: JSON.stringify(message),
      annotations: fiber.getRef(References.CurrentLogAnnotations),
    })
  })
  return { lines, logger }
}

const { lines, logger } = collecting()

// An upload of more than a byte goes through the spool.
layer(layerWith({ logger, limits: { small_document_bytes_max: 1 } }), { excludeTestServices: true })(
  "the log of failed answers",
  (it) => {
    const lineOf = (requestId: string) => {
      const found = lines.filter(
        ({ message, annotations }) =>
          message.includes("a request failed") && annotations["request_id"] === requestId,
      )
      assert.lengthOf(found, 1)
      return found[0]
    }

    it.effect("500: the request's id, the method and the path are fields of one line", () =>
      Effect.gen(function* () {
        const { call, newKey } = yield* Harness
        const { key, keyId } = yield* newKey()
        const answer = yield* call({
          method: "POST",
          path: "/v1/images/tasks?a=1",
          key,
          body: { model: "dies" },
        })
        const line = lineOf(errorOf(answer).request_id)
        assert.strictEqual(line?.level, "Error")
        assert.deepInclude(line?.annotations, {
          code: "internal_error",
          status: 500,
          path: "POST /v1/images/tasks",
          key_id: keyId,
        })
      }),
    )

    it.effect(
      "503: storage that fails says what was attempted, and a tool that cannot check files is a warning",
      () =>
        Effect.gen(function* () {
          const { call, newKey, directory } = yield* Harness
          const { key } = yield* newKey()
          const path = "/v1/tools/test-tool/files"
          const upload = (filename: string) =>
            call({ method: "POST", path, key, ...form([{ name: "file", filename, content: "text" }]) })
          const outage = yield* upload("outage.txt")
          const warning = lineOf(errorOf(outage).request_id)
          assert.strictEqual(warning?.level, "Warn")
          assert.deepInclude(warning?.annotations, { code: "executor_unavailable", status: 503 })
          yield* Effect.promise(() => rm(join(directory, "spool"), { recursive: true }))
          const failed = yield* upload("a.txt")
          const error = lineOf(errorOf(failed).request_id)
          assert.strictEqual(error?.level, "Error")
          assert.deepInclude(error?.annotations, {
            code: "storage_unavailable",
            status: 503,
            operation: "upload.spool",
          })
        }),
    )

    it.effect("502: the line names the request and the task", () =>
      Effect.gen(function* () {
        const { call, newKey } = yield* Harness
        const { key } = yield* newKey()
        const generation = { method: "POST", path: "/v1/images/generations", key, body: { model: "test-1" } }
        const waiting = yield* Effect.forkChild(call(generation))
        const id = yield* call({ path: "/v1/tasks", key }).pipe(
          Effect.map(({ json }) => (json as { data: ReadonlyArray<{ id: string }> }).data[0]?.id ?? ""),
          Effect.repeat({ until: (id) => id !== "", schedule: Schedule.spaced("5 millis") }),
        )
        yield* call({ method: "POST", path: `/v1/tasks/${id}/cancel`, key })
        const answer = yield* Fiber.join(waiting)
        assert.deepInclude(lineOf(errorOf(answer).request_id)?.annotations, { status: 502, task_id: id })
      }),
    )

    it.effect("refusals with 4xx are not logged, however many there are", () =>
      Effect.gen(function* () {
        const { call, newKey } = yield* Harness
        const { key } = yield* newKey()
        const before = lines.length
        for (const path of ["/v1/tasks/none", "/nowhere", "/v1/tasks?limit=x"]) {
          for (let n = 0; n < 3; n++) assert.isBelow((yield* call({ path, key })).status, 500)
        }
        assert.strictEqual(lines.length, before)
      }),
    )
  },
)

describe("the log of failed answers is bounded", () => {
  it.effect("10 lines of a kind in a second; the next one says how many were left out", () =>
    Effect.gen(function* () {
      const { lines, logger } = collecting()
      const report = FailureLog.make()
      const failing = (times: number, code: string) =>
        Effect.forEach(Array.from({ length: times }), (_, n) =>
          report({ requestId: `req_${n}`, caller: "" }, { code, status: 503 }),
        )
      yield* Effect.gen(function* () {
        yield* failing(1000, "overloaded")
        assert.lengthOf(lines, 10)
        yield* failing(2, "storage_unavailable")
        assert.lengthOf(lines, 12)
        yield* TestClock.adjust("1 second")
        yield* failing(2, "overloaded")
        assert.deepStrictEqual(
          lines.slice(12).map(({ annotations }) => annotations["left_out"]),
          [990, undefined],
        )
      }).pipe(Effect.provide(Logger.layer([logger])))
    }),
  )

  it.effect("a path of any length takes a line of bounded length", () =>
    Effect.gen(function* () {
      const { lines, logger } = collecting()
      const fault = { code: "internal_error", status: 500, path: `GET /${"x".repeat(10_000)}` }
      yield* Effect.provide(
        FailureLog.make()({ requestId: "req_1", caller: "" }, fault),
        Logger.layer([logger]),
      )
      assert.isBelow(JSON.stringify(lines).length, 500)
    }),
  )

  it.effect(
    "a body that breaks off while it is sent is logged as a storage failure, and a refused one is not",
    () =>
      Effect.gen(function* () {
        const faults: Array<FailureLog.Fault> = []
        const exchange: Exchange = {
          requestId: "req_1",
          headers: {},
          caller: "",
          report: (fault) => Effect.sync(() => void faults.push(fault)),
        }
        const send = Effect.fnUntraced(function* (failure: Parameters<typeof streamed>[0]) {
          const { body } = yield* Effect.provideService(streamed(failure, {}), Exchange, exchange)
          if (body._tag === "Stream") yield* Effect.exit(Stream.runDrain(body.stream))
        })
        yield* send(Stream.fail(new StorageError({ operation: "blobs.read", cause: new Error("gone") })))
        yield* send(Stream.fail(refuse("tool_not_allowed", "No more.")))
        assert.deepInclude(faults[0], { code: "storage_unavailable", status: 503, operation: "blobs.read" })
        assert.lengthOf(faults, 1)
      }),
  )
})
