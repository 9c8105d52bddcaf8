import promises from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { errorOf, Harness, layerWith } from "./harness.ts"

const submission = (key: string) => ({
  method: "POST",
  path: "/v1/images/tasks",
  key,
  body: { model: "test-1", prompt: "a cat" },
})

/** Answers to `/readyz` are shared for a second. */
const untilReady = (status: number) =>
  Effect.gen(function* () {
    const { call } = yield* Harness
    return yield* Effect.repeat(call({ path: "/readyz" }), {
      until: (answer) => answer.status === status,
      schedule: Schedule.spaced("50 millis"),
    })
  })

/** SQLite answers as on a full disk when its file may have no more pages. */
const pagesAtMost = Effect.fnUntraced(function* (pages: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`PRAGMA max_page_count = ${pages}`)
})

/** New files can be made and have no room for a byte, as on a full disk. */
const fullFileSystem = Effect.acquireRelease(
  Effect.sync(() => {
    const { writeFile } = promises
    const full: typeof writeFile = () =>
      Promise.reject(Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }))
    promises.writeFile = full
    syncBuiltinESMExports()
    return Effect.sync(() => {
      promises.writeFile = writeFile
      syncBuiltinESMExports()
    })
  }),
  (restore) => restore,
)

describe("contract, Running it: /readyz while the disk is full", () => {
  it.live("submissions and /readyz are 503 and reads are answered, until there is room again", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      assert.strictEqual((yield* call({ path: "/readyz" })).status, 200)
      yield* pagesAtMost(1)
      const refused = yield* Effect.repeat(call(submission(key)), { until: ({ status }) => status !== 202 })
      assert.strictEqual(refused.status, 503)
      assert.strictEqual(errorOf(refused).error.code, "storage_unavailable")
      assert.isDefined(refused.headers["retry-after"])
      const notReady = yield* untilReady(503)
      assert.strictEqual(errorOf(notReady).error.code, "storage_unavailable")
      assert.strictEqual(errorOf(notReady).error.message, "The disk of the database is full.")
      assert.strictEqual((yield* call({ path: "/v1/tasks", key })).status, 200)
      yield* pagesAtMost(1_073_741_823)
      yield* untilReady(200)
      assert.strictEqual((yield* call(submission(key))).status, 202)
    }).pipe(Effect.provide(layerWith())),
  )

  it.live("the disk of the blobs counts too", () =>
    Effect.gen(function* () {
      const makeRoom = yield* fullFileSystem
      const notReady = yield* untilReady(503)
      assert.strictEqual(errorOf(notReady).error.message, "The disk of the blobs is full.")
      yield* makeRoom
      yield* untilReady(200)
    }).pipe(Effect.scoped, Effect.provide(layerWith())),
  )
})
